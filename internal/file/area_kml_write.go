package file

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"io"
	"strconv"

	"lightbar/internal/fleet"
)

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
