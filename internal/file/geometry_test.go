package file

import (
	"fmt"
	"strings"
	"testing"
)

// What several programs write of one shape is that shape.
func TestGeometriesOfOtherPrograms(t *testing.T) {
	const square, other = `[[[0,0],[1,0],[1,1],[0,0]]]`, `[[[5,5],[6,5],[6,6],[5,5]]]`
	polygon := func(rings string) string { return `{"type":"Polygon","coordinates":` + rings + `}` }
	many := func(parts ...string) string {
		return `{"type":"GeometryCollection","geometries":[` + strings.Join(parts, ",") + `]}`
	}
	const point, line = `{"type":"Point","coordinates":[2,3]}`, `{"type":"LineString","coordinates":[[1,2],[3,4]]}`
	for _, c := range []struct{ raw, kind, coordinates string }{
		{line, "LineString", `[[1,2],[3,4]]`},
		{`{"coordinates":[[2,3]],"TYPE":"MultiPoint"}`, "Point", `[2,3]`},
		{many(line), "LineString", `[[1,2],[3,4]]`},
		{many(many(many(polygon(square)))), "Polygon", square},
		{many(point, polygon(square)), "Polygon", square}, // the point is where its name stands
		{many(polygon(square), many(polygon(other))), "MultiPolygon", `[` + square + `,` + other + `]`},
		{many(`{"type":"MultiPolygon","coordinates":[`+square+`]}`, polygon(other)), "MultiPolygon", `[` + square + `,` + other + `]`},
		{many(line, polygon(square)), "GeometryCollection", ``},
		{many(line, line), "GeometryCollection", ``},
		{many(point, point), "GeometryCollection", ``},
		{many(), "GeometryCollection", ``},
		{strings.Repeat(`{"type":"GeometryCollection","geometries":[`, 200) + strings.Repeat(`]}`, 200), "GeometryCollection", ``},
		{`{"type":"MultiLineString","coordinates":[ [[1,2], [3,4,5]] ,[[3.0,4],[5,6]],[[5,6],[7,8]]]}`, "LineString", `[[1,2],[3,4,5],[5,6],[7,8]]`},
		{`{"type":"MultiLineString","coordinates":[[[1,2],[3,4]],[[4,3],[5,6]]]}`, "MultiLineString", `[[[1,2],[3,4]],[[4,3],[5,6]]]`},
		{`{"type":"MultiLineString","coordinates":[[[1,2],[3,4]],[]]}`, "MultiLineString", `[[[1,2],[3,4]],[]]`},
		{`{"type":"MultiLineString","coordinates":[[[1,2],null],[null,[5,6]]]}`, "MultiLineString", `[[[1,2],null],[null,[5,6]]]`},
		{`7`, "", ``},
	} {
		kind, coordinates, err := Geometry(t.Context(), []byte(c.raw))
		if err != nil || kind != c.kind || string(coordinates) != c.coordinates {
			t.Errorf("%.80s: %s %s", c.raw, kind, coordinates)
		}
	}
}

// What is JSON but for what programs write that make it by hand is read, and what is none remains none.
func TestJSONOfOtherPrograms(t *testing.T) {
	for text, want := range map[string]string{
		`{"a":NaN,"b":[-Infinity,inf,-1e5,nan],"c":null}`: `{"a":null,"b":[null,null,-1e5,null],"c":null}`,
		"{\"NaN, Inf\":\"a\tb\x00\nc -Infinity\"}":        `{"NaN, Inf":"a b  c -Infinity"}`,
		`{"a":"C:\dir\new \" \\ \u00e9 \u12x"}`:           `{"a":"C:\\dir\new \" \\ \u00e9 \\u12x"}`,
		`{"a":"NaN"}`:                                     `{"a":"NaN"}`, `7`: `7`,
	} {
		if got, isMended, _ := MendJSON(t.Context(), []byte(text), true); string(got) != want || isMended != (text != want) || checkJSON(got) != 0 {
			t.Errorf("%s: %s %v", text, got, isMended)
		}
	}
	for _, text := range []string{``, `{"a":nanometer}`, `{"a":1,}`, `{"a":"\`, `{"a":"x`, `[1 2]`, `{"a":N}`} {
		if got, _, _ := MendJSON(t.Context(), []byte(text), true); checkJSON(got) == 0 && len(got) > 0 {
			t.Errorf("%s: %s", text, got)
		}
	}
	if got, _, _ := MendJSON(t.Context(), []byte("[NaN,\"\t\"]"), false); string(got) != `[NaN," "]` {
		t.Errorf("a number that is none where nobody asked: %s", got)
	}
	got, err := featuresOf(t.Context(), "geojson", "", `{"type":"FeatureCollection","features":[
{"type":"Feature","properties":{"name":"A","pop":NaN},"geometry":{"type":"Point","coordinates":[1,2]}},
{"type":"Feature","properties":{"name":"B"},"geometry":{"type":"Point","coordinates":[NaN,NaN]}}]}`)
	if err != nil || len(got) != 2 || got[0].Problem != "" || got[0].Lat != 2 || got[1].Problem != featurePoint {
		t.Errorf("%+v %v", got, err)
	}
}

// An altitude is what an area can do without: one that is none costs nothing. A position of KML has three numbers at most.
func TestAltitudesOfOtherPrograms(t *testing.T) {
	for _, none := range []string{"null", "NaN", "-1.7976931348623157e308", "-Infinity", "null,7"} {
		got, err := featuresOf(t.Context(), "geojson", "", `{"type":"FeatureCollection","features":[{"type":"Feature","properties":{},"geometry":`+
			`{"type":"LineString","coordinates":[[1,2,`+none+`],[3,4,5]]}}]}`)
		if err != nil || len(got) != 1 || got[0].Problem != "" || got[0].Geometry != `{"type":"LineString","coordinates":[[1,2],[3,4,5]]}` {
			t.Errorf("%s: %+v %v", none, got, err)
		}
	}
	for positions, want := range map[string]string{
		"1,2,nan 3,4,5": `{"type":"LineString","coordinates":[[1,2],[3,4,5]]}`, "1,2, 3,4,-9e99": `{"type":"LineString","coordinates":[[1,2],[3,4]]}`,
		"-75,55,39,70 -75,54,39,70": "", "1,nan 3,4": "",
	} {
		got, err := featuresOf(t.Context(), "kml", "", fmt.Sprintf(kmlOf, `<Placemark><LineString><coordinates>`+positions+`</coordinates></LineString></Placemark>`))
		if err != nil || len(got) != 1 || got[0].Geometry != want || (got[0].Problem == "") != (want != "") {
			t.Errorf("%s: %+v %v", positions, got, err)
		}
	}
}

// A text of another program becomes a line that an area can have.
func TestTheLineOfAText(t *testing.T) {
	for said, want := range map[string]string{
		"Two\nlines  of it": "Two lines of it", "North yard": "North yard", "a < b & c > d": "a < b & c > d", "A &amp; B": "A & B",
		"<html><head><style>p{}</style><title>x</title></head><body><p>Bay <b>3</b></p></body></html>": "Bay 3",
		"<!-- a > b -->Gate<br/>4": "Gate 4", "<script>alert(1)": "", "5 <b": "5 <b", "\ufeff\u202eYard": "Yard",
		strings.Repeat("ä", 30): strings.Repeat("ä", 19) + "…",
	} {
		if got, wasCut := (*AreaFeature)(nil).Line(said, 20); got != want || wasCut != (strings.Join(strings.Fields(said), " ") != want) {
			t.Errorf("%q: %q %v, want %q", said, got, wasCut, want)
		}
	}
}
