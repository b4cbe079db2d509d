package file

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"lightbar/internal/fleet"
)

// kmlDepth is how deep elements of a KML file may be nested.
const kmlDepth = 64

var (
	errKMLDeep    = errors.New("its elements are nested too deeply")
	errKMLDoctype = errors.New("it declares a document type")
)

// shallow reads the tokens of a KML file; what only attacks contain is an error: document types (entities) and endless nesting.
type shallow struct {
	*xml.Decoder
	depth int
}

// Token implements xml.TokenReader.
func (s *shallow) Token() (xml.Token, error) {
	token, err := s.RawToken()
	if err != nil {
		return token, err
	}
	switch token.(type) {
	case xml.StartElement:
		if s.depth++; s.depth > kmlDepth {
			return nil, errKMLDeep
		}
	case xml.EndElement:
		s.depth--
	case xml.Directive:
		return nil, errKMLDoctype
	}
	return token, nil
}

// broken describes where the file breaks.
func (s *shallow) broken(err error) string {
	if syntax := (*xml.SyntaxError)(nil); errors.As(err, &syntax) {
		line, _ := s.InputPos()
		return "it can't be read at line " + strconv.Itoa(line)
	}
	return err.Error()
}

func (r *areaReader) readKML(text string) error {
	refuse := func(why string) error { return refuseAreaFile("The file isn't KML: " + why + ".") }
	source := &shallow{Decoder: xml.NewDecoder(&Tags{In: strings.NewReader(text)})}
	// Descriptions in many files contain a bare & and the entities of HTML. None of it is expanded into anything else.
	source.Strict, source.Entity = false, xml.HTMLEntity
	// Whatever encoding the file declares, it has come to us as text.
	source.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	d := xml.NewTokenDecoder(source)
	var mark *kmlMark // that is being read
	isKML := false
	for {
		if err := r.step(); err != nil {
			return err
		}
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return refuse(source.broken(err))
		}
		switch t := token.(type) {
		case xml.StartElement:
			switch {
			case !isKML && t.Name.Local != "kml":
				return refuse("its first element is " + strconv.Quote(shorten(t.Name.Local, 40)))
			case mark != nil:
				mark.open(t)
			case t.Name.Local == "Placemark":
				mark = &kmlMark{reader: r}
			}
			isKML = true
		case xml.CharData:
			if mark != nil {
				mark.chars(t)
			}
		case xml.EndElement:
			if mark == nil {
				continue
			}
			if len(mark.path) > 0 {
				mark.close()
				continue
			}
			if err := r.take(mark.feature()); err != nil {
				return err
			}
			mark = nil
		}
	}
	if !isKML {
		return refuse("it has no kml element")
	}
	return nil
}

// kmlMark is a placemark while it is read, element by element.
type kmlMark struct {
	reader     *areaReader
	path       []string // the elements that are open, below the placemark, without those inside a text
	markup     int      // how many are open inside a text
	text       strings.Builder
	named      string // in ExtendedData, the name of the value that follows
	said       AreaFeature
	name, desc string

	points, lines, polygons int
	mixed                   bool // lines and polygons, or several lines
	unread, pointUnread     bool // coordinates that are no numbers
	shape                   fleet.Outline
	point                   fleet.Outline // counts if there is nothing else: beside a shape it is the place of its name
	outer                   int           // of the polygon: which of its rings is the outline, -1 = none yet
}

// at reports whether exactly these elements are open.
func (m *kmlMark) at(path ...string) bool { return slices.Equal(m.path, path) }

// isText reports whether the element holds a text that counts.
func (m *kmlMark) isText() bool {
	return m.at("name") || m.at("description") || m.at("ExtendedData", "Data", "value") ||
		m.at("ExtendedData", "SchemaData", "SimpleData") || m.isCoordinates()
}

func (m *kmlMark) isCoordinates() bool {
	n := len(m.path)
	if n < 2 || m.path[n-1] != "coordinates" {
		return false
	}
	switch m.path[n-2] {
	case "LinearRing":
		return m.inPolygon(n-2) || m.isShape(n-1)
	case "Point", "LineString":
		return m.isShape(n - 1)
	}
	return false
}

// isShape reports whether the first n open elements are a shape of the placemark, perhaps one of several.
func (m *kmlMark) isShape(n int) bool {
	return n > 0 && !slices.ContainsFunc(m.path[:n-1], func(name string) bool { return name != "MultiGeometry" })
}

// inPolygon reports whether the first n open elements are a boundary of a polygon.
func (m *kmlMark) inPolygon(n int) bool {
	return n >= 2 && m.isShape(n-1) && m.path[n-2] == "Polygon" && (m.path[n-1] == "outerBoundaryIs" || m.path[n-1] == "innerBoundaryIs")
}

func (m *kmlMark) open(start xml.StartElement) {
	if m.markup > 0 || m.isText() && !m.isCoordinates() {
		m.markup++
		m.text.WriteString("<" + start.Name.Local + ">") // HTML that isn't escaped, read like that which is
		return
	}
	m.path = append(m.path, start.Name.Local)
	n := len(m.path)
	switch kind := start.Name.Local; {
	case m.at("ExtendedData", "Data") || m.at("ExtendedData", "SchemaData", "SimpleData"):
		m.named = ""
		for _, a := range start.Attr {
			if a.Name.Local == "name" {
				m.named = a.Value
			}
		}
	case kind == "LinearRing" && m.inPolygon(n-1):
		m.ring(m.path[n-2] == "outerBoundaryIs")
	case m.isShape(n):
		m.begin(kind)
	}
	if m.isText() {
		m.text.Reset()
	}
}

// begin notes a shape.
func (m *kmlMark) begin(kind string) {
	if kind == "LinearRing" { // without a polygon it is a line
		kind = "LineString"
	}
	switch kind {
	case "Point":
		m.points++
		m.point = fleet.Outline{Kind: kind}
		m.point.Polygon()
		m.point.Ring()
		return
	case "LineString":
		m.lines++
	case "Polygon":
		m.polygons++
	default:
		return
	}
	m.mixed = m.mixed || m.lines > 1 || m.lines > 0 && m.polygons > 0
	if m.mixed {
		return
	}
	if m.shape.Kind = kind; m.polygons > 1 {
		m.shape.Kind = "MultiPolygon"
	}
	m.outer = -1
	if m.shape.Polygon(); kind != "Polygon" {
		m.shape.Ring()
	}
}

// ring begins a ring of a polygon. Its outline may come after its holes.
func (m *kmlMark) ring(isOuter bool) {
	if m.mixed {
		return
	}
	if m.shape.Ring(); isOuter && m.outer < 0 && !m.shape.Full() {
		m.outer = len(m.shape.Polygons[len(m.shape.Polygons)-1]) - 1
	}
}

func (m *kmlMark) chars(text []byte) {
	if m.isText() {
		m.text.Write(text)
	}
}

func (m *kmlMark) close() {
	if m.markup > 0 {
		m.markup--
		return
	}
	n := len(m.path)
	switch {
	case !m.isText():
		if m.path[n-1] == "Polygon" && m.isShape(n) && !m.mixed && !m.shape.Full() && m.outer > 0 {
			rings := m.shape.Polygons[len(m.shape.Polygons)-1]
			outline := rings[m.outer]
			copy(rings[1:], rings[:m.outer])
			rings[0] = outline
		}
	case m.isCoordinates() && m.path[n-2] == "Point":
		m.pointUnread = !readPositions(&m.point, m.text.String())
	case m.isCoordinates():
		m.unread = m.unread || !m.mixed && !readPositions(&m.shape, m.text.String())
	case m.at("name"):
		m.name = strings.TrimSpace(m.text.String())
	case m.at("description"):
		m.desc = strings.TrimSpace(m.text.String())
	default:
		m.reader.say(&m.said, m.named, strings.TrimSpace(m.text.String()))
	}
	if m.isText() {
		m.text.Reset()
	}
	m.path = m.path[:n-1]
}

// readPositions reads "lng,lat[,alt] lng,lat …" until the shape is full; false where they are no numbers. Four are no
// position: decimal commas make them of two. An altitude that is no number is none.
func readPositions(shape *fleet.Outline, text string) bool {
	for word := range strings.FieldsSeq(text) {
		if shape.Full() {
			return true
		}
		var p fleet.Position
		n := 0
		for part := range strings.SplitSeq(word, ",") {
			v, err := strconv.ParseFloat(part, 64)
			isNone := err != nil && !errors.Is(err, strconv.ErrRange) || math.IsNaN(v)
			switch n++; {
			case n > 3, n < 3 && isNone:
				return false
			case n == 1:
				p.Lng = v
			case n == 2:
				p.Lat = v
			default:
				p.Alt, p.HasAlt = v, !isNone
			}
		}
		if n < 2 {
			return false
		}
		shape.Add(p)
	}
	return true
}

// feature is a placemark as an area. Its name and description come before data of the same name.
func (m *kmlMark) feature() AreaFeature {
	f := m.said
	f.say("name", m.name)
	f.say("desc", m.desc)
	switch {
	case m.mixed:
		f.Problem = featureOtherShape
	case m.points+m.lines+m.polygons == 0:
		f.Problem = featureNoShape
	case m.lines+m.polygons == 0 && m.points > 1:
		f.Problem = featureOtherShape
	case m.unread, m.lines+m.polygons == 0 && m.pointUnread:
		f.Problem = "Its coordinates must be numbers: longitude,latitude longitude,latitude …"
	case m.lines+m.polygons == 0:
		f.outline(&m.point)
	default:
		f.outline(&m.shape)
	}
	return f
}

// WriteAreasKML writes areas as placemarks.
func WriteAreasKML(w io.Writer, areas []fleet.Area) error {
	const head = xml.Header + `<kml xmlns="http://www.opengis.net/kml/2.2"><Document>` + "\n"
	if _, err := io.WriteString(w, head); err != nil {
		return err
	}
	for i := range areas {
		var b bytes.Buffer
		if err := writePlacemark(&b, &areas[i]); err != nil {
			return err
		}
		if _, err := w.Write(b.Bytes()); err != nil {
			return err
		}
	}
	_, err := io.WriteString(w, "</Document></kml>\n")
	return err
}

func writePlacemark(b *bytes.Buffer, a *fleet.Area) error {
	text := func(s string) { _ = xml.EscapeText(b, []byte(s)) } // a buffer takes everything
	b.WriteString("<Placemark><name>")
	text(a.Name)
	b.WriteString("</name><description>")
	text(a.Description)
	b.WriteString("</description><ExtendedData>")
	for _, p := range propertiesOf(a) {
		if p[0] == "name" || p[0] == "desc" {
			continue
		}
		b.WriteString(`<Data name="` + p[0] + `"><value>`)
		text(p[1])
		b.WriteString("</value></Data>")
	}
	b.WriteString("</ExtendedData>")
	if err := writeKMLShape(b, shapeText(a)); err != nil {
		return err
	}
	b.WriteString("</Placemark>\n")
	return nil
}

func writeKMLShape(b *bytes.Buffer, geometry json.RawMessage) error {
	var g struct {
		Type        string          `json:"type"`
		Coordinates json.RawMessage `json:"coordinates"`
	}
	if err := json.Unmarshal(geometry, &g); err != nil {
		return err
	}
	positions := func(line [][]float64) {
		b.WriteString("<coordinates>")
		for i, p := range line {
			if i > 0 {
				b.WriteByte(' ')
			}
			for k, v := range p[:min(len(p), 3)] { // with its altitude, but for one that was taken before there was a law of them
				if k == 2 && !fleet.IsAltitude(v) {
					continue
				}
				if k > 0 {
					b.WriteByte(',')
				}
				b.WriteString(strconv.FormatFloat(v, 'f', -1, 64))
			}
		}
		b.WriteString("</coordinates>")
	}
	polygon := func(rings [][][]float64) {
		b.WriteString("<Polygon>")
		for i, ring := range rings {
			side := "innerBoundaryIs"
			if i == 0 {
				side = "outerBoundaryIs"
			}
			b.WriteString("<" + side + "><LinearRing>")
			positions(ring)
			b.WriteString("</LinearRing></" + side + ">")
		}
		b.WriteString("</Polygon>")
	}
	var (
		at       []float64
		line     [][]float64
		rings    [][][]float64
		polygons [][][][]float64
		err      error
	)
	switch g.Type {
	case "Point":
		if err = json.Unmarshal(g.Coordinates, &at); err == nil {
			b.WriteString("<Point>")
			positions([][]float64{at})
			b.WriteString("</Point>")
		}
	case "LineString":
		if err = json.Unmarshal(g.Coordinates, &line); err == nil {
			b.WriteString("<LineString>")
			positions(line)
			b.WriteString("</LineString>")
		}
	case "Polygon":
		if err = json.Unmarshal(g.Coordinates, &rings); err == nil {
			polygon(rings)
		}
	case "MultiPolygon":
		if err = json.Unmarshal(g.Coordinates, &polygons); err == nil {
			b.WriteString("<MultiGeometry>")
			for _, rings := range polygons {
				polygon(rings)
			}
			b.WriteString("</MultiGeometry>")
		}
	}
	return err
}
