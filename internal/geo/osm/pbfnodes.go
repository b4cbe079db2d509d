package osm

import (
	"lightbar/internal/geo"
)

// nodes calls f for every node, dense or not; tags are valid until f returns.
// inWorld is false for coordinates outside ±90, ±180.
func (b *block) nodes(f func(id int64, p geo.Point, inWorld bool, tags []tag) error) error {
	if err := b.element(2, func(msg []byte) error { return b.denseNodes(msg, f) }); err != nil {
		return err
	}
	return b.element(1, func(msg []byte) error { return b.plainNode(msg, f) })
}

func (b *block) denseNodes(msg []byte, f func(id int64, p geo.Point, inWorld bool, tags []tag) error) error {
	var ids, lats, lngs, keyValues geo.Wire
	w := geo.Wire{B: msg}
	for {
		field, t, ok := w.Next()
		if !ok {
			break
		}
		switch field {
		case 1:
			ids.B = w.Message(t)
		case 8:
			lats.B = w.Message(t)
		case 9:
			lngs.B = w.Message(t)
		case 10:
			keyValues.B = w.Message(t)
		default: // 5 is the metadata: who, when, which changeset
			w.Skip(t)
		}
	}
	if w.Err != nil {
		return w.Err
	}
	var id, lat, lng int64
	for !ids.Done() {
		id += ids.Zigzag()
		lat += lats.Zigzag()
		lng += lngs.Zigzag()
		if ids.Err != nil || lats.Err != nil || lngs.Err != nil {
			return geo.ErrWire
		}
		if err := b.denseTags(&keyValues); err != nil {
			return err
		}
		p, ok := b.fixedAt(lat, lng)
		if err := f(id, p, ok, b.tags); err != nil {
			return err
		}
	}
	return ids.Err
}

// denseTags reads one node's tags: pairs of string numbers up to a zero.
func (b *block) denseTags(w *geo.Wire) error {
	b.tags = b.tags[:0]
	for len(w.B) > 0 {
		k := w.Varint()
		if k == 0 {
			break
		}
		t := tag{b.text(k, w), b.text(w.Varint(), w)}
		if w.Err != nil {
			return geo.ErrWire
		}
		b.tags = append(b.tags, t)
	}
	return w.Err
}

func (b *block) plainNode(msg []byte, f func(id int64, p geo.Point, inWorld bool, tags []tag) error) error {
	var id, lat, lng int64
	var keys, values []byte
	w := geo.Wire{B: msg}
	for {
		field, t, ok := w.Next()
		if !ok {
			break
		}
		switch field {
		case 1:
			id = unzigzag(w.Number(t))
		case 2:
			keys = w.Message(t)
		case 3:
			values = w.Message(t)
		case 8:
			lat = unzigzag(w.Number(t))
		case 9:
			lng = unzigzag(w.Number(t))
		default:
			w.Skip(t)
		}
	}
	if w.Err == nil {
		w.Err = b.readTags(keys, values)
	}
	if w.Err != nil {
		return geo.ErrWire
	}
	p, ok := b.fixedAt(lat, lng)
	return f(id, p, ok, b.tags)
}

func unzigzag(v uint64) int64 { return int64(v>>1) ^ -int64(v&1) }
