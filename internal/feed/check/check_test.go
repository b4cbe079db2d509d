package check_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"lightbar/internal/feed/check"
	"lightbar/internal/feed/read"
	"lightbar/internal/fleet"
)

var now = fleet.InstantOf(time.Date(2026, 11, 23, 8, 0, 0, 0, time.UTC))

// tree is a document that a test changes.
type tree = map[string]any

// goodFeed is a document without a fault, of two events, the second a detour of the first.
func goodFeed(version string) tree {
	var d tree
	text := `{"feed_info":{"publisher":"Harbor County","version":"` + version + `","license":"https://creativecommons.org/publicdomain/zero/1.0/",
	"update_date":"2026-11-23T07:59:00Z","update_frequency":60,"data_sources":[{"data_source_id":"01900000-0000-7000-8000-0000000000a1",
	"organization_name":"Harbor County","update_date":"2026-11-23T07:59:00Z","update_frequency":60}]},"type":"FeatureCollection","features":[
	{"id":"01900000-0000-7000-8000-0000000000c1","type":"Feature","properties":{"core_details":{"event_type":"work-zone",
	"data_source_id":"01900000-0000-7000-8000-0000000000a1","road_names":["I-95"],"direction":"eastbound","update_date":"2026-11-23T07:00:00Z",
	"related_road_events":[{"type":"related-detour","id":"01900000-0000-7000-8000-0000000000c2"}]},
	"start_date":"2026-11-23T06:00:00Z","end_date":"2026-11-23T18:00:00Z","is_start_date_verified":true,"is_end_date_verified":false,
	"is_start_position_verified":true,"is_end_position_verified":false,"location_method":"channel-device-method","work_zone_type":"static",
	"vehicle_impact":"some-lanes-closed","lanes":[{"order":1,"type":"general","status":"open"},{"order":2,"type":"general","status":"closed"},
	{"order":3,"type":"shoulder","status":"closed"}],"beginning_cross_street":"Exit 5","restrictions":[{"type":"reduced-width","value":12,"unit":"feet"}]},
	"geometry":{"type":"LineString","coordinates":[[-75.55,39.74],[-75.54,39.741],[-75.53,39.74]]}},
	{"id":"01900000-0000-7000-8000-0000000000c2","type":"Feature","properties":{"core_details":{"event_type":"detour",
	"data_source_id":"01900000-0000-7000-8000-0000000000a1","road_names":["Main St"],"direction":"unknown"},
	"start_date":"2026-11-23T06:00:00Z","end_date":"2026-11-23T18:00:00Z","is_start_date_verified":true,"is_end_date_verified":false},
	"geometry":{"type":"LineString","coordinates":[[-75.55,39.75],[-75.53,39.75]]}}]}`
	if err := json.Unmarshal([]byte(text), &d); err != nil {
		panic(err)
	}
	return d
}

// goodIncidents is a document of CIFS without a fault.
func goodIncidents() tree {
	var d tree
	text := `{"incidents":[{"incident":{"id":"DE-95-1","type":"HAZARD","subtype":"HAZARD_ON_ROAD_LANE_CLOSED","street":"I-95",
	"polyline":"39.740000 -75.550000 39.741000 -75.540000","direction":"ONE_DIRECTION","starttime":"2026-11-23T06:00:00+00:00",
	"endtime":"2026-11-23T18:00:00+00:00","updatetime":"2026-11-23T07:00:00+00:00","description":"Right lane closed ahead",
	"lanes":{"lane":[{"order":1,"type":"LANE","status":"OPEN"},{"order":2,"type":"LANE","status":"CLOSED"}]}}},
	{"incident":{"id":"DE-95-2","type":"ROAD_CLOSED","subtype":"ROAD_CLOSED_CONSTRUCTION","street":"Main St",
	"polyline":"39.750000 -75.550000 39.750000 -75.540000","starttime":"2026-11-23T06:00:00-05:00","endtime":"2026-11-23T18:00:00-05:00"}}]}`
	if err := json.Unmarshal([]byte(text), &d); err != nil {
		panic(err)
	}
	return d
}

// in goes down a path as "features.0.properties".
func in(d any, path string) any {
	for _, step := range strings.Split(path, ".") {
		switch v := d.(type) {
		case tree:
			d = v[step]
		case []any:
			d = v[int(step[0]-'0')]
		}
	}
	return d
}

// set changes what is at a path; nil takes it out.
func set(d tree, path string, value any) {
	at := strings.LastIndexByte(path, '.')
	last := path[at+1:]
	var parent any = d
	if at > 0 {
		parent = in(d, path[:at])
	}
	switch v := parent.(type) {
	case tree:
		if v[last] = value; value == nil {
			delete(v, last)
		}
	case []any:
		v[int(last[0]-'0')] = value
	}
}

func checked(t testing.TB, d any) *check.Report {
	t.Helper()
	text, is := d.(string)
	if !is {
		b, err := json.Marshal(d)
		if err != nil {
			t.Fatal(err)
		}
		text = string(b)
	}
	r, err := check.Document(context.Background(), strings.NewReader(text), read.Limits{}, now)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func rulesOf(r *check.Report) (out []string) {
	for _, f := range r.Found {
		out = append(out, f.Rule.ID)
	}
	return out
}

const (
	event = "features.0."
	props = event + "properties."
	core  = props + "core_details."
	line  = event + "geometry.coordinates"
)

// fault is one that is planted into a good document.
type fault struct {
	rule, path string // which rule finds it, and where it is planted
	value      any
	at         string // the path that is told
}

var faults = []fault{
	{"version_unknown", "feed_info.version", "3.1", ""},
	{"collection_missing", "type", "Features", ""},
	{"feed_info_missing", "feed_info", nil, ""},
	{"feed_stale", "feed_info.update_date", "2026-11-01T00:00:00Z", "feed_info.update_date"},
	{"update_in_future", "feed_info.update_date", "2026-11-23T09:00:00Z", "feed_info.update_date"},
	{"update_placeholder", "feed_info.update_date", "0001-01-01T00:00:00Z", "feed_info.update_date"},
	{"update_placeholder", "feed_info.data_sources.0.update_date", "1970-01-01T00:00:00Z", "feed_info.data_sources[0].update_date"},
	{"update_placeholder", core + "update_date", "1970-01-01T00:00:00Z", "properties.core_details.update_date"},
	{"update_in_future", core + "update_date", "2026-11-23T09:00:00Z", "properties.core_details.update_date"},
	{"member_missing", "feed_info.publisher", nil, "feed_info.publisher"},
	{"member_missing", event + "id", nil, "id"},
	{"member_missing", event + "geometry", nil, "geometry"},
	{"member_missing", core + "road_names", nil, "properties.core_details.road_names"},
	{"member_missing", props + "is_end_date_verified", nil, "properties.is_end_date_verified"},
	{"member_missing", props + "lanes.1.type", nil, "properties.lanes[1].type"},
	{"member_missing", props + "restrictions.0.unit", nil, "properties.restrictions[0].unit"},
	{"type_wrong", props + "is_start_date_verified", "yes", "properties.is_start_date_verified"},
	{"type_wrong", core + "road_names", "I-95", "properties.core_details.road_names"},
	{"word_unknown", props + "vehicle_impact", "lane-closed", "properties.vehicle_impact"},
	{"word_unknown", core + "direction", "east", "properties.core_details.direction"},
	{"word_unknown", "feed_info.license", "CC0", "feed_info.license"},
	{"word_unknown", core + "event_type", "restriction", "properties.core_details.event_type"},
	{"list_too_short", core + "road_names", []any{}, "properties.core_details.road_names"},
	{"list_too_short", "feed_info.data_sources", []any{}, "feed_info.data_sources"},
	{"number_too_small", props + "beginning_milepost", -1.0, "properties.beginning_milepost"},
	{"format_wrong", "feed_info.contact_email", "nobody", "feed_info.contact_email"},
	{"time_invalid", props + "end_date", "2026-11-23 18:00", "properties.end_date"},
	{"time_not_utc", props + "end_date", "2026-11-23T13:00:00-05:00", "properties.end_date"},
	{"geometry_kind", event + "geometry.type", "Polygon", "geometry"},
	{"geometry_kind", event + "geometry", tree{"type": "Point", "coordinates": []any{-75.5, 39.7}}, "geometry"},
	{"member_deprecated", props + "event_status", "active", "properties.event_status"},
	{"id_repeated", "features.1.id", "01900000-0000-7000-8000-0000000000c1", "id"},
	{"id_empty", event + "id", " ", "id"},
	{"source_unknown", core + "data_source_id", "somebody", "properties.core_details.data_source_id"},
	{"source_repeated", "feed_info.data_sources", []any{tree{"data_source_id": "01900000-0000-7000-8000-0000000000a1", "organization_name": "A"},
		tree{"data_source_id": "01900000-0000-7000-8000-0000000000a1", "organization_name": "B"}}, "feed_info"},
	{"related_missing", core + "related_road_events.0.id", "gone", "properties.core_details.related_road_events[0].id"},
	{"related_missing", core + "relationship", tree{"parents": []any{"gone"}}, "properties.core_details.relationship.parents[0]"},
	{"related_self", core + "related_road_events.0.id", "01900000-0000-7000-8000-0000000000c1", "properties.core_details.related_road_events[0].id"},
	{"road_name_empty", core + "road_names", []any{""}, "properties.core_details.road_names[0]"},
	{"end_before_start", props + "end_date", "2026-11-23T05:00:00Z", "properties.end_date"},
	{"ended_lingers", "features.1.properties.end_date", "2026-11-22T07:00:00Z", "properties.end_date"},
	{"end_placeholder", props + "end_date", "9999-12-31T23:59:59Z", "properties.end_date"},
	{"end_placeholder", props + "end_date", "1900-01-01T00:00:00Z", "properties.end_date"},
	{"end_placeholder", props + "end_date", "2099-12-31T00:00:00Z", "properties.end_date"},
	{"start_placeholder", props + "start_date", "0001-01-01T00:00:00Z", "properties.start_date"},
	{"start_verified_early", props + "start_date", "2026-11-23T12:00:00Z", "properties.is_start_date_verified"},
	{"end_verified_early", props + "is_end_date_verified", true, "properties.is_end_date_verified"},
	{"verified_contradicts", props + "start_date_accuracy", "estimated", "properties.start_date_accuracy"},
	{"lanes_contradict_impact", props + "vehicle_impact", "all-lanes-closed", "properties.lanes"},
	{"lanes_contradict_impact", props + "lanes.0.status", "closed", "properties.lanes"},
	{"lanes_contradict_impact", props + "vehicle_impact", "all-lanes-open", "properties.lanes"},
	{"lanes_skipped", props + "lanes.2.order", 4.0, "properties.lanes"},
	{"lanes_repeated", props + "lanes.2.order", 2.0, "properties.lanes[2].order"},
	{"direction_of_line", core + "direction", "westbound", "geometry"},
	{"points_too_few", line, []any{[]any{-75.5, 39.7}, []any{-75.5, 39.7}}, "geometry.coordinates"},
	{"coordinates_swapped", line, []any{[]any{39.74, -75.55}, []any{39.74, -75.53}}, "geometry.coordinates"},
	{"coordinate_system", event + "geometry.crs", tree{"type": "name", "properties": tree{"name": "EPSG:2235"}}, "geometry"},
	{"coordinate_system", event + "crs", tree{"type": "name", "properties": tree{"name": "EPSG:2235"}}, "geometry"},
	{"position_out_of_range", line, []any{[]any{-275.5, 39.7}, []any{-75.4, 39.7}}, "geometry.coordinates[0]"},
	{"position_zero", line, []any{[]any{0.0, 0.0}, []any{-75.4, 39.7}}, "geometry.coordinates[0]"},
	{"line_jumps", line, []any{[]any{-78.5, 39.7}, []any{-75.4, 39.7}}, "geometry.coordinates[1]"},
	{"feature_unreadable", "features.1", "no feature", ""},
	{"device_feature", "features.1.properties.core_details", tree{"device_type": "arrow-board"}, ""},
}

const first = "incidents.0.incident."

var cifsFaults = []fault{
	{"cifs_description_long", first + "description", strings.Repeat("x", 40), "description"},
	{"cifs_polyline_invalid", first + "polyline", "39.740000,-75.550000,39.741000,-75.540000", "polyline"},
	{"cifs_polyline_invalid", first + "polyline", "39.740000 -75.550000 39.741000", "polyline"},
	{"cifs_line_too_long", first + "polyline", "39.740000 -75.550000 39.740000 -75.200000", "polyline"},
	{"cifs_ring", first + "polyline", "39.740000 -75.550000 39.750000 -75.550000 39.740000 -75.550000", "polyline"},
	{"coordinates_swapped", first + "polyline", "-75.550000 39.740000 -75.540000 39.740000", "polyline"},
	{"points_too_few", first + "polyline", "39.740000 -75.550000 39.740000 -75.550000", "polyline"},
	{"cifs_type_unknown", first + "type", "CONSTRUCTION", "type"},
	{"cifs_subtype_wrong", first + "subtype", "ROAD_CLOSED_EVENT", "subtype"},
	{"cifs_direction_unknown", first + "direction", "EAST", "direction"},
	{"cifs_time_format", first + "endtime", "2026-11-23T18:00:00Z", "endtime"},
	{"cifs_time_format", first + "endtime", "2026-11-23T18:00:00.5+00:00", "endtime"},
	{"update_placeholder", first + "updatetime", "1999-12-31T23:59:59+00:00", "updatetime"},
	{"time_invalid", first + "starttime", "soon", "starttime"},
	{"end_before_start", first + "endtime", "2026-11-23T05:00:00+00:00", "endtime"},
	{"ended_lingers", "incidents.1.incident.endtime", "2026-11-22T01:00:00-05:00", "endtime"},
	{"cifs_end_missing", first + "endtime", nil, "endtime"},
	{"cifs_id_short", first + "id", "x", "id"},
	{"end_placeholder", first + "endtime", "9999-12-31T23:59:59-05:00", "endtime"},
	{"cifs_schedule_invalid", first + "schedule", tree{"everyday": "nights"}, "schedule"},
	{"cifs_schedule_invalid", first + "schedule", tree{"weekdays": "21:00-23:59"}, "schedule"},
	{"cifs_schedule_invalid", first + "schedule", tree{"monday": "21:00-21:00"}, "schedule"},
	{"cifs_schedule_invalid", first + "schedule", "everyday", "schedule"},
	{"cifs_schedule_invalid", first + "schedule", tree{}, "schedule"},
	{"cifs_schedule_never", first + "schedule", tree{"tuesday": "09:00-10:00"}, "schedule"},
	{"id_repeated", first + "id", "DE-95-2", "id"},
	{"member_missing", first + "street", nil, "street"},
	{"member_missing", first + "type", nil, "type"},
	{"cifs_lane_unknown", first + "lanes.lane.0.status", "SHUT", "lanes.lane[0]"},
	{"lanes_skipped", first + "lanes.lane.1.order", 3.0, "lanes.lane"},
}

// Each planted fault is found by its rule, at its place, and by no other rule
// but those that the same fault breaks too.
func TestPlantedFaults(t *testing.T) {
	t.Logf("%d faults, %d rules", len(faults)+len(cifsFaults), len(check.Rules))
	also := map[string][]string{"feed_stale": nil, "end_before_start": {"ended_lingers"}, "ended_lingers": {"end_before_start"}, "id_empty": {"related_missing"},
		"member_missing": {"cifs_subtype_wrong", "source_unknown"}, "id_repeated": {"related_missing", "related_self"}, "feature_unreadable": {"related_missing"},
		"related_missing": {"member_deprecated"}, "verified_contradicts": {"member_deprecated"}, "points_too_few": {"cifs_ring"}}
	seen := map[string]bool{}
	try := func(f fault, d tree) {
		set(d, f.path, f.value)
		r := checked(t, d)
		found := slices.ContainsFunc(r.Found, func(found check.Found) bool {
			return found.Rule.ID == f.rule && found.Count == 1 && len(found.Places) == 1 && found.Places[0].Path == f.at
		})
		for _, id := range rulesOf(r) {
			if id != f.rule && !slices.Contains(also[f.rule], id) {
				t.Errorf("%s at %s: %s as well", f.rule, f.path, id)
			}
		}
		if !found {
			t.Errorf("%s at %s: found %v", f.rule, f.path, r.Found)
		}
		seen[f.rule] = true
	}
	for _, f := range faults {
		try(f, goodFeed("4.2"))
	}
	for _, f := range cifsFaults {
		try(f, goodIncidents())
	}
	try(fault{"id_not_uuid", event + "id", "DE-95-1", "id"}, relationless(goodFeed("1.0")))
	for _, cut := range []struct{ rule, end string }{{"document_truncated", ""}, {"document_malformed", "]]"}} {
		text, _ := json.Marshal(goodFeed("4.2"))
		at := strings.LastIndex(string(text), `{"geometry"`)
		if r := checked(t, string(text[:at])+cut.end); !slices.Contains(rulesOf(r), cut.rule) {
			t.Errorf("%s: %v", cut.rule, rulesOf(r))
		}
		seen[cut.rule] = true
	}
	text, _ := json.Marshal(goodFeed("4.2"))
	flawed := checked(t, strings.Replace(string(text), `"core_details"`, `"x":"\d","core_details"`, 1))
	if !slices.Equal(rulesOf(flawed), []string{"json_invalid"}) || flawed.Good != 2 || flawed.Found[0].Places[0].Feature == "" {
		t.Errorf("a feature that is no JSON: %+v", flawed)
	}
	seen["json_invalid"] = true
	if r := checked(t, `{"data":`+string(text)+`}`); !slices.Equal(rulesOf(r), []string{"collection_missing"}) || r.Good != 2 {
		t.Errorf("a document in an envelope: %+v", r)
	}
	for _, r := range check.Rules {
		if !seen[r.ID] {
			t.Errorf("no fault shows rule %s", r.ID)
		}
		if r.Message == "" || r.Way == "" {
			t.Errorf("rule %s has no words", r.ID)
		}
	}
}

func relationless(d tree) tree {
	set(d, core+"related_road_events", nil)
	return d
}

// A document without a fault is clean in every edition, whichever of its names the envelope has.
func TestGoodDocuments(t *testing.T) {
	for _, version := range []string{"4.1", "4.2", "1.0"} {
		if r := checked(t, goodFeed(version)); !r.Clean() || r.Features != 2 || r.Good != 2 || r.Version != version {
			t.Errorf("%s: %+v", version, r)
		}
	}
	if r := checked(t, goodIncidents()); !r.Clean() || r.Good != 2 || r.Format != read.CIFS {
		t.Errorf("CIFS: %+v", r)
	}
	for _, times := range []any{tree{"everyday": "09:00-11:00,14:00-16:00"}, tree{"monday": "21:00-05:00", "sunday": "22:00-06:30"},
		[]any{tree{"monday": "09:00-12:00"}}} {
		d := goodIncidents()
		set(d, first+"schedule", times)
		if r := checked(t, d); !r.Clean() || r.Good != 2 {
			t.Errorf("a schedule %v: %+v", times, r.Found)
		}
	}
	old := asOld(goodFeed("4.0"))
	if r := checked(t, old); !r.Clean() || r.Version != "4.0" {
		t.Errorf("4.0: %+v", r.Found)
	}
	set(old, "road_event_feed_info.version", "4.2")
	if r := checked(t, old); !slices.Equal(rulesOf(r), []string{"member_deprecated"}) {
		t.Errorf("the old members in 4.2: %+v", r.Found)
	}
}

// asOld puts a document into the words of WZDx 4.0.
func asOld(d tree) tree {
	d["road_event_feed_info"] = d["feed_info"]
	delete(d, "feed_info")
	set(d, core+"related_road_events", nil)
	set(d, "features.1.properties.core_details.direction", "eastbound")
	for _, p := range []tree{in(d, "features.0.properties").(tree), in(d, "features.1.properties").(tree)} {
		for now, before := range map[string]string{"is_start_date_verified": "start_date_accuracy", "is_end_date_verified": "end_date_accuracy",
			"is_start_position_verified": "beginning_accuracy", "is_end_position_verified": "ending_accuracy"} {
			if is, said := p[now].(bool); said {
				if p[before] = "estimated"; is {
					p[before] = "verified"
				}
				delete(p, now)
			}
		}
	}
	return d
}

// All are counted, ten are told.
func TestCountsAndPlaces(t *testing.T) {
	d := goodFeed("4.2")
	var features []any
	for i := range 25 {
		f := in(goodFeed("4.2"), "features.0").(tree)
		f["id"] = fmt.Sprintf("e%d", i)
		set(f, "properties.core_details.related_road_events", nil)
		set(f, "properties.vehicle_impact", nil)
		features = append(features, f)
	}
	d["features"] = features
	r := checked(t, d)
	if len(r.Found) != 1 || r.Found[0].Count != 25 || len(r.Found[0].Places) != 10 || r.Found[0].Places[9].Feature != "e9" || r.Features != 25 {
		t.Errorf("%+v", r)
	}
	var relations []any
	for range 5000 {
		relations = append(relations, tree{"id": "gone", "type": "related-detour"})
	}
	d = goodFeed("4.2")
	set(d, core+"related_road_events", relations)
	set(d, "features.1.properties.core_details.related_road_events", relations)
	r = checked(t, d)
	if len(r.Found) != 1 || r.Found[0].Count != 10_000 || len(r.Found[0].Places) != 10 ||
		r.Found[0].Places[9] != (check.Place{Feature: "01900000-0000-7000-8000-0000000000c1",
			Path: "properties.core_details.related_road_events[9].id", Detail: "“gone”."}) {
		t.Errorf("%+v", r)
	}
}

// Whatever comes in: no panic, and what the reader does not keep is told.
func FuzzDocument(f *testing.F) {
	for _, d := range []tree{goodFeed("4.2"), goodFeed("1.0"), goodIncidents(), asOld(goodFeed("4.0"))} {
		text, _ := json.Marshal(d)
		f.Add(text)
	}
	f.Add([]byte(`<incidents><incident id="x"><type>JAM</type><polyline>1 2</polyline><lanes><lane order="1"/></lanes></incident></incidents>`))
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := check.Document(context.Background(), strings.NewReader(string(text)), read.Limits{Bytes: 1 << 20}, now)
		if err == nil && r.Good < r.Features && r.Clean() {
			t.Fatalf("%d of %d are good, and nothing was found", r.Good, r.Features)
		}
	})
}
