package store

import (
	"context"
	"errors"

	"lightbar/internal/store/engine"
)

// EachOf does the work of a pass for each item of a list. A failure does not affect the others, and the first one is returned at
// the end; an error that no other would get past either (the time is over, the database does not accept it) ends the pass.
func EachOf[T any](ctx context.Context, list []T, do func(T) error) (first error) {
	for _, one := range list {
		err := do(one)
		if first == nil {
			first = err
		}
		if ctx.Err() != nil || concernsAll(err) {
			return first
		}
	}
	return first
}

// concernsAll reports whether an error is about the database as a whole, and not about one request.
func concernsAll(err error) bool {
	for _, of := range []error{engine.ErrFull, engine.ErrReadOnly, engine.ErrStorage, engine.ErrBusy, engine.ErrLockLost,
		engine.ErrOutcomeUnknown, context.Canceled, context.DeadlineExceeded} {
		if errors.Is(err, of) {
			return true
		}
	}
	return false
}
