package check_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"lightbar/internal/feed/check"
	"lightbar/internal/feed/read"
)

// published is the folder of the published schemas and feeds; the test is skipped without it.
func published(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(os.Getenv("LIGHTBAR_TESTDATA"), "wzdx")
	if _, err := os.Stat(dir); err != nil || os.Getenv("LIGHTBAR_TESTDATA") == "" {
		t.Skip("NO SCHEMAS: set LIGHTBAR_TESTDATA to the folder that has wzdx/schemas")
	}
	return dir
}

type schemasIn string

func (dir schemasIn) Load(url string) (any, error) {
	for prefix, folder := range map[string]string{"https://raw.githubusercontent.com/usdot-jpo-ode/wzdx/main/schemas/": "",
		"https://raw.githubusercontent.com/ite-org/cwz/main/schemas/": "cwz-", "https://geojson.org/schema/": "geojson.org/"} {
		if rest, ok := strings.CutPrefix(url, prefix); ok {
			text, err := os.ReadFile(filepath.Join(string(dir), folder+rest))
			if err != nil {
				return nil, err
			}
			return jsonschema.UnmarshalJSON(bytes.NewReader(text))
		}
	}
	return nil, fmt.Errorf("no schema %s", url)
}

func schemaOf(t *testing.T, version string) *jsonschema.Schema {
	t.Helper()
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	compiler.UseLoader(schemasIn(filepath.Join(published(t), "schemas")))
	law, err := compiler.Compile(map[string]string{
		"4.0": "https://raw.githubusercontent.com/usdot-jpo-ode/wzdx/main/schemas/4.0/WZDxFeed.json",
		"4.1": "https://raw.githubusercontent.com/usdot-jpo-ode/wzdx/main/schemas/4.1/WorkZoneFeed.json",
		"4.2": "https://raw.githubusercontent.com/usdot-jpo-ode/wzdx/main/schemas/4.2/WorkZoneFeed.json",
		"1.0": "https://raw.githubusercontent.com/ite-org/cwz/main/schemas/1.0/WorkZoneFeed.json"}[version])
	if err != nil {
		t.Fatal(err)
	}
	return law
}

// richFeed has every member that an edition knows, and those that only others know.
func richFeed(version string) tree {
	d := goodFeed(version)
	if version == "4.0" {
		d = asOld(d)
	}
	more := func(path string, members string) {
		var m tree
		if err := json.Unmarshal([]byte(members), &m); err != nil {
			panic(err)
		}
		maps.Copy(in(d, path).(tree), m)
	}
	info := "feed_info"
	if version == "4.0" {
		info = "road_event_feed_info"
	}
	more(info, `{"contact_name":"A","contact_email":"a@example.org"}`)
	more(info+".data_sources.0", `{"contact_name":"A","contact_email":"a@example.org","lrs_type":"x","lrs_url":"https://example.org/","location_verify_method":"x"}`)
	more("features.0", `{"bbox":[-75.55,39.7,-75.5,39.8]}`)
	more("features.0.geometry", `{"bbox":[-75.55,39.7,-75.5,39.8]}`)
	more("features.0.properties.core_details", `{"name":"A","description":"B","creation_date":"2026-11-22T07:00:00Z","project_id":"P"}`)
	more("features.0.properties", `{"ending_cross_street":"B","reduced_speed_limit_kph":80,"beginning_milepost":1,"ending_milepost":2,
		"beginning_reference_post":1,"ending_reference_post":2,"reference_post_unit":"feet",
		"types_of_work":[{"type_name":"painting","is_architectural_change":false}],"worker_presence":{"are_workers_present":true,"method":"check-in-app",
		"worker_presence_last_confirmed_date":"2026-11-22T07:00:00Z","confidence":"low","definition":["humans-behind-barrier"],"other_method":"x"},
		"impacted_cds_curb_zones":[{"cds_curb_zone_ids":["a"],"cds_curbs_api_url":"https://example.org/"}]}`)
	more("features.0.properties.lanes.0", `{"lane_number":1,"restrictions":[{"type":"no-trucks"}]}`)
	if version != "1.0" {
		more("features.0.properties", `{"event_status":"active"}`)
		more("features.0.properties.core_details", `{"relationship":{"first":["a"],"next":["a"],"parents":["a"],"children":["a"]}}`)
	}
	return d
}

// pathsOf are all members and elements of a value.
func pathsOf(v any, prefix string) (out []string) {
	switch v := v.(type) {
	case tree:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			out = append(append(out, prefix+name), pathsOf(v[name], prefix+name+".")...)
		}
	case []any:
		for i := range v {
			p := prefix + string(rune('0'+i))
			out = append(append(out, p), pathsOf(v[i], p+".")...)
		}
	}
	return out
}

// bySchema are the rules that repeat what the published schemas say.
var bySchema = []string{"member_missing", "type_wrong", "word_unknown", "list_too_short", "number_too_small", "format_wrong", "time_invalid",
	"geometry_kind", "feed_info_missing", "collection_missing", "feature_unreadable", "version_unknown"}

// The table by hand says of each of thousands of changed documents what the
// published schema of its version says: valid or not.
func TestTheTableIsThePublishedSchemas(t *testing.T) {
	if testing.Short() {
		t.Skip("volume")
	}
	values := []any{nil, "x", "", 17.0, -5.0, 0.5, true, []any{}, tree{}, []any{"x"}, []any{tree{}}, "2026-11-23T08:00:00Z", "verified", "no-passing",
		"undefined", "inner-loop", "maintenance", "non-encroachment", "miles", "other", "scheduled", "center-left-turn-lane", "two-way-center-turn-lane",
		"mobile-equipment-in-work-zone-not-moving", "mobile-equipment-in-work-zone-not-working", -1.0, "Point", "MultiPoint"}
	for _, version := range []string{"4.0", "4.1", "4.2", "1.0"} {
		law := schemaOf(t, version)
		tried, refused, wrong := 0, 0, 0
		for _, path := range pathsOf(richFeed(version), "") {
			for _, value := range values {
				if differs(version, path, value) {
					continue
				}
				d := richFeed(version)
				set(d, path, value)
				text, _ := json.Marshal(d)
				parsed, _ := jsonschema.UnmarshalJSON(bytes.NewReader(text))
				err := law.Validate(parsed)
				var ours []string
				for _, id := range rulesOf(checked(t, string(text))) {
					if slices.Contains(bySchema, id) {
						ours = append(ours, id)
					}
				}
				if tried++; err != nil {
					refused++
				}
				if (err != nil) != (len(ours) > 0) {
					if wrong++; wrong < 12 {
						t.Errorf("%s, %s = %v: the schema says %.300v, we %v", version, path, value, err, ours)
					}
				}
			}
		}
		if refused < 1000 {
			t.Errorf("%s: the schema refused only %d: is this test blind?", version, refused)
		}
		t.Logf("%s: %d documents, %d refused by the schema, %d judged otherwise", version, tried, refused, wrong)
	}
}

// differs names where we are stricter than a schema, and why.
func differs(version, path string, value any) bool {
	switch {
	case strings.HasSuffix(path, "version"): // the schema takes any number; another version is judged by another schema
		return true
	case strings.HasSuffix(path, "reference_post_unit"): // the name has a blank too much in the schema of CWZ
		return version == "1.0"
	case path == "features" || path == "feed_info" || path == "road_event_feed_info": // no document is left, or none of this version
		return true
	}
	return false
}

// What is found in the feeds of state DOTs as they were, one minute later.
func TestRealFeedsChecked(t *testing.T) {
	dir := published(t)
	for _, c := range []struct {
		file           string
		features, good int
		found          string
	}{
		{"cdot_wzdx42_2025-08-13.json", 279, 279, "direction_of_line 4, points_too_few 3"},
		{"cdot_cwz10_2025-08-13.json", 150, 150, "format_wrong 1, direction_of_line 2, points_too_few 3"},
		{"cdot_wzdx42_2023-05-22.json", 87, 87, "direction_of_line 12, points_too_few 4"},
		{"modot_wzdx41_2026-07-31_excerpt.json", 2, 2, ""},
		{"msdot_wzdx42_2026-09-23_excerpt.json", 4, 4, ""},
		{"wisdot_wzdx42_2026-09-23_excerpt.json", 4, 4, "format_wrong 1, related_missing 1, points_too_few 1"},
		{"icone_incidents_extended.xml", 92, 92, "member_missing 82, points_too_few 84, cifs_description_long 45, cifs_polyline_invalid 92, " +
			"cifs_type_unknown 72, cifs_time_format 184, cifs_end_missing 92"},
	} {
		text, err := os.ReadFile(filepath.Join(dir, "real", c.file))
		if err != nil {
			t.Fatal(err)
		}
		at, err := read.Read(context.Background(), bytes.NewReader(text), read.Limits{}, func(*read.WorkZone) {})
		if err != nil {
			t.Fatal(err)
		}
		r, err := check.Document(context.Background(), bytes.NewReader(text), read.Limits{}, at.Info.UpdatedAt+60_000)
		if err != nil {
			t.Fatal(err)
		}
		var found []string
		for _, f := range r.Found {
			found = append(found, fmt.Sprintf("%s %d", f.Rule.ID, f.Count))
		}
		if r.Features != c.features || r.Good != c.good || strings.Join(found, ", ") != c.found {
			t.Errorf("%s: %d features, %d good: %s", c.file, r.Features, r.Good, strings.Join(found, ", "))
		}
	}
}
