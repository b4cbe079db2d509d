package store

import (
	"context"
	"errors"

	"lightbar/internal/store/engine"
)

// EachOf does the work of a pass for each of a list. One that fails costs the others nothing, and the first failure is told
// at the end; what no other would get past either (the time is over, the database does not take it) ends the pass.
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

// concernsAll reports whether an error is of the database as a whole, and not of what was asked of it.
func concernsAll(err error) bool {
	for _, of := range []error{engine.ErrFull, engine.ErrReadOnly, engine.ErrStorage, engine.ErrBusy, engine.ErrLockLost,
		engine.ErrOutcomeUnknown, context.Canceled, context.DeadlineExceeded} {
		if errors.Is(err, of) {
			return true
		}
	}
	return false
}
