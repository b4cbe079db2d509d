package live

import (
	"math"
	"slices"
	"strings"

	"lightbar/internal/fleet"
	"lightbar/internal/wire"
)

// snapshotAtOnce limits how many assets are copied while holding the picture, so that ingest never waits long for a large answer.
const snapshotAtOnce = 2000

// Columns requests what organizations see, in columns.
type Columns struct {
	Organizations []string
	Since         fleet.Instant // 0 = all; else what changed at or after it, including what is gone
	// VisibleRelations filters the relations of an owner's asset to those that the caller may know.
	VisibleRelations func(owner string, list []wire.Relationship) []wire.Relationship
}

// Snapshot answers in columns. Its rows may be from different instants, but none is older than AsOf. For changes from before this
// picture was loaded it does not know the level, and a restored database does not know what it has sent: in both cases the answer
// is full.
func (p *Picture) Snapshot(q Columns) *wire.Snapshot {
	p.mu.RLock()
	asOf, large := p.asOf(), p.anyLarge(q.Organizations)
	if q.Since < p.began || q.Since > asOf {
		q.Since = 0
	}
	var slots []int32
	p.each(q.Organizations, func(slot int32) { slots = append(slots, slot) })
	room, gone := len(slots), []string{}
	if q.Since != 0 {
		room, gone = 0, append(gone, p.goneSince(q.Organizations, q.Since)...)
	}
	p.mu.RUnlock()
	b := newSnapshot(p, room)
	b.visible = q.VisibleRelations
	o := b.out
	o.AsOf, o.IsLarge, o.Full, o.Total, o.Gone = asOf, large, q.Since == 0, len(slots), gone
	for l, list := range p.leveled(slots, q.Since) {
		p.visit(list, q.Organizations, func(e *entry) { b.add(e, level(l)) })
	}
	return o
}

// leveled sorts assets by how much of them has changed.
func (p *Picture) leveled(slots []int32, since fleet.Instant) (by [same][]int32) {
	if since == 0 {
		by[profiled] = slots
		return by
	}
	for list := range slices.Chunk(slots, snapshotAtOnce) {
		p.mu.RLock()
		for _, slot := range list {
			if l := p.entries[slot].changed(since); l < same {
				by[l] = append(by[l], slot)
			}
		}
		p.mu.RUnlock()
	}
	return by
}

// visit reads the assets that the organizations still see, a few at a time.
func (p *Picture) visit(slots []int32, organizations []string, read func(*entry)) {
	seen := func(e *entry) bool {
		return e.live && slices.ContainsFunc(organizations, func(id string) bool { return slices.Contains(e.audience, id) })
	}
	for list := range slices.Chunk(slots, snapshotAtOnce) {
		p.mu.RLock()
		for _, slot := range list {
			if e := p.entries[slot]; seen(e) {
				read(e)
			}
		}
		p.mu.RUnlock()
	}
}

type snapshot struct {
	p       *Picture
	out     *wire.Snapshot
	types   map[string]int32
	subs    map[string]int32
	devices map[string]int32
	orgs    map[string]int32
	streets map[string]int32
	sets    map[string]int32
	visible func(owner string, list []wire.Relationship) []wire.Relationship
}

func newSnapshot(p *Picture, room int) *snapshot {
	return &snapshot{p: p, types: map[string]int32{}, subs: map[string]int32{}, devices: map[string]int32{}, orgs: map[string]int32{},
		streets: map[string]int32{}, sets: map[string]int32{}, out: wire.NewSnapshot(room)}
}

// indexed gives a text its place in a dictionary, -1 for none.
func indexed(m map[string]int32, list *[]string, s string) int32 {
	if s == "" {
		return -1
	}
	i, ok := m[s]
	if !ok {
		i = int32(len(*list))
		m[s] = i
		*list = append(*list, s)
	}
	return i
}

// add appends a row with the columns of a level and of those behind it.
func (b *snapshot) add(e *entry, l level) {
	b.out.Count++
	b.out.ID = append(b.out.ID, e.thing.ID)
	if l <= profiled {
		b.profile(e.thing)
	}
	if l <= stood {
		b.standing(e)
	}
	if l <= moved {
		b.movement(movementOf(&e.state))
	}
	b.out.HeartbeatAt = append(b.out.HeartbeatAt, int64(e.state.HeartbeatAt))
	b.out.StaleAt = append(b.out.StaleAt, int64(fleet.StaleAt(&e.state)))
}

func (b *snapshot) profile(t *fleet.Thing) {
	o := b.out
	o.HaasID, o.Nickname, o.ExternalID = append(o.HaasID, t.SystemName), append(o.Nickname, t.Nickname), append(o.ExternalID, t.ExternalID)
	o.VINNumber, o.Plate, o.Registry = append(o.VINNumber, t.VIN), append(o.Plate, t.Plate), append(o.Registry, t.Registry)
	o.Type = append(o.Type, indexed(b.types, &o.Types, t.TypeID))
	o.Subtype = append(o.Subtype, indexed(b.subs, &o.Subtypes, t.SubtypeID))
	o.DeviceType = append(o.DeviceType, indexed(b.devices, &o.DeviceTypes, t.DeviceType))
	o.Organization, o.Relations = append(o.Organization, b.organization(t.OrganizationID)), append(o.Relations, b.relations(t))
	integrations := int32(-1)
	if len(t.Integrations) > 0 {
		integrations = int32(len(o.IntegrationSet))
		o.IntegrationSet = append(o.IntegrationSet, wire.IntegrationsOf(t))
	}
	o.Integrations, o.Version = append(o.Integrations, integrations), append(o.Version, t.Version)
}

func (b *snapshot) standing(e *entry) {
	o, v := b.out, shownStatusOf(&e.state)
	o.Status, o.StatusAt = append(o.Status, uint16(v.status)), append(o.StatusAt, int64(v.at))
	o.Flags = append(o.Flags, flagsOf(e.thing, &v))
	o.LocationID, o.LocationAt = append(o.LocationID, v.locationID), append(o.LocationAt, int64(v.arrived))
	o.StationID = append(o.StationID, v.stationID)
	o.RunID, o.RunStartAt = append(o.RunID, v.run), append(o.RunStartAt, int64(v.runStart))
}

func (b *snapshot) movement(v movement) {
	o := b.out
	o.Lat, o.Lng = append(o.Lat, fleet.ToFixed(v.lat)), append(o.Lng, fleet.ToFixed(v.lng))
	o.Course, o.Speed = append(o.Course, wholeDegrees(v.course)), append(o.Speed, rounded(v.speed, 100))
	o.Accuracy = append(o.Accuracy, rounded(v.accuracy, 10))
	o.Street = append(o.Street, indexed(b.streets, &o.Streets, v.street))
	o.At, o.ReceivedAt, o.RunPoints = append(o.At, int64(v.at)), append(o.ReceivedAt, int64(v.received)), append(o.RunPoints, v.runPoints)
}

// wholeDegrees rounds a course, which stays below 360.
func wholeDegrees(course float64) int16 { return int16(math.Round(course)) % 360 }

func rounded(v, parts float64) float32 { return float32(math.Round(v*parts) / parts) }

// flagsOf sets the flags of wire.Snapshot, in its order.
func flagsOf(t *fleet.Thing, v *shownStatus) uint16 {
	var f uint16
	for i, on := range [...]bool{t.InService, v.alerting, v.position, v.course, t.R2R, t.PubliclyAlerting, t.Responder,
		v.alerting && v.locationID == "", t.AllowedForClosures, t.AllowedForTestMode, t.TestMode} {
		if on {
			f |= 1 << i
		}
	}
	return f
}

func (b *snapshot) organization(id string) int32 {
	i, ok := b.orgs[id]
	if !ok {
		i = int32(len(b.out.Orgs))
		b.orgs[id] = i
		b.out.Orgs = append(b.out.Orgs, b.p.nameOf(id))
	}
	return i
}

// relations gives a set of relations of an owner's assets its place in the dictionary.
func (b *snapshot) relations(t *fleet.Thing) int32 {
	if len(t.Relations) == 0 {
		return -1
	}
	var key strings.Builder
	key.WriteString(t.OrganizationID + ",")
	for _, r := range t.Relations {
		key.WriteString(r.OrganizationID + " " + r.Kind + ",")
	}
	i, ok := b.sets[key.String()]
	if !ok {
		i = int32(len(b.out.RelationSet))
		b.sets[key.String()] = i
		b.out.RelationSet = append(b.out.RelationSet, b.visible(t.OrganizationID, wire.RelationsOf(t, b.p.nameOf)))
	}
	return i
}
