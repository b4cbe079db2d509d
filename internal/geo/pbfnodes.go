package geo

// nodes calls f for every node, dense or not; tags are valid until f returns.
// inWorld is false for coordinates outside ±90, ±180.
func (b *block) nodes(f func(id int64, p point, inWorld bool, tags []tag) error) error {
	if err := b.element(2, func(msg []byte) error { return b.denseNodes(msg, f) }); err != nil {
		return err
	}
	return b.element(1, func(msg []byte) error { return b.plainNode(msg, f) })
}

func (b *block) denseNodes(msg []byte, f func(id int64, p point, inWorld bool, tags []tag) error) error {
	var ids, lats, lngs, keyValues wire
	w := wire{b: msg}
	for {
		field, t, ok := w.next()
		if !ok {
			break
		}
		switch field {
		case 1:
			ids.b = w.message(t)
		case 8:
			lats.b = w.message(t)
		case 9:
			lngs.b = w.message(t)
		case 10:
			keyValues.b = w.message(t)
		default: // 5 is the metadata: who, when, which changeset
			w.skip(t)
		}
	}
	if w.err != nil {
		return w.err
	}
	var id, lat, lng int64
	for !ids.done() {
		id += ids.zigzag()
		lat += lats.zigzag()
		lng += lngs.zigzag()
		if ids.err != nil || lats.err != nil || lngs.err != nil {
			return errWire
		}
		if err := b.denseTags(&keyValues); err != nil {
			return err
		}
		p, ok := b.fixedAt(lat, lng)
		if err := f(id, p, ok, b.tags); err != nil {
			return err
		}
	}
	return ids.err
}

// denseTags reads one node's tags: pairs of string numbers up to a zero.
func (b *block) denseTags(w *wire) error {
	b.tags = b.tags[:0]
	for len(w.b) > 0 {
		k := w.varint()
		if k == 0 {
			break
		}
		t := tag{b.text(k, w), b.text(w.varint(), w)}
		if w.err != nil {
			return errWire
		}
		b.tags = append(b.tags, t)
	}
	return w.err
}

func (b *block) plainNode(msg []byte, f func(id int64, p point, inWorld bool, tags []tag) error) error {
	var id, lat, lng int64
	var keys, values []byte
	w := wire{b: msg}
	for {
		field, t, ok := w.next()
		if !ok {
			break
		}
		switch field {
		case 1:
			id = unzigzag(w.number(t))
		case 2:
			keys = w.message(t)
		case 3:
			values = w.message(t)
		case 8:
			lat = unzigzag(w.number(t))
		case 9:
			lng = unzigzag(w.number(t))
		default:
			w.skip(t)
		}
	}
	if w.err == nil {
		w.err = b.readTags(keys, values)
	}
	if w.err != nil {
		return errWire
	}
	p, ok := b.fixedAt(lat, lng)
	return f(id, p, ok, b.tags)
}

func unzigzag(v uint64) int64 { return int64(v>>1) ^ -int64(v&1) }
