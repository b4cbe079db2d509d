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

// LocationQuery requests incidents that organizations see.
type LocationQuery struct {
	Organizations []string
	Start         fleet.Instant // ended at or after, or still active
	Since         fleet.Instant // changed at or after
	ActiveOnly    bool
	Search        string // in lower case, part of an external id, a street or an asset's identifiers; empty = all
	Page, PerPage int    // PerPage 0 = all
}

// Locations returns incidents, active ones first, newest first; with Since also deleted rows (IsDeleted), last. Those that ended
// long ago come from the database, for the organization that owns them.
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
	by := search{p: p, part: q.Search, orgs: q.Organizations, found: map[string]bool{}}
	var found []*fleet.Location
	for _, l := range old {
		if p.locations[l.ID] == nil && l.UpdatedAt >= q.Since && by.finds(l) {
			found = append(found, l)
		}
	}
	for _, l := range p.locations {
		if !l.IsActive && (q.ActiveOnly || l.EndAt < q.Start) || l.UpdatedAt < q.Since {
			continue
		}
		if p.seesLocation(q.Organizations, l) && by.finds(l) {
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

// search finds incidents by their own texts and by their assets'; each asset is checked once, however many incidents it was at.
type search struct {
	p     *Picture
	part  string
	orgs  []string
	found map[string]bool // by asset: whether its texts, now or as an earlier owner knew them, hold the part
}

// finds reports whether an incident matches: by itself, or by an asset of it that the organizations may see. Callers hold mu.
func (q *search) finds(l *fleet.Location) bool {
	if q.part == "" || fleet.ContainsFold(l.ExternalID, q.part) || fleet.ContainsFold(l.Street, q.part) {
		return true
	}
	return slices.ContainsFunc(l.Presences, func(stay fleet.Presence) bool {
		found, known := q.found[stay.ThingID]
		if !known {
			found = q.anyOf(stay.ThingID)
			q.found[stay.ThingID] = found
		}
		if !found {
			return false
		}
		t, ok := q.p.whoOf(l, q.orgs, stay.ThingID)
		return ok && q.inTexts(t)
	})
}

func (q *search) anyOf(thingID string) bool {
	if slot, ok := q.p.byID[thingID]; ok && q.inTexts(q.p.entries[slot].thing) {
		return true
	}
	return slices.ContainsFunc(q.p.pastOwners[thingID], func(o fleet.Ownership) bool { return o.Doc != nil && q.inTexts(o.Doc) })
}

func (q *search) inTexts(t *fleet.Thing) bool {
	return slices.ContainsFunc([]string{t.SystemName, t.Nickname, t.ExternalID, t.VIN, t.Plate, t.Registry},
		func(text string) bool { return fleet.ContainsFold(text, q.part) })
}

// Location finds an incident: in the picture if it is active or changed recently, else in the database. The copy is the caller's.
// store.ErrNotFound when there is none.
func (p *Picture) Location(ctx context.Context, id string) (*fleet.Location, error) {
	p.mu.RLock()
	l := p.locations[id]
	if l != nil {
		l = l.Clone()
	}
	p.mu.RUnlock()
	if l != nil {
		return l, nil
	}
	return store.LocationByID(ctx, p.store.Reader(), id)
}

// LocationAudience lists the organizations that see an incident: its own, and those that see an asset that is or was there.
func (p *Picture) LocationAudience(l *fleet.Location) []string {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.locationAudience(l)
}

// DescribeLocation is an incident as the organizations see it.
func (p *Picture) DescribeLocation(l *fleet.Location, organizations []string) wire.Location {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.locationOf(l, organizations)
}

// seesLocation reports whether one of the organizations owns the incident, or sees an asset that is or was there.
func (p *Picture) seesLocation(organizations []string, l *fleet.Location) bool {
	if slices.Contains(organizations, l.OrganizationID) {
		return true
	}
	for i := range l.Presences {
		if id := l.Presences[i].ThingID; p.staysWith(l, id) && p.sees(organizations, id) {
			return true
		}
	}
	return false
}

// locationOf is an incident as the organizations see it: only with the assets that they see.
func (p *Picture) locationOf(l *fleet.Location, organizations []string) wire.Location {
	return wire.LocationOf(l, fleet.InstantOf(p.now()), func(id string) (*fleet.Thing, bool) {
		return p.whoOf(l, organizations, id)
	})
}

func (p *Picture) locationAudience(l *fleet.Location) []string {
	audience := []string{l.OrganizationID}
	for i := range l.Presences {
		if id := l.Presences[i].ThingID; p.staysWith(l, id) {
			for _, org := range p.entries[p.byID[id]].audience {
				if !slices.Contains(audience, org) {
					audience = append(audience, org)
				}
			}
		}
	}
	return audience
}

// locationMessages publishes an incident to everybody who sees it; organizations that see the same assets there share one body.
func (p *Picture) locationMessages(l *fleet.Location, at fleet.Instant) []fleet.Message {
	var out []fleet.Message
	for _, org := range p.locationAudience(l) {
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
