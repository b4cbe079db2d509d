package file_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"io"
	"testing"
	"time"

	"lightbar/catalog"
	"lightbar/internal/file"
	"lightbar/internal/fleet"
)

// A table is read by spreadsheets as it was written: numbers are numbers, texts are never formulas, what is not known is
// empty, and instants say their offset.
func TestExportsAreReadAsTheyWereWritten(t *testing.T) {
	zone, err := time.LoadLocation("America/New_York")
	if err != nil {
		t.Fatal(err)
	}
	at := fleet.InstantOf(time.Date(2026, 11, 1, 5, 30, 0, 0, time.UTC)) // 1:30 AM, the first of two
	cells := []any{"=1+1", "-5", int64(-5), -5.25, true, nil, at, at.Add(time.Hour), fleet.Instant(0), "a\r\nb \"c\", d"}
	columns := []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"}
	written := map[string][]byte{}
	for _, name := range catalog.AllEnums().ExportFormats {
		format := file.ExportFormats[name]
		var out bytes.Buffer
		w := format.New(&out, zone, at.Time())
		for _, step := range []error{w.Table(file.ExportTable{Name: "one", Columns: columns}), w.Row(cells, nil),
			w.Table(file.ExportTable{Name: "two", Columns: columns[:1]}), w.Row([]any{"Köln"}, map[string]any{"type": "Point", "coordinates": [2]float64{-75.5, 39.7}}),
			w.Close([]string{"Title", "Rows: 2"})} {
			if step != nil {
				t.Fatal(name, step)
			}
		}
		written[name] = out.Bytes()
	}
	z, err := zip.NewReader(bytes.NewReader(written["csv"]), int64(len(written["csv"])))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"one.csv": "\ufeffa,b,c,d,e,f,g,h,i,j\r\n'=1+1,'-5,-5,-5.25,true,,2026-11-01T01:30:00.000-04:00,2026-11-01T01:30:00.000-05:00,," +
			"\"a\r\nb \"\"c\"\", d\"\r\n",
		"two.csv": "\ufeffa\r\nKöln\r\n", "about.txt": "\ufeffTitle\r\nRows: 2\r\n",
	}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil || string(text) != want[f.Name] {
			t.Errorf("%s: %q, %v", f.Name, text, err)
		}
		delete(want, f.Name)
	}
	if len(want) > 0 {
		t.Errorf("missing: %v", want)
	}
	var found struct {
		Type     string
		Features []struct {
			Geometry   any
			Properties map[string]any
		}
		About []string
	}
	if err := json.Unmarshal(written["geojson"], &found); err != nil || found.Type != "FeatureCollection" || len(found.Features) != 2 || len(found.About) != 2 {
		t.Fatalf("%v %+v", err, found)
	}
	if p := found.Features[0].Properties; p["a"] != "=1+1" || p["c"] != -5.0 || p["f"] != nil || p["g"] != "2026-11-01T01:30:00.000-04:00" || p["i"] != nil ||
		p["table"] != "one" || found.Features[0].Geometry != nil {
		t.Errorf("%+v", found.Features[0])
	}
}
