package file

import (
	"context"
	"runtime"

	"lightbar/internal/budget/call"
)

const (
	// askEvery is the number of elements after which a reader checks whether anybody still waits for it.
	askEvery = 1000
	// takenAtOnce is how much of a reader's results may not be counted yet.
	takenAtOnce = 64 << 10
)

// work is one reading of a file. It ends with its context, and what it makes
// counts in the budget of the call.
type work struct {
	ctx      context.Context
	elements int
	bytes    int64 // made, and not yet counted
}

// step is called for each element: an error ends the reading.
func (w *work) step() error {
	if w.elements++; w.elements%askEvery != 0 {
		return nil
	}
	runtime.Gosched() // reports do not wait for a long file
	return w.ctx.Err()
}

// made counts what is stored of a file. Refusal: busy.
func (w *work) made(bytes int) error {
	if w.bytes += int64(bytes); w.bytes < takenAtOnce {
		return nil
	}
	n := w.bytes
	w.bytes = 0
	return call.Take(w.ctx, n)
}
