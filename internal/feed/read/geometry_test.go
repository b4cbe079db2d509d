package read_test

import (
	"errors"
	"strings"
	"testing"

	"lightbar/internal/feed/read"
)

func lineDocument(geometry, behind string) string {
	return `{"features":[{"id":"a","type":"Feature","geometry":` + geometry + `,"properties":{"external_id":"a","road_name":"I-95",` +
		`"start_time":"2026-11-01T12:00:00Z","end_time":"2026-11-02T12:00:00Z"}}]` + behind + `}`
}

// A line is read in whatever other programs wrap it.
func TestGeometriesOfFeeds(t *testing.T) {
	const line = `{"type":"LineString","coordinates":[[-75.5,39.7,1,2],[-75.4,39.7]]}`
	for _, c := range []struct {
		geometry, reason string
		points           int
	}{
		{line, "", 2}, {`{"type":"GeometryCollection","geometries":[` + line + `]}`, "", 2},
		{`{"type":"GeometryCollection","geometries":[{"type":"Point","coordinates":[-75.5,39.7]},` + line + `]}`, "", 2},
		{`{"type":"MultiLineString","coordinates":[[[-75.5,39.7],[-75.4,39.7]]]}`, "", 2},
		{`{"type":"MultiPoint","coordinates":[[-75.5,39.7]]}`, "", 1}, {`{"type":"Point","coordinates":[-75.5,39.7,0]}`, "", 1},
		{`{"type":"MultiLineString","coordinates":[[[-75.5,39.7],[-75.4,39.7]],[[-75.4,39.7],[-75.4,39.8]]]}`, "", 3},
		{`{"type":"MultiLineString","coordinates":[[[-75.5,39.7],[-75.4,39.7]],[[-75.3,39.7],[-75.2,39.8]]]}`, read.BadGeometry, 0},
		{`{"type":"MultiLineString","coordinates":[[[-75.5,39.7],[-75.4,39.7]],[]]}`, read.BadGeometry, 0},
		{`{"type":"LineString","coordinates":[[null,39.7],[-75.4,39.7]]}`, read.BadGeometry, 0},
		{`{"type":"LineString","coordinates":[[-75.5,39.7,null],[-75.4,39.7,null]]}`, "", 2},
		{`{"type":"MultiLineString","coordinates":[[[-75.5,39.7,1],[-75.4,39.7,null]],[[-75.4,39.7,2],[-75.4,39.8,3]]]}`, "", 3},
		{`{"type":"LineString","coordinates":[[-75.5,39.7],[39.7,-75.4]]}`, read.BadGeometry, 0},
		{`{"type":"LineString","coordinates":[[179.999,-16.5],[-179.999,-16.5]]}`, "", 2},
		{`{"type":"GeometryCollection","geometries":[` + line + `,` + line + `]}`, read.BadGeometry, 0},
		{`{"type":"GeometryCollection","geometries":[]}`, read.BadGeometry, 0}, {`null`, read.NoGeometry, 0}, {`{"type":"LineString"}`, read.NoGeometry, 0},
		{`{"type":"LineString","coordinates":["a"]}`, read.BadGeometry, 0}, {`{"type":"Polygon","coordinates":[[[1,2],[3,4],[5,6],[1,2]]]}`, read.BadGeometry, 0},
	} {
		zones, r := zonesOf(t, []byte(lineDocument(c.geometry, "")))
		if c.reason != "" && r.Reasons[c.reason] != 1 || c.reason == "" && (len(zones) != 1 || len(zones[0].Route) != c.points) {
			t.Errorf("%s: %+v %v", c.geometry, zones, r.Reasons)
		}
	}
}

// A document in another coordinate system is refused by its name, wherever it says so.
func TestCoordinateSystemsOfFeeds(t *testing.T) {
	const line = `{"type":"LineString","coordinates":[[-75.5,39.7],[-75.4,39.7]]}`
	_, err := read.Read(t.Context(), strings.NewReader(lineDocument(line, `,"crs":{"type":"name","properties":{"name":"EPSG:2235"}}`)), read.Limits{}, func(*read.WorkZone) {})
	if u := (*read.Unreadable)(nil); !errors.As(err, &u) || !strings.Contains(u.Message, "EPSG:2235") {
		t.Errorf("%v", err)
	}
	zones, _ := zonesOf(t, []byte(lineDocument(line, `,"crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:OGC:1.3:CRS84"}}`)))
	if len(zones) != 1 {
		t.Error("longitude and latitude are what everybody writes")
	}
	of := strings.Replace(lineDocument(line, ""), `"type":"Feature"`, `"type":"Feature","crs":{"type":"name","properties":{"name":"EPSG:2235"}}`, 1)
	if _, r := zonesOf(t, []byte(of)); r.Reasons[read.BadGeometry] != 1 {
		t.Errorf("a feature in another system: %v", r.Reasons)
	}
}

// An instant may be wrapped; what is none does not pass for "not known".
func TestInstantsOfFeeds(t *testing.T) {
	const line = `{"type":"LineString","coordinates":[[-75.5,39.7],[-75.4,39.7]]}`
	const end = `"2026-11-02T12:00:00Z"`
	for said, want := range map[string]string{
		end: "2026-11-02T12:00:00.000Z", `1793620800`: "2026-11-02T12:00:00.000Z", `"1793620800000"`: "2026-11-02T12:00:00.000Z",
		`{"$date":` + end + `}`: "2026-11-02T12:00:00.000Z", `{"$date":{"$numberLong":"1793620800000"}}`: "2026-11-02T12:00:00.000Z",
		`[` + end + `]`: "2026-11-02T12:00:00.000Z", `"/Date(1793620800000)/"`: "2026-11-02T12:00:00.000Z",
		`{}`: "", `[]`: "", `null`: "", `"0000-00-00 00:00:00"`: "", `253402300799`: "",
		`"2099-12-31T00:00:00-07:00"`: "", `"12/31/9999"`: "", `4102358400000`: "",
		strings.Repeat(`{"$date":`, 30) + end + strings.Repeat("}", 30): read.TimeInvalid, // 9,000 of them took four seconds
		`{"day":2}`: read.TimeInvalid, `[2026,11,2]`: read.TimeInvalid, `true`: read.TimeInvalid, `"11/02/2026"`: read.TimeInvalid,
	} {
		zones, r := zonesOf(t, []byte(strings.Replace(lineDocument(line, ""), end, said, 1)))
		if len(zones) == 0 && r.Reasons[want] != 1 || len(zones) == 1 && zones[0].EndAt.String() != want {
			t.Errorf("%s: %+v %v, want %s", said, zones, r.Reasons, want)
		}
	}
}
