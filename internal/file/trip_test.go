package file_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"io"
	"strings"
	"testing"

	"lightbar/internal/file"
	"lightbar/internal/fleet"
	"lightbar/internal/wire"
)

// sampleTrips are a run with a gap, and a lone point; names say what XML and JSON must escape.
func sampleTrips() []file.AssetTrips {
	course, top, nobody := 271.5, 13.25, int64(0)
	at := fleet.Instant(1_700_000_000_000)
	run := wire.Trip{RunID: "r", RunStart: at, RunEnd: at + 600_000, RunDuration: 600, Distance: 812.5, TopSpeed: &top, Drivers: &nobody, StreetStart: `A & "B" <C>`,
		Stops: []wire.TripStop{{Stretch: wire.Stretch{Start: at, End: at + 150_000}, Lat: 39.7, Lng: -75.5}}}
	for i := range 10 {
		p := wire.TripPoint{Lat: 39.7 + float64(i)/1000, Lng: -75.5, Timestamp: at + fleet.Instant(i*10_000)}
		if i != 0 { // the first does not say its speed
			p.Speed, p.HasSpeed = 13.25, true
		}
		if i >= 6 {
			p.Timestamp += 200_000
			p.Course = &course
		}
		run.Points = append(run.Points, p)
	}
	lone := wire.Trip{RunID: "other-x", RunStart: at, RunEnd: at, Points: run.Points[:1]}
	return []file.AssetTrips{{Name: `Engine "1" & <2>`, ThingTrips: wire.ThingTrips{ThingID: "t", Runs: []wire.Trip{run}, Other: []wire.Trip{lone}}},
		{Name: "Quiet", ThingTrips: wire.ThingTrips{ThingID: "q"}}}
}

// tree reads a document and counts its elements by name; texts are those of the first of each name.
func tree(t *testing.T, document []byte) (counts map[string]int, texts map[string]string) {
	t.Helper()
	counts, texts = map[string]int{}, map[string]string{}
	name := ""
	for d := xml.NewDecoder(bytes.NewReader(document)); ; {
		token, err := d.Token()
		if err == io.EOF {
			return counts, texts
		}
		if err != nil {
			t.Fatalf("%v in %.3000s", err, document)
		}
		switch e := token.(type) {
		case xml.StartElement:
			name = e.Name.Local
			counts[name]++
		case xml.CharData:
			if s := strings.TrimSpace(string(e)); s != "" && texts[name] == "" {
				texts[name] = s
			}
		}
	}
}

// A trip is a track, and a gap ends its segment: no program draws a line across it.
func TestTripsAreFiles(t *testing.T) {
	var gpx, kml, geojson bytes.Buffer
	for w, write := range map[*bytes.Buffer]func(io.Writer, []file.AssetTrips) error{
		&gpx: file.WriteTripsGPX, &kml: file.WriteTripsKML, &geojson: file.WriteTripsGeoJSON,
	} {
		if err := write(w, sampleTrips()); err != nil {
			t.Fatal(err)
		}
	}
	counts, texts := tree(t, gpx.Bytes())
	if counts["trk"] != 2 || counts["trkseg"] != 3 || counts["trkpt"] != 11 || counts["wpt"] != 1 || counts["course"] != 4 || counts["speed"] != 9 ||
		texts["time"] != "2023-11-14T22:13:20.000Z" || texts["name"] != `Engine "1" & <2>, stop of 2m30s` {
		t.Errorf("GPX: %v %v", counts, texts)
	}
	counts, texts = tree(t, kml.Bytes())
	if counts["Folder"] != 2 || counts["Placemark"] != 3 || counts["MultiTrack"] != 2 || counts["Track"] != 3 || counts["when"] != 11 || counts["coord"] != 11 ||
		texts["coord"] != "-75.5 39.7" || texts["interpolate"] != "0" || texts["value"] != `Engine "1" & <2>` {
		t.Errorf("KML: %v %v", counts, texts)
	}
	checkTripsGeoJSON(t, geojson.Bytes())
}

// Hours that cannot be read are told in the file: it is looked at where the screen is not.
func TestTripFilesSayWhatTheyLack(t *testing.T) {
	trips := sampleTrips()
	at := trips[0].Runs[0].RunStart
	trips[0].Unreadable = []wire.Stretch{{Start: at, End: at + 3_600_000}}
	const said = "from 2023-11-14T22:13:20.000Z to 2023-11-14T23:13:20.000Z could not be read."
	for name, write := range map[string]func(io.Writer, []file.AssetTrips) error{
		"desc": file.WriteTripsGPX, "description": file.WriteTripsKML,
	} {
		var out bytes.Buffer
		if err := write(&out, trips); err != nil {
			t.Fatal(err)
		}
		if _, texts := tree(t, out.Bytes()); texts[name] != `Positions of Engine "1" & <2> `+said {
			t.Errorf("%s: %q", name, texts[name])
		}
	}
	var out bytes.Buffer
	var found struct{ Description string }
	if err := file.WriteTripsGeoJSON(&out, trips); err != nil || json.Unmarshal(out.Bytes(), &found) != nil || !strings.HasSuffix(found.Description, said) {
		t.Errorf("%v %q", err, found.Description)
	}
}

func checkTripsGeoJSON(t *testing.T, text []byte) {
	t.Helper()
	var found struct {
		Features []struct {
			Geometry struct {
				Type        string
				Coordinates json.RawMessage
			}
			Properties map[string]any
		}
	}
	if err := json.Unmarshal(text, &found); err != nil || len(found.Features) != 3 {
		t.Fatalf("%v in %s", err, text)
	}
	run := found.Features[0]
	var lines [][][2]float64
	if err := json.Unmarshal(run.Geometry.Coordinates, &lines); err != nil || run.Geometry.Type != "MultiLineString" {
		t.Fatal(err, run.Geometry.Type)
	}
	if len(lines) != 2 || len(lines[0]) != 6 || len(lines[1]) != 4 || lines[0][0] != [2]float64{-75.5, 39.7} {
		t.Errorf("lines %v", lines)
	}
	if p := run.Properties; p["distance_m"] != 812.5 || p["top_speed_mps"] != 13.25 || p["kind"] != "run" || p["drivers_alerted"] != 0.0 || p["street_start"] != `A & "B" <C>` ||
		len(p["coordTimes"].([]any)) != 2 {
		t.Errorf("properties %v", p)
	}
	if p := found.Features[2].Properties; p["top_speed_mps"] != nil || p["kind"] != "movement" || p["drivers_alerted"] != nil {
		t.Errorf("properties %v", p)
	}
}
