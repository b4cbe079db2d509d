package check

// The members of WZDx 4.0 to 4.2 and CWZ 1.0, by hand: one table for the four,
// because they differ in few places, and because CWZ's own schema may not be
// shipped. A test holds it to the published schemas.

// edition is a set of the four.
type edition uint8

const (
	v40 edition = 1 << iota
	v41
	v42
	cwz

	all    = v40 | v41 | v42 | cwz
	wzdx   = v40 | v41 | v42
	from41 = v41 | v42 | cwz
	from42 = v42 | cwz
)

var editions = []edition{v40, v41, v42, cwz}

// law is what a value must be.
type law struct {
	kind   kind
	words  map[string]edition // of an enumeration
	fields []field            // of an object
	each   *law               // of a list
	few    int                // a list has at least so many
	least  *float64           // a number is at least this
	other  *float64           // and this in CWZ
}

type kind string

const (
	object kind = "an object"
	list   kind = "a list"
	text   kind = "a text"
	number kind = "a number"
	whole  kind = "a whole number"
	flag   kind = "true or false"
)

// field is a member of an object.
type field struct {
	name    string
	is      *law
	in      edition // which know it; 0 = all
	must    edition // in which it must be there
	instead string  // or this one
	needs   string  // where it is, this must be
	old     edition // in which it is deprecated
}

func enum(words ...string) *law {
	l := &law{kind: text, words: map[string]edition{}}
	for _, w := range words {
		l.words[w] = all
	}
	return l
}

// only names the editions in which a word is known.
func (l *law) only(in edition, words ...string) *law {
	for _, w := range words {
		l.words[w] = in
	}
	return l
}

func listOf(each *law) *law         { return &law{kind: list, each: each} }
func objectOf(fields ...field) *law { return &law{kind: object, fields: fields} }
func float(f float64) *float64      { return &f }

var (
	aText, aTime, aFlag = &law{kind: text}, &law{kind: text}, &law{kind: flag}
	anEmail, aURI       = &law{kind: text}, &law{kind: text}
	aNumber, positive   = &law{kind: number}, &law{kind: number, least: float(0)}
	order               = &law{kind: whole, least: float(1)}
	seconds             = &law{kind: whole, least: float(1), other: float(-1)}
	accuracy            = enum("estimated", "verified")
	someTexts           = &law{kind: list, each: aText, few: 1}

	directions = enum("northbound", "eastbound", "southbound", "westbound").only(from41, "undefined", "unknown").only(from42,
		"inner-loop", "outer-loop")
	impacts = enum("all-lanes-closed", "some-lanes-closed", "all-lanes-open", "alternating-one-way", "some-lanes-closed-merge-left",
		"some-lanes-closed-merge-right", "all-lanes-open-shift-left", "all-lanes-open-shift-right", "some-lanes-closed-split", "flagging",
		"temporary-traffic-signal", "unknown")
	units        = enum("feet", "inches", "centimeters", "pounds", "tons", "kilograms").only(cwz, "miles", "kilometers")
	restrictions = listOf(objectOf(
		field{name: "type", must: all, is: enum("no-trucks", "travel-peak-hours-only", "hov-3", "hov-2", "no-parking", "reduced-width",
			"reduced-height",
			"reduced-length", "reduced-weight", "axle-load-limit", "gross-weight-limit", "towing-prohibited",
			"permitted-oversize-loads-prohibited",
			"local-access-only").only(from41, "no-passing")},
		field{name: "value", is: aNumber, needs: "unit"}, field{name: "unit", is: units}))
	lanes = listOf(objectOf(
		field{name: "order", is: order, must: all},
		field{name: "status", must: all, is: enum("open", "closed", "shift-left", "shift-right", "merge-left", "merge-right",
			"alternating-flow")},
		field{name: "type", must: all, is: enum("general", "exit-lane", "exit-ramp", "entrance-lane", "entrance-ramp", "sidewalk", "bike-lane",
			"shoulder", "parking", "median").only(from41, "two-way-center-turn-lane").only(wzdx, "center-left-turn-lane")},
		field{name: "lane_number", is: order, in: wzdx, old: wzdx}, field{name: "restrictions", is: restrictions}))
	related = listOf(objectOf(
		field{name: "id", is: aText, must: from41},
		field{name: "type", must: from41, is: enum("first-in-sequence", "next-in-sequence", "first-occurrence", "next-occurrence",
			"related-work-zone",
			"related-detour", "planned-moving-operation", "active-moving-operation")}))
	relationship = objectOf(field{name: "first", is: someTexts}, field{name: "next", is: someTexts}, field{name: "parents", is: someTexts},
		field{name: "children", is: someTexts})
	workers = objectOf(
		field{name: "are_workers_present", is: aFlag, must: all},
		field{name: "method", is: enum("camera-monitoring", "maintenance-vehicle-present", "wearables-present", "mobile-device-present",
			"check-in-app",
			"check-in-verbal").only(wzdx, "arrow-board-present", "cones-present", "scheduled").only(cwz, "other")},
		field{name: "other_method", is: aText, in: cwz},
		field{name: "worker_presence_last_confirmed_date", is: aTime},
		field{name: "confidence", is: enum("low", "medium", "high")},
		field{name: "definition", is: listOf(enum("workers-in-work-zone-working", "workers-in-work-zone-not-working",
			"mobile-equipment-in-work-zone-moving",
			"fixed-equipment-in-work-zone", "humans-behind-barrier", "humans-in-right-of-way").only(from41,
			"mobile-equipment-in-work-zone-not-moving").
			only(v40, "mobile-equipment-in-work-zone-not-working"))})
	work = listOf(objectOf(
		field{name: "type_name", must: all, is: enum("minor-road-defect-repair", "roadside-work", "overhead-work", "below-road-work",
			"barrier-work",
			"surface-work", "painting", "roadway-relocation", "roadway-creation").only(wzdx, "maintenance").only(cwz, "non-encroachment")},
		field{name: "is_architectural_change", is: aFlag}))
	curbs = listOf(objectOf(field{name: "cds_curb_zone_ids", is: listOf(aText), must: from42}, field{name: "cds_curbs_api_url", is: aURI,
		must: from42}))

	core = objectOf(
		field{name: "event_type", is: enum("work-zone", "detour"), must: all}, field{name: "data_source_id", is: aText, must: all},
		field{name: "road_names", is: someTexts, must: all}, field{name: "direction", is: directions, must: all},
		field{name: "name", is: aText, in: from41}, field{name: "description", is: aText}, field{name: "project_id", is: aText, in: cwz},
		field{name: "creation_date", is: aTime}, field{name: "update_date", is: aTime},
		field{name: "related_road_events", is: related, in: from41}, field{name: "relationship", is: relationship, in: wzdx, old: v41 | v42})

	both = []field{
		{name: "core_details", is: core, must: all}, {name: "start_date", is: aTime, must: all}, {name: "end_date", is: aTime, must: all},
		{name: "is_start_date_verified", is: aFlag, in: from41, must: from41, instead: "start_date_accuracy"},
		{name: "is_end_date_verified", is: aFlag, in: from41, must: from41, instead: "end_date_accuracy"},
		{name: "start_date_accuracy", is: accuracy, in: wzdx, must: v40, old: v41 | v42},
		{name: "end_date_accuracy", is: accuracy, in: wzdx, must: v40, old: v41 | v42},
		{name: "beginning_cross_street", is: aText}, {name: "ending_cross_street", is: aText},
		{name: "beginning_milepost", is: positive, in: wzdx}, {name: "ending_milepost", is: positive, in: wzdx},
		{name: "beginning_reference_post", is: positive, in: cwz, needs: "reference_post_unit"},
		{name: "ending_reference_post", is: positive, in: cwz, needs: "reference_post_unit"}, {name: "reference_post_unit", is: units, in: cwz},
		{name: "event_status", is: enum("planned", "pending", "active", "completed", "cancelled"), in: wzdx, old: v41 | v42},
	}
	workZone = objectOf(append(both[:len(both):len(both)],
		field{name: "vehicle_impact", is: impacts, must: all},
		field{name: "location_method", must: all, is: enum("channel-device-method", "sign-method", "junction-method", "other", "unknown")},
		field{name: "is_start_position_verified", is: aFlag, in: from41, must: from41, instead: "beginning_accuracy"},
		field{name: "is_end_position_verified", is: aFlag, in: from41, must: from41, instead: "ending_accuracy"},
		field{name: "beginning_accuracy", is: accuracy, in: wzdx, must: v40, old: v41 | v42},
		field{name: "ending_accuracy", is: accuracy, in: wzdx, must: v40, old: v41 | v42},
		field{name: "work_zone_type", is: enum("static", "moving", "planned-moving-area"), in: from42},
		field{name: "worker_presence", is: workers}, field{name: "reduced_speed_limit_kph", is: positive},
		field{name: "restrictions", is: restrictions}, field{name: "types_of_work", is: work}, field{name: "lanes", is: lanes},
		field{name: "impacted_cds_curb_zones", is: curbs, in: from42})...)
	detour = objectOf(both...)

	box      = &law{kind: list, each: aNumber, few: 4}
	position = &law{kind: list, each: aNumber, few: 2}
	shapes   = map[string]struct {
		in edition
		is *law
	}{
		"LineString": {all, objectOf(field{name: "coordinates", is: &law{kind: list, each: position, few: 2}, must: all},
			field{name: "bbox", is: box})},
		"MultiPoint": {wzdx, objectOf(field{name: "coordinates", is: listOf(position), must: all}, field{name: "bbox", is: box})},
		"Point":      {cwz, objectOf(field{name: "coordinates", is: position, must: all}, field{name: "bbox", is: box})},
	}
	roadEvent = objectOf(field{name: "id", is: aText, must: all}, field{name: "type", is: enum("Feature"), must: all},
		field{name: "properties", is: objectOf(), must: all}, field{name: "geometry", is: objectOf(field{name: "type", is: aText,
			must: all}), must: all},
		field{name: "bbox", is: box})

	license = "https://creativecommons.org/publicdomain/zero/1.0/"
	sources = &law{kind: list, few: 1, each: objectOf(
		field{name: "data_source_id", is: aText, must: all}, field{name: "organization_name", is: aText, must: all},
		field{name: "update_date", is: aTime, must: cwz}, field{name: "update_frequency", is: seconds, must: cwz},
		field{name: "contact_name", is: aText}, field{name: "contact_email", is: anEmail},
		field{name: "lrs_type", is: aText, in: wzdx, old: wzdx}, field{name: "lrs_url", is: aURI, in: wzdx, old: wzdx},
		field{name: "location_verify_method", is: aText, in: wzdx, old: wzdx})}
	feedInfo = objectOf(
		field{name: "publisher", is: aText, must: all}, field{name: "version", is: aText, must: all}, field{name: "update_date", is: aTime,
			must: all},
		field{name: "data_sources", is: sources, must: all}, field{name: "update_frequency", is: seconds, must: cwz},
		field{name: "license", is: enum(license), must: cwz}, field{name: "contact_name", is: aText}, field{name: "contact_email", is: anEmail})
)
