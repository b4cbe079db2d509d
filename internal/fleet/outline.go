package fleet

import (
	"bytes"
	"errors"
	"math"
	"strconv"

	"lightbar/catalog"
)

var maxAltitudeM = catalog.Limit("area", "maxAltitudeM")

// IsAltitude reports whether meters may be an altitude.
func IsAltitude(meters float64) bool { return math.Abs(meters) <= maxAltitudeM }

// Position is a place of a shape as its text has it.
type Position struct {
	Lng, Lat, Alt float64
	HasAlt        bool
}

// Outline is a shape as its text has it, before the law checks it. It stores no more positions than the law would accept: so
// reading a text holds no more of it than that.
type Outline struct {
	Kind     string // Point, LineString, Polygon or MultiPolygon
	Polygons [][][]Position
	count    int // as the law counts: the position that closes a ring is none
	lists    int // rings and polygons: also of them there may be too many
	many     bool
	off      bool // a position is not on the map
	high     bool // an altitude is none
}

// Polygon begins a polygon, or what is none: a line or a point is the one list of the first.
func (o *Outline) Polygon() {
	if o.list() {
		o.Polygons = append(o.Polygons, nil)
	}
}

// Ring begins a list of positions.
func (o *Outline) Ring() {
	if o.list() {
		last := &o.Polygons[len(o.Polygons)-1]
		*last = append(*last, nil)
	}
}

func (o *Outline) list() bool {
	o.lists++
	o.many = o.many || o.lists > 2*maxVertices
	return !o.many
}

// Add takes a position to the list that began last.
func (o *Outline) Add(p Position) {
	rings := o.Polygons[len(o.Polygons)-1]
	ring := &rings[len(rings)-1]
	if len(*ring) > 0 || o.Kind == "LineString" {
		o.count++
	}
	if o.many = o.many || o.count > maxVertices; o.many {
		return
	}
	o.off = o.off || !OnMap(p.Lat, p.Lng)
	o.high = o.high || p.HasAlt && !IsAltitude(p.Alt)
	*ring = append(*ring, p)
}

// DropAltitudes removes the placeholder altitudes that programs write where they know none.
func (o *Outline) DropAltitudes() {
	o.high = false
	for _, rings := range o.Polygons {
		for _, ring := range rings {
			for i := range ring {
				ring[i].HasAlt = ring[i].HasAlt && IsAltitude(ring[i].Alt)
			}
		}
	}
}

// Full reports that there are more positions than the law accepts: nothing more is read.
func (o *Outline) Full() bool { return o.many }

// Breach is the law's message about the positions as such; empty when all is well.
func (o *Outline) Breach() string {
	switch {
	case o.many:
		return shapeTooMany
	case o.off:
		return shapeOffMap
	case o.high:
		return shapeAltitude
	}
	return ""
}

// Text is the outline as a GeoJSON geometry; only of one without a breach.
func (o *Outline) Text() string {
	b := []byte(`{"type":"` + o.Kind + `","coordinates":`)
	list := func(n int, one func(i int)) {
		b = append(b, '[')
		for i := range n {
			if i > 0 {
				b = append(b, ',')
			}
			one(i)
		}
		b = append(b, ']')
	}
	line := func(ring []Position) {
		list(len(ring), func(i int) { b = ring[i].appendJSON(b) })
	}
	polygon := func(rings [][]Position) {
		list(len(rings), func(i int) { line(rings[i]) })
	}
	switch o.Kind {
	case "Polygon":
		polygon(o.Polygons[0])
	case "MultiPolygon":
		list(len(o.Polygons), func(i int) { polygon(o.Polygons[i]) })
	default:
		line(o.Polygons[0][0])
	}
	return string(append(b, '}'))
}

func (p Position) appendJSON(b []byte) []byte {
	b = appendNumber(append(b, '['), p.Lng)
	b = appendNumber(append(b, ','), p.Lat)
	if p.HasAlt {
		b = appendNumber(append(b, ','), p.Alt)
	}
	return append(b, ']')
}

// appendNumber writes a number as JSON has it, in at most some 25 characters.
func appendNumber(b []byte, v float64) []byte {
	if abs := math.Abs(v); abs != 0 && abs < 1e-6 {
		return strconv.AppendFloat(b, v, 'e', -1, 64)
	}
	return strconv.AppendFloat(b, v, 'f', -1, 64)
}

var errPosition = errors.New("a position is [longitude, latitude]")

// ReadOutline reads the coordinates of a GeoJSON geometry, which is valid JSON,
// until there are more than the law takes. An altitude may follow longitude and
// latitude, null as one that breaks the law; a fourth number, which some programs
// write, says nothing to us. The error is that they are not the coordinates of such a geometry.
func ReadOutline(kind string, text []byte) (*Outline, error) {
	c := coordinates{text: text, outline: Outline{Kind: kind}}
	o := &c.outline
	var err error
	switch kind {
	case "Point":
		o.Polygon()
		o.Ring()
		err = c.position()
	case "LineString":
		o.Polygon()
		err = c.ring()
	case "Polygon":
		err = c.polygon()
	case "MultiPolygon":
		err = c.list(c.polygon)
	default:
		err = errPosition
	}
	if err != nil && !o.many {
		return nil, errPosition
	}
	return o, nil
}

// coordinates reads nested lists of positions.
type coordinates struct {
	text    []byte
	outline Outline
}

func (c *coordinates) polygon() error {
	c.outline.Polygon()
	return c.list(c.ring)
}

func (c *coordinates) ring() error {
	if c.outline.Ring(); c.outline.many {
		return errPosition
	}
	return c.list(c.position)
}

func (c *coordinates) position() error {
	var p Position
	for n := 0; ; n++ {
		if !c.take("[,"[min(n, 1)]) {
			return errPosition
		}
		v, ok := c.number()
		if !ok && n >= 2 && c.null() {
			v, ok = math.NaN(), true
		}
		if !ok {
			return errPosition
		}
		switch n {
		case 0:
			p.Lng = v
		case 1:
			p.Lat = v
		case 2:
			p.Alt, p.HasAlt = v, true
		case 4:
			return errPosition
		}
		if c.take(']') {
			if n == 0 {
				return errPosition
			}
			c.outline.Add(p)
			return nil
		}
	}
}

// list reads the elements of a list until the outline is full; null is an empty one.
func (c *coordinates) list(element func() error) error {
	if c.null() {
		return nil
	}
	if !c.take('[') {
		return errPosition
	}
	if c.take(']') {
		return nil
	}
	for {
		if err := element(); err != nil || c.outline.many {
			return err
		}
		if c.take(']') {
			return nil
		}
		if !c.take(',') {
			return errPosition
		}
	}
}

func (c *coordinates) null() bool {
	c.space()
	rest, is := bytes.CutPrefix(c.text, []byte("null"))
	c.text = rest
	return is
}

func (c *coordinates) space() { c.text = bytes.TrimLeft(c.text, " \t\r\n") }

func (c *coordinates) take(want byte) bool {
	if c.space(); len(c.text) == 0 || c.text[0] != want {
		return false
	}
	c.text = c.text[1:]
	return true
}

func (c *coordinates) number() (float64, bool) {
	c.space()
	n := 0
	for n < len(c.text) && (c.text[n] >= '0' && c.text[n] <= '9' || bytes.IndexByte([]byte("+-.eE"), c.text[n]) >= 0) {
		n++
	}
	v, err := strconv.ParseFloat(string(c.text[:n]), 64)
	c.text = c.text[n:]
	return v, err == nil
}

// UnmarshalJSON implements json.Unmarshaler: [longitude, latitude], with an altitude or none.
func (p *Position) UnmarshalJSON(b []byte) error {
	o, err := ReadOutline("Point", b)
	if err != nil || math.IsNaN(o.Polygons[0][0][0].Alt) {
		return errPosition
	}
	*p = o.Polygons[0][0][0]
	return nil
}
