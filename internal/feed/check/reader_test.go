package check_test

import (
	"encoding/json"
	"strings"
	"testing"

	"lightbar/internal/feed/check"
	"lightbar/internal/feed/read"
)

// What our own reader does with what a rule finds: it refuses the feature, or it
// reads it and says why that misleads nobody. Some rules find both.
var reader = map[string]string{
	"document_truncated": "refuses what is missing: the fetch fails, and nothing ends", "document_malformed": "refuses what is behind the fault, as truncated",
	"feed_info_missing": "reads: who publishes it changes no event", "version_unknown": "reads: the members say what they are; events of WZDx 3 are refused",
	"collection_missing": "reads: the features are there", "source_repeated": "reads: sources change no event",
	"json_invalid":       "reads: a control character is a blank",
	"feature_unreadable": "refuses invalid", "device_feature": "refuses not_a_work_zone",
	"member_missing": "either: without id, line or start it refuses, without others it reads what is said",
	"type_wrong":     "reads: text as number, one as list; what is neither counts as not said",
	"word_unknown":   "either: an unknown kind of event it refuses, other words it keeps",
	"list_too_short": "reads: an empty list says nothing", "number_too_small": "reads: the number is left out",
	"format_wrong": "reads: it changes no event", "time_invalid": "either: it reads every usual spelling and refuses others",
	"geometry_kind": "either: a Point or MultiPoint it reads, other shapes it refuses", "time_not_utc": "reads: the offset counts",
	"id_repeated": "refuses id_repeated: the first of them is kept", "id_empty": "refuses id_missing", "id_not_uuid": "reads: any id will do",
	"source_unknown": "reads: as sources", "related_self": "reads: relations change no event", "road_name_empty": "reads: without a road name",
	"end_before_start":        "refuses end_before_start",
	"verified_contradicts":    "reads: verified where one of the two says so, which only marks an end as estimated",
	"lanes_contradict_impact": "reads: both are kept as they are", "lanes_skipped": "reads: the number of lanes then counts as unknown",
	"lanes_repeated": "reads: lanes count once", "points_too_few": "reads: it is shown as a point", "coordinates_swapped": "refuses coordinates_swapped",
	"coordinate_system":     "refuses geometry_invalid",
	"position_out_of_range": "refuses out_of_range", "position_zero": "refuses no_fix",
	"cifs_description_long": "reads: our limit is longer", "cifs_polyline_invalid": "either: commas it reads, an odd number it refuses",
	"cifs_line_too_long": "reads: we draw any length", "cifs_ring": "reads: we draw rings", "cifs_type_unknown": "reads: by the subtype, or as no closure",
	"cifs_subtype_wrong": "reads: as the type alone", "cifs_time_format": "reads: any offset and fraction", "cifs_direction_unknown": "reads: kept as words",
	"cifs_schedule_invalid": "either: an empty one says nothing, others it refuses", "cifs_schedule_never": "reads: it is never active, and over",
	"cifs_lane_unknown": "reads: the lane counts as open", "update_placeholder": "reads: as an update date that is not said",
	// What is only warned of.
	"feed_stale": "reads: the subscription itself tells a frozen feed", "update_in_future": "reads: our own clock orders what is fetched",
	"member_deprecated": "reads: the words of before mean the same", "related_missing": "reads: relations change no event",
	"start_placeholder": "refuses time_missing",
	"end_placeholder":   "reads: the end is not known", "ended_lingers": "either: it is over; one that also ends before it begins is refused",
	"start_verified_early": "reads: when it begins, its time says", "end_verified_early": "reads: when it ends, its time says",
	"direction_of_line": "reads: both are kept as they are, and shown", "line_jumps": "reads: we draw what is published",
	"cifs_end_missing": "reads: the end is not known", "cifs_id_short": "reads: any id will do",
}

// For each rule of the checker it is said, and shown, what the reader does.
func TestTheReaderKnowsWhatTheCheckerKnows(t *testing.T) {
	try := func(f fault, d tree) {
		set(d, f.path, f.value)
		text, err := json.Marshal(d)
		if err != nil {
			t.Fatal(err)
		}
		r, err := read.Read(t.Context(), strings.NewReader(string(text)), read.Limits{}, func(*read.WorkZone) {})
		if err != nil {
			t.Fatal(err)
		}
		what, reason, _ := strings.Cut(reader[f.rule], " ")
		reason, _, _ = strings.Cut(reason, ":")
		switch what {
		case "refuses":
			if r.Refused != 1 || r.Reasons[reason] != 1 {
				t.Errorf("%s at %s = %v: it should be refused as %s: %+v", f.rule, f.path, f.value, reason, r.Reasons)
			}
		case "reads:":
			if r.Refused != 0 || r.Kept != 2 {
				t.Errorf("%s at %s = %v: it should be read: %+v", f.rule, f.path, f.value, r.Reasons)
			}
		}
	}
	for _, f := range faults {
		try(f, goodFeed("4.2"))
	}
	for _, f := range cifsFaults {
		try(f, goodIncidents())
	}
	for _, r := range check.Rules {
		if reader[r.ID] == "" {
			t.Errorf("nobody says what the reader does with %s", r.ID)
		}
	}
}
