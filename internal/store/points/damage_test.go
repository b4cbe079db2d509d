package points_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"lightbar/internal/store"
	"lightbar/internal/store/backup"
	"lightbar/internal/store/engine"
	"lightbar/internal/store/points"
	"lightbar/internal/store/storetest"
)

// A body of the intake that cannot be read lies within sound pages: opening,
// the check of a copy and the check of a backup find it all the same.
func TestAnIntakeThatCannotBeReadIsFound(t *testing.T) {
	for name, body := range map[string]string{"empty": `x''`, "of another version": `x'02'`, "cut off": `x'01ffff'`, "a text": `'{}'`} {
		t.Run(name, func(t *testing.T) {
			path := storetest.SQLitePath(t)
			s, err := store.Open(t.Context(), store.Options{Path: path})
			if err != nil {
				t.Fatal(err)
			}
			spoil := func(tx *store.Tx) error {
				_, err := tx.ExecContext(t.Context(), `INSERT INTO point_intake (no, body) VALUES (7, `+body+`)`)
				return err
			}
			if err := s.Write(t.Context(), spoil); err != nil {
				t.Fatal(err)
			}
			if _, err := backup.Copy(t.Context(), s.Database(), filepath.Join(t.TempDir(), "copy"), nil); err == nil || !strings.Contains(err.Error(), "point_intake cannot be read: number 7") {
				t.Errorf("the copy is held to be good: %v", err)
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			for _, readOnly := range []bool{true, false} {
				var u *engine.Unusable
				s, err := store.Open(t.Context(), store.Options{Path: path, ReadOnly: readOnly})
				if err == nil {
					_ = s.Close()
				}
				if !errors.As(err, &u) || !strings.Contains(u.Sentence, path+" is damaged (a row of point_intake cannot be read: number 7)") {
					t.Errorf("read only %v: %v", readOnly, err)
				}
			}
		})
	}
}

// On PostgreSQL, whose pages are its own affair, the first reader of the intake says the same.
func TestReadersOfTheIntakeSayWhatIsDamaged(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		if err := s.Write(t.Context(), func(tx *store.Tx) error {
			_, err := tx.ExecContext(t.Context(), `INSERT INTO point_intake (no, body) VALUES (7, $1)`, []byte{2})
			return err
		}); err != nil {
			t.Fatal(err)
		}
		var u *engine.Unusable
		if _, _, err := points.Intake(t.Context(), s.Store); !errors.As(err, &u) || !strings.HasPrefix(u.Sentence, "The database is damaged (a row of point_intake cannot be read: number 7)") {
			t.Errorf("got %v", err)
		}
	})
}
