package outbound

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"time"
)

const (
	quickPlaces   = 4
	quickOfTenant = 2 // one that had a slow server of late has one
	quickOfServer = 3
	slowPlaces    = 8
	slowOfTenant  = 1
	slowOfServer  = 2

	// Workers is how many callers of Take leave one free to look, whoever waits: a
	// place that nobody looks for is no place.
	Workers = quickPlaces + slowPlaces + 1

	slowAfter  = 10 * time.Second // longer than this is slow
	slowFor    = time.Hour        // for how long one is held for slow that was
	lateTenant = 10 * time.Minute // for how long others come before a tenant that had a slow one
)

// ErrPutOff ends a visit that turned out to be slow while all places of the slow
// were taken. Nothing was found out: it is still due, and waits for such a place.
var ErrPutOff = errors.New("outbound: put off, the places for slow servers are taken")

// Places share out who may wait for servers that somebody named. A slow server
// holds nobody else's place: whoever waits for longer than slowAfter goes on
// apart, in the few places of the slow, and begins there the next time. The quick
// places are shared fairly by tenants and servers. The zero value works.
type Places struct {
	mu      sync.Mutex
	running map[string]*Place
	slow    map[string]time.Time // keys of what was slow: until when that is believed
	late    map[string]time.Time // tenants that had a slow one: until when
}

// Visit is what is to be asked: what it is, whose it is, and where it leads.
// Without a server only tenants are counted.
type Visit struct{ Key, Tenant, Server string }

// Place is one visit that goes on; Done gives it back.
type Place struct {
	Visit
	Index  int // of those that were due
	of     *Places
	began  time.Time
	isSlow bool
	cancel context.CancelCauseFunc
}

// Take gives a place to one of those that are due, the longest waiting first; nil
// = none may begin now. The context ends when the visit is put off.
func (p *Places) Take(ctx context.Context, due []Visit, now time.Time) (context.Context, *Place) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.running == nil {
		p.running, p.slow, p.late = map[string]*Place{}, map[string]time.Time{}, map[string]time.Time{}
	}
	p.age(now)
	best, bestRank := -1, 0
	for i, v := range due {
		if rank, ok := p.rank(v); ok && (best < 0 || rank < bestRank) {
			best, bestRank = i, rank
		}
	}
	if best < 0 {
		return nil, nil
	}
	ctx, cancel := context.WithCancelCause(ctx)
	_, isSlow := p.slow[due[best].Key]
	place := &Place{Visit: due[best], Index: best, of: p, began: now, isSlow: isSlow, cancel: cancel}
	p.running[place.Key] = place
	return ctx, place
}

// rank orders what may begin: quick ones first, of tenants that have the fewest
// places, those with a slow server last.
func (p *Places) rank(v Visit) (rank int, ok bool) {
	if _, isRunning := p.running[v.Key]; isRunning {
		return 0, false
	}
	_, isSlow := p.slow[v.Key]
	_, isLate := p.late[v.Tenant]
	all, ofTenant, ofServer := p.count(v, isSlow)
	most := quickOfTenant
	if isLate {
		most = 1
	}
	switch {
	case isSlow:
		return 1000 + ofTenant, p.fitsSlow(v)
	case all >= quickPlaces, ofTenant >= most, ofServer >= quickOfServer:
		return 0, false
	case isLate:
		return 2*ofTenant + 1, true
	}
	return 2 * ofTenant, true
}

func (p *Places) fitsSlow(v Visit) bool {
	all, ofTenant, ofServer := p.count(v, true)
	return all < slowPlaces && ofTenant < slowOfTenant && ofServer < slowOfServer
}

// count counts the places of a lane: all, and those of the visit's tenant and server.
func (p *Places) count(v Visit, isSlow bool) (all, ofTenant, ofServer int) {
	for _, r := range p.running {
		if r.isSlow != isSlow {
			continue
		}
		all++
		if r.Tenant == v.Tenant {
			ofTenant++
		}
		if v.Server != "" && r.Server == v.Server {
			ofServer++
		}
	}
	return all, ofTenant, ofServer
}

// age moves what has become slow, the longest waiting first, and forgets what was slow long ago.
func (p *Places) age(now time.Time) {
	var slow []*Place
	for _, r := range p.running {
		if !r.isSlow && now.Sub(r.began) > slowAfter {
			slow = append(slow, r)
		}
	}
	slices.SortFunc(slow, func(a, b *Place) int { return cmp.Or(a.began.Compare(b.began), cmp.Compare(a.Key, b.Key)) })
	for _, r := range slow {
		p.remember(r, now)
		if p.fitsSlow(r.Visit) {
			r.isSlow = true
		} else {
			r.cancel(ErrPutOff)
		}
	}
	for _, known := range []map[string]time.Time{p.slow, p.late} {
		for key, until := range known {
			if now.After(until) {
				delete(known, key)
			}
		}
	}
}

func (p *Places) remember(r *Place, now time.Time) {
	p.slow[r.Key], p.late[r.Tenant] = now.Add(slowFor), now.Add(lateTenant)
}

// Done gives the place back. A visit that was quick is not held for slow any longer.
func (r *Place) Done(now time.Time) {
	r.cancel(nil)
	r.of.mu.Lock()
	defer r.of.mu.Unlock()
	delete(r.of.running, r.Key)
	if now.Sub(r.began) > slowAfter {
		r.of.remember(r, now)
	} else {
		delete(r.of.slow, r.Key)
	}
}
