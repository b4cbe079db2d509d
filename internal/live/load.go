package live

import (
	"context"
	"slices"
	"time"

	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

// locationsKept is how long ended incidents stay in memory: a day more than the default window of the list.
const locationsKept = 8 * 24 * time.Hour

// saveEvery is the longest that a changed state waits for its row while the server runs.
const saveEvery = 5 * time.Second

// Load fills an empty picture from the database: assets, organizations, areas,
// incidents and saved states; then reports newer than the saved states go
// through the same laws as when they arrived. The events of that are not sent:
// nobody is connected yet.
func (p *Picture) Load(ctx context.Context) error {
	r := p.store.Reader()
	if err := p.LoadAreas(ctx, r); err != nil {
		return err
	}
	if err := p.LoadOrganizations(ctx, r); err != nil {
		return err
	}
	things, err := store.ListAllThings(ctx, r)
	if err != nil {
		return err
	}
	saved := make(map[int64]store.SavedState, len(things))
	var newest fleet.Instant
	if err := store.EachState(ctx, r, func(s store.SavedState) {
		saved[s.State.No] = s
		newest = max(newest, s.At)
	}); err != nil {
		return err
	}
	now := fleet.InstantOf(p.now())
	doubtful := newest.Add(-2 * time.Minute)
	p.mu.Lock()
	p.entries, p.due = make([]entry, 0, len(things)), make([]fleet.Instant, 0, len(things))
	for _, t := range things {
		s, ok := saved[t.No]
		if !ok {
			s.State = fleet.State{Status: fleet.StatusOffline, StatusAt: t.UpdatedAt}
		}
		s.State.ThingID, s.State.No = t.ID, t.No
		s.State.ChangedAt = max(s.State.ChangedAt, t.UpdatedAt, 1)
		if s.At >= doubtful || t.UpdatedAt >= doubtful {
			s.State.ChangedAt = now // stamps given in memory may have been newer than those written
		}
		p.put(t, s.State)
		p.due[p.byID[t.ID]] = 1 // what the clock did meanwhile
	}
	p.mu.Unlock()
	gone, err := store.ListGone(ctx, r)
	if err != nil {
		return err
	}
	for _, g := range gone {
		if !p.sees([]string{g.OrganizationID}, g.ThingID) {
			p.view(g.OrganizationID).gone[g.ThingID] = g.At
		}
	}
	locations, err := store.LocationsSince(ctx, r, now.Add(-locationsKept))
	if err != nil {
		return err
	}
	for _, l := range locations {
		if l.UpdatedAt >= doubtful {
			l.UpdatedAt = max(l.UpdatedAt, now)
		}
		p.locations[l.ID] = l
	}
	p.raise(now)
	return p.replay(ctx, newest)
}

// replay takes in the reports that the saved states do not know yet.
func (p *Picture) replay(ctx context.Context, newest fleet.Instant) error {
	since := newest.Add(-2*saveEvery - replayMargin*time.Millisecond)
	if newest == 0 {
		since = fleet.InstantOf(p.now()).Add(-fleet.MaxReportAge())
	}
	var points []fleet.Point
	var signals []fleet.Signal
	r := p.store.Reader()
	if err := store.EachPointSince(ctx, r, since, func(pt fleet.Point) { points = append(points, pt) }); err != nil {
		return err
	}
	if err := store.EachSignalSince(ctx, r, since, func(g fleet.Signal) { signals = append(signals, g) }); err != nil {
		return err
	}
	slices.SortStableFunc(points, func(a, b fleet.Point) int { return int(a.EffectiveAt() - b.EffectiveAt()) })
	slices.SortStableFunc(signals, func(a, b fleet.Signal) int { return int(a.EffectiveAt() - b.EffectiveAt()) })
	c := p.Begin()
	defer c.Abort()
	for len(points) > 0 || len(signals) > 0 {
		if len(signals) == 0 || len(points) > 0 && points[0].EffectiveAt() <= signals[0].EffectiveAt() {
			c.replayPoint(&points[0])
			points = points[1:]
		} else {
			c.Signal(&signals[0])
			signals = signals[1:]
		}
	}
	if len(c.touched) > 0 {
		for i := range c.touched {
			c.touched[i].old = true // write it, so that the next start has less to do
		}
		if err := p.store.Write(ctx, func(tx *store.Tx) error { return c.Save(ctx, tx) }); err != nil {
			return err
		}
	}
	c.Apply(nil)
	return nil
}

// replayPoint takes in a point that the saved state may know already. All that
// it touches is idempotent but the count of the run, so runs are computed again.
func (c *Change) replayPoint(pt *fleet.Point) {
	slot, ok := c.p.byNo[pt.ThingNo]
	if !ok {
		return
	}
	c.Point(pt)
	if t := c.touch(slot); t.state.EverAlerting {
		at := pt.EffectiveAt()
		if t.to == 0 {
			t.from, t.to = at, at
		}
		t.from, t.to = min(t.from, at), max(t.to, at)
	}
}

// LoadOrganizations reads the names that travel with assets.
func (p *Picture) LoadOrganizations(ctx context.Context, r store.Reader) error {
	list, err := store.ListOrganizations(ctx, r)
	if err != nil {
		return err
	}
	names := make(map[string]wire.OrganizationRef, len(list))
	for _, o := range list {
		names[o.ID] = wire.OrganizationRef{ID: o.ID, Name: o.Name, Type: o.TypeName}
	}
	p.mu.Lock()
	p.names = names
	p.mu.Unlock()
	return nil
}

// Organization finds an organization's name; false when it does not exist.
func (p *Picture) Organization(id string) (wire.OrganizationRef, bool) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	ref, ok := p.names[id]
	return ref, ok
}
