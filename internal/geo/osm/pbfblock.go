package osm

import (
	"lightbar/internal/geo"
)

// block is one unpacked PrimitiveBlock. Its slices point into buffers that the
// next block overwrites: visitors copy what they keep (strings are safe).
type block struct {
	strings        []string
	groups         [][]byte
	granularity    int64
	latOff, lngOff int64
	kinds          uint8

	tags    []tag
	refs    []int64
	members []member
}

type tag struct{ key, value string }

type memberKind uint8

const (
	memberOfNode memberKind = iota
	memberOfWay
	memberOfRelation
)

type member struct {
	id   int64
	kind memberKind
	role string
}

// decode reads the string table and finds the groups. Metadata (users,
// changesets, instants) is never looked at.
func (b *block) decode(raw []byte) error {
	b.strings, b.groups = b.strings[:0], b.groups[:0]
	b.granularity, b.latOff, b.lngOff, b.kinds = 100, 0, 0, 0
	w := geo.Wire{B: raw}
	for {
		field, t, ok := w.Next()
		if !ok {
			break
		}
		switch field {
		case 1:
			if err := b.stringTable(w.Message(t)); err != nil {
				return err
			}
		case 2:
			b.groups = append(b.groups, w.Message(t))
		case 17:
			b.granularity = int64(w.Number(t))
		case 19:
			b.latOff = int64(w.Number(t))
		case 20:
			b.lngOff = int64(w.Number(t))
		default:
			w.Skip(t)
		}
	}
	if w.Err != nil {
		return w.Err
	}
	for _, group := range b.groups {
		if err := b.groupKinds(group); err != nil {
			return err
		}
	}
	return nil
}

func (b *block) stringTable(raw []byte) error {
	all := string(raw) // one allocation; the table's strings are parts of it
	w := geo.Wire{B: raw}
	for {
		field, t, ok := w.Next()
		if !ok {
			return w.Err
		}
		if field != 1 {
			w.Skip(t)
			continue
		}
		n := len(w.Message(t))
		if w.Err != nil {
			return w.Err
		}
		end := len(raw) - len(w.B)
		b.strings = append(b.strings, all[end-n:end])
	}
}

func (b *block) groupKinds(group []byte) error {
	w := geo.Wire{B: group}
	for {
		field, t, ok := w.Next()
		if !ok {
			return w.Err
		}
		switch field {
		case 1, 2:
			b.kinds |= hasNodes
		case 3:
			b.kinds |= hasWays
		case 4:
			b.kinds |= hasRelations
		}
		w.Skip(t)
	}
}

func (b *block) text(i uint64, w *geo.Wire) string {
	if i >= uint64(len(b.strings)) {
		w.Err = geo.ErrWire
		return ""
	}
	return b.strings[i]
}

// fixedLat and fixedLng turn a raw coordinate into degrees × 1e7. ok is false
// outside the world.
func (b *block) fixedAt(lat, lng int64) (p geo.Point, ok bool) {
	const nano = 100 // nanodegrees in a stored unit
	lat, lng = b.latOff+b.granularity*lat, b.lngOff+b.granularity*lng
	if lat < -90e9 || lat > 90e9 || lng < -180e9 || lng > 180e9 {
		return geo.Point{}, false
	}
	return geo.Point{Lat: int32(lat / nano), Lng: int32(lng / nano)}, true
}

// element calls f for every member of the given field in all groups.
func (b *block) element(field int, f func(msg []byte) error) error {
	for _, group := range b.groups {
		w := geo.Wire{B: group}
		for {
			n, t, ok := w.Next()
			if !ok {
				break
			}
			if n != field {
				w.Skip(t)
				continue
			}
			msg := w.Message(t)
			if w.Err != nil {
				return w.Err
			}
			if err := f(msg); err != nil {
				return err
			}
		}
		if w.Err != nil {
			return w.Err
		}
	}
	return nil
}

// ways calls f for every way: its id, tags and node ids, valid until f returns.
func (b *block) ways(f func(id int64, tags []tag, refs []int64) error) error {
	return b.element(3, func(msg []byte) error {
		var id int64
		var keys, values, refs []byte
		w := geo.Wire{B: msg}
		for {
			field, t, ok := w.Next()
			if !ok {
				break
			}
			switch field {
			case 1:
				id = int64(w.Number(t))
			case 2:
				keys = w.Message(t)
			case 3:
				values = w.Message(t)
			case 8:
				refs = w.Message(t)
			default:
				w.Skip(t)
			}
		}
		if w.Err == nil {
			w.Err = b.readTags(keys, values)
		}
		b.refs = b.refs[:0]
		r := geo.Wire{B: refs}
		for at := int64(0); !r.Done(); {
			at += r.Zigzag()
			b.refs = append(b.refs, at)
		}
		if w.Err != nil || r.Err != nil {
			return geo.ErrWire
		}
		return f(id, b.tags, b.refs)
	})
}

func (b *block) readTags(keys, values []byte) error {
	b.tags = b.tags[:0]
	k, v := geo.Wire{B: keys}, geo.Wire{B: values}
	for !k.Done() {
		t := tag{b.text(k.Varint(), &k), b.text(v.Varint(), &v)}
		if v.Err != nil {
			return geo.ErrWire
		}
		b.tags = append(b.tags, t)
	}
	return k.Err
}

// relations calls f for every relation, its arguments valid until f returns.
func (b *block) relations(f func(id int64, tags []tag, members []member) error) error {
	return b.element(4, func(msg []byte) error {
		var id int64
		var keys, values, roles, ids, types []byte
		w := geo.Wire{B: msg}
		for {
			field, t, ok := w.Next()
			if !ok {
				break
			}
			switch field {
			case 1:
				id = int64(w.Number(t))
			case 2:
				keys = w.Message(t)
			case 3:
				values = w.Message(t)
			case 8:
				roles = w.Message(t)
			case 9:
				ids = w.Message(t)
			case 10:
				types = w.Message(t)
			default:
				w.Skip(t)
			}
		}
		if w.Err == nil {
			w.Err = b.readTags(keys, values)
		}
		if w.Err == nil {
			w.Err = b.readMembers(roles, ids, types)
		}
		if w.Err != nil {
			return geo.ErrWire
		}
		return f(id, b.tags, b.members)
	})
}

func (b *block) readMembers(roles, ids, types []byte) error {
	b.members = b.members[:0]
	r, i, t := geo.Wire{B: roles}, geo.Wire{B: ids}, geo.Wire{B: types}
	for at := int64(0); !i.Done(); {
		at += i.Zigzag()
		m := member{id: at, role: b.text(r.Varint(), &r), kind: memberKind(t.Varint())}
		if r.Err != nil || t.Err != nil || m.kind > memberOfRelation {
			return geo.ErrWire
		}
		b.members = append(b.members, m)
	}
	return i.Err
}
