package budget

import "context"

type holdKey struct{}

// In puts a request's hold into the context of its work, which ends with it.
func In(ctx context.Context, h *Hold) context.Context { return context.WithValue(ctx, holdKey{}, h) }

// Take counts n bytes more that the work of a context makes, until its request
// is answered: what is read of a body is held beside it. Work that no request
// asked for is not counted. Refusal: busy.
func Take(ctx context.Context, n int64) error {
	if h, ok := ctx.Value(holdKey{}).(*Hold); ok {
		return h.Take(n)
	}
	return nil
}
