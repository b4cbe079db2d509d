package fleet

import "time"

// Cover is a user's request to be notified when a station is without its units.
type Cover struct {
	UserID  string
	AreaID  string
	TypeIDs []string // an asset of each of these types must be there; empty = any asset
	// AfterMinutes is how long the station may be without them.
	AfterMinutes int64
	CreatedAt    Instant
}

// Covered is what a station's cover is at an instant.
type Covered struct {
	Is bool
	// Since when the station is without them, also while it is covered because
	// that is not long enough ago; 0 = they are there.
	Since Instant
	// MissingTypeID is which of the types; empty where any asset would do.
	MissingTypeID string
}

// TypePresence is how many assets of a type a station has.
type TypePresence struct {
	Present bool
	// LeftAt is when the last one left, or stopped to count; 0 = never, as far as is known.
	LeftAt Instant
}

// Judge reports whether a station is covered, by its assets of each type. A type that was never there has been missing since
// somebody requested it.
func (c *Cover) Judge(of map[string]TypePresence, now Instant) Covered {
	out := Covered{Is: true}
	look := func(typeID string, s TypePresence) {
		if s.Present {
			return
		}
		since := s.LeftAt
		if since == 0 {
			since = c.CreatedAt
		}
		if out.Since == 0 || since < out.Since {
			out.Since, out.MissingTypeID = since, typeID
		}
	}
	if len(c.TypeIDs) == 0 {
		any := TypePresence{}
		for _, s := range of {
			any.Present, any.LeftAt = any.Present || s.Present, max(any.LeftAt, s.LeftAt)
		}
		look("", any)
	}
	for _, id := range c.TypeIDs {
		look(id, of[id])
	}
	out.Is = out.Since == 0 || now.Sub(out.Since) < time.Duration(c.AfterMinutes)*time.Minute
	return out
}
