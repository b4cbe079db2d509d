package live

import (
	"strings"

	"lightbar/internal/fleet"
	"lightbar/internal/wire"
)

// snapshotAtOnce bounds how many assets are copied while holding the picture,
// so that ingest never waits long for a large answer.
const snapshotAtOnce = 2000

// Snapshot is everything that the organizations see, in columns. Its rows may
// be of different instants, but none is older than AsOf says. told leaves of the
// relations of an owner's asset those that the asker may know of.
func (p *Picture) Snapshot(organizations []string, told func(owner string, list []wire.Relationship) []wire.Relationship) *wire.Snapshot {
	b := newSnapshot(p)
	b.told = told
	p.mu.RLock()
	b.out.AsOf = p.asOf()
	var slots []int32
	p.each(organizations, func(slot int32) { slots = append(slots, slot) })
	p.mu.RUnlock()
	b.reserve(len(slots))
	for len(slots) > 0 {
		n := min(len(slots), snapshotAtOnce)
		p.mu.RLock()
		for _, slot := range slots[:n] {
			if e := &p.entries[slot]; e.live {
				b.add(e)
			}
		}
		p.mu.RUnlock()
		slots = slots[n:]
	}
	return b.out
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
	told    func(owner string, list []wire.Relationship) []wire.Relationship
}

func newSnapshot(p *Picture) *snapshot {
	return &snapshot{p: p, types: map[string]int32{}, subs: map[string]int32{}, devices: map[string]int32{}, orgs: map[string]int32{},
		streets: map[string]int32{}, sets: map[string]int32{},
		out: &wire.Snapshot{Types: []string{}, Subtypes: []string{}, DeviceTypes: []string{}, Orgs: []wire.OrganizationRef{}, Streets: []string{},
			RelationSet: [][]wire.Relationship{}}}
}

func (b *snapshot) reserve(n int) {
	o := b.out
	o.ID, o.HaasID, o.Nickname, o.ExternalID = make([]string, 0, n), make([]string, 0, n), make([]string, 0, n), make([]string, 0, n)
	o.VINNumber, o.Plate, o.Registry = make([]string, 0, n), make([]string, 0, n), make([]string, 0, n)
	o.LocationID, o.StationID = make([]string, 0, n), make([]string, 0, n)
	o.Type, o.Subtype, o.DeviceType = make([]int32, 0, n), make([]int32, 0, n), make([]int32, 0, n)
	o.Organization, o.Street, o.Relations = make([]int32, 0, n), make([]int32, 0, n), make([]int32, 0, n)
	o.Lat, o.Lng, o.Course, o.Speed = make([]int32, 0, n), make([]int32, 0, n), make([]int16, 0, n), make([]float32, 0, n)
	o.Status, o.Flags = make([]uint16, 0, n), make([]uint16, 0, n)
	o.HeartbeatAt, o.At, o.StaleAt, o.StatusAt = make([]int64, 0, n), make([]int64, 0, n), make([]int64, 0, n), make([]int64, 0, n)
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

func (b *snapshot) add(e *entry) {
	o, t, s := b.out, e.thing, &e.state
	o.Count++
	o.ID, o.HaasID, o.Nickname, o.ExternalID = append(o.ID, t.ID), append(o.HaasID, t.SystemName), append(o.Nickname, t.Nickname), append(o.ExternalID, t.ExternalID)
	o.VINNumber, o.Plate, o.Registry = append(o.VINNumber, t.VIN), append(o.Plate, t.Plate), append(o.Registry, t.Registry)
	o.Type = append(o.Type, indexed(b.types, &o.Types, t.TypeID))
	o.Subtype = append(o.Subtype, indexed(b.subs, &o.Subtypes, t.SubtypeID))
	o.DeviceType = append(o.DeviceType, indexed(b.devices, &o.DeviceTypes, t.DeviceType))
	o.Organization, o.Relations = append(o.Organization, b.organization(t.OrganizationID)), append(o.Relations, b.relations(t))
	o.Street = append(o.Street, indexed(b.streets, &o.Streets, s.Street))
	o.Status, o.Flags = append(o.Status, uint16(s.Status)), append(o.Flags, flagsOf(t, s))
	o.Lat, o.Lng = append(o.Lat, fleet.ToFixed(s.Lat)), append(o.Lng, fleet.ToFixed(s.Lng))
	o.Course, o.Speed = append(o.Course, int16(s.CourseDeg)), append(o.Speed, float32(s.SpeedMS))
	o.HeartbeatAt, o.At = append(o.HeartbeatAt, int64(s.HeartbeatAt)), append(o.At, int64(s.At))
	o.StaleAt, o.StatusAt = append(o.StaleAt, int64(fleet.StaleAt(s))), append(o.StatusAt, int64(s.StatusAt))
	o.LocationID, o.StationID = append(o.LocationID, s.LocationID), append(o.StationID, s.StationID)
}

// flagsOf sets the flags of wire.Snapshot, in its order.
func flagsOf(t *fleet.Thing, s *fleet.State) uint16 {
	var f uint16
	for i, on := range [...]bool{t.InService, s.Alerting, s.HasPosition, s.HasCourse, t.R2R, t.PubliclyAlerting, t.Responder} {
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
		b.out.RelationSet = append(b.out.RelationSet, b.told(t.OrganizationID, wire.RelationsOf(t, b.p.nameOf)))
	}
	return i
}
