package store

import "context"

// Prepare lets the external tests prepare a statement on the writer.
func Prepare(ctx context.Context, s *Store, text string) error {
	st, err := s.write.PrepareContext(ctx, text)
	if err != nil {
		return err
	}
	return st.Close()
}
