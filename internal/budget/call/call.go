// Package call lets the work of a call count what it makes, without knowing
// HTTP: whoever admits the call (package budget) puts the count into its context.
package call

import "context"

type key struct{}

// Counting is ctx for work that counts its bytes by take, until the call is answered.
func Counting(ctx context.Context, take func(bytes int64) error) context.Context {
	return context.WithValue(ctx, key{}, take)
}

// Take counts n bytes more that the work of a context makes: what is read of a
// body is held beside it. Work that no call asked for is not counted. Refusal: busy.
func Take(ctx context.Context, n int64) error {
	if take, ok := ctx.Value(key{}).(func(int64) error); ok {
		return take(n)
	}
	return nil
}
