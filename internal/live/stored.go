package live

import (
	"runtime"

	"lightbar/internal/fleet"
)

// Rows of nouns that only the store holds are stamped before their commit, at the beginning of their change. So a list must not
// carry an instant later than the stamp of a change that has not been committed: its rows would never be sent.

// stamping in Picture.opened means that a change is choosing its stamp.
const stamping = 1

// open notes that a change has begun, and returns its stamp: not before any instant that a list has carried.
func (p *Picture) open() fleet.Instant {
	p.opened.Store(stamping)
	stamp := p.asOf()
	p.opened.Store(int64(stamp))
	return stamp
}

// Stamp is the updated_at of the store's rows that the change writes.
func (c *Change) Stamp() fleet.Instant { return c.stamp }

// AsOfStored is the instant that a list read from the store after this call may carry: whatever it does not show yet has the same
// or a later stamp. since is the instant of the request; from is the same, or 1 (everything) if since is later than any instant
// that was given: then the clock was set back.
func (p *Picture) AsOfStored(since fleet.Instant) (asOf, from fleet.Instant) {
	asOf = p.asOf()
	from = sinceOf(since, asOf)
	for {
		switch opened := p.opened.Load(); opened {
		case stamping:
			runtime.Gosched()
		case 0:
			return asOf, from
		default:
			return min(asOf, fleet.Instant(opened)), from
		}
	}
}
