// Package live is the live picture in memory: states of assets, incidents, and an index of areas and stations. The laws advance it
// inside the transaction; it is saved lazily and rebuilt at startup from saved states and later reports. It is the only mutable
// domain state of the process.
package live

import (
	"log/slog"
	"slices"
	"sort"
	"sync"
	"sync/atomic"
	"time"

	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

// Options are what a picture needs from outside.
type Options struct {
	Now   func() time.Time
	NewID func() string
	// Street names the street at a position; heading is in degrees, negative when unknown. nil = no streets. It is called from
	// several goroutines at once.
	Street func(lat, lng, heading float64) string
	// Roadway returns the direction of the traffic at a position, degrees, when it is known. nil = no roads.
	Roadway func(lat, lng, heading float64) (deg float64, known bool)
	// Carriageway returns the direction of the traffic of the one-way road at a position; false elsewhere. nil = no roads.
	Carriageway func(lat, lng, heading float64) (deg float64, known bool)
	// Downstream finds the line of a road from a position. nil = no roads.
	Downstream Downstream
	Log        *slog.Logger
}

// Picture holds every live asset and incident. One writer at a time (Begin); readers never wait for a database, only for a change
// being put in place.
type Picture struct {
	store  *store.Store
	now    func() time.Time
	newID  func() string
	street func(lat, lng, heading float64) string
	way    func(lat, lng, heading float64) (deg float64, known bool)
	log    *slog.Logger

	carriageway func(lat, lng, heading float64) (deg float64, known bool)
	downstream  Downstream

	writer  line          // held from Begin to Apply or Abort
	buffers buffers       // the writer's scratch
	opened  atomic.Int64  // stamp of the current change, 0 = none (stored.go)
	aged    fleet.Instant // when assets were last aged; only the writer uses it

	mu         sync.RWMutex    // guards all below
	entries    []*entry        // pointers: growing a slice of values would copy every entry
	due        []fleet.Instant // beside entries: when a state ages
	places     []where         // beside entries: where they are, for callers that check all of them
	saving     saving          // up to when states are written; only the writer uses it
	byID       map[string]int32
	byNo       map[int64]int32
	orgs       map[string]*view
	names      map[string]wire.OrganizationRef
	publishing map[string]fleet.Publishing
	large      map[string]*bool           // is_large_org, where set by hand
	locations  map[string]*fleet.Location // active, or changed lately
	active     map[string]*fleet.Location // those of locations that are active
	stays      stays
	pastOwners pastOwners // of assets that changed hands or were removed
	areas      atomic.Pointer[areaIndex]

	followers []follower // these, in the order in which they follow
	stations  stations
	stopped   stopped // stopped traffic
	zones     zones
	closures  closures

	stamp atomic.Int64  // the newest stamp given to a change or an answer
	began fleet.Instant // no answer of this picture carries an earlier stamp
}

// entry is one asset. thing is never changed in place, only replaced.
type entry struct {
	thing    *fleet.Thing
	audience []string // owner, managers, accessors
	state    fleet.State
	live     bool // false once removed
	levels   stamps
	heardAt  fleet.Instant // when it reported again after a silence, 0 = never since the start
	streetAt fleet.StreetMark
	runSaved runMark  // the run as it was last written
	zones    []string // alerting zones that it alerts in
	closure  string   // the automated closure that it drives; empty = none
}

// runMark is what was last written of a run, to see whether it has grown.
type runMark struct {
	lastAt fleet.Instant
	points int64
}

// view is what one organization sees.
type view struct {
	slots []int32                  // ascending asset number
	names names                    // of those owned
	gone  map[string]fleet.Instant // assets out of sight, since
	owned int                      // of slots
	// of those owned: in service, and responders in service
	inService, responders int
}

// count adds an asset of the organization's own to its counts, or (-1) removes it.
func (v *view) count(t *fleet.Thing, by int) {
	v.owned += by
	if !t.InService {
		return
	}
	if v.inService += by; t.Responder {
		v.responders += by
	}
}

// New makes an empty picture; Load fills it.
func New(s *store.Store, o Options) *Picture {
	p := &Picture{store: s, now: o.Now, newID: o.NewID, street: o.Street, way: o.Roadway, log: o.Log,
		byID: map[string]int32{}, byNo: map[int64]int32{}, orgs: map[string]*view{}, names: map[string]wire.OrganizationRef{},
		locations: map[string]*fleet.Location{}, active: map[string]*fleet.Location{},
		stays: stays{at: map[string][]string{}}, pastOwners: pastOwners{}}
	if p.now == nil {
		p.now = time.Now
	}
	if p.log == nil {
		p.log = slog.Default()
	}
	p.carriageway, p.downstream = o.Carriageway, o.Downstream
	p.stations.p = p
	p.SetAreas(nil)
	p.zones = zones{p: p, byID: map[string]*zone{}, index: newSiteIndex()}
	p.closures = closures{p: p, byID: map[string]*autoClosure{}}
	p.followers = []follower{&p.stations, &p.stopped, &p.zones, &p.closures}
	return p
}

// asOf is the instant to put on a list that is read now: everything that
// becomes visible later gets this stamp or a later one. Call it while reading.
func (p *Picture) asOf() fleet.Instant { return p.raise(fleet.InstantOf(p.now())) }

// raise returns the later of at and the newest stamp, and makes it the newest.
func (p *Picture) raise(at fleet.Instant) fleet.Instant {
	for {
		old := p.stamp.Load()
		if int64(at) <= old {
			return fleet.Instant(old)
		}
		if p.stamp.CompareAndSwap(old, int64(at)) {
			return at
		}
	}
}

// sinceOf is the instant from which to report changes. An instant later than any that this picture gave was given before a restart,
// and the clock has been set back: then everything may have changed.
func sinceOf(asked, asOf fleet.Instant) fleet.Instant {
	if asked > asOf {
		return 1
	}
	return asked
}

func (p *Picture) view(organizationID string) *view {
	v := p.orgs[organizationID]
	if v == nil {
		v = &view{names: names{by: map[string]int32{}}, gone: map[string]fleet.Instant{}}
		p.orgs[organizationID] = v
	}
	return v
}

func (v *view) add(slot int32, no func(int32) int64) {
	i := sort.Search(len(v.slots), func(i int) bool { return no(v.slots[i]) >= no(slot) })
	if i < len(v.slots) && v.slots[i] == slot {
		return
	}
	v.slots = append(v.slots, 0)
	copy(v.slots[i+1:], v.slots[i:])
	v.slots[i] = slot
}

func (v *view) remove(slot int32) {
	for i, s := range v.slots {
		if s == slot {
			v.slots = append(v.slots[:i], v.slots[i+1:]...)
			return
		}
	}
}

// Audience lists the organizations that see an asset: its owner, managers and accessors.
func Audience(t *fleet.Thing) []string {
	out := make([]string, 1, 1+len(t.Relations))
	out[0] = t.OrganizationID
	for _, r := range t.Relations {
		if r.OrganizationID != t.OrganizationID {
			out = append(out, r.OrganizationID)
		}
	}
	return out
}

// put places an asset with its state; callers hold mu.
func (p *Picture) put(t *fleet.Thing, s fleet.State) int32 {
	slot, known := p.byID[t.ID]
	if !known {
		slot = int32(len(p.entries))
		p.entries = append(p.entries, &entry{})
		p.due, p.places = append(p.due, 0), append(p.places, where{})
		p.saving.since, p.saving.taken = append(p.saving.since, 0), append(p.saving.taken, 0)
		p.saving.journal.since = append(p.saving.journal.since, 0)
		p.byID[t.ID], p.byNo[t.No] = slot, slot
	}
	e := p.entries[slot]
	old := e.audience
	if known && e.live {
		v := p.view(e.thing.OrganizationID)
		v.names.remove(slot, e.thing.SystemName)
		v.names.remove(slot, e.thing.ExternalID)
		v.count(e.thing, -1)
	}
	e.thing, e.audience, e.live = t, Audience(t), t.DeletedAt == 0
	if !known {
		e.state = s
		if s.Street != "" {
			e.streetAt = fleet.MarkStreet(&s) // a start does not look up another street for an asset that stands still
		}
		p.due[slot], p.places[slot] = s.DueAt, whereOf(&s)
	}
	if !e.live {
		e.audience = nil
	}
	no := func(i int32) int64 { return p.entries[i].thing.No }
	for _, org := range e.audience {
		v := p.view(org)
		v.add(slot, no)
		delete(v.gone, t.ID)
	}
	for _, org := range old {
		if !slices.Contains(e.audience, org) {
			p.view(org).remove(slot)
		}
	}
	if e.live {
		v := p.view(t.OrganizationID)
		v.count(t, 1)
		v.names.add(slot, t.SystemName)
		v.names.add(slot, t.ExternalID)
	}
	return slot
}
