package api

import (
	"context"
	"sync"

	"lightbar/catalog"
)

var callsPerUser = catalog.Setting("http", "callsPerUser")

const (
	// turnsWaiting is how many calls of one user may wait for their turn; a page of the web app makes some twenty.
	turnsWaiting = 64
	// exportsPerUser is how many whole files one user may be sent at once.
	exportsPerUser = 2
)

// turns bounds how many calls of one user are worked on at once, so that one
// token cannot keep all processors and the memory of hundreds of answers.
// Further calls wait; too many of them are refused.
type turns struct {
	most    func() int
	waiting int
	mu      sync.Mutex
	users   map[string]*turn
}

type turn struct {
	places chan struct{}
	calls  int
}

// enter waits for a place of the user; leave gives it back. Failures: rate_limited, busy.
func (t *turns) enter(ctx context.Context, user string) (leave func(), f *Failure) {
	t.mu.Lock()
	u := t.users[user]
	if u == nil {
		if t.users == nil {
			t.users = map[string]*turn{}
		}
		u = &turn{places: make(chan struct{}, t.most())}
		t.users[user] = u
	}
	if u.calls >= cap(u.places)+t.waiting {
		t.mu.Unlock()
		f = fail("rate_limited")
		f.headers.Set("Retry-After", "2")
		return nil, f
	}
	u.calls++
	t.mu.Unlock()
	done := func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		if u.calls--; u.calls == 0 {
			delete(t.users, user)
		}
	}
	select {
	case u.places <- struct{}{}:
		return func() { <-u.places; done() }, nil
	case <-ctx.Done():
		done()
		f = fail("busy")
		f.headers.Set("Retry-After", "2")
		return nil, f
	}
}
