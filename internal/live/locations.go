package live

import (
	"context"
	"slices"
	"sort"
	"strings"

	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

func sortStrings(s []string) { sort.Strings(s) }

func lower(s string) string { return store.SystemKey(s) }

// LocationQuery asks for incidents that organizations see.
type LocationQuery struct {
	Organizations []string
	Start         fleet.Instant // ended at or after, or still active
	Since         fleet.Instant // changed at or after
	ActiveOnly    bool
	Page, PerPage int // PerPage 0 = all
}

// Locations answers incidents, active ones first, newest first; with Since also
// rows that have gone (IsDeleted), last. Those that ended long ago come from the
// database, for the organization that owns them.
func (p *Picture) Locations(ctx context.Context, q LocationQuery) ([]wire.Location, int, fleet.Instant, error) {
	var old []*fleet.Location
	kept := fleet.InstantOf(p.now()).Add(-locationsKept)
	if !q.ActiveOnly && q.Since < kept && q.Start < kept {
		for _, org := range q.Organizations {
			rows, err := store.LocationsOfOrganization(ctx, p.store.Reader(), org, q.Start, kept)
			if err != nil {
				return nil, 0, 0, err
			}
			old = append(old, rows...)
		}
	}
	p.mu.RLock()
	defer p.mu.RUnlock()
	asOf := p.asOf()
	q.Since = sinceOf(q.Since, asOf)
	var found []*fleet.Location
	for _, l := range old {
		if p.locations[l.ID] == nil && l.UpdatedAt >= q.Since {
			found = append(found, l)
		}
	}
	for _, l := range p.locations {
		if !l.IsActive && (q.ActiveOnly || l.EndAt < q.Start) || l.UpdatedAt < q.Since {
			continue
		}
		if p.seesLocation(q.Organizations, l) {
			found = append(found, l)
		}
	}
	slices.SortFunc(found, func(a, b *fleet.Location) int {
		switch {
		case a.IsActive != b.IsActive:
			if a.IsActive {
				return -1
			}
			return 1
		case a.StartAt != b.StartAt:
			return int(min(1, max(-1, b.StartAt-a.StartAt)))
		}
		return strings.Compare(a.ID, b.ID)
	})
	var gone []string
	if q.Since > 0 && !q.ActiveOnly {
		gone = p.goneLocations(q.Organizations, q.Since)
	}
	total := len(found) + len(gone)
	first, last := 0, total
	if q.PerPage > 0 {
		first, last = min(total, (q.Page-1)*q.PerPage), min(total, q.Page*q.PerPage)
	}
	out := make([]wire.Location, 0, last-first)
	for i := first; i < last; i++ {
		if i < len(found) {
			out = append(out, p.locationOf(found[i], q.Organizations))
		} else {
			out = append(out, wire.GoneLocation(gone[i-len(found)]))
		}
	}
	return out, total, asOf, nil
}

// seesLocation: the organization that owns the incident sees it, and who sees an asset that is or was there.
func (p *Picture) seesLocation(organizations []string, l *fleet.Location) bool {
	if contains(organizations, l.OrganizationID) {
		return true
	}
	for i := range l.Presences {
		if id := l.Presences[i].ThingID; p.staysWith(l, id) && p.sees(organizations, id) {
			return true
		}
	}
	return false
}

// locationOf is an incident as the organizations see it: with the assets in
// their sight alone.
func (p *Picture) locationOf(l *fleet.Location, organizations []string) wire.Location {
	return wire.LocationOf(l, fleet.InstantOf(p.now()), func(id string) (*fleet.Thing, bool) {
		return p.whoOf(l, organizations, id)
	})
}

// locationMessages tells everybody who sees an incident; organizations that see
// the same assets there share one body.
func (p *Picture) locationMessages(l *fleet.Location, at fleet.Instant) []fleet.Message {
	audience := []string{l.OrganizationID}
	for i := range l.Presences {
		if id := l.Presences[i].ThingID; p.staysWith(l, id) {
			for _, org := range p.entries[p.byID[id]].audience {
				if !contains(audience, org) {
					audience = append(audience, org)
				}
			}
		}
	}
	var out []fleet.Message
	for _, org := range audience {
		body := wire.EncodeRow(fleet.MessageLocation, p.locationOf(l, []string{org}))
		same := slices.IndexFunc(out, func(e fleet.Message) bool { return string(e.Body) == string(body) })
		if same >= 0 {
			out[same].Audience = append(out[same].Audience, org)
			continue
		}
		out = append(out, fleet.Message{Type: fleet.MessageLocation, Key: l.ID, Audience: []string{org}, At: at, Body: body})
	}
	return out
}
