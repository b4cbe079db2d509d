package app

import (
	"errors"
	"fmt"
	"testing"

	"lightbar/internal/store/engine"
)

// A failure of storage has one name at every door, and one time to come again.
func TestStorageFailuresHaveOneName(t *testing.T) {
	for _, c := range []struct {
		err    error
		code   string
		retryS int
	}{
		{engine.ErrOutcomeUnknown, "outcome_unknown", 5}, {engine.ErrFull, "storage_full", 30}, {engine.ErrReadOnly, "storage_read_only", 30},
		{engine.ErrStorage, "storage_failed", 5}, {engine.ErrDamaged, "storage_failed", 5}, {engine.ErrLockLost, "busy", 5}, {engine.ErrBusy, "busy", 1},
		{errIngestFull, "busy", 1}, {errIngestStopped, "busy", 1}, {fmt.Errorf("%w: %w", engine.ErrOutcomeUnknown, engine.ErrStorage), "outcome_unknown", 5},
	} {
		err := fmt.Errorf("a verb: %w", c.err)
		if r := StorageRefusal(err); r == nil || r.Code != c.code || r.RetryAfterS != c.retryS || r.Message == "" {
			t.Errorf("%v: %+v", c.err, r)
		}
	}
	if err := errors.New("a bug"); StorageRefusal(err) != nil {
		t.Errorf("a bug is told as %v", StorageRefusal(err))
	}
}
