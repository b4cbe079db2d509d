package wire

import "lightbar/internal/fleet"

// Closure is a work zone (requirements 3.clos).
type Closure struct {
	ID                 string            `json:"id"`
	OrganizationID     string            `json:"organization_id"`
	Organization       OrganizationRef   `json:"organization"`
	ClosureType        string            `json:"closure_type" doc:"automated, feed or manual"`
	Status             string            `json:"status" doc:"active or standby; of an automated one pending and offline too"`
	IsActive           bool              `json:"is_active" doc:"active now, evaluated at each answer"`
	IsInService        bool              `json:"is_in_service"`
	IsDashboardManaged bool              `json:"is_dashboard_managed" doc:"false: from a feed, and can't be edited here"`
	Description        string            `json:"description"`
	AlertMessage       string            `json:"alert_message"`
	Direction          string            `json:"direction" doc:"direction of traffic: N, E, S or W; empty = not specified"`
	ImpactedLanes      []int             `json:"impacted_lanes" doc:"1 = the left-most"`
	TotalLanes         *int              `json:"total_lanes" doc:"null = unknown"`
	GeocodedRoute      []fleet.LatLng    `json:"geocoded_route"`
	CalculatedRoute    []fleet.LatLng    `json:"calculated_route"`
	UserRoute          []fleet.LatLng    `json:"user_route" doc:"in the direction of traffic"`
	StreetStart        string            `json:"street_start"`
	StreetEnd          string            `json:"street_end"`
	RoadName           string            `json:"road_name"`
	StartTime          fleet.Instant     `json:"start_time" doc:"of the current or next time, otherwise of the last; null while inactive"`
	EndTime            fleet.Instant     `json:"end_time" doc:"null while inactive"`
	LastStartTime      fleet.Instant     `json:"last_start_time" doc:"null: never active"`
	EndedAt            fleet.Instant     `json:"ended_at" doc:"when it last ended; null while it is active, or if it has not started yet"`
	EndReason          string            `json:"end_reason" doc:"why it last ended: ended (manually), board (its board was turned off), moved, silent (its board or feed stopped reporting), unanswered, gone (no longer in its feed); empty = at its end time"`
	EndIsEstimated     bool              `json:"end_is_estimated" doc:"end_time is an estimate"`
	VerifiedAt         fleet.Instant     `json:"verified_at" doc:"when someone or something last confirmed it; null = never"`
	VerifiedBy         *fleet.Verifier   `json:"verified_by"`
	AskedAt            fleet.Instant     `json:"asked_at" doc:"when responsible_user_id was asked whether it's still there, without an answer so far; null = no open question"`
	ResponsibleUserID  *string           `json:"responsible_user_id" doc:"who is asked whether it's still there"`
	Recurrence         *fleet.Recurrence `json:"recurrence" doc:"null: it doesn't repeat"`
	Thing              *ClosureThing     `json:"thing" doc:"the asset that drives an automated one; null = none, or not readable"`
	ThingsAssociated   []ClosureThing    `json:"things_associated" doc:"the assets that report for it: the one of thing; [] = none, or not readable"`
	IsWZDxCompliant    bool              `json:"is_wzdx_compliant" doc:"marked for publishing"`
	ExternalID         string            `json:"external_id" doc:"its id in feeds, unique on the server"`
	LocationMethod     string            `json:"location_method" doc:"as in WZDx; empty = not specified"`
	VehicleImpact      string            `json:"vehicle_impact" doc:"as in WZDx; empty = not specified"`
	GroupID            string            `json:"group_id"`
	Source             string            `json:"source" doc:"for a closure from a feed: the subscription's name; otherwise empty"`
	Consumers          []Consumer        `json:"consumers" doc:"keys that can read its feeds, and since when each has its current state; empty if no feed has it, on the stream, and without full reach"`
	PublishProblems    []PublishProblem  `json:"publish_problems" doc:"feed rules that it breaks, if marked for publishing; it is withheld until they are fixed"`
	Version            int64             `json:"version"`
	UpdatedAt          fleet.Instant     `json:"updated_at" doc:"null where is_deleted"`
	IsDeleted          bool              `json:"is_deleted,omitempty" doc:"deleted; then only id is meaningful"`
}

// ClosureThing is the asset of an automated closure.
type ClosureThing struct {
	ID                 string        `json:"id"`
	HaasID             string        `json:"haas_id"`
	Nickname           string        `json:"nickname"`
	HeartbeatDatetime  fleet.Instant `json:"heartbeat_datetime"`
	RegistryNumber     string        `json:"registry_number"`
	VINNumber          string        `json:"vin_number"`
	LicensePlateNumber string        `json:"license_plate_number"`
}

// Consumer is who read a feed.
type Consumer struct {
	Name    string        `json:"name" doc:"of the key it reads with"`
	KnownAt fleet.Instant `json:"known_at" doc:"null: not fetched since the closure's last change"`
}

// PublishProblem is a rule of the public feeds that a closure breaks.
type PublishProblem struct {
	Rule    string `json:"rule" doc:"closed list: road_name_missing, direction_of_line, …"`
	Field   string `json:"field"`
	Message string `json:"message" doc:"with the fix"`
}

// ClosureWrite is what a closure is made and edited with: what is left out stays
// as it is, or as a new closure has it. Its three times go together: where one of
// is_active, start_time and end_time is said, what is left out means false or none.
type ClosureWrite struct {
	UUID               *ID             `json:"uuid,omitempty" format:"uuid" doc:"for a new closure; sending the same request again creates no second one"`
	OrganizationID     *ID             `json:"organization_id,omitempty" format:"uuid" doc:"for a new closure; default the caller's organization"`
	ClosureType        *string         `json:"closure_type,omitempty" doc:"default manual; it can't be changed"`
	ThingID            *ID             `json:"thing_id,omitempty" format:"uuid" doc:"the asset that drives an automated one, which needs it and then has no times or status in this request"`
	IsDashboardManaged *bool           `json:"is_dashboard_managed,omitempty" doc:"true, which is the default"`
	IsInService        *bool           `json:"is_in_service,omitempty"`
	Description        *string         `json:"description,omitempty" text:"description,required"`
	AlertMessage       *string         `json:"alert_message,omitempty" text:"alertMessage"`
	Direction          *string         `json:"direction,omitempty" doc:"of traffic; needed where the organization publishes work zones"`
	ImpactedLanes      *[]int          `json:"impacted_lanes,omitempty"`
	TotalLanes         *int            `json:"total_lanes,omitempty" doc:"0 = unknown"`
	GeocodedRoute      *[]fleet.LatLng `json:"geocoded_route,omitempty"`
	CalculatedRoute    *[]fleet.LatLng `json:"calculated_route,omitempty"`
	UserRoute          *[]fleet.LatLng `json:"user_route,omitempty" doc:"at least 2 points, in the direction of traffic"`
	StreetStart        *string         `json:"street_start,omitempty" text:"address"`
	StreetEnd          *string         `json:"street_end,omitempty" text:"address"`
	RoadName           *string         `json:"road_name,omitempty" text:"name" doc:"if empty: the name of the road in the middle of the line, where the region has one within 40 m"`
	IsActive           *bool           `json:"is_active,omitempty" doc:"true: active from now to end_time"`
	StartTime          *fleet.Instant  `json:"start_time,omitempty" nullable:"true" doc:"with end_time, and is_active false: scheduled"`
	EndTime            *fleet.Instant  `json:"end_time,omitempty" nullable:"true" doc:"at most 3 months after the start"`
	IsWZDxCompliant    *bool           `json:"is_wzdx_compliant,omitempty" doc:"marked for publishing"`
	ExternalID         *string         `json:"external_id,omitempty" text:"wzdxId" doc:"its id in feeds, unique on the server; needed with is_wzdx_compliant"`
	LocationMethod     *string         `json:"location_method,omitempty" doc:"as in WZDx; needed with is_wzdx_compliant"`
	VehicleImpact      *string         `json:"vehicle_impact,omitempty" doc:"as in WZDx; needed with is_wzdx_compliant"`
	GroupID            *string         `json:"group_id,omitempty" text:"name"`
	ResponsibleUserID  *ID             `json:"responsible_user_id,omitempty" doc:"who is asked whether it's still there; default the creator; empty = nobody"`
	Recurrence         Pattern         `json:"recurrence,omitempty" doc:"it repeats, and is_active, start_time and end_time in the same request are ignored; null removes it"`
}

// ClosureConfirm answers whether a closure is still there.
type ClosureConfirm struct {
	Answer  string        `json:"answer" doc:"still, moved or finished"`
	EndTime fleet.Instant `json:"end_time,omitempty" doc:"with still: the new end; default unchanged"`
}

// ClosureCheck is what a closure would run into if it were saved.
type ClosureCheck struct {
	Problems  []PublishProblem  `json:"problems" doc:"feed rules that it would break"`
	Previews  []ClosurePreview  `json:"previews" doc:"what feeds would show; empty if it has no times or isn't marked for publishing"`
	Conflicts []ClosureConflict `json:"conflicts" doc:"closures in reach on the same road, in the same direction, at the same time; longest overlap first"`
}

// ClosureConflict is a closure that another overlaps.
type ClosureConflict struct {
	ID          string         `json:"id"`
	Description string         `json:"description"`
	Source      string         `json:"source" doc:"the name of its organization or its feed"`
	Overlap     ClosureOverlap `json:"overlap"`
}

// ClosureOverlap is where and when two closures meet.
type ClosureOverlap struct {
	DistanceM float64          `json:"distance_m" doc:"length of the line within 30 m of the other, in its direction"`
	StartTime fleet.Instant    `json:"start_time" nullable:"false" doc:"the first time when both are active"`
	EndTime   fleet.Instant    `json:"end_time" nullable:"false"`
	Lines     [][]fleet.LatLng `json:"lines" doc:"the overlapping parts of the line, in its direction"`
}

// ClosurePreview is what a document says of a closure, as its readers take it.
type ClosurePreview struct {
	Reader    string        `json:"reader" doc:"Waze, WZDx 4.2 or CWZ 1.0"`
	Document  string        `json:"document" doc:"its path under /feeds/{organizationId}/"`
	Kind      string        `json:"kind" doc:"the subtype of CIFS, the vehicle impact of WZDx and CWZ"`
	Title     string        `json:"title" doc:"shortened as the document asks"`
	Road      string        `json:"road"`
	Direction string        `json:"direction" doc:"in the document's word"`
	StartTime fleet.Instant `json:"start_time" nullable:"false"`
	EndTime   fleet.Instant `json:"end_time" nullable:"false"`
	Lanes     []string      `json:"lanes" doc:"the status of each from the left, in the document's words; empty = it says none"`
}
