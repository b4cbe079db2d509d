package geo

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
	w := wire{b: raw}
	for {
		field, t, ok := w.next()
		if !ok {
			break
		}
		switch field {
		case 1:
			if err := b.stringTable(w.message(t)); err != nil {
				return err
			}
		case 2:
			b.groups = append(b.groups, w.message(t))
		case 17:
			b.granularity = int64(w.number(t))
		case 19:
			b.latOff = int64(w.number(t))
		case 20:
			b.lngOff = int64(w.number(t))
		default:
			w.skip(t)
		}
	}
	if w.err != nil {
		return w.err
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
	w := wire{b: raw}
	for {
		field, t, ok := w.next()
		if !ok {
			return w.err
		}
		if field != 1 {
			w.skip(t)
			continue
		}
		n := len(w.message(t))
		if w.err != nil {
			return w.err
		}
		end := len(raw) - len(w.b)
		b.strings = append(b.strings, all[end-n:end])
	}
}

func (b *block) groupKinds(group []byte) error {
	w := wire{b: group}
	for {
		field, t, ok := w.next()
		if !ok {
			return w.err
		}
		switch field {
		case 1, 2:
			b.kinds |= hasNodes
		case 3:
			b.kinds |= hasWays
		case 4:
			b.kinds |= hasRelations
		}
		w.skip(t)
	}
}

func (b *block) text(i uint64, w *wire) string {
	if i >= uint64(len(b.strings)) {
		w.err = errWire
		return ""
	}
	return b.strings[i]
}

// fixedLat and fixedLng turn a raw coordinate into degrees × 1e7. ok is false
// outside the world.
func (b *block) fixedAt(lat, lng int64) (p point, ok bool) {
	const nano = 100 // nanodegrees in a stored unit
	lat, lng = b.latOff+b.granularity*lat, b.lngOff+b.granularity*lng
	if lat < -90e9 || lat > 90e9 || lng < -180e9 || lng > 180e9 {
		return point{}, false
	}
	return point{int32(lat / nano), int32(lng / nano)}, true
}

// element calls f for every member of the given field in all groups.
func (b *block) element(field int, f func(msg []byte) error) error {
	for _, group := range b.groups {
		w := wire{b: group}
		for {
			n, t, ok := w.next()
			if !ok {
				break
			}
			if n != field {
				w.skip(t)
				continue
			}
			msg := w.message(t)
			if w.err != nil {
				return w.err
			}
			if err := f(msg); err != nil {
				return err
			}
		}
		if w.err != nil {
			return w.err
		}
	}
	return nil
}

// ways calls f for every way: its id, tags and node ids, valid until f returns.
func (b *block) ways(f func(id int64, tags []tag, refs []int64) error) error {
	return b.element(3, func(msg []byte) error {
		var id int64
		var keys, values, refs []byte
		w := wire{b: msg}
		for {
			field, t, ok := w.next()
			if !ok {
				break
			}
			switch field {
			case 1:
				id = int64(w.number(t))
			case 2:
				keys = w.message(t)
			case 3:
				values = w.message(t)
			case 8:
				refs = w.message(t)
			default:
				w.skip(t)
			}
		}
		if w.err == nil {
			w.err = b.readTags(keys, values)
		}
		b.refs = b.refs[:0]
		r := wire{b: refs}
		for at := int64(0); !r.done(); {
			at += r.zigzag()
			b.refs = append(b.refs, at)
		}
		if w.err != nil || r.err != nil {
			return errWire
		}
		return f(id, b.tags, b.refs)
	})
}

func (b *block) readTags(keys, values []byte) error {
	b.tags = b.tags[:0]
	k, v := wire{b: keys}, wire{b: values}
	for !k.done() {
		t := tag{b.text(k.varint(), &k), b.text(v.varint(), &v)}
		if v.err != nil {
			return errWire
		}
		b.tags = append(b.tags, t)
	}
	return k.err
}

// relations calls f for every relation, its arguments valid until f returns.
func (b *block) relations(f func(id int64, tags []tag, members []member) error) error {
	return b.element(4, func(msg []byte) error {
		var id int64
		var keys, values, roles, ids, types []byte
		w := wire{b: msg}
		for {
			field, t, ok := w.next()
			if !ok {
				break
			}
			switch field {
			case 1:
				id = int64(w.number(t))
			case 2:
				keys = w.message(t)
			case 3:
				values = w.message(t)
			case 8:
				roles = w.message(t)
			case 9:
				ids = w.message(t)
			case 10:
				types = w.message(t)
			default:
				w.skip(t)
			}
		}
		if w.err == nil {
			w.err = b.readTags(keys, values)
		}
		if w.err == nil {
			w.err = b.readMembers(roles, ids, types)
		}
		if w.err != nil {
			return errWire
		}
		return f(id, b.tags, b.members)
	})
}

func (b *block) readMembers(roles, ids, types []byte) error {
	b.members = b.members[:0]
	r, i, t := wire{b: roles}, wire{b: ids}, wire{b: types}
	for at := int64(0); !i.done(); {
		at += i.zigzag()
		m := member{id: at, role: b.text(r.varint(), &r), kind: memberKind(t.varint())}
		if r.err != nil || t.err != nil || m.kind > memberOfRelation {
			return errWire
		}
		b.members = append(b.members, m)
	}
	return i.err
}
