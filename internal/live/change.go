package live

import (
	"cmp"
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"
	"time"

	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/store/points"
)

// Change is a set of changes being made: reports are added to it, it saves what matters in the caller's transaction, and after the
// commit Apply puts it into the picture. Until then the picture shows nothing of it.
type Change struct {
	p      *Picture
	open   bool
	now    fleet.Instant
	around around

	touched     []touched
	index       map[int32]int32            // slot → touched
	stamp       fleet.Instant              // of the rows of the store that it writes (stored.go)
	places      map[string]*fleet.Location // incidents being changed, cloned
	active      map[string]*fleet.Location // those of places that are active
	order       []string                   // their ids, in order of change
	closed      []fleet.Run                // runs that ended
	things      []*fleet.Thing             // assets being replaced or added
	gone        []store.Gone
	pastOwners  []fleet.Ownership // that end with the change
	seen        []visibility      // of incidents, before the change
	messages    []fleet.Message
	followed    bool // a follower has something to save
	saved       bool
	savedInline []int32       // assets whose states were written beside the change
	to          fleet.Instant // the instant up to which states are written, if the change sets it back; else 0

	late []byte // the change's late reports for the journal

	replaying bool // stored reports are being replayed at startup
}

// touched is one asset's next state.
type touched struct {
	slot     int32
	state    fleet.State
	changes  fleet.Change
	from, to fleet.Instant    // period in which runs must be computed again
	lights   bool             // when its lights were turned on must be found again
	since    fleet.Instant    // the earliest receive instant of the reports that the row will lack, 0 = none
	moved    fleet.Instant    // of the last report that may have changed its station, 0 = none since that was looked at
	must     bool             // its row must be written with this change
	late     bool             // has a report that the journal notes
	saved    bool             // its row is written in this change
	streetAt fleet.StreetMark // where its street was looked up, zero = not in this change
}

// replayMargin is how far before its receive instant a report may be dated and still be found again at startup; older ones go into
// the journal.
const replayMargin = 10 * time.Second

// matchLate is how old a report may be so that the current status also applies to its time, when stations are matched.
const matchLate = time.Hour

// Waiting is how many callers wait to change the picture.
func (p *Picture) Waiting() int { return p.writer.length() }

// Begin starts a change. It waits until all earlier callers are done; call Apply or Abort.
func (p *Picture) Begin() *Change {
	p.writer.enter()
	b := &p.buffers
	if b.index == nil {
		b.index, b.places, b.active = map[int32]int32{}, map[string]*fleet.Location{}, map[string]*fleet.Location{}
	}
	clear(b.index)
	clear(b.places)
	clear(b.active)
	for _, f := range p.followers {
		f.begin()
	}
	return &Change{p: p, open: true, now: fleet.InstantOf(p.now()), stamp: p.open(), around: around{index: p.areas.Load()},
		touched: b.touched[:0], index: b.index, places: b.places, active: b.active, order: b.order[:0], closed: b.closed[:0], late: b.late[:0]}
}

// buffers are reused by the next change. The Change itself is not: a late Abort
// of an earlier change must not end the current one.
type buffers struct {
	touched []touched
	index   map[int32]int32
	places  map[string]*fleet.Location
	active  map[string]*fleet.Location
	order   []string
	closed  []fleet.Run
	late    []byte
}

// Abort drops the change; harmless after Apply.
func (c *Change) Abort() {
	if c.open {
		c.open = false
		b := &c.p.buffers
		b.touched, b.order, b.closed, b.late = c.touched, c.order, c.closed, c.late
		if cap(b.touched) > touchedKept { // much larger after a start, or after many assets aged at once
			b.touched, b.index = nil, nil
		}
		c.p.opened.Store(0)
		c.p.writer.leave()
	}
}

// touchedKept limits the scratch memory that is held for reuse: what one commit of ingest may touch.
const touchedKept = 8192

// Now is the instant of the change.
func (c *Change) Now() fleet.Instant { return c.now }

func (c *Change) touch(slot int32) *touched {
	if i, ok := c.index[slot]; ok {
		return &c.touched[i]
	}
	c.index[slot] = int32(len(c.touched))
	// Only writers change entries, and there is one writer: reading needs no lock.
	c.touched = append(c.touched, touched{slot: slot, state: c.p.entries[slot].state})
	return &c.touched[len(c.touched)-1]
}

// Point takes in a stored point.
func (c *Change) Point(pt *fleet.Point) {
	slot, ok := c.taker(pt.ThingNo, pt.EffectiveAt())
	if !ok {
		return
	}
	t := c.taking(slot)
	run, ran := c.runOf(slot, &t.state)
	was := beforeOf(&t.state)
	o := fleet.AdvancePoint(&t.state, pt, c.around.of(c.p.entries[slot].thing))
	c.reported(t, was)
	if o.NewRun && ran {
		c.closed = append(c.closed, run)
	}
	if c.noteReceived(t, pt.EffectiveAt(), pt.ReceivedAt, o.Changes) {
		c.late = points.AppendLatePoint(c.late, pt, o.Changes&fleet.ChangeLate == 0)
	}
	c.applyOutcome(t, &o)
	t.movedBy(&o, pt.EffectiveAt())
	if o.Arrive {
		c.arrive(t, &o)
	}
}

// Known notes the source of a point that is already stored: another source may have reported it first.
func (c *Change) Known(pt *fleet.Point) {
	at := pt.EffectiveAt()
	if slot, ok := c.taker(pt.ThingNo, at); ok && c.p.entries[slot].state.Sources.IsNews(pt.Source, at) {
		c.touch(slot).state.Sources.Note(pt.Source, pt.At, at, pt.ReceivedAt)
	}
}

// Signal takes in a stored signal.
func (c *Change) Signal(g *fleet.Signal) {
	t, inOrder := c.applySignal(g)
	if g.Kind == fleet.SignalOnScene && inOrder {
		if o := fleet.OnScene(&t.state, g.EffectiveAt(), c.around.of(c.p.entries[t.slot].thing)); o.Arrive {
			t.movedBy(&o, g.EffectiveAt())
			c.arrive(t, &o)
		}
	}
}

// Refused counts reports of an asset that were refused, in addition to the sign of life that they are.
func (c *Change) Refused(thingNo int64, code string, n int64, at fleet.Instant) {
	slot, ok := c.taker(thingNo, at)
	if !ok {
		return
	}
	t := c.touch(slot)
	t.changes |= fleet.NoteRefused(&t.state, code, n, at)
}

// applySignal applies a signal only to its asset's state, and reports whether it came in order.
func (c *Change) applySignal(g *fleet.Signal) (t *touched, inOrder bool) {
	slot, ok := c.taker(g.ThingNo, g.EffectiveAt())
	if !ok {
		return nil, false
	}
	t = c.taking(slot)
	inOrder = g.EffectiveAt() >= t.state.HeartbeatAt
	was := beforeOf(&t.state)
	o := fleet.AdvanceSignal(&t.state, g)
	c.reported(t, was)
	if c.noteReceived(t, g.EffectiveAt(), g.ReceivedAt, o.Changes) {
		c.late = points.AppendLateSignal(c.late, g, o.Changes&fleet.ChangeLate == 0)
	}
	c.applyOutcome(t, &o)
	t.movedBy(&o, g.EffectiveAt())
	return t, inOrder
}

// reported notifies the followers of a report. A startup that replays reports does not: the reports' own commits wrote what
// followed from them.
func (c *Change) reported(t *touched, was before) {
	if c.replaying {
		return
	}
	for _, f := range c.p.followers {
		f.reported(c, t, was)
	}
}

// taking returns the state to which a report is applied: stations are already matched for everything before it.
func (c *Change) taking(slot int32) *touched {
	t := c.touch(slot)
	if t.moved != 0 {
		c.match(t)
	}
	return t
}

// movedBy notes that a report may have changed the asset's station.
func (t *touched) movedBy(o *fleet.Outcome, at fleet.Instant) {
	if o.Arrive || o.Changes&(fleet.ChangePosition|fleet.ChangeAlerting|fleet.ChangeClosure|fleet.ChangeIncident) != 0 {
		t.moved = at
	}
}

// noteReceived notes a report for the next start, and reports whether it must be in the journal for that.
func (c *Change) noteReceived(t *touched, at, received fleet.Instant, changes fleet.Change) (late bool) {
	if t.since == 0 {
		t.since = received
	}
	t.since = min(t.since, received)
	late = !c.replaying && (changes&fleet.ChangeLate != 0 || at < received.Add(-replayMargin) || received <= c.p.saving.taken[t.slot])
	t.late = t.late || late
	return late
}

// age applies the passage of time to an asset.
func (c *Change) age(slot int32) {
	t := c.touch(slot)
	o := fleet.Age(&t.state, c.now)
	c.applyOutcome(t, &o)
}

func (c *Change) applyOutcome(t *touched, o *fleet.Outcome) {
	t.changes |= o.Changes
	if o.NewRun {
		t.state.RunID = c.p.newID()
	}
	if o.RunsTo != 0 {
		if t.to == 0 {
			t.from, t.to = o.RunsFrom, o.RunsTo
		}
		t.from, t.to = min(t.from, o.RunsFrom), max(t.to, o.RunsTo)
	}
	t.lights = t.lights || o.Lights
	if o.LeaveID != "" {
		c.location(o.LeaveID, func(l *fleet.Location) { l.Depart(t.state.ThingID, o.LeaveAt) })
	}
}

func (c *Change) streetAt(lat, lng, heading float64) string { return c.p.Street(lat, lng, heading) }

// Street names the street at a position, empty if none is known; heading is in degrees, negative when unknown.
func (p *Picture) Street(lat, lng, heading float64) string {
	if p.street == nil {
		return ""
	}
	return p.street(lat, lng, heading)
}

// Save settles every touched asset and writes, in the caller's transaction, what must not be lost: incidents, ended and recomputed
// runs, the results of the followers, and the states of assets with a change that matters. Other states are written lazily. It
// comes last, and once: record.Change does it for verbs.
func (c *Change) Save(ctx context.Context, tx *store.Tx) error {
	if c.saved {
		return errors.New("live: a change is saved twice")
	}
	c.saved = true
	places := make([]*fleet.Location, len(c.order))
	for i, id := range c.order {
		places[i] = c.places[id]
		places[i].UpdatedAt = c.now
		places[i].Learn(c.now)
	}
	if err := tx.SaveLocations(ctx, c.p.store.Engine(), places); err != nil {
		return err
	}
	if err := tx.SaveRuns(ctx, c.p.store.Engine(), c.closed, c.now); err != nil {
		return err
	}
	c.nameStreets()
	for _, f := range c.p.followers {
		f.gather(c)
	}
	if err := c.recompute(ctx, tx); err != nil {
		return err
	}
	if err := c.findLights(ctx, tx); err != nil {
		return err
	}
	for i := range c.touched {
		c.settle(&c.touched[i])
	}
	for _, f := range c.p.followers {
		if err := f.save(ctx, c, tx); err != nil {
			return err
		}
	}
	if err := c.saveConfigs(ctx, tx); err != nil {
		return err
	}
	return c.saveStates(ctx, tx)
}

// match settles where an asset was with the reports so far: before the next one is applied, so that a batch gives the same stays as
// its reports one by one, and for a late batch by the status at that time.
func (c *Change) match(t *touched) {
	before := t.state.StationID
	if fleet.MatchStation(&t.state, c.around.of(c.p.entries[t.slot].thing), t.moved) {
		c.stationed(t, before, t.moved)
		t.changes |= fleet.ChangeStation
	}
	t.moved = 0
}

// stationed notifies the followers that an asset's station changed at an instant.
func (c *Change) stationed(t *touched, left string, at fleet.Instant) {
	for _, f := range c.p.followers {
		f.stationed(c, t, left, at)
	}
}

func (c *Change) settle(t *touched) {
	e := c.p.entries[t.slot]
	s := &t.state
	if t.moved != 0 && c.now.Sub(t.moved) > matchLate {
		c.match(t)
	}
	at, before := cmp.Or(t.moved, c.now), s.StationID
	t.moved = 0
	t.changes |= fleet.Settle(s, c.around.of(e.thing), c.now)
	if s.StationID != before {
		c.stationed(t, before, at)
	}
	if t.changes != 0 && t.since == 0 {
		t.since = c.now
	}
}

// streetsAtOnce is the number of assets from which the lookups of streets run on several processors.
const streetsAtOnce = 128

// nameStreets looks up the streets of the assets that moved. With a large fleet
// this is the most expensive law, and it depends on one asset only, so it runs
// in parallel.
func (c *Change) nameStreets() {
	if c.p.street == nil {
		return
	}
	moved := func(list []touched) {
		for i := range list {
			if list[i].changes&fleet.ChangePosition != 0 {
				c.name(&list[i])
			}
		}
	}
	parts := min(runtime.GOMAXPROCS(0), 8, len(c.touched)/streetsAtOnce)
	if parts < 2 {
		moved(c.touched)
		return
	}
	var all sync.WaitGroup
	for list := range slices.Chunk(c.touched, (len(c.touched)+parts-1)/parts) {
		all.Go(func() { moved(list) })
	}
	all.Wait()
}

func (c *Change) name(t *touched) {
	e := c.p.entries[t.slot]
	s := &t.state
	if e.streetAt.StillApplies(s) {
		return
	}
	t.streetAt = fleet.MarkStreet(s) // stored with the state, so that an aborted change leaves no trace
	s.Street = c.p.street(s.Lat, s.Lng, courseOf(s))
}

// courseOf is the heading for road lookups: negative when unknown.
func courseOf(s *fleet.State) float64 {
	if !s.HasCourse {
		return -1
	}
	return s.CourseDeg
}
