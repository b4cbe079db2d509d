package wire

import "lightbar/internal/fleet"

// Hazard is something dangerous on a road, as a sender reports it.
type Hazard struct {
	ID               string `json:"id"`
	ExternalID       string `json:"external_id" doc:"the sender's own name of it, unique in its organization"`
	OrganizationID   string `json:"organization_id"`
	OrganizationName string `json:"organization_name"`
	// Type is one of the catalog's hazardTypes.
	Type        string        `json:"type" enum:"slow_traffic,stopped_traffic,debris,disabled_vehicle,crash,wrong_way,animal,flooding,ice,snow,fog,fire,signal_out,road_damage,other"`
	Lat         float64       `json:"lat"`
	Lng         float64       `json:"lng"`
	Street      string        `json:"street"`
	Description string        `json:"description"`
	Source      string        `json:"source" doc:"who reported it last: the name of the API key or of the import"`
	StartTime   fleet.Instant `json:"start_time" doc:"null where is_deleted"`
	ExpiresAt   fleet.Instant `json:"expires_at" doc:"null where is_deleted"`
	IsActive    bool          `json:"is_active" doc:"judged when the answer is made: never true after expires_at"`
	// Features are its shapes, where a sender has sent any.
	Features    *fleet.FeatureCollection `json:"features" doc:"GeoJSON; null where there are none"`
	ConfirmedAt fleet.Instant            `json:"confirmed_at" doc:"null: by nobody yet"`
	ConfirmedBy *string                  `json:"confirmed_by" doc:"a name; where the person belongs to another organization, that one's"`
	EndedAt     fleet.Instant            `json:"ended_at" doc:"null while it is active"`
	EndReason   *string                  `json:"end_reason" enum:"expired,cleared,withdrawn,source" doc:"null while it is active"`
	EndedBy     *HazardEnder             `json:"ended_by" doc:"null while it is active, and where the clock ended it"`
	Version     int64                    `json:"version"`
	UpdatedAt   fleet.Instant            `json:"updated_at" doc:"null where is_deleted"`
	IsDeleted   bool                     `json:"is_deleted,omitempty" doc:"it ended a day ago and has left the lists; only id is then meaningful"`
}

// HazardEnder is who ended a hazard.
type HazardEnder struct {
	Kind  string   `json:"kind" enum:"user,thing,key" doc:"thing: an asset that drove through"`
	ID    string   `json:"id" doc:"empty where the reader may not know it"`
	Name  string   `json:"name" doc:"of the organization, where the reader may know no more"`
	Speed *float64 `json:"speed" doc:"m/s, of an asset that drove through; else null"`
}

// GoneHazard is the row of a hazard that has left the lists: only its id means something.
func GoneHazard(id string) Hazard { return Hazard{ID: id, IsDeleted: true} }
