package wire

import "lightbar/internal/fleet"

// Zone is an alerting zone (requirements 3.zone).
type Zone struct {
	ID               string                   `json:"id"`
	ExternalID       string                   `json:"external_id"`
	OrganizationID   string                   `json:"organization_id"`
	OrganizationName string                   `json:"organization_name"`
	TypeName         string                   `json:"alerting_zone_type_name" doc:"school, work, event, hazard or custom"`
	AlertMessage     string                   `json:"alert_message"`
	Description      string                   `json:"description"`
	Features         *fleet.FeatureCollection `json:"features" doc:"its shapes: Polygon, LineString, Point with radius_dist; null where is_deleted"`
	IsActive         bool                     `json:"is_active" doc:"an alerting asset of its organization is in it, or was within default_expiry"`
	ActiveThings     []ZoneThing              `json:"active_things" doc:"the assets that alert in it now, the first one first"`
	ActiveLocations  ZoneLocations            `json:"active_locations"`
	ActiveUntil      fleet.Instant            `json:"active_until" doc:"when it goes to standby; null while an asset alerts in it, and in standby"`
	Version          int64                    `json:"version" doc:"of what people edit; activity does not raise it"`
	UpdatedAt        fleet.Instant            `json:"updated_at" doc:"of the last edit or change of activity; null where is_deleted"`
	IsDeleted        bool                     `json:"is_deleted,omitempty" doc:"deleted; then only id is meaningful"`
}

// ZoneThing is an asset that alerts in a zone.
type ZoneThing struct {
	ID       string        `json:"id"`
	HaasID   string        `json:"haas_id"`
	Nickname string        `json:"nickname"`
	Since    fleet.Instant `json:"since" nullable:"false" doc:"it has been alerting in the zone since then or longer"`
}

// ZoneLocations says how a zone follows its assets.
type ZoneLocations struct {
	DefaultExpiry int64 `json:"default_expiry" doc:"seconds that it stays active after the last asset"`
}

// ZoneWrite is what a zone is made and edited with: what is left out stays as it
// is, or as a new zone has it.
type ZoneWrite struct {
	ID             *ID      `json:"id,omitempty" format:"uuid" doc:"of a new zone: sent again as it was, it makes no second one"`
	OrganizationID *ID      `json:"organization_id,omitempty" format:"uuid" doc:"of a new zone; default the own one"`
	ExternalID     *string  `json:"external_id,omitempty" doc:"the sender's own name of the zone; at most 100 characters"`
	TypeName       *string  `json:"alerting_zone_type_name,omitempty"`
	AlertMessage   *string  `json:"alert_message,omitempty" text:"alertMessage"`
	Description    *string  `json:"description,omitempty" text:"description,required"`
	Features       Geometry `json:"features,omitempty" doc:"a FeatureCollection of Polygon, LineString, and Point with radius_dist"`
	DefaultExpiry  *int64   `json:"default_expiry,omitempty" doc:"seconds, from 60 to 3600; default 300"`
}

// ZoneOf is a zone without what goes on in it.
func ZoneOf(z *fleet.Zone) (out Zone) {
	Same(&out, z)
	out.TypeName, out.ActiveThings, out.ActiveLocations = z.Kind, []ZoneThing{}, ZoneLocations{z.ExpiryS}
	return out
}
