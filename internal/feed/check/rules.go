package check

// Severity of a rule: an error breaks a law of the format or misleads drivers; a warning is something that may trouble a reader.
type Severity string

const (
	Error   Severity = "error"
	Warning Severity = "warning"
)

// Rule is one that a document may break.
type Rule struct {
	ID       string
	Severity Severity
	Message  string // what is wrong
	Way      string // what to do
}

func rule(id string, severity Severity, message, way string) *Rule {
	r := &Rule{id, severity, message, way}
	Rules = append(Rules, r)
	return r
}

// Rules are all of them; the list is closed.
var Rules []*Rule

// Of the document.
var (
	truncated = rule("document_truncated", Error, "The document ends too early.",
		"Publish complete documents. Everything before the end was checked.")
	malformed = rule("document_malformed", Error, "The document is not JSON or XML from here on.", "Use a JSON or XML library to write it.")
	infoGone  = rule("feed_info_missing", Error, "The document does not say who publishes it.", "Add feed_info.")
	noVersion = rule("version_unknown", Error, "This version is not one of WZDx 4.0, 4.1, 4.2 or CWZ 1.0.",
		"Write the version as \"4.2\". It was checked as 4.2.")
	noType       = rule("collection_missing", Error, "The document is not a FeatureCollection.", "Add \"type\": \"FeatureCollection\".")
	stale        = rule("feed_stale", Warning, "The feed has not been updated for 14 days.", "Check that the publisher is still running.")
	neverUpdated = rule("update_placeholder", Error, "An update date is no real time.", "Write when the document was made.")
	future       = rule("update_in_future", Warning, "An update date is in the future.", "Correct the publisher's clock, and write UTC.")
	twice        = rule("source_repeated", Error, "Two data sources have the same id.", "Give each source its own id.")
	flawed       = rule("json_invalid", Error, "This part of the document is not JSON.",
		"Escape control characters and backslashes in texts.")
	unread = rule("feature_unreadable", Error, "The feature cannot be read.",
		"Publish features of less than 1 MB, as JSON objects of type Feature.")
)

// Of the published schemas.
var (
	aDevice = rule("device_feature", Error, "This is a device. Only road events are checked.",
		"Publish devices in a separate feed.")
	memberMissing = rule("member_missing", Error, "A required member is missing.", "Add it.")
	typeWrong     = rule("type_wrong", Error, "A value has the wrong type.", "Use the type in the standard.")
	wordUnknown   = rule("word_unknown", Error, "A value is not in this version's list.", "Use a value from the standard's list.")
	listShort     = rule("list_too_short", Error, "A list has too few elements.", "Fill it, or leave it out if it's optional.")
	numberSmall   = rule("number_too_small", Error, "A number is too small.", "See the standard for its range.")
	formatWrong   = rule("format_wrong", Error, "A text has the wrong format.", "Correct it, or leave it out if it's optional.")
	timeInvalid   = rule("time_invalid", Error, "A time is invalid.", "Write 2026-11-23T08:00:00Z.")
	shapeWrong    = rule("geometry_kind", Error, "This version doesn't allow this kind of geometry.", "Use a LineString.")
	deprecated    = rule("member_deprecated", Warning, "A member is deprecated in this version.",
		"Use the replacement in the standard.")
)

// Business rules: what no schema can express.
var (
	timeNotUTC = rule("time_not_utc", Error, "A time is not in UTC.", "Write it with Z.")
	idTwice    = rule("id_repeated", Error, "Two features have the same id.", "Give each event its own id.")
	idEmpty    = rule("id_empty", Error, "The id is empty.", "Give the event a permanent id.")
	idNoUUID   = rule("id_not_uuid", Error, "CWZ requires a UUID here.", "Use a UUID (RFC 4122).")
	noSource   = rule("source_unknown", Error, "The event's data source is not in the document.",
		"Add the source to feed_info.data_sources.")
	relatedGone      = rule("related_missing", Warning, "A related event is not in the document.", "Publish it too, or remove the relation.")
	relatedSelf      = rule("related_self", Error, "An event is related to itself.", "Remove the relation.")
	roadEmpty        = rule("road_name_empty", Error, "A road name is empty.", "Name the road.")
	endFirst         = rule("end_before_start", Error, "The event ends before it begins.", "Correct its times.")
	startPlaceholder = rule("start_placeholder", Error, "The start is a placeholder, not a time.",
		"Give the best known start, not verified.")
	endPlaceholder = rule("end_placeholder", Warning, "The end is a placeholder, not a time.",
		"Give the best known end, not verified.")
	lingers     = rule("ended_lingers", Warning, "The event ended more than a day ago.", "Remove ended events after an hour.")
	startUnsure = rule("start_verified_early", Warning, "The start is verified but is in the future.",
		"Verify a start when the work begins.")
	endUnsure    = rule("end_verified_early", Warning, "The end is verified but is in the future.", "Verify an end when the work has ended.")
	accuracyNo   = rule("verified_contradicts", Error, "The time is both verified and estimated.", "Leave the deprecated accuracy out.")
	lanesAllOpen = rule("lanes_contradict_impact", Error, "The lanes contradict the vehicle impact.", "Correct one of the two.")
	lanesSkipped = rule("lanes_skipped", Error, "A lane is missing. List all lanes or none.",
		"List every lane, 1 = the left-most, none skipped.")
	lanesTwice  = rule("lanes_repeated", Error, "Two lanes have the same order.", "Number the lanes from the left, from 1.")
	againstLine = rule("direction_of_line", Warning, "The line runs against traffic.",
		"Order its points in the direction of traffic.")
	pointsFew   = rule("points_too_few", Error, "The line has fewer than two different points.", "Give its start and its end.")
	otherSystem = rule("coordinate_system", Error, "The positions are in another coordinate system.",
		"Publish longitude and latitude in WGS 84, and leave out crs.")
	swapped = rule("coordinates_swapped", Error, "Latitude and longitude are swapped.",
		"GeoJSON has longitude first, CIFS latitude first.")
	outOfRange = rule("position_out_of_range", Error, "A position is out of range.",
		"Write degrees: longitude -180 to 180, latitude -90 to 90.")
	zero  = rule("position_zero", Error, "A position is 0, 0. It was never set.", "Leave the event out until its position is known.")
	jumps = rule("line_jumps", Warning, "Two neighboring points are more than 100 km apart.", "Correct the line.")
)

// Of CIFS (developers.google.com/waze/data-feed/cifs-specification).
var (
	cifsText = rule("cifs_description_long", Error, "The description has 40 characters or more.", "Shorten it to what a driver must know.")
	cifsLine = rule("cifs_polyline_invalid", Error, "The polyline is not \"lat lng lat lng\".",
		"Write numbers in pairs with spaces between, latitude first.")
	cifsLong = rule("cifs_line_too_long", Error, "The line is longer than 20 km.", "Split it into two incidents.")
	cifsRing = rule("cifs_ring", Error, "Start and end are less than 30 m apart.", "Open the ring. A line needs a direction.")
	cifsType = rule("cifs_type_unknown", Error, "The type is not a CIFS type.",
		"Use ROAD_CLOSED, ACCIDENT, HAZARD, POLICE, CHIT_CHAT, or JAM.")
	cifsSubtype = rule("cifs_subtype_wrong", Error, "The subtype doesn't belong to the type.", "Use a subtype that begins with its type.")
	cifsTime    = rule("cifs_time_format", Error, "CIFS times need a numeric offset and no fraction.",
		"Write 2026-11-23T08:00:00+00:00.")
	cifsDirection = rule("cifs_direction_unknown", Error, "The direction is neither ONE_DIRECTION nor BOTH_DIRECTIONS.",
		"Use one of the two.")
	cifsOpenEnd = rule("cifs_end_missing", Warning, "The incident has no end. Waze assumes 14 days.",
		"Give the best known end time.")
	cifsSchedule = rule("cifs_schedule_invalid", Error, "The schedule cannot be read.",
		"Use everyday or monday to sunday, each with times such as 21:00-23:59,00:00-05:00.")
	cifsNever = rule("cifs_schedule_never", Error, "The schedule has no time between the start and the end.",
		"Correct the schedule, the start, or the end.")
	cifsID       = rule("cifs_id_short", Warning, "The id has fewer than 3 characters.", "Use a longer, permanent id.")
	cifsLaneWord = rule("cifs_lane_unknown", Error, "A lane's type or status is not a CIFS value.", "Use LANE, and OPEN or CLOSED.")
)
