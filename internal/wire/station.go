package wire

import "lightbar/internal/fleet"

// Visit is a stay of an asset at a station.
type Visit struct {
	ThingID    string        `json:"thing_id"`
	ExternalID string        `json:"external_id"`
	HaasID     string        `json:"haas_id"`
	Nickname   string        `json:"nickname"`
	ArrivedAt  fleet.Instant `json:"arrived_at" nullable:"false"`
	LeftAt     fleet.Instant `json:"left_at" doc:"null while it is there"`
	Dwell      int64         `json:"dwell" doc:"seconds"`
}

// Cover is what the caller asked to be told of: that a station is without its units.
type Cover struct {
	AreaID       string   `json:"area_id"`
	AreaName     string   `json:"area_name"`
	ThingTypeIDs []string `json:"thing_type_ids" doc:"an asset of each must be there; none = any asset"`
	AfterMinutes int64    `json:"after_minutes" doc:"how long it may be without them"`
	// IsCovered is judged when it is asked: an asset counts that is in service and not offline.
	IsCovered   *bool         `json:"is_covered" doc:"null: nothing is matched with the area, as it is inactive or no station"`
	Since       fleet.Instant `json:"since" doc:"when the last of them left, also while that is not after_minutes ago; null while they are there"`
	MissingType *string       `json:"missing_type" doc:"name of the type that is missing; null where any asset would do, or none is missing"`
}

// CoverWrite is what somebody asks to be told of.
type CoverWrite struct {
	ThingTypeIDs []ID  `json:"thing_type_ids,omitempty" doc:"an asset of each must be there; none = any asset"`
	AfterMinutes int64 `json:"after_minutes,omitempty" doc:"how long it may be without them, 0 to 1440; default 0"`
}
