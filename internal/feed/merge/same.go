package merge

import (
	"lightbar/internal/fleet"
)

// Some publishers give everything another id in each document. By their ids alone all of it would be new and all of it missing each
// minute, and what is missing would stay active for an hour beside what is new. So a feature with an unknown id, and with the same
// content, place and start as one that is missing from the document, is that one, and keeps its first id.

// where is what distinguishes closures of different places and times.
type where struct {
	road, direction, text string
	from, to              fleet.LatLng
	start                 fleet.Instant
}

func whereOf(c *fleet.Closure) (w where, ok bool) {
	if len(c.UserRoute) == 0 {
		return w, false
	}
	w = where{c.RoadName, c.Direction, c.FeedText(), c.UserRoute[0], c.UserRoute[len(c.UserRoute)-1], c.StartAt}
	if c.Weekly != nil { // its start is that of its present time
		w.start = 0
	}
	return w, true
}

// spot is what distinguishes hazards.
type spot struct {
	kind, description string
	lat, lng          float64
}

// keepIDs gives what a whole document calls by another id than the one before the id that is stored.
func (f *Fetch) keepIDs(closures []*fleet.Closure, hazards []*fleet.Hazard) {
	if !f.Whole {
		return
	}
	said := map[string]bool{}
	for _, c := range f.Closures {
		said[c.ExternalID] = true
	}
	lost, known := map[where][]string{}, map[string]bool{}
	for _, c := range closures {
		known[c.ExternalID] = true
		if at, ok := whereOf(c); ok && !said[c.ExternalID] && c.IsActiveOrScheduled(f.At) {
			lost[at] = append(lost[at], c.ExternalID)
		}
	}
	for _, c := range f.Closures {
		if at, ok := whereOf(c); ok && !known[c.ExternalID] {
			c.ExternalID = take(lost, at, c.ExternalID)
		}
	}
	clear(said)
	clear(known)
	for i := range f.Hazards {
		said[f.Hazards[i].ID] = true
	}
	spots := map[spot][]string{}
	for _, h := range hazards {
		if known[h.ExternalID] = true; !said[h.ExternalID] && h.At(f.At).EndedAt == 0 {
			at := spot{h.Kind, h.Description, h.Lat, h.Lng}
			spots[at] = append(spots[at], h.ExternalID)
		}
	}
	for i := range f.Hazards {
		if r := &f.Hazards[i]; !known[r.ID] {
			r.ID = take(spots, spot{r.Kind, r.Description, r.Lat, r.Lng}, r.ID)
		}
	}
}

// take returns the first of the missing ids at a place, once; else the given id.
func take[K comparable](lost map[K][]string, at K, said string) string {
	ids := lost[at]
	if len(ids) == 0 {
		return said
	}
	lost[at] = ids[1:]
	return ids[0]
}
