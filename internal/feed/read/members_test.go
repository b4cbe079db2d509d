package read_test

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"lightbar/internal/feed/read"
)

// member is what becomes of a member of a published format. Each narrows when, where
// or for whom an event holds, or it says why not.
type member struct {
	path  string // dots go down, lists go into their first element
	value string // one that the event of the test does not have, as JSON
	does  string // into …: this field of the closure changes; words: the description says …; refused: …; zone: …; not: why it narrows nothing
}

// Of WZDx 4.0 to 4.2 and CWZ 1.0, below properties.
var zoneMembers = []member{
	{"core_details.event_type", `"restriction"`, "refused: not_a_work_zone"},
	{"core_details.data_source_id", `"other"`, "zone: SourceID"},
	{"core_details.road_names", `["US 13"]`, "into RoadName"},
	{"core_details.direction", `"westbound"`, "into Direction"},
	{"core_details.direction", `"inner-loop"`, "words: Inner loop"},
	{"core_details.name", `"Bridge 7"`, "into Description"}, // where there is no description
	{"core_details.description", `"Paving"`, "into Description"},
	{"core_details.project_id", `"P-7"`, "into GroupID"},
	{"core_details.creation_date", `"2026-10-01T12:00:00Z"`, "not: when it was written down, not when it holds"},
	{"core_details.update_date", `"2026-11-01T13:00:00Z"`, "into UpdatedAt"},
	{"core_details.related_road_events", `[{"type":"next-in-sequence","id":"x"}]`, "zone: Related"},
	{"core_details.related_road_events.type", `"related-detour"`, "zone: Related"},
	{"core_details.related_road_events.id", `"x"`, "zone: Related"},
	{"core_details.relationship", `{"first":["x"]}`, "not: which others belong to it; each holds by itself"},
	{"core_details.relationship.first", `["x"]`, "not: as relationship"},
	{"core_details.relationship.next", `["x"]`, "not: as relationship"},
	{"core_details.relationship.parents", `["x"]`, "not: as relationship"},
	{"core_details.relationship.children", `["x"]`, "not: as relationship"},
	{"start_date", `"2026-11-01T13:00:00Z"`, "into StartAt"},
	{"start_date", `"1900-01-01T00:00:00Z"`, "refused: time_missing"},
	{"end_date", `"2026-11-02T13:00:00Z"`, "into EndAt"},
	{"end_date", `"9999-12-31T23:59:59Z"`, "into EndAt"},
	{"is_start_date_verified", `false`, "zone: StartVerified"},
	{"is_end_date_verified", `true`, "into EndEstimated"},
	{"start_date_accuracy", `"verified"`, "not: it says of the start what is_start_date_verified says"},
	{"end_date_accuracy", `"verified"`, "into EndEstimated"},
	{"is_start_position_verified", `true`, "zone: StartPositionVerified"},
	{"is_end_position_verified", `true`, "zone: EndPositionVerified"},
	{"beginning_accuracy", `"verified"`, "zone: StartPositionVerified"},
	{"ending_accuracy", `"verified"`, "zone: EndPositionVerified"},
	{"event_status", `"cancelled"`, "refused: cancelled"},
	{"event_status", `"planned"`, "zone: Pending"},
	{"event_status", `"completed"`, "zone: Over"},
	{"event_status", `"on hold"`, "words: Status: on hold"},
	{"beginning_cross_street", `"Exit 5"`, "into StreetStart"},
	{"ending_cross_street", `"Exit 6"`, "into StreetEnd"},
	{"beginning_milepost", `12.5`, "words: Milepost 12.5"},
	{"ending_milepost", `14`, "words: Milepost 14"},
	{"beginning_reference_post", `12.5`, "words: Reference post 12.5"},
	{"ending_reference_post", `14`, "words: Reference post 14"},
	{"reference_post_unit", `"miles"`, "not: the unit of the reference posts, said with them"},
	{"vehicle_impact", `"all-lanes-closed"`, "into VehicleImpact"},
	{"location_method", `"sign-method"`, "into LocationMethod"},
	{"work_zone_type", `"moving"`, "words: Moving work"},
	{"work_zone_type", `"planned-moving-area"`, "words: Work moves within this stretch"},
	{"worker_presence", `{"are_workers_present":true}`, "words: Workers present"},
	{"worker_presence.are_workers_present", `true`, "words: Workers present"},
	{"worker_presence.method", `"check-in-app"`, "not: how it is known that workers are there"},
	{"worker_presence.other_method", `"x"`, "not: as method"},
	{"worker_presence.worker_presence_last_confirmed_date", `"2026-11-01T12:00:00Z"`, "not: when that was confirmed"},
	{"worker_presence.confidence", `"low"`, "not: how sure that is"},
	{"worker_presence.definition", `["humans-behind-barrier"]`, "not: whom its publisher calls present"},
	{"reduced_speed_limit_kph", `72`, "words: Speed limit 72 km/h (45 mph)"},
	{"restrictions", `[{"type":"local-access-only"}]`, "words: Local access only"},
	{"restrictions.type", `"no-trucks"`, "words: No trucks"},
	{"restrictions.value", `3`, "not: without a type it means nothing"},
	{"restrictions.unit", `"feet"`, "not: without a type it means nothing"},
	{"types_of_work", `[{"type_name":"painting"}]`, "not: what is done there, not when, where or for whom"},
	{"types_of_work.type_name", `"non-encroachment"`, "words: Work beside the road"},
	{"types_of_work.is_architectural_change", `true`, "not: what the road will be like afterwards"},
	{"lanes", `[{"order":1,"type":"general","status":"closed"},{"order":2,"type":"general","status":"open"}]`, "into ImpactedLanes"},
	{"lanes", `[{"order":1,"type":"shoulder","status":"closed"},{"order":2,"type":"general","status":"open"}]`, "words: Left shoulder closed"},
	{"lanes", `{"lane":[{"order":1}]}`, "into TotalLanes"}, // none is known
	{"lanes", `[{"order":1,"lane_type":"general","lane_status":"closed"}]`, "into TotalLanes"},
	{"lanes.order", `2`, "into TotalLanes"},
	{"lanes.status", `"closed"`, "into ImpactedLanes"},
	{"lanes.type", `"shoulder"`, "into TotalLanes"},
	{"lanes.lane_number", `3`, "not: what people call the lane; order says which it is"},
	{"lanes.restrictions", `[{"type":"reduced-width","value":9,"unit":"feet"}]`, "words: Lane 1: reduced width 9 feet"},
	{"lanes.restrictions.type", `"no-trucks"`, "words: Lane 1: no trucks"},
	{"lanes.restrictions.value", `3`, "not: without a type it means nothing"},
	{"lanes.restrictions.unit", `"feet"`, "not: without a type it means nothing"},
	{"impacted_cds_curb_zones", `[{"cds_curb_zone_ids":["a"]}]`, "words: Curb zones affected"},
	{"impacted_cds_curb_zones.cds_curb_zone_ids", `["a"]`, "words: Curb zones affected"},
	{"impacted_cds_curb_zones.cds_curbs_api_url", `"https://example.org/"`, "words: Curb zones affected"},
}

// Of an incident of CIFS (developers.google.com/waze/data-feed/cifs-specification), and the lanes of the version before.
var incidentMembers = []member{
	{"id", `"N-2"`, "into ExternalID"},
	{"parent_event", `"N-1"`, "not: which other it belongs to"},
	{"creationtime", `"2026-11-01T12:00:00+00:00"`, "not: when it was written down; where no start is said, since when it holds"},
	{"updatetime", `"2026-11-01T12:00:00+00:00"`, "into UpdatedAt"},
	{"type", `"ACCIDENT"`, "zone: EventType"},
	{"type", `""`, "refused: not_a_work_zone"},
	{"subtype", `"HAZARD_ON_ROAD_LANE_CLOSED"`, "into VehicleImpact"},
	{"description", `"Paving"`, "into Description"},
	{"street", `"Main St"`, "into RoadName"},
	{"direction", `"BOTH_DIRECTIONS"`, "words: Both directions"},
	{"direction", `"EAST"`, "words: Direction: EAST"},
	{"polyline", `"39.7 -75.5 39.7 -75.3"`, "into UserRoute"},
	{"polyline", `"-75.5 39.7 -75.4 39.7"`, "refused: coordinates_swapped"},
	{"starttime", `"2026-11-01T13:00:00+00:00"`, "into StartAt"},
	{"endtime", `"2026-11-02T13:00:00+00:00"`, "into EndAt"},
	{"schedule", `{"everyday":"21:00-05:00"}`, "into Weekly"},
	{"schedule", `{"sunday":"08:00-16:00"}`, "words: Sun 08:00 to 16:00"},
	{"schedule", `"at night"`, "refused: schedule_invalid"},
	{"location", `{"street":"Main St"}`, "into RoadName"},
	{"location.street", `"Main St"`, "into RoadName"},
	{"location.direction", `"BOTH_DIRECTIONS"`, "words: Both directions"},
	{"location.polyline", `" 39.7 -75.3"`, "into UserRoute"},
	{"lane_impact", `{"total_closed_lanes":2}`, "words: 2 lanes closed"},
	{"lane_impact.total_closed_lanes", `1`, "words: 1 lane closed"},
	{"lane_impact.roadside", `"RIGHT"`, "words: Side: right"},
	{"lanes", `{"lane":[{"order":1,"type":"LANE","status":"CLOSED"},{"order":2,"type":"LANE","status":"OPEN"}]}`, "into ImpactedLanes"},
	{"lanes.lane", `[{"order":1,"type":"SHOULDER","status":"CLOSED"}]`, "words: Shoulder closed"},
	{"source", `{"reference":"x"}`, "not: who says it"},
	{"reference", `"x"`, "not: who says it"},
	{"incident", `{"id":"N-3","type":"ROAD_CLOSED","polyline":"39.7 -75.5 39.7 -75.3","starttime":"2026-11-01T12:00:00+00:00"}`, "into ExternalID"},
}

// Of plain GeoJSON as we read it, below properties: the words of our own closures.geojson and of our API.
var plainMembers = []member{
	{"external_id", `"X-2"`, "into ExternalID"},
	{"description", `"Paving"`, "into Description"},
	{"alert_message", `"Slow down"`, "not: what drivers are told, in other words"},
	{"road_name", `"US 13"`, "into RoadName"},
	{"direction", `"N"`, "into Direction"},
	{"street_start", `"Elm St"`, "into StreetStart"},
	{"street_end", `"Oak St"`, "into StreetEnd"},
	{"vehicle_impact", `"all-lanes-closed"`, "into VehicleImpact"},
	{"impacted_lanes", `[1]`, "into ImpactedLanes"},
	{"total_lanes", `3`, "into TotalLanes"},
	{"start_time", `"2026-11-01T13:00:00Z"`, "into StartAt"},
	{"end_time", `"2026-11-02T13:00:00Z"`, "into EndAt"},
	{"status", `"scheduled"`, "not: the times say so"},
	{"status", `"ended"`, "zone: Over"},
	{"status", `"canceled"`, "refused: cancelled"},
	{"updated_at", `"2026-11-01T13:00:00Z"`, "into UpdatedAt"},
	{"is_in_service", `false`, "refused: cancelled"},
	{"is_in_service", `"False"`, "refused: cancelled"},
	{"is_in_service", `0`, "refused: cancelled"},
	{"is_in_service", `null`, "not: nothing is said"},
	{"is_deleted", `true`, "refused: cancelled"},
	{"recurrence", `{"days":[1],"start":"21:00","minutes":480}`, "refused: schedule_invalid"},
	{"schedule", `"nights"`, "refused: schedule_invalid"},
	{"road_event_id", `"old"`, "not: WZDx before 4.0 has it, and no start_time"},
	{"start_date", `"2026-11-01"`, "not: WZDx before 4.0 has it; ours is start_time"},
}

// put sets a member at a path; lists go into their first element, what is not there is made.
func put(at map[string]any, path string, value any, lists map[string]bool) {
	name, rest, deeper := strings.Cut(path, ".")
	if !deeper {
		at[name] = value
		return
	}
	inner, _ := at[name].(map[string]any)
	if list, is := at[name].([]any); is && len(list) > 0 {
		inner, _ = list[0].(map[string]any)
	}
	if inner == nil {
		inner = map[string]any{}
		if at[name] = any(inner); lists[name] {
			at[name] = []any{inner}
		}
	}
	put(inner, rest, value, lists)
}

var memberLists = map[string]bool{"related_road_events": true, "restrictions": true, "types_of_work": true, "lanes": true, "impacted_cds_curb_zones": true}

// Each member of a format becomes what the tables say.
func TestWhatBecomesOfEachMember(t *testing.T) {
	zone := `{"core_details":{"event_type":"work-zone","data_source_id":"s","road_names":["I-95"],"direction":"eastbound"},` +
		`"start_date":"2026-11-01T12:00:00Z","end_date":"2026-11-02T12:00:00Z","is_start_date_verified":true,"location_method":"unknown","vehicle_impact":"some-lanes-closed",` +
		`"lanes":[{"order":1,"type":"general","status":"open"}]}`
	plain := `{"external_id":"a","road_name":"I-95","start_time":"2026-11-01T12:00:00Z","end_time":"2026-11-02T12:00:00Z","total_lanes":2}`
	incident := `{"id":"a","type":"HAZARD","subtype":"HAZARD_ON_ROAD_CONSTRUCTION","polyline":"39.7 -75.5 39.7 -75.4",` +
		`"starttime":"2026-11-01T12:00:00+00:00","endtime":"2026-11-02T12:00:00+00:00"}`
	for format, c := range map[string]struct {
		members []member
		text    string
	}{"zone": {zoneMembers, zone}, "plain": {plainMembers, plain}, "incident": {incidentMembers, incident}} {
		read := func(m *member) (*read.WorkZone, string) {
			var v map[string]any
			if err := json.Unmarshal([]byte(c.text), &v); err != nil {
				t.Fatal(err)
			}
			if m != nil {
				lists := memberLists
				if format == "incident" {
					lists = nil
				}
				put(v, m.path, json.RawMessage(m.value), lists)
			}
			text, _ := json.Marshal(v)
			document := `{"incidents":[` + string(text) + `]}`
			if format != "incident" {
				document = `{"features":[{"id":"a","type":"Feature","geometry":{"type":"LineString","coordinates":[[-75.5,39.7],[-75.4,39.7]]},"properties":` + string(text) + `}]}`
			}
			zones, r := zonesOf(t, []byte(document))
			if len(zones) == 1 {
				return zones[0], ""
			}
			return nil, strings.Join(slices.Collect(maps.Keys(r.Reasons)), " ")
		}
		before, _ := read(nil)
		for _, m := range c.members {
			got, reason := read(&m)
			what, want, _ := strings.Cut(strings.Replace(m.does, ": ", " ", 1), " ")
			if (what == "refused") != (got == nil) || got == nil && reason != want {
				t.Errorf("%s %s = %s: refused as %q; it should be %s", format, m.path, m.value, reason, m.does)
				continue
			}
			if got == nil {
				continue
			}
			changed := func(a, b any, field string) bool {
				return !reflect.DeepEqual(reflect.ValueOf(a).FieldByName(field).Interface(), reflect.ValueOf(b).FieldByName(field).Interface())
			}
			isSo := false
			switch what {
			case "into":
				isSo = changed(before.Closure(), got.Closure(), want)
			case "zone":
				isSo = changed(*before, *got, want)
			case "words":
				isSo = strings.Contains(got.Closure().Description, want)
			case "not":
				isSo = reflect.DeepEqual(before.Closure(), got.Closure())
			}
			if !isSo {
				t.Errorf("%s %s = %s isn't %s: %+v", format, m.path, m.value, m.does, got.Closure())
			}
		}
	}
}

// No member that a published schema knows is in none of the tables.
func TestEveryMemberOfTheSchemasIsJudged(t *testing.T) {
	judged := map[string]bool{}
	for _, m := range zoneMembers {
		judged[m.path] = true
	}
	for _, version := range []string{"4.0", "4.1", "4.2", "cwz-1.0"} {
		var schema map[string]any
		if err := json.Unmarshal(published(t, "schemas/"+version+"/RoadEventFeature.json"), &schema); err != nil {
			t.Fatal(err)
		}
		found := map[string]bool{}
		var visit func(of any, path string)
		visit = func(of any, path string) {
			v, is := of.(map[string]any)
			if !is {
				return
			}
			if ref, is := v["$ref"].(string); is {
				if name, ours := strings.CutPrefix(ref, "#/definitions/"); ours {
					visit(schema["definitions"].(map[string]any)[name], path)
				}
			}
			for _, kind := range []string{"allOf", "oneOf", "anyOf"} {
				of, _ := v[kind].([]any)
				for _, one := range of {
					visit(one, path)
				}
			}
			visit(v["items"], path)
			of2, _ := v["properties"].(map[string]any)
			for name, one := range of2 {
				at := strings.TrimPrefix(path+"."+strings.TrimSpace(name), ".")
				if at != "core_details" {
					found[at] = true
				}
				visit(one, at)
			}
		}
		visit(schema["properties"].(map[string]any)["properties"], "")
		if len(found) < 40 {
			t.Errorf("%s: only %d members: is this test blind?", version, len(found))
		}
		for path := range found {
			if !judged[path] {
				t.Errorf("%s: nobody says what becomes of %s", version, path)
			}
		}
	}
}
