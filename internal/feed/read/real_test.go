package read_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lightbar/internal/feed/read"
)

// published is a file of the recorded feeds; the test is skipped without them.
func published(t testing.TB, path string) []byte {
	t.Helper()
	data := os.Getenv("LIGHTBAR_TESTDATA")
	text, err := os.ReadFile(filepath.Join(data, "wzdx", path))
	if data == "" || err != nil {
		t.Skip("NO FEEDS: set LIGHTBAR_TESTDATA to the folder that has wzdx")
	}
	return text
}

func zonesOf(t testing.TB, text []byte) ([]*read.WorkZone, *read.Result) {
	t.Helper()
	var zones []*read.WorkZone
	result, err := read.Read(context.Background(), bytes.NewReader(text), read.Limits{}, func(z *read.WorkZone) { zones = append(zones, z) })
	if err != nil {
		t.Fatal(err)
	}
	if len(zones) != result.Kept {
		t.Fatalf("%d were handed on, %d kept", len(zones), result.Kept)
	}
	return zones, result
}

// Feeds of state DOTs as they were, whole or a part of them: nothing that a driver needs is missing.
func TestRealFeeds(t *testing.T) {
	for file, want := range map[string]struct {
		format, version, publisher string
		kept, refused              int
		updated                    string
	}{
		"cdot_wzdx42_2025-08-13.json":           {"wzdx", "4.2", "CDOT", 279, 0, "2025-08-13T18:24:07.000Z"},
		"cdot_cwz10_2025-08-13.json":            {"cwz", "1.0", "CDOT", 150, 0, "2025-08-13T18:24:47.000Z"},
		"cdot_wzdx42_2023-05-22.json":           {"wzdx", "4.2", "CDOT", 87, 0, "2023-05-22T23:40:06.000Z"},
		"modot_wzdx41_2026-07-31_excerpt.json":  {"wzdx", "4.1", "Missouri Department of Transportation", 2, 0, "2026-07-31T08:21:22.304Z"},
		"msdot_wzdx42_2026-09-23_excerpt.json":  {"wzdx", "4.2", "Mississippi Department of Transportation", 4, 0, ""},
		"wisdot_wzdx42_2026-09-23_excerpt.json": {"wzdx", "4.2", "Work Zone Manager", 4, 0, ""},
	} {
		zones, r := zonesOf(t, published(t, "real/"+file))
		if r.Format != want.format || r.Info.Version != want.version || r.Kept != want.kept || r.Refused != want.refused || r.Broken != "" ||
			r.Info.Publisher != want.publisher || len(r.Info.Sources) == 0 || r.Info.License == "" || r.Info.UpdatedAt == 0 ||
			want.updated != "" && r.Info.UpdatedAt.String() != want.updated {
			t.Errorf("%s: %+v", file, r)
		}
		for _, z := range zones {
			if !z.IsClosure() || len(z.RoadNames) == 0 || z.Direction == "" || z.VehicleImpact == "" || z.LocationMethod == "" || z.EndAt == 0 || z.SourceID == "" ||
				len(z.Route) < 2 && r.Format != "cwz" {
				t.Errorf("%s: %+v", file, z)
			}
		}
	}
	// An older CIFS, whose lines have commas and whose events have no end.
	zones, r := zonesOf(t, published(t, "real/icone_incidents_extended.xml"))
	if r.Format != "cifs" || r.Syntax != "xml" || r.Kept != 92 || r.Refused != 0 || r.Info.UpdatedAt.String() != "2020-08-21T15:54:01.000Z" {
		t.Errorf("iCone: %+v", r)
	}
	closures := 0
	for _, z := range zones {
		if z.StartAt == 0 || z.UpdatedAt == 0 || z.EndAt != 0 {
			t.Errorf("iCone: %+v", z)
		}
		if z.IsClosure() {
			closures++
		}
	}
	if closures != 72 {
		t.Errorf("iCone: %d closures", closures)
	}
	_, err := read.Read(context.Background(), bytes.NewReader(published(t, "real/wzdc_rsm_white-rock-cir.xml")), read.Limits{}, func(*read.WorkZone) { t.Error("a work zone") })
	if u, ok := err.(*read.Unreadable); !ok || u.Reason != read.UnknownText || !strings.Contains(u.Message, "Its root is") {
		t.Errorf("an RSM: %v", err)
	}
}

// The examples of the standard, each with the event types that it shows.
func TestExamplesOfTheStandard(t *testing.T) {
	for file, kept := range map[string]int{"scenario1_simple_linestring_example": 5, "scenario1_simple_multipoint_example": 5,
		"scenario2_laneshift_linestring_example": 1, "scenario3_shoulder_bidirectional_linestring_example": 2, "scenario4_detour_linestring_example": 4,
		"scenario5_recurring_linestring_example": 4, "scenario6_multi_lane_closure_linestring_example": 1,
		"scenario7_mobileoperation_linestring_example": 2, "scenario8_local_access_only_bidirectional_linestring_example": 2} {
		text := published(t, "examples/WorkZoneFeed/"+file+".geojson")
		zones, r := zonesOf(t, text)
		if r.Kept != kept || r.Refused != 0 || r.Info.Version != "4.2" {
			t.Errorf("%s: %+v", file, r)
		}
		for _, z := range zones {
			if z.OnlyEnds != strings.Contains(file, "multipoint") || z.IsClosure() == (z.EventType == "detour") {
				t.Errorf("%s: %+v", file, z)
			}
		}
		// The same feed of the version before: the other envelope.
		old := bytes.Replace(bytes.Replace(text, []byte(`"feed_info"`), []byte(`"road_event_feed_info"`), 1), []byte(`"4.2"`), []byte(`"4.0"`), 1)
		if _, r := zonesOf(t, old); r.Kept != kept || r.Info.Version != "4.0" || r.Info.Publisher == "" {
			t.Errorf("%s as 4.0: %+v", file, r)
		}
	}
	for _, file := range []string{"arrow_board_ok_example", "camera_error_example"} {
		_, r := zonesOf(t, published(t, "examples/DeviceFeed/"+file+".geojson"))
		if r.Kept != 0 || r.Reasons[read.NotAWorkZone] != 1 {
			t.Errorf("%s: %+v", file, r)
		}
	}
}
