package app

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"lightbar/internal/fleet"
)

// However many requests one tenant sends, another one's piece waits for the
// piece that is being done; then they take turns.
func TestTenantsTakeTurns(t *testing.T) {
	var line turns
	var mu sync.Mutex
	var order []string
	var all sync.WaitGroup
	queued := func(tenant string, want int) {
		t.Helper()
		for end := time.Now().Add(time.Minute); ; runtime.Gosched() {
			line.mu.Lock()
			n := len(line.waiting[tenant])
			line.mu.Unlock()
			if n == want {
				return
			}
			if time.Now().After(end) {
				t.Fatalf("%d of %s wait, want %d", n, tenant, want)
			}
		}
	}
	ask := func(tenant string, n int) {
		all.Go(func() {
			err := line.take(t.Context(), tenant, func() error {
				mu.Lock()
				defer mu.Unlock()
				order = append(order, tenant)
				return nil
			})
			if err != nil {
				t.Error(err)
			}
		})
		queued(tenant, n)
	}
	begun, end := make(chan struct{}), make(chan struct{})
	all.Go(func() {
		_ = line.take(t.Context(), "a", func() error { close(begun); <-end; return nil })
	})
	<-begun
	for i := range 3 {
		ask("a", i+1)
	}
	ask("b", 1)
	ask("b", 2)
	ask("c", 1)
	gone, cancel := context.WithCancel(t.Context())
	all.Go(func() {
		if err := line.take(gone, "d", func() error { t.Error("it was called off"); return nil }); err == nil {
			t.Error("a turn that was called off")
		}
	})
	queued("d", 1)
	cancel()
	queued("d", 0)
	close(end)
	all.Wait()
	if want := []string{"b", "c", "a", "b", "a", "a"}; !slices.Equal(order, want) {
		t.Errorf("turns %v, want %v", order, want)
	}
	if line.busy != "" || len(line.order)+len(line.waiting) != 0 {
		t.Errorf("left over: %q %v %v", line.busy, line.order, line.waiting)
	}
}

// One tenant's requests that wait are bounded; another one's are not refused for them.
func TestFewRequestsOfATenantWait(t *testing.T) {
	var line turns
	var leave []func()
	for range waitingTurns {
		l, err := line.join("a")
		if err != nil {
			t.Fatal(err)
		}
		leave = append(leave, l)
	}
	_, err := line.join("a")
	if r, ok := err.(*fleet.Refusal); !ok || r.Code != "rate_limited" || r.RetryAfterS == 0 {
		t.Errorf("%v", err)
	}
	if _, err := line.join("b"); err != nil {
		t.Error(err)
	}
	leave[0]()
	if _, err := line.join("a"); err != nil {
		t.Error(err)
	}
}
