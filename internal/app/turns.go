package app

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"sync"
	"time"

	"lightbar/internal/fleet"
)

// waitingTurns limits how many requests of one tenant may wait for their turn: each of them holds thousands of assets in memory.
const waitingTurns = 16

// turns admits long work on the picture one piece at a time, with tenants in turn: a tenant that has just had a piece comes after
// all others that wait. So reports wait for one piece at most, and a tenant's pieces for one piece of each other tenant, however
// many requests one of them sends. The zero value works.
type turns struct {
	full string // the message when too many of a tenant wait already; empty = the one about asset changes

	mu      sync.Mutex
	busy    string // whose turn it is, "" = nobody's
	order   []string
	waiting map[string][]chan struct{}
	inside  map[string]int // requests by tenant
}

// join admits a request of a tenant that will take turns; call the returned function when the request ends. Refusals: rate_limited,
// when many of the tenant's wait already.
func (t *turns) join(tenant string) (leave func(), err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.inside == nil {
		t.inside = map[string]int{}
	}
	if t.inside[tenant] >= waitingTurns {
		return nil, &fleet.Refusal{Code: "rate_limited", RetryAfterS: 1,
			Message: cmp.Or(t.full, "This organization is making too many asset changes. Please wait a moment.")}
	}
	t.inside[tenant]++
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		if t.inside[tenant]--; t.inside[tenant] == 0 {
			delete(t.inside, tenant)
		}
	}, nil
}

// alone is one piece of work of a request that has no other.
func (t *turns) alone(ctx context.Context, tenant string, piece func() error) error {
	leave, err := t.join(tenant)
	if err != nil {
		return err
	}
	defer leave()
	return t.take(ctx, tenant, piece)
}

// take waits for the tenant's next turn and runs one piece of work in it. The error is that of ctx if it ended before, else that of
// the piece.
func (t *turns) take(ctx context.Context, tenant string, piece func() error) error {
	t.mu.Lock()
	if t.busy == "" {
		t.busy = tenant
		t.mu.Unlock()
	} else {
		mine := make(chan struct{})
		if len(t.waiting[tenant]) == 0 && t.busy != tenant { // during the tenant's own turn, its next place is assigned when that turn ends
			t.order = append(t.order, tenant)
		}
		if t.waiting == nil {
			t.waiting = map[string][]chan struct{}{}
		}
		t.waiting[tenant] = append(t.waiting[tenant], mine)
		t.mu.Unlock()
		select {
		case <-mine:
		case <-ctx.Done():
			if t.withdraw(tenant, mine) {
				return ctx.Err()
			}
		}
	}
	defer t.next()
	if err := ctx.Err(); err != nil {
		return err
	}
	return piece()
}

// next gives the turn to the tenant that has waited longest; the tenant that had it goes behind the others.
func (t *turns) next() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.waiting[t.busy]) > 0 {
		t.order = append(t.order, t.busy)
	}
	if t.busy = ""; len(t.order) == 0 {
		return
	}
	t.busy, t.order = t.order[0], t.order[1:]
	mine := t.waiting[t.busy][0]
	t.drop(t.busy, mine)
	close(mine)
}

// withdraw removes a waiting request; false when its turn has come in the meantime.
func (t *turns) withdraw(tenant string, mine chan struct{}) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !slices.Contains(t.waiting[tenant], mine) {
		return false
	}
	t.drop(tenant, mine)
	if len(t.waiting[tenant]) == 0 {
		t.order = slices.DeleteFunc(t.order, func(s string) bool { return s == tenant })
	}
	return true
}

func (t *turns) drop(tenant string, mine chan struct{}) {
	rest := slices.DeleteFunc(t.waiting[tenant], func(c chan struct{}) bool { return c == mine })
	if len(rest) == 0 {
		delete(t.waiting, tenant)
		return
	}
	t.waiting[tenant] = rest
}

// letOthers gives the processor to other waiting work, now and then in a loop over thousands (i counts it): without it a report
// waits up to 10 ms for each processor that such a loop holds.
func letOthers(i int) {
	if i%64 == 0 {
		runtime.Gosched()
	}
}

// giveWay leaves the processors to others for as long as a piece of work took: registering a hundred thousand assets takes twice as
// long, and everybody's reports wait a third as long. Ends early with ctx.
func giveWay(ctx context.Context, took time.Duration) {
	rest := time.NewTimer(took)
	defer rest.Stop()
	select {
	case <-rest.C:
	case <-ctx.Done():
	}
}
