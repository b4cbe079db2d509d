package file

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"lightbar/internal/fleet"
)

func readFile(t testing.TB, file HazardFile, now fleet.Instant) (kept []HazardRow, reasons map[string]int, total int, err error) {
	t.Helper()
	reasons = map[string]int{}
	err = ReadHazards(context.Background(), file, now, func(row *HazardRow) {
		if total++; row.Reason == "" {
			kept = append(kept, *row)
		} else {
			reasons[row.Reason]++
		}
	})
	return kept, reasons, total, err
}

func instant(t testing.TB, text string) fleet.Instant {
	t.Helper()
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		t.Fatal(err)
	}
	return fleet.InstantOf(at)
}

var rowReasons = []string{fleet.RowIDMissing, fleet.RowIDRepeated, fleet.RowNoPosition, fleet.RowOutOfRange, fleet.RowSwapped, fleet.RowNoFix, fleet.RowTimeInvalid, fleet.RowTooOld, fleet.RowNotAPoint, fleet.RowTooMany, fleet.RowInvalid}

// A column that has both numbers of a position is named twice.
func TestAColumnOfPositions(t *testing.T) {
	kept, reasons, _, err := readFile(t, HazardFile{Format: "csv", Columns: fleet.HazardColumns{Lat: "location", Lng: "Location"},
		Content: "id,location\nA,\"(39.75, -75.5)\"\nB,POINT (-75.5 39.75)\nC,39.75\nD,Main St\nE,\"-75.5, 39.75\"\n"}, instant(t, "2026-11-21T12:00:00Z"))
	if err != nil || len(kept) != 2 || fmt.Sprint(reasons) != fmt.Sprint(map[string]int{fleet.RowInvalid: 2, fleet.RowSwapped: 1}) {
		t.Fatalf("%+v, %v, %v", kept, reasons, err)
	}
	for _, row := range kept {
		if row.Report.Lat != 39.75 || row.Report.Lng != -75.5 {
			t.Errorf("%+v", row.Report)
		}
	}
}

// Each row of a CSV file is taken or refused for one reason of the list.
func TestRowsOfCSVAreJudgedOneByOne(t *testing.T) {
	now := instant(t, "2026-11-21T12:00:00Z")
	kept, reasons, total, err := readFile(t, HazardFile{Format: "csv", Columns: fleet.HazardColumns{ID: "Ref", Type: "What", Updated: "Changed"},
		Types: map[string]string{"Standing Traffic": "stopped_traffic"}, TimeFormat: "dd.MM.yyyy HH:mm", Zone: time.FixedZone("", 3600),
		Content: "\ufeff ref ,LAT,Lng,What,Description,Changed\r\n" +
			"A,39.7,-75.5,standing traffic,\"Two, lanes\nblocked\",21.11.2026 12:30\r\n" +
			"B,39.7,-75.5,Ice,,\r\n" +
			"A,39.7,-75.5,Ice,,\r\n" +
			",39.7,-75.5,Ice,,\r\n" +
			"C,,-75.5,Ice,,\r\n" +
			"D,north,-75.5,Ice,,\r\n" +
			"E,91,-75.5,Ice,,\r\n" +
			"F,0,0.0,Ice,,\r\n" +
			"G,39.7,-75.5,Ice,,yesterday\r\n" +
			"H,39.7,-75.5,Ice,,21.11.2026 11:59\r\n" +
			"I,39.7,-75.5,moose,,21.11.2025 11:59\r\n" +
			"J\x01,39.7,-75.5,moose,,\r\n" +
			"K\r\n"}, now)
	if err != nil || total != 13 || len(kept) != 2 {
		t.Fatalf("%d of %d, %v: %v", len(kept), total, reasons, err)
	}
	first := kept[0].Report
	if kept[0].Row != 2 || first.ID != "A" || first.Kind != "stopped_traffic" || first.Description != "Two, lanes blocked" || first.Timeless ||
		first.At != instant(t, "2026-11-21T11:30:00Z") || kept[1].Report.Kind != "ice" || !kept[1].Report.Timeless || kept[1].Row != 4 {
		t.Errorf("kept %+v", kept)
	}
	want := map[string]int{fleet.RowIDRepeated: 1, fleet.RowIDMissing: 1, fleet.RowNoPosition: 2, fleet.RowInvalid: 2, fleet.RowOutOfRange: 1, fleet.RowNoFix: 1, fleet.RowTimeInvalid: 1, fleet.RowTooOld: 2}
	if fmt.Sprint(reasons) != fmt.Sprint(want) {
		t.Errorf("refused %v, want %v", reasons, want)
	}
}

// Spreadsheets of other countries part their cells by semicolons or tabs and write 39,7; a quote that nobody closed costs its own row alone.
func TestCSVAsSpreadsheetsWriteIt(t *testing.T) {
	now := instant(t, "2026-11-21T12:00:00Z")
	rows := func(content string) (out []string) {
		t.Helper()
		_, _, _, err := readFile(t, HazardFile{Format: "csv", Content: content}, now)
		if err != nil {
			t.Errorf("%q: %v", content, err)
		}
		_ = ReadHazards(context.Background(), HazardFile{Format: "csv", Content: content}, now, func(row *HazardRow) {
			said := fmt.Sprintf("%d %s %v,%v", row.Row, row.Report.ID, row.Report.Lat, row.Report.Lng)
			if row.Report.Description != "" {
				said += " " + row.Report.Description
			}
			if row.Reason != "" {
				said = fmt.Sprint(row.Row, " ", row.Reason)
			}
			out = append(out, said)
		})
		return out
	}
	for _, c := range []struct {
		name, content string
		want          []string
	}{
		{"semicolons and decimal commas", "\ufeffid;lat;lng;description, if any\r\nA;39,7;-75,5;a;b\r\n", []string{"2 A 39.7,-75.5"}},
		{"Excel's own word", "sep=;\r\nid;lat;lng\r\nA;39,7;-75,5\r\n", []string{"3 A 39.7,-75.5"}},
		{"letters", "id,lat,lng\nA,39.75N,75.5 W\nB,\"39°45'00\"\"N\",\"75°30'00\"\"W\"\nC,75.5W,39.75N\nD,39.75 South,75.5 E\n",
			[]string{"2 A 39.75,-75.5", "3 B 39.75,-75.5", "4 C 39.75,-75.5", "5 D -39.75,75.5"}},
		{"signs", "id,lat,lng\nA,39.75°,-75.5°\nB,39.75,−75.5\nC,٣٩٫٧٥,-75.5\nD,39.75E0,+-75.5\nE,0x27,-75.5\nF,NaN,-75.5\nG,39.75N,75.5N\nH,39_75,-75.5\n",
			[]string{"2 A 39.75,-75.5", "3 B 39.75,-75.5", "4 C 39.75,-75.5", "5 invalid", "6 invalid", "7 invalid", "8 invalid", "9 invalid"}},
		{"tabs", "id\tlat\tlng\nA\t39.7\t-75.5", []string{"2 A 39.7,-75.5"}},
		{"a column in quotes", "\"id\",\"lat;lng;x;y\",lat,lng\nA,,39.7,-75.5\n", []string{"2 A 39.7,-75.5"}},
		{"line ends converted twice", "\"id\",\"lat\",\"lng\",\"description\"\r\r\n\"A\",\"39.7\",\"-75.5\",\"5\"\" pipe\"\r\r\nB,39.7,-75.5,x\r\r\n",
			[]string{"2 A 39.7,-75.5 5\" pipe", "3 B 39.7,-75.5 x"}},
		{"protected numbers", "id,lat,lng\n=\"0042\",39.7,-75.5\n\"=\"\"0043\"\"\",39.7,'-75.5\n", []string{"2 0042 39.7,-75.5", "3 0043 39.7,-75.5"}},
		{"old line ends", "id,lat,lng\rA,39.7,-75.5\rB,39.7,-75.5\r", []string{"2 A 39.7,-75.5", "3 B 39.7,-75.5"}},
		{"a quote within", "id,lat,lng,description\nA,39.7,-75.5,\"5\" pipe\"\nB,39.7,-75.5,5\" pipe\n",
			[]string{"2 A 39.7,-75.5 5\" pipe", "3 B 39.7,-75.5 5\" pipe"}},
		{"a quote that is never closed", "id,lat,lng,description\n\nA,39.7,-75.5,\"I-95\nB,39.7,-75.5,x\n\nC,39.7,-75.5,\"two\nlines\"\nD,39.7,-75.5\n",
			[]string{"3 A 39.7,-75.5 I-95", "4 B 39.7,-75.5 x", "6 C 39.7,-75.5 two lines", "8 D 39.7,-75.5"}},
		{"or only at the end", "id,lat,lng,description\nA,39.7,-75.5,\"I-95\nB,39.7,-75.5\nC,39.7,-75.5", []string{"2 A 39.7,-75.5 I-95",
			"3 B 39.7,-75.5", "4 C 39.7,-75.5"}},
	} {
		if got := rows(c.content); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// A column that says UTC counts before the zone of the file.
func TestColumnsOfUTC(t *testing.T) {
	zone := time.FixedZone("", -5*3600)
	for name, want := range map[string]string{"start": "T17:00", "Start (UTC)": "T12:00", "start_utc": "T12:00", "StartTimeUTC": "T12:00", "UTC": "T12:00",
		"Start [GMT]": "T12:00", "start (UTC-5)": "T17:00", "Start GMT-5": "T17:00", "Start (GMT -5)": "T17:00", "outcutc": "T17:00"} {
		how := HazardFile{Format: "csv", Zone: zone, Columns: fleet.HazardColumns{Start: name}, Content: "id,lat,lng," + name + "\nA,39.7,-75.5,2026-11-21T12:00:00\n"}
		_ = ReadHazards(t.Context(), how, instant(t, "2026-11-21T17:00:00Z"), func(row *HazardRow) {
			if got := row.Report.StartAt.String(); !strings.Contains(got, want) {
				t.Errorf("%s: %s %s", name, got, row.Message)
			}
		})
	}
}

// Features of GeoJSON are judged alike; what is no point is refused by name.
func TestFeaturesOfGeoJSONAreJudgedOneByOne(t *testing.T) {
	now := instant(t, "2026-11-21T12:00:00Z")
	kept, reasons, total, err := readFile(t, HazardFile{Format: "geojson", TimeFormat: "unix_ms", Content: `{"type":"FeatureCollection","name":{"x":[1]},"features":[
{"type":"Feature","id":7,"geometry":{"type":"Point","coordinates":[-75.5,39.7,4]},"properties":{"type":"ICE","description":"Black ice","updated":1795262400000,"start":1795255200000}},
{"type":"Feature","geometry":{"type":"Point","coordinates":[-75.5,39.7]},"properties":{"id":"B"}},
{"type":"Feature","id":"C","geometry":{"type":"LineString","coordinates":[[-75.5,39.7],[-75.6,39.7]]}},
{"type":"Feature","id":"D","geometry":null},
{"type":"Feature","id":"E","geometry":{"type":"Point","coordinates":["x"]}},
{"type":"Feature","id":"N","geometry":{"type":"Point","coordinates":[null,39.7]}},
{"type":"Feature","geometry":{"type":"Point","coordinates":[-75.5,39.7]},"properties":null},
[], {"type":"Feature","id":"F","geometry":{"type":"Point","coordinates":[39.7,-95.5]}}]}`}, now)
	if err != nil || total != 9 || len(kept) != 2 {
		t.Fatalf("%d of %d, %v: %v", len(kept), total, reasons, err)
	}
	if r := kept[0].Report; r.ID != "7" || r.Kind != "ice" || r.Lat != 39.7 || r.At != now || r.StartAt != instant(t, "2026-11-21T10:00:00Z") {
		t.Errorf("%+v", r)
	}
	want := map[string]int{fleet.RowNotAPoint: 1, fleet.RowNoPosition: 3, fleet.RowIDMissing: 1, fleet.RowInvalid: 1, fleet.RowSwapped: 1}
	if fmt.Sprint(reasons) != fmt.Sprint(want) {
		t.Errorf("refused %v, want %v", reasons, want)
	}
}

// A file that cannot be read at all is refused as a whole, by the field that is wrong.
func TestUnreadableFilesOfHazards(t *testing.T) {
	for _, c := range []struct {
		field string
		file  HazardFile
	}{
		{"format", HazardFile{Format: "xml"}},
		{"content", HazardFile{Format: "csv"}},
		{"columns.lat", HazardFile{Format: "csv", Content: "id,lng\n"}},
		{"columns.type", HazardFile{Format: "csv", Content: "id,lat,lng\n", Columns: fleet.HazardColumns{Type: "what"}}},
		{"content", HazardFile{Format: "geojson"}},
		{"content", HazardFile{Format: "geojson", Content: `{"type":"FeatureCollection"}`}},
		{"content", HazardFile{Format: "geojson", Content: `{"features":[{]}`}},
		{"content", HazardFile{Format: "geojson", Content: `{"features":[]`}},
		{"time_format", HazardFile{Format: "csv", Content: "id,lat,lng\n", TimeFormat: "HH:mm"}},
	} {
		_, _, _, err := readFile(t, c.file, 1)
		if refusal, ok := err.(*fleet.Refusal); !ok || refusal.Fields[c.field] == "" {
			t.Errorf("%+v: %v, want %s", c.file, err, c.field)
		}
	}
}

// A time that says in a usual way that there is none costs no row, and the names of properties count in any letter case.
func TestHazardsOfOtherPrograms(t *testing.T) {
	now := instant(t, "2026-11-21T12:00:00Z")
	kept, reasons, _, err := readFile(t, HazardFile{Format: "csv", TimeFormat: "MM/dd/yyyy HH:mm", Content: "id,lat,lng,start,updated\n" +
		"A,39.7,-75.5,N/A,11/21/2026 11:30\nB,39.7,-75.5,null,01/01/1900 00:00\nC,39.7,-75.5,,0001-01-01T00:00:00\nD,39.7,-75.5,soon,\n"}, now)
	if err != nil || len(kept) != 3 || kept[0].Report.Timeless || !kept[1].Report.Timeless || !kept[2].Report.Timeless || reasons[fleet.RowTimeInvalid] != 1 {
		t.Errorf("%+v %v %v", kept, reasons, err)
	}
	kept, reasons, _, err = readFile(t, HazardFile{Format: "geojson", Content: `{"type":"FeatureCollection","features":[` +
		`{"type":"Feature","id":"A","geometry":{"type":"Point","coordinates":[-75.5,39.7]},"properties":{"TYPE":"ice","Description":"Black ice"}},` +
		`{"type":"Feature","id":"X","geometry":{"type":"Point","coordinates":[-75.5,39.7],"crs":{"type":"name","properties":{"name":"EPSG:2235"}}},"properties":{}},` +
		`{"type":"Feature","id":"Y","crs":{"type":"name","properties":{"name":"EPSG:2235"}},"geometry":{"type":"Point","coordinates":[-75.5,39.7]},"properties":{}},` +
		`{"type":"Feature","geometry":{"type":"Point","coordinates":[-75.5,39.7]},"properties":{"Type":"fog","ID":7,"type":"snow","TYPE":"ice"}}]}`}, now)
	if err != nil || len(kept) != 2 || kept[0].Report.Kind != "ice" || kept[0].Report.Description != "Black ice" || kept[1].Report.Kind != "snow" ||
		kept[1].Report.ID != "7" || reasons[fleet.RowInvalid] != 2 {
		t.Errorf("%+v %v %v", kept, reasons, err)
	}
	guessed, err := GuessHazards(t.Context(), HazardFile{Format: "csv", Content: "id,lat,lng,start\nA,1,2,N/A\nB,1,2,1/2/2026 15:04\n"}, nil)
	if err != nil || guessed.TimeFormat != "M/d/yyyy HH:mm" {
		t.Errorf("%+v %v", guessed, err)
	}
}

// The rows of a real file, a quarter of a year of a city, are all accounted for.
func TestARealFileOfHazards(t *testing.T) {
	folder := os.Getenv("LIGHTBAR_TESTDATA")
	if folder == "" {
		folder = "../../../shared/data"
	}
	content, err := os.ReadFile(filepath.Join(folder, "traces/calgary_traffic_incidents_2024_jan-mar.csv"))
	if err != nil {
		t.Skipf("SKIPPED: the file of a real city is missing. Set LIGHTBAR_TESTDATA to the folder that holds traces/ (%v)", err)
	}
	zone, err := time.LoadLocation("America/Edmonton")
	if err != nil {
		t.Fatal(err)
	}
	file := HazardFile{Format: "csv", Content: string(content), Zone: zone, TimeFormat: "yyyy/MM/dd hh:mm:ss a", Types: map[string]string{"Traffic incident.": "crash"},
		Columns: fleet.HazardColumns{ID: "id", Lat: "Latitude", Lng: "Longitude", Type: "DESCRIPTION", Description: "INCIDENT INFO", Start: "START_DT", Updated: "MODIFIED_DT"}}
	kept, reasons, total, err := readFile(t, file, instant(t, "2024-03-31T19:30:00-06:00"))
	refused := 0
	for _, n := range reasons {
		refused += n
	}
	if err != nil || total != 1960 || len(kept)+refused != total || len(kept) != 2 || kept[0].Report.Kind != "crash" || reasons[fleet.RowTooOld] < 1900 {
		t.Errorf("%d rows: kept %d (%+v), refused %v, %v", total, len(kept), kept, reasons, err)
	}
}

func FuzzReadHazardsCSV(f *testing.F) {
	f.Add("id,lat,lng,type,updated\nA,39.7,-75.5,ice,2026-11-21T11:59:00Z\n\"B,1,\n", "iso")
	f.Add("id;lat\n", "yyyy-MM-dd")
	f.Add("id,lat,lng\nA,NaN,Inf\n", "unix")
	f.Fuzz(func(t *testing.T, content, format string) { fuzzHazards(t, "csv", content, format) })
}

func FuzzReadHazardsGeoJSON(f *testing.F) {
	f.Add(`{"features":[{"type":"Feature","id":"A","geometry":{"type":"Point","coordinates":[1,2]},"properties":{"type":"ice","updated":1}}]}`, "unix")
	f.Add(`{"features":[[],{},null,1e999]}`, "")
	f.Fuzz(func(t *testing.T, content, format string) { fuzzHazards(t, "geojson", content, format) })
}

// Whatever a file says: each row has one reason of the list, or a report that the law of hazards takes.
func fuzzHazards(t *testing.T, kind, content, format string) {
	const now = 1795257727000
	seen := map[string]bool{}
	_ = ReadHazards(context.Background(), HazardFile{Format: kind, Content: content, TimeFormat: format}, now, func(row *HazardRow) {
		if row.Reason != "" {
			if !slices.Contains(rowReasons, row.Reason) || row.Message == "" {
				t.Fatalf("refused for %q: %q", row.Reason, row.Message)
			}
			return
		}
		if refusal := row.Report.Check(now); refusal != nil || seen[row.Report.ID] || strings.ContainsRune(row.Report.Description, 0) {
			t.Fatalf("taken: %+v %v", row, refusal)
		}
		seen[row.Report.ID] = true
		h := fleet.NewHazard("id", "o", &row.Report, fleet.HazardHand{}, now)
		if h.EndedAt != 0 || h.StartAt > now || h.ExpiresAt <= now {
			t.Fatalf("%+v", h)
		}
	})
}
