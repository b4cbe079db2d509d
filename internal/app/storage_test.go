package app

import (
	"errors"
	"fmt"
	"testing"

	"lightbar/internal/store"
)

// A failure of storage has one name at every door, and one time to come again.
func TestStorageFailuresHaveOneName(t *testing.T) {
	for _, c := range []struct {
		err    error
		code   string
		retryS int
	}{
		{store.ErrOutcomeUnknown, "outcome_unknown", 5}, {store.ErrFull, "storage_full", 30}, {store.ErrReadOnly, "storage_read_only", 30},
		{store.ErrStorage, "storage_failed", 5}, {store.ErrDamaged, "storage_failed", 5}, {store.ErrLockLost, "busy", 5}, {store.ErrBusy, "busy", 1},
		{errIngestFull, "busy", 1}, {errIngestStopped, "busy", 1}, {fmt.Errorf("%w: %w", store.ErrOutcomeUnknown, store.ErrStorage), "outcome_unknown", 5},
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
