package live

import (
	"context"
	"slices"

	"lightbar/internal/fleet"
	"lightbar/internal/store"
)

// stays finds the incidents that assets are or were at among those that the picture holds: a query to the database for each asset
// of a commit would hold up the writer. Only the writer uses it.
type stays struct {
	at map[string][]string // by asset: incidents of Picture.locations
	// The latest change of any incident that the picture no longer holds.
	gone fleet.Instant
}

func (s *stays) hold(l *fleet.Location) {
	for i := range l.Presences {
		if id := l.Presences[i].ThingID; !slices.Contains(s.at[id], l.ID) {
			s.at[id] = append(s.at[id], l.ID)
		}
	}
}

func (s *stays) forget(l *fleet.Location) {
	s.gone = max(s.gone, l.UpdatedAt)
	for i := range l.Presences {
		id := l.Presences[i].ThingID
		left := slices.DeleteFunc(s.at[id], func(at string) bool { return at == l.ID })
		if s.at[id] = left; len(left) == 0 {
			delete(s.at, id)
		}
	}
}

// staysNow is the picture's stays together with those of the change.
type staysNow struct {
	c     *Change
	fresh stays // incidents of the change
}

func (c *Change) staysNow() *staysNow {
	n := &staysNow{c: c, fresh: stays{at: map[string][]string{}}}
	for _, id := range c.order {
		n.fresh.hold(c.places[id])
	}
	return n
}

// of returns an asset's stays that touch a span, as they will be stored with the change.
func (n *staysNow) of(ctx context.Context, tx *store.Tx, a span) (out []fleet.Presence, err error) {
	p := n.c.p
	if a.from <= p.stays.gone.Add(fleet.MaxReportAhead()) { // a stay may end that far after the change that ended it
		return store.StaysOfThing(ctx, tx, a.s.ThingID, a.from, a.to)
	}
	for _, id := range n.fresh.at[a.s.ThingID] {
		out = appendStays(out, n.c.places[id], a)
	}
	for _, id := range p.stays.at[a.s.ThingID] {
		if n.c.places[id] == nil {
			out = appendStays(out, p.locations[id], a)
		}
	}
	return out, nil
}

// appendStays adds an asset's stays at an incident. Of two that began at the same instant the later one is stored.
func appendStays(out []fleet.Presence, l *fleet.Location, a span) []fleet.Presence {
	for i, stay := range l.Presences {
		if stay.ThingID != a.s.ThingID || stay.StartAt > a.to || stay.EndAt != 0 && stay.EndAt < a.from {
			continue
		}
		again := func(other fleet.Presence) bool { return other.ThingID == stay.ThingID && other.StartAt == stay.StartAt }
		if !slices.ContainsFunc(l.Presences[i+1:], again) {
			out = append(out, stay)
		}
	}
	return out
}
