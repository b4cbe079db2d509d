package app

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"time"

	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

func sortedKeys[V any](of map[string]V) []string { return slices.Sorted(maps.Keys(of)) }

// incidents adds the incidents and events that began in the month, with the stays of the organization's own assets.
func (m *monthlyMaker) incidents(ctx context.Context) error {
	for _, day := range m.month.Days() {
		found, err := store.LocationsOfOrganization(ctx, m.Store.Reader(), m.of.ID, day.Start, day.End)
		if err != nil {
			return err
		}
		for _, l := range found {
			row := fleet.MonthlyIncidentRow{LocationID: l.ID, Name: l.AlertMessage, Street: l.Street, Lat: l.Lat, Lng: l.Lng, StartAt: l.StartAt,
				EndAt: l.EndAt, Stays: []fleet.MonthlyStay{}}
			if row.Name == "" {
				row.Name = "Incident"
				if l.IsGeoMarker {
					row.Name = "Event"
				}
			}
			for _, p := range l.Presences {
				t := m.assets[p.ThingID]
				if t == nil || p.OrganizationID != m.of.ID {
					continue // stays of other organizations' assets are theirs to share
				}
				stay, err := m.stay(ctx, t, p)
				if err != nil {
					return err
				}
				row.Stays = append(row.Stays, stay)
			}
			m.sums.AddIncident(row)
		}
	}
	return nil
}

func (m *monthlyMaker) stay(ctx context.Context, t *monthlyAsset, p fleet.Presence) (fleet.MonthlyStay, error) {
	r := m.Store.Reader()
	from, to := fleet.RunReach(p.StartAt, p.StartAt)
	runs, err := store.RunsBetween(ctx, r, t.No, from, to)
	if err != nil {
		return fleet.MonthlyStay{}, err
	}
	runs = slices.DeleteFunc(runs, func(run fleet.Run) bool { return run.OrganizationID != m.of.ID })
	for _, run := range runs {
		from = min(from, run.StartAt)
	}
	stays, err := store.StaysOfThing(ctx, r, t.ID, from, p.StartAt)
	return fleet.StayOf(p, t.name(), runs, stays), err
}

// feeds adds who read the organization's public feeds on the days of the month.
func (m *monthlyMaker) feeds(ctx context.Context) error {
	r, day := m.Store.Reader(), func(at fleet.Instant) string { return at.Time().In(m.month.Zone).Format(time.DateOnly) }
	consumers, err := store.FeedReads(ctx, r, m.of.ID, day(m.month.Start), day(m.month.End-1))
	if err != nil {
		return err
	}
	keys, err := store.KeysOf(ctx, r, m.of.ID, 0)
	if err != nil {
		return err
	}
	m.sums.Feeds.IsCounted = m.since != 0 && m.since <= m.month.Start
	for _, c := range consumers {
		for i := range keys {
			if keys[i].ID == c.Name {
				c.Name = keyName(&keys[i])
				break
			}
		}
		m.sums.Feeds.Requests += c.Requests
		m.sums.Feeds.Consumers = append(m.sums.Feeds.Consumers, c)
	}
	m.sums.Feeds.DriversAlerted, err = store.DriversAlerted(ctx, r, m.of.ID, m.month.Start, m.month.End)
	return err
}

// always is later than all instants.
const always = fleet.Instant(1 << 62)

// past is a record's state for a period; doc is nil if it still is in that state.
type past struct {
	fleet.Stretch
	doc json.RawMessage
}

// pastOf returns the earlier states of a record and their periods, from the audit rows that changed it, oldest first. Each period
// has the state at its end: the clock may have changed the record in between.
func pastOf(rows []fleet.AuditRow, deletedAt fleet.Instant) (out []past) {
	end := cmp.Or(deletedAt, always)
	if len(rows) == 0 {
		return []past{{Stretch: fleet.Stretch{End: end}}}
	}
	if rows[0].Verb != "create" && len(rows[0].Before) > 0 {
		out = append(out, past{fleet.Stretch{End: rows[0].At}, rows[0].Before})
	}
	for i, row := range rows {
		switch {
		case row.Removes():
		case i+1 == len(rows):
			out = append(out, past{Stretch: fleet.Stretch{Start: row.At, End: end}})
		case len(rows[i+1].Before) > 0:
			out = append(out, past{fleet.Stretch{Start: row.At, End: rows[i+1].At}, rows[i+1].Before})
		default:
			out = append(out, past{fleet.Stretch{Start: row.At, End: rows[i+1].At}, row.After})
		}
	}
	return out
}

// changesOf reads the rows that pastOf needs for a record that may have changed since the month began, oldest first.
func (m *monthlyMaker) changesOf(ctx context.Context, noun, id string, updatedAt fleet.Instant) ([]fleet.AuditRow, error) {
	if updatedAt < m.month.Start {
		return nil, nil
	}
	rows, err := store.VersionsSince(ctx, m.Store.Reader(), noun, id, 0)
	slices.Reverse(rows)
	return rows, err
}

// stations adds how long the organization's stations were covered.
func (m *monthlyMaker) stations(ctx context.Context) error {
	for page := 1; ; page++ {
		// Changed at or after the beginning of time: includes deleted ones.
		found, total, err := store.Areas.Page(ctx, m.Store.Reader(), []string{m.of.ID}, 1, page, closuresAtOnce)
		if err != nil {
			return err
		}
		for i := range found {
			if err := m.station(ctx, &found[i]); err != nil {
				return err
			}
		}
		if page*closuresAtOnce >= total {
			return nil
		}
	}
}

func (m *monthlyMaker) station(ctx context.Context, x *fleet.Area) error {
	if x.DeletedAt != 0 && x.DeletedAt <= m.month.Start {
		return nil
	}
	changes, err := m.changesOf(ctx, areas.Name, x.ID, x.UpdatedAt)
	if err != nil {
		return err
	}
	var was []fleet.Stretch
	for _, p := range pastOf(changes, x.DeletedAt) {
		is := x.IsStation && !x.Inactive
		if p.doc != nil {
			var doc wire.Area
			if err := json.Unmarshal(p.doc, &doc); err != nil {
				return err
			}
			is = doc.EZType.IsStationView && doc.IsActive && doc.OrganizationID == m.of.ID
		}
		if is {
			was = append(was, fleet.Stretch{Start: max(p.Start, m.month.Start), End: min(p.End, m.month.End)})
		}
	}
	was = fleet.JoinStretches(slices.DeleteFunc(was, func(s fleet.Stretch) bool { return s.Start >= s.End }))
	row := fleet.MonthlyStation{AreaID: x.ID, Name: x.Name}
	if row.OfMs = fleet.Within(was, m.month.Stretch); row.OfMs == 0 {
		return nil
	}
	visits, err := store.VisitsBetween(ctx, m.Store.Reader(), x.ID, m.of.ID, m.month.Start, m.month.End)
	if err != nil {
		return err
	}
	var covered []fleet.Stretch
	for i := range visits {
		v := &visits[i]
		if v.ArrivedAt >= m.month.Start {
			row.Visits++
		}
		if to := m.countsTo(v); to > v.ArrivedAt {
			covered = append(covered, fleet.Stretch{Start: v.ArrivedAt, End: to})
		}
	}
	covered = fleet.JoinStretches(covered)
	for _, s := range was {
		row.CoveredMs += fleet.Within(covered, s)
	}
	m.sums.Stations = append(m.sums.Stations, row)
	return nil
}

// countsTo is until when a visit counted for the cover of its station; 0 = it did not.
func (m *monthlyMaker) countsTo(v *fleet.Visit) fleet.Instant {
	if v.LeftAt != 0 {
		return v.CountedTo
	}
	t, state, _, there := m.Live.Thing(v.ThingID)
	if !there || state.StationID != v.AreaID {
		return m.now
	}
	if since, out := fleet.OutSince(&t, &state); out {
		return since
	}
	return m.now
}
