package file_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"lightbar/internal/file"
	"lightbar/internal/fleet"
)

// turning are shapes whose rings all go the wrong way: outer ones clockwise, holes counterclockwise.
var turning = []fleet.Area{
	{ID: "a", Name: "A", Geometry: `{"type":"Polygon","coordinates":[[[-75.5,39.7,12],[-75.5,39.8,13],[-75.4,39.8],[-75.4,39.7],[-75.5,39.7,12]],` +
		`[[-75.48,39.72],[-75.45,39.72],[-75.45,39.75],[-75.48,39.72]]]}`},
	{ID: "b", Name: "B", Geometry: `{"type":"MultiPolygon","coordinates":[[[[-75.3,39.7],[-75.3,39.70001],[-75.29999,39.7],[-75.3,39.7]]],` +
		`[[[-75.1,39.7],[-75.1,39.8],[-75.05,39.7],[-75.1,39.7]]]]}`},
	{ID: "c", Name: "C", Geometry: `{"type":"LineString","coordinates":[[-75.5,39.7],[-75.5,39.8],[-75.4,39.8]]}`},
}

// around is the area that a ring goes around, positive counterclockwise.
func around(ring [][]float64) (twice float64) {
	for i := range ring[1:] {
		twice += (ring[i][0]-ring[0][0])*(ring[i+1][1]-ring[0][1]) - (ring[i+1][0]-ring[0][0])*(ring[i][1]-ring[0][1])
	}
	return twice
}

// Whatever file an area leaves in, outer rings turn counterclockwise and holes clockwise (RFC 7946, 3.1.6), with all
// their positions; lines and what is stored stay as they were drawn.
func TestRingsAreRightHandedInFiles(t *testing.T) {
	before := fmt.Sprint(turning)
	for name, write := range map[string]func(io.Writer, []fleet.Area) error{"GeoJSON": file.WriteAreasGeoJSON, "KML": file.WriteAreasKML} {
		var out bytes.Buffer
		if err := write(&out, turning); err != nil {
			t.Fatal(err)
		}
		outer, holes := map[string]func([]byte) ([][][]float64, [][][]float64){"GeoJSON": ringsOfGeoJSON, "KML": ringsOfKML}[name](out.Bytes())
		if len(outer) != 3 || len(holes) != 1 || len(outer[0]) != 5 || len(holes[0]) != 4 {
			t.Fatalf("%s: %v %v", name, outer, holes)
		}
		for _, ring := range outer {
			if around(ring) <= 0 {
				t.Errorf("%s: an outer ring goes clockwise: %v", name, ring)
			}
		}
		if around(holes[0]) >= 0 {
			t.Errorf("%s: the hole goes counterclockwise: %v", name, holes)
		}
		if line := map[string]string{"GeoJSON": "[[-75.5,39.7],[-75.5,39.8],[-75.4,39.8]]", "KML": "-75.5,39.7 -75.5,39.8 -75.4,39.8"}[name]; !strings.Contains(out.String(), line) ||
			len(outer[0][0]) != 3 {
			t.Errorf("%s: the line is turned, or an altitude is lost: %s", name, out.String())
		}
	}
	if fmt.Sprint(turning) != before {
		t.Error("what is stored is turned")
	}
	for _, right := range []string{`{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]]]}`, `{"type":"Polygon","coordinates":[[[0,0],[0,0]]]}`,
		`{"type":"Polygon","coordinates":[[[],[1],[2]]]}`, `{"type":"Polygon"}`, `{`, ``} {
		if got := fleet.RightHanded(right); got != right {
			t.Errorf("%s becomes %s", right, got)
		}
	}
}

func ringsOfGeoJSON(text []byte) (outer, holes [][][]float64) {
	var doc struct {
		Features []struct {
			Geometry struct {
				Type        string
				Coordinates json.RawMessage
			}
		}
	}
	_ = json.Unmarshal(text, &doc)
	for _, f := range doc.Features {
		polygons := make([][][][]float64, 1)
		if f.Geometry.Type == "Polygon" {
			_ = json.Unmarshal(f.Geometry.Coordinates, &polygons[0])
		} else if json.Unmarshal(f.Geometry.Coordinates, &polygons) != nil {
			continue
		}
		for _, rings := range polygons {
			outer, holes = append(outer, rings[0]), append(holes, rings[1:]...)
		}
	}
	return outer, holes
}

func ringsOfKML(text []byte) (outer, holes [][][]float64) {
	type side struct {
		Text string `xml:"LinearRing>coordinates"`
	}
	ringOf := func(text string) (ring [][]float64) {
		for _, at := range strings.Fields(text) {
			var p []float64
			for _, v := range strings.Split(at, ",") {
				n, _ := strconv.ParseFloat(v, 64)
				p = append(p, n)
			}
			ring = append(ring, p)
		}
		return ring
	}
	in := xml.NewDecoder(bytes.NewReader(text))
	for {
		token, err := in.Token()
		if err != nil {
			return outer, holes
		}
		start, ok := token.(xml.StartElement)
		if !ok || start.Name.Local != "outerBoundaryIs" && start.Name.Local != "innerBoundaryIs" {
			continue
		}
		var s side
		_ = in.DecodeElement(&s, &start)
		if start.Name.Local == "outerBoundaryIs" {
			outer = append(outer, ringOf(s.Text))
		} else {
			holes = append(holes, ringOf(s.Text))
		}
	}
}

// polygonsIn says of each file that names polygons what it does with them: a new writer must say that its rings are turned.
var polygonsIn = map[string]string{
	"api/document.go": "describes", "app/area_import.go": "reads", "demo/areas.go": "draws", "demo/zones.go": "draws", "file/geometry.go": "reads",
	"fleet/feature.go": "the API: as drawn", "fleet/outline.go": "reads: as drawn", "fleet/rings.go": "turns", "geo/tiles/basemap.go": "reads",
	"file/area.go": "writes", "file/document.go": "reads", "file/area_kml.go": "reads",
	"file/area_kml_write.go": "writes", "feed/cap.go": "writes",
}

func TestEveryWriterOfPolygonsIsKnown(t *testing.T) {
	names := regexp.MustCompile(`"Polygon"|Polygon>|"polygon"`)
	err := filepath.WalkDir("..", func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil || !names.Match(text) {
			return err
		}
		if path, err = filepath.Rel("..", path); polygonsIn[filepath.ToSlash(path)] == "" && !strings.HasPrefix(path, "testkit") {
			t.Errorf("%s names polygons: does it write them, and are their rings turned?", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
