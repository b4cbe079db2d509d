package file_test

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"
	"github.com/xuri/excelize/v2"

	"lightbar/catalog"
	"lightbar/internal/file"
	"lightbar/internal/fleet"
)

// exported writes tables of points in a format.
func exported(t testing.TB, format, zone string, tables map[string][]fleet.Point) []byte {
	t.Helper()
	where, err := time.LoadLocation(zone)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	w := file.ExportFormats[format].New(&out, where, time.Unix(1795257727, 0))
	for _, name := range []string{"points_A_2026-11-01_X", "points_B_2026-11-01_X"} {
		if len(tables[name]) == 0 {
			continue
		}
		if err := w.Table(file.ExportTable{Name: name, Columns: file.PointColumns}); err != nil {
			t.Fatal(err)
		}
		a := &file.ExportAsset{Thing: fleet.Thing{ID: "id-" + name, Nickname: "Motor <1> & \"Co\" \x01 _x0041_ 消防"}}
		for i := range tables[name] {
			if err := file.WritePoint([]file.ExportWriter{w}, a, &tables[name][i]); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Close([]string{"Title", "Time zone: " + zone}); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// driven are points each 10 s, the third without speed and course, with a gap of 5 minutes after the fourth, around the hour that comes twice.
func driven(n int) []fleet.Point {
	at := fleet.InstantOf(time.Date(2026, 11, 1, 5, 59, 30, 0, time.UTC))
	points := make([]fleet.Point, n)
	for i := range points {
		p := &points[i]
		p.At, p.ReceivedAt, p.Lat, p.Lng = at, at.Add(400*time.Millisecond), 39.7+float64(i)*1e-4, -75.5
		if i != 2 {
			p.HasSpeed, p.SpeedMS, p.HasCourse, p.CourseDeg = true, float64(i%3), true, 90.5
		}
		p.HasAlerting, p.Alerting = i > 1, i%2 == 0
		if at = at.Add(10 * time.Second); i == 3 {
			at = at.Add(5 * time.Minute)
		}
	}
	return points
}

func entries(t *testing.T, content []byte) map[string]string {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		out[f.Name] = string(text)
	}
	return out
}

// A workbook has the rows of the CSV files, one sheet for all tables of a kind, with numbers, truths, and dates by the clock of the zone.
func TestWorkbooksHaveTheSameRows(t *testing.T) {
	tables := map[string][]fleet.Point{"points_A_2026-11-01_X": driven(6), "points_B_2026-11-01_X": driven(3)}
	book, err := excelize.OpenReader(bytes.NewReader(exported(t, "xlsx", "America/New_York", tables)))
	if err != nil {
		t.Fatal(err)
	}
	if got := book.GetSheetList(); !cmp.Equal(got, []string{"points", "About"}) {
		t.Fatal(got)
	}
	rows, err := book.GetRows("points", excelize.Options{RawCellValue: true})
	if err != nil || len(rows) != 10 || !cmp.Equal(rows[0], file.PointColumns) {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	texts := entries(t, exported(t, "csv", "America/New_York", tables))
	at := 0
	for _, name := range []string{"points_A_2026-11-01_X", "points_B_2026-11-01_X"} {
		lines, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(texts[name+".csv"], "\ufeff"))).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range lines[1:] {
			at++
			for i, cell := range line {
				got := rows[at][i]
				switch i {
				case 0, 1: // 1:59 AM is 1:59 AM, of both hours
					day, err := strconv.ParseFloat(got, 64)
					clock := time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC).Add(time.Duration(day * 24 * float64(time.Hour))).Round(time.Millisecond)
					if want := cell[:23]; err != nil || clock.Format("2006-01-02T15:04:05.000") != want {
						t.Errorf("row %d: %s, want %s", at, clock, want)
					}
				case 2:
					if want := "Motor <1> & \"Co\" \uFFFD _x0041_ 消防"; got != want {
						t.Errorf("%q, want %q", got, want)
					}
				case 9, 10:
					if want := map[string]string{"true": "1", "false": "0", "": ""}[cell]; got != want {
						t.Errorf("row %d: %s is %q, want %q", at, rows[0][i], got, want)
					}
				default:
					if got != cell {
						t.Errorf("row %d: %s is %q, want %q", at, rows[0][i], got, cell)
					}
				}
			}
		}
	}
	about, err := book.GetCols("About")
	if err != nil || about[0][0] != "Title" || !strings.Contains(about[0][2], "America/New_York") {
		t.Errorf("%v %v", about, err)
	}
}

// A full sheet goes on as another, with its head.
func TestAFullSheetGoesOn(t *testing.T) {
	if testing.Short() {
		t.Skip("a million rows")
	}
	most := int(catalog.LimitInt("export", "sheetRows"))
	var out bytes.Buffer
	w := file.ExportFormats["xlsx"].New(&out, time.UTC, time.Unix(0, 0))
	if err := w.Table(file.ExportTable{Name: "points_A", Columns: []string{"n"}}); err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for i := range most + 2 {
		if err := w.Row([]any{int64(i)}, nil); err != nil {
			t.Fatal(err)
		}
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if held := int64(after.HeapAlloc) - int64(before.HeapAlloc) - int64(out.Cap()); held > 8<<20 {
		t.Errorf("%d bytes are held", held)
	}
	if err := w.Close(nil); err != nil {
		t.Fatal(err)
	}
	z := entries(t, out.Bytes())
	first, second := z["xl/worksheets/sheet1.xml"], z["xl/worksheets/sheet2.xml"]
	if got := []int{strings.Count(first, "<row "), strings.Count(second, "<row ")}; !cmp.Equal(got, []int{most + 1, 3}) {
		t.Error(got)
	}
	if !strings.Contains(first, fmt.Sprintf(`<row r="%d">`, most+1)) || strings.Contains(first, fmt.Sprintf(`<row r="%d">`, most+2)) {
		t.Error("the first sheet does not end with row 1,048,576")
	}
	if !strings.Contains(second, ">n</t>") || !strings.Contains(z["xl/workbook.xml"], `name="points 2"`) {
		t.Error(second[:300], z["xl/workbook.xml"])
	}
}

// What is too long for a cell ends with an ellipsis, wherever the cut is.
func TestLongTextsOfSheetsAreCut(t *testing.T) {
	for name, text := range map[string]string{"fits": strings.Repeat("a", 32_767), "long": strings.Repeat("a", 32_768), "pairs": strings.Repeat("🚒", 20_000)} {
		var out bytes.Buffer
		w := file.ExportFormats["xlsx"].New(&out, time.UTC, time.Unix(0, 0))
		for _, err := range []error{w.Table(file.ExportTable{Name: "t_", Columns: []string{"a"}}), w.Row([]any{text}, nil), w.Close(nil)} {
			if err != nil {
				t.Fatal(err)
			}
		}
		book, err := excelize.OpenReader(&out)
		if err != nil {
			t.Fatal(err)
		}
		got, err := book.GetCellValue("t", "A2")
		want := map[string]string{"fits": text, "long": text[:32_766] + "…", "pairs": strings.Repeat("🚒", 16_383) + "…"}[name]
		if err != nil || got != want {
			t.Errorf("%s: %d bytes, want %d; %v", name, len(got), len(want), err)
		}
	}
}

// A track has a segment for each stretch without a gap, and no speed where none was said.
func TestTracksOfPoints(t *testing.T) {
	content := entries(t, exported(t, "gpx", "America/New_York", map[string][]fleet.Point{"points_A_2026-11-01_X": driven(6), "points_B_2026-11-01_X": driven(1)}))
	var got struct {
		Tracks []struct {
			Name     string `xml:"name"`
			Segments []struct {
				Points []struct {
					Lat   float64  `xml:"lat,attr"`
					Lng   float64  `xml:"lon,attr"`
					Time  string   `xml:"time"`
					Speed *float64 `xml:"extensions>TrackPointExtension>speed"`
				} `xml:"trkpt"`
			} `xml:"trkseg"`
		} `xml:"trk"`
	}
	if err := xml.Unmarshal([]byte(content["points_A_2026-11-01_X.gpx"]), &got); err != nil {
		t.Fatal(err)
	}
	s := got.Tracks[0].Segments
	if len(s) != 2 || len(s[0].Points) != 4 || len(s[1].Points) != 2 || s[0].Points[2].Speed != nil || *s[0].Points[0].Speed != 0 ||
		s[0].Points[0].Time != "2026-11-01T05:59:30.000Z" || math.Abs(s[1].Points[1].Lat-39.7005) > 1e-9 {
		t.Errorf("%+v", got)
	}
	if !strings.HasPrefix(content["about.txt"], "\ufeffTitle\r\n") || content["points_B_2026-11-01_X.gpx"] == "" {
		t.Errorf("%v", content["about.txt"])
	}
	text := entries(t, exported(t, "kml", "UTC", map[string][]fleet.Point{"points_A_2026-11-01_X": driven(25_000)}))["points_A_2026-11-01_X.kml"]
	var kml struct {
		Tracks []struct {
			When  []string `xml:"when"`
			Coord []string `xml:"coord"`
		} `xml:"Document>Placemark>MultiTrack>Track"`
	}
	if err := xml.Unmarshal([]byte(text), &kml); err != nil {
		t.Fatal(err)
	}
	n := 0
	for i, track := range kml.Tracks {
		if len(track.When) != len(track.Coord) || len(track.When) > 10_001 {
			t.Errorf("track %d: %d instants, %d positions", i, len(track.When), len(track.Coord))
		}
		n += len(track.When)
	}
	// The gap ends one; the others go on with the point that ended the one before.
	if len(kml.Tracks) != 4 || n != 25_002 || kml.Tracks[1].Coord[9_999] != kml.Tracks[2].Coord[0] || kml.Tracks[0].Coord[0] != "-75.5 39.7" {
		t.Errorf("%d tracks, %d points", len(kml.Tracks), n)
	}
}

// Parquet has each point as it was, in groups that a program can read one by one.
func TestParquetOfPoints(t *testing.T) {
	points := driven(120_000)
	content := exported(t, "parquet", "America/New_York", map[string][]fleet.Point{"points_A_2026-11-01_X": points, "points_B_2026-11-01_X": driven(2)})
	f, err := parquet.OpenFile(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		t.Fatal(err)
	}
	zone, _ := f.Lookup("time_zone")
	about, _ := f.Lookup("about")
	if zone != "America/New_York" || !strings.HasPrefix(about, "Title\n") || f.NumRows() != 120_002 || len(f.RowGroups()) != 3 {
		t.Errorf("%q %q, %d rows in %d groups", zone, about, f.NumRows(), len(f.RowGroups()))
	}
	type row struct {
		At       time.Time `parquet:"timestamp,timestamp(millisecond)"`
		Asset    string    `parquet:"asset"`
		Lat      float64   `parquet:"lat"`
		Speed    *float64  `parquet:"speed_mps,optional"`
		Alerting *bool     `parquet:"is_alerting,optional"`
	}
	rows, err := parquet.Read[row](bytes.NewReader(content), int64(len(content)))
	if err != nil || len(rows) != 120_002 {
		t.Fatal(len(rows), err)
	}
	for i, p := range points {
		r := rows[i]
		if !r.At.Equal(p.At.Time()) || r.Lat != p.Lat || (r.Speed != nil) != p.HasSpeed || (r.Alerting != nil) != p.HasAlerting ||
			p.HasSpeed && *r.Speed != p.SpeedMS || p.HasAlerting && *r.Alerting != p.Alerting {
			t.Fatalf("row %d: %+v of %+v", i, r, p)
		}
	}
}

// Formats of positions refuse other tables, and all end whole without any.
func TestFormatsOfPointsTakeNothingElse(t *testing.T) {
	for name, format := range file.ExportFormats {
		var out bytes.Buffer
		w := format.New(&out, time.UTC, time.Unix(0, 0))
		if err := w.Table(file.ExportTable{Name: "assets_UTC", Columns: []string{"a"}}); (err != nil) != (name == "gpx" || name == "kml" || name == "parquet") {
			t.Errorf("%s: %v", name, err)
		}
		w = format.New(&out, time.UTC, time.Unix(0, 0))
		if err := w.Close([]string{"Nothing"}); err != nil || out.Len() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
}
