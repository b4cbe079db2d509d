package file_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"lightbar/internal/file"
	"lightbar/internal/fleet"
)

func guess(t *testing.T, how file.HazardFile, said *fleet.HazardColumns) file.HazardReading {
	t.Helper()
	out, err := file.GuessHazards(t.Context(), how, said)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func csvOf(content string) file.HazardFile { return file.HazardFile{Format: "csv", Content: content} }

// Columns are guessed by their names, none twice, whatever keeps the cells apart.
func TestColumnsOfHazardsAreGuessed(t *testing.T) {
	for content, want := range map[string]fleet.HazardColumns{
		"Event ID,LATITUDE,Lon,Hazard Type,Comment,Created_At,Last Updated": {ID: "Event ID", Lat: "LATITUDE", Lng: "Lon",
			Type: "Hazard Type", Description: "Comment", Start: "Created_At", Updated: "Last Updated"},
		"foo,": {},
		"incident_category_name,start_time_utc,id": {ID: "id", Type: "incident_category_name", Start: "start_time_utc"},
		"\ufeffsep=;\r\nid;lat;note, if any":       {ID: "id", Lat: "lat"},
		"ID\tlat\tid":                              {ID: "ID", Lat: "lat"},
		"OBJECTID,POINT_X,POINT_Y,GlobalID":        {ID: "GlobalID", Lat: "POINT_Y", Lng: "POINT_X"},
		"number|x|y":                               {ID: "number", Lat: "y", Lng: "x"},
	} {
		content += "\n1,2,3\n"
		if content == "foo,\n1,2,3\n" {
			content = "foo,bar\n"
		}
		if got := guess(t, csvOf(content), nil).Columns; got != want {
			t.Errorf("%q:\n got %+v\nwant %+v", content, got, want)
		}
	}
	for cell, want := range map[string]string{`"(39.7, -75.5)"`: "where", "POINT (-75.5 39.7)": "where", "POINT Z (-75.5 39.7 0)": "where",
		"39.7 -75.5": "where", "12 14": "", "Main St": ""} {
		got := guess(t, csvOf("id,note,where\nA,x,\nB,x,"+cell+"\n"), nil).Columns
		if got.Lat != want || got.Lng != want {
			t.Errorf("%s: %+v", cell, got)
		}
	}
	said := fleet.HazardColumns{Type: "note"}
	if got := guess(t, csvOf("id,note\n1,ICE\n"), &said); got.Columns != said || fmt.Sprint(got.Types) != "[{ICE ice}]" {
		t.Errorf("what is said does not count: %+v", got)
	}
	if _, err := file.GuessHazards(t.Context(), csvOf("%PDF-1.7\n"), nil); !strings.Contains(fmt.Sprint(err), "column names") {
		t.Errorf("a file without columns: %v", err)
	}
}

// Of a type column the different words are named, each with the type whose words all stand in it.
func TestWordsOfHazardsAreGuessed(t *testing.T) {
	content := "id,kind\n1,Stopped Traffic\n2,CRASH\n3,Car crash\n4,\n5,Alien\n6,CRASH\n7,Police activity\n8,Traffic incident\n" +
		"9,Service vehicle\n10,Traffic signal outage\n11,Two vehicle crash\n12,Hole\n"
	how := csvOf(content)
	how.Types = map[string]string{"Hole": "road_damage"}
	want := "[{Stopped Traffic stopped_traffic} {CRASH crash} {Car crash crash} {Alien other} {Police activity other} " +
		"{Traffic incident other} {Service vehicle other} {Traffic signal outage signal_out} {Two vehicle crash crash} {Hole road_damage}]"
	if got := fmt.Sprint(guess(t, how, nil).Types); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	feature := `{"type":"Feature","geometry":null,"properties":{"category":"Ice","note":"x","lat":"1"}}`
	got := guess(t, file.HazardFile{Format: "geojson", Content: `{"type":"FeatureCollection","features":[` + feature + `]}`}, nil)
	text, _ := json.Marshal(got)
	if string(text) != `{"Names":["category","note","lat"],"Columns":{"ID":"","Lat":"","Lng":"","Type":"category","Description":"","Start":"",`+
		`"Updated":""},"Types":[{"Word":"Ice","Kind":"ice"}],"TimeFormat":"iso"}` {
		t.Errorf("GeoJSON: %s", text)
	}
}

func TestFormatsOfTimesAreGuessed(t *testing.T) {
	for _, c := range []struct {
		format string
		times  []string
	}{
		{"iso", nil}, {"iso", []string{"2026-11-25T04:00:00Z"}}, {"iso", []string{"yesterday"}}, {"unix", []string{"1795578573"}},
		{"unix_ms", []string{"1795578573000"}}, {"yyyy/M/d h:mm:ss a", []string{"2024/03/31 06:55:38 PM", "2024/03/31 07:05:00 PM"}},
		{"M/d/yyyy h:mm a", []string{"3/5/2026 6:55 PM", "3/12/2026 6:55 AM"}}, {"M/d/yyyy h:mma", []string{"3/5/2026 6:55PM"}},
		{"d/M/yyyy HH:mm", []string{"03/05/2026 18:55", "13/05/2026 18:55"}}, {"d.M.yy", []string{"31.03.26"}},
		{"M/d/yyyy, h:mm:ss a", []string{"3/5/2026, 6:55:00\u202fPM"}}, {"d/M/yyyy, HH:mm:ss", []string{"25/03/2026, 18:55:00"}},
		{"M/d/yyyy h:mm a", []string{"3/5/2026 6:55 p.m."}}, {"M/d/yyyy h:mm:ss a XXX", []string{"3/5/2026 6:55:00 pm -05:00"}},
		{"M-d-yyyy HH:mm", []string{"03-05-2026 18:55"}}, {"iso", []string{"2026-03-05 18:55"}}, {"iso", []string{"2026-03-05 6:55 PM"}},
		{"iso", []string{"29-Nov-26 18:55"}},
	} {
		if got := guess(t, csvOf("id;start\n1;"+strings.Join(c.times, "\n2;")+"\n"), nil).TimeFormat; got != c.format {
			t.Errorf("%v: %s, want %s", c.times, got, c.format)
		}
	}
}

// An ID that a spreadsheet rounded costs its row, and is named.
func TestSpoiledRowsOfHazardsAreNamed(t *testing.T) {
	how := csvOf("id,lat,lng\n1.23E+15,39.7,-75.5\nD,39.7,-75.5\n")
	var got []string
	if err := file.ReadHazards(t.Context(), how, now, func(row *file.HazardRow) { got = append(got, row.Report.ID+row.Message) }); err != nil {
		t.Fatal(err)
	}
	if all := strings.Join(got, "|"); !strings.Contains(all, "rounded this number") ||
		!strings.HasSuffix(all, "|D") {
		t.Errorf("got %s", all)
	}
}
