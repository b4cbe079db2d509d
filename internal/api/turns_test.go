package api

import (
	"context"
	"testing"
	"testing/synctest"
)

// One user has so many calls at work and so many waiting; others do not wait with them.
func TestTurnsOfOneUser(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turns := turns{most: func() int { return 1 }, waiting: 1}
		leave, f := turns.enter(t.Context(), "ann")
		if f != nil {
			t.Fatal(f)
		}
		went := make(chan func())
		go func() {
			second, _ := turns.enter(context.Background(), "ann")
			went <- second
		}()
		synctest.Wait() // the second call waits for its turn
		if _, f := turns.enter(t.Context(), "ann"); f == nil || f.Failure.Error != "rate_limited" || f.headers.Get("Retry-After") == "" {
			t.Errorf("beyond the bound: %v", f)
		}
		if other, f := turns.enter(t.Context(), "bob"); f != nil {
			t.Errorf("another user: %v", f)
		} else {
			other()
		}
		select {
		case <-went:
			t.Error("the second call did not wait")
		default:
		}
		leave()
		(<-went)()
		if len(turns.users) != 0 {
			t.Errorf("%d users are kept", len(turns.users))
		}
	})
}

// Who waits and goes away leaves nothing behind.
func TestTurnsAreGivenBack(t *testing.T) {
	turns := turns{most: func() int { return 1 }, waiting: 5}
	leave, _ := turns.enter(t.Context(), "ann")
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, f := turns.enter(gone, "ann"); f == nil || f.Failure.Error != "busy" {
		t.Errorf("%v", f)
	}
	leave()
	if len(turns.users) != 0 {
		t.Errorf("%d users are kept", len(turns.users))
	}
}
