package file

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"strconv"
	"strings"

	"lightbar/internal/fleet"
)

// kmlDepth is how deep elements of a KML file may stand in one another.
const kmlDepth = 64

var (
	errKMLDeep    = errors.New("its elements are nested too deeply")
	errKMLDoctype = errors.New("it declares a document type")
)

// shallow reads the tokens of a KML file; what only attacks have is an error:
// document types (entities) and elements without end in one another.
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

// broken says where the file breaks.
func (s *shallow) broken(err error) string {
	if syntax := (*xml.SyntaxError)(nil); errors.As(err, &syntax) {
		line, _ := s.InputPos()
		return "it can't be read at line " + strconv.Itoa(line)
	}
	return err.Error()
}

type kmlPlacemark struct {
	Name        string `xml:"name"`
	Description string `xml:"description"`
	Data        []struct {
		Name  string `xml:"name,attr"`
		Value string `xml:"value"`
	} `xml:"ExtendedData>Data"`
	Simple []struct {
		Name  string `xml:"name,attr"`
		Value string `xml:",chardata"`
	} `xml:"ExtendedData>SchemaData>SimpleData"`
	kmlShapes
	Multi *struct {
		kmlShapes
		Nested []struct{} `xml:"MultiGeometry"`
	} `xml:"MultiGeometry"`
}

type kmlShapes struct {
	Points   []kmlLine    `xml:"Point"`
	Lines    []kmlLine    `xml:"LineString"`
	Polygons []kmlPolygon `xml:"Polygon"`
}

type kmlLine struct {
	Coordinates string `xml:"coordinates"`
}

type kmlPolygon struct {
	Outer *kmlLine  `xml:"outerBoundaryIs>LinearRing"`
	Inner []kmlLine `xml:"innerBoundaryIs>LinearRing"`
}

func readKML(text string) ([]AreaFeature, error) {
	refuse := func(why string) error { return refuseAreaFile("The file isn't KML: " + why + ".") }
	source := &shallow{Decoder: xml.NewDecoder(strings.NewReader(text))}
	// Whatever encoding the file declares, it has come to us as text.
	source.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	d := xml.NewTokenDecoder(source)
	var out []AreaFeature
	isKML := false
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, refuse(source.broken(err))
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		if !isKML && start.Name.Local != "kml" {
			return nil, refuse("its first element is " + strconv.Quote(start.Name.Local))
		}
		if isKML = true; start.Name.Local != "Placemark" {
			continue
		}
		if len(out) == areaFeatures.Int() {
			return nil, refuseManyAreas()
		}
		var mark kmlPlacemark
		if err := d.DecodeElement(&mark, &start); err != nil {
			return nil, refuse(source.broken(err))
		}
		f := mark.feature()
		f.No = len(out) + 1
		out = append(out, f)
	}
	if !isKML {
		return nil, refuse("it has no kml element")
	}
	return out, nil
}

// feature is a placemark as an area. Its name and description come before data of the same name.
func (m *kmlPlacemark) feature() AreaFeature {
	f := AreaFeature{Said: map[string]string{}}
	for _, d := range m.Data {
		f.say(d.Name, strings.TrimSpace(d.Value))
	}
	for _, d := range m.Simple {
		f.say(d.Name, strings.TrimSpace(d.Value))
	}
	f.say("name", strings.TrimSpace(m.Name))
	f.say("desc", strings.TrimSpace(m.Description))
	g, problem := m.shape()
	if f.Problem = problem; problem == "" {
		f.take(g)
	}
	return f
}

// shape is the placemark's one shape as GeoJSON; several polygons are a MultiPolygon.
func (m *kmlPlacemark) shape() (g areaGeometry, problem string) {
	s := m.kmlShapes
	if m.Multi != nil {
		if len(s.Points)+len(s.Lines)+len(s.Polygons)+len(m.Multi.Nested) > 0 {
			return g, featureOtherShape
		}
		s = m.Multi.kmlShapes
	}
	var coordinates any
	switch points, lines, polygons := len(s.Points), len(s.Lines), len(s.Polygons); {
	case points > 1 || lines > 1 || points+lines > 0 && polygons > 0 || points > 0 && lines > 0:
		return g, featureOtherShape
	case points == 1:
		at := kmlPositions(s.Points[0].Coordinates)
		if len(at) != 1 {
			return g, featurePoint
		}
		g.Type, coordinates = "Point", at[0]
	case lines == 1:
		g.Type, coordinates = "LineString", kmlPositions(s.Lines[0].Coordinates)
	case polygons == 1:
		g.Type, coordinates = "Polygon", s.Polygons[0].rings()
	case polygons > 1:
		all := make([][][]json.RawMessage, polygons)
		for i := range s.Polygons {
			all[i] = s.Polygons[i].rings()
		}
		g.Type, coordinates = "MultiPolygon", all
	default:
		return g, featureNoShape
	}
	var err error
	if g.Coordinates, err = json.Marshal(coordinates); err != nil {
		return g, "Its coordinates must be numbers: longitude,latitude longitude,latitude …"
	}
	return g, ""
}

func (p *kmlPolygon) rings() [][]json.RawMessage {
	var out [][]json.RawMessage
	if p.Outer != nil {
		out = append(out, kmlPositions(p.Outer.Coordinates))
	}
	for _, ring := range p.Inner {
		out = append(out, kmlPositions(ring.Coordinates))
	}
	return out
}

// kmlPositions are "lng,lat[,alt] lng,lat …" as GeoJSON has them. What is no number makes JSON that cannot be written.
func kmlPositions(text string) []json.RawMessage {
	words := strings.Fields(text)
	out := make([]json.RawMessage, len(words))
	for i, word := range words {
		parts := strings.Split(word, ",")
		for k, part := range parts {
			v, err := strconv.ParseFloat(part, 64)
			if err != nil {
				parts[k] = "?"
				continue
			}
			parts[k] = strconv.FormatFloat(v, 'f', -1, 64)
		}
		out[i] = json.RawMessage("[" + strings.Join(parts, ",") + "]")
	}
	return out
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
	for _, p := range saidOfArea(a) {
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
	var g areaGeometry
	if err := json.Unmarshal(geometry, &g); err != nil {
		return err
	}
	positions := func(line [][]float64) {
		b.WriteString("<coordinates>")
		for i, p := range line {
			if i > 0 {
				b.WriteByte(' ')
			}
			for k, v := range p { // with its altitude
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
