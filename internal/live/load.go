package live

import (
	"context"
	"errors"
	"log/slog"
	"math"
	"time"

	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

// locationsKept is how long ended incidents stay in memory: a day more than the default window of the list.
const locationsKept = 8 * 24 * time.Hour

// Load fills an empty picture from the database: assets, organizations, areas, incidents and saved states; then reports newer than
// the saved states go through the same laws as when they arrived. The resulting messages are not sent: nobody is connected yet.
func (p *Picture) Load(ctx context.Context) error {
	states, err := p.load(ctx, p.store.Reader())
	if err != nil {
		return err
	}
	if err := p.replay(ctx, states); err != nil {
		return err
	}
	if err := p.startFollowing(ctx); err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.began = p.raise(p.asOf() + 1)
	return nil
}

// Check reads all rows that Load reads, except reports, and discards them: unreadable rows are found before the database is
// changed.
func Check(ctx context.Context, r store.Reader) error {
	p := New(nil, Options{Log: slog.New(slog.DiscardHandler)})
	if _, err := p.load(ctx, r); err != nil {
		return err
	}
	if _, err := store.SavedTo(ctx, r); !errors.Is(err, store.ErrNotFound) {
		return err
	}
	return nil
}

func (p *Picture) load(ctx context.Context, r store.Reader) (states savedStates, err error) {
	for _, f := range p.followers {
		if err := f.load(ctx, r); err != nil {
			return states, err
		}
	}
	if err := p.LoadOrganizations(ctx, r); err != nil {
		return states, err
	}
	now := fleet.InstantOf(p.now())
	if states, err = p.loadThings(ctx, r, now); err != nil {
		return states, err
	}
	gone, err := store.ListGone(ctx, r)
	if err != nil {
		return states, err
	}
	for _, g := range gone {
		if !p.sees([]string{g.OrganizationID}, g.ThingID) {
			p.view(g.OrganizationID).gone[g.ThingID] = g.At
		}
	}
	if err := p.loadFormer(ctx, r); err != nil {
		return states, err
	}
	since := now.Add(-locationsKept)
	locations, whole, err := store.LocationsSince(ctx, r, since)
	if err != nil {
		return states, err
	}
	if p.stays.gone = since; !whole {
		p.stays.gone = math.MaxInt64 / 2
	}
	for _, l := range locations {
		for i := range l.Presences { // a change of an asset's relations changes who sees its incidents
			if id := l.Presences[i].ThingID; p.staysWith(l, id) {
				l.UpdatedAt = max(l.UpdatedAt, p.entries[p.byID[id]].thing.UpdatedAt)
			}
		}
		if l.UpdatedAt >= states.doubtful() {
			l.UpdatedAt = max(l.UpdatedAt, states.stamp)
		}
		p.locations[l.ID] = l
		p.stays.hold(l)
		keepActive(p.active, l)
		states.stamp = max(states.stamp, l.UpdatedAt)
	}
	p.raise(states.stamp)
	return states, nil
}

// savedStates holds when states were written, as found at startup.
type savedStates struct {
	at     []fleet.Instant // parallel to entries; 0 = never
	vague  []bool          // parallel to entries: an earlier version saved it without recording which reports it contains
	late   []int64         // parallel to entries: the number of the journal up to which it has the late reports
	newest fleet.Instant
	stamp  fleet.Instant // not earlier than any stamp that lists contained, as the clock may have been set back
}

// doubt is how far stamps in lists may differ from the stored ones.
const doubt = 2 * time.Minute

// doubtful is the instant from which stamps in lists may have been newer than the stored ones.
func (s savedStates) doubtful() fleet.Instant { return s.newest.Add(-doubt) }

// loadThings fills in assets with their saved states.
func (p *Picture) loadThings(ctx context.Context, r store.Reader, now fleet.Instant) (found savedStates, err error) {
	things, err := store.ListAllThings(ctx, r)
	if err != nil {
		return found, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	instants := func() []fleet.Instant { return make([]fleet.Instant, 0, len(things)) }
	p.entries, p.due, p.saving.since, p.saving.taken = make([]*entry, 0, len(things)), instants(), instants(), instants()
	for _, t := range things {
		slot := p.put(t, fleet.State{ThingID: t.ID, No: t.No, Status: fleet.StatusOffline, StatusAt: t.UpdatedAt})
		p.due[slot] = 1 // so that the time passed in the meantime is applied
	}
	found.at, found.vague = make([]fleet.Instant, len(p.entries)), make([]bool, len(p.entries))
	found.late = make([]int64, len(p.entries))
	err = store.EachState(ctx, r, func(s *store.SavedState) {
		slot, ok := p.byNo[s.State.No]
		if !ok {
			return
		}
		e := p.entries[slot]
		s.State.ThingID = e.thing.ID
		e.state, e.runSaved = s.State, runMark{s.State.RunLastAt, s.State.RunPointsCount}
		p.places[slot] = whereOf(&e.state)
		found.at[slot], found.newest, found.late[slot] = s.At, max(found.newest, s.At), s.Late
		found.vague[slot], p.saving.taken[slot] = s.State.HeartbeatAt != 0 && s.State.TakenAt == 0, s.State.TakenAt
	}, func(no int64, err error) {
		if slot, ok := p.byNo[no]; ok {
			t := p.entries[slot].thing
			p.log.Error("live: the saved state of an asset cannot be read, it starts without one",
				"asset", t.SystemName, "thing", t.ID, "error", err)
		}
	})
	if err == nil {
		err = p.loadConfigs(ctx, r)
	}
	if err != nil {
		return found, err
	}
	if found.stamp = now; now <= found.newest {
		found.stamp = found.newest.Add(doubt)
	}
	for slot := range p.entries {
		e := p.entries[slot]
		e.state.ChangedAt = max(e.state.ChangedAt, e.thing.UpdatedAt, 1)
		found.stamp = max(found.stamp, e.state.ChangedAt)
	}
	for slot := range p.entries {
		e := p.entries[slot]
		if max(found.at[slot], e.thing.UpdatedAt) >= found.doubtful() {
			e.state.ChangedAt = found.stamp
		}
	}
	return found, nil
}

// LoadOrganizations reads the names that are sent with assets, the feeds of organizations, and which are set as large by hand.
func (p *Picture) LoadOrganizations(ctx context.Context, r store.Reader) error {
	list, err := store.ListOrganizations(ctx, r)
	if err != nil {
		return err
	}
	names, large := make(map[string]wire.OrganizationRef, len(list)), make(map[string]*bool, len(list))
	publishing := make(map[string]fleet.Publishing, len(list))
	for _, o := range list {
		names[o.ID], large[o.ID] = wire.OrganizationRef{ID: o.ID, Name: o.Name, Type: o.TypeName}, o.Large
		publishing[o.ID] = o.Publishes()
	}
	p.mu.Lock()
	p.names, p.large, p.publishing = names, large, publishing
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
