// Package wire holds the JSON shapes that leave the server by more than one
// door (HTTP lists and the stream must say exactly the same), and makes them
// from the nouns. Field names are those of the specification, sections 3 and 7.
package wire

import "lightbar/internal/fleet"

// OrganizationRef names an organization inside another noun.
type OrganizationRef struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Type string `json:"type"`
}

// Relationship is an organization's relation to an asset.
type Relationship struct {
	OrganizationUUID string `json:"organization_uuid" doc:"empty for another organization that is not yours to know"`
	OrganizationName string `json:"organization_name"`
	RelationshipType string `json:"relationship_type" enum:"manager,accessor"`
}

// ExternalIdentifier is an integration of an asset with a provider.
type ExternalIdentifier struct {
	IdentifierID string `json:"identifier_id"`
	SystemName   string `json:"system_name"`
	IsDeleted    bool   `json:"is_deleted"`
}

// Features are capabilities of an asset's transponder.
type Features struct {
	R2R bool `json:"r2r"`
}

// ClosureRef is an active closure of an asset; ExternalID is its WZDx id.
type ClosureRef struct {
	ID         string `json:"id"`
	ExternalID string `json:"external_id"`
}

// LocationRef is the incident an asset stands at.
type LocationRef struct {
	ID        string        `json:"id"`
	StartTime fleet.Instant `json:"start_time" nullable:"false" doc:"when the asset arrived"`
}

// Live is what devices and the clock change: the body of point and heartbeat
// messages and a part of every Thing. Units: degrees, meters, meters a second.
type Live struct {
	ID     string   `json:"id"`
	Lat    *float64 `json:"lat"`
	Lng    *float64 `json:"lng"`
	Course *float64 `json:"course" doc:"degrees clockwise from north, null when unknown"`
	Speed  float64  `json:"speed" doc:"m/s, 0 when unknown"`
	// Accuracy is meters; null when the device did not say.
	Accuracy    *float64      `json:"accuracy"`
	Street      string        `json:"street"`
	Status      string        `json:"status" enum:"active_location,active,standby,stationary,pending,offline"`
	StatusAt    fleet.Instant `json:"status_at" doc:"since when the status holds"`
	IsActive    bool          `json:"is_active" doc:"alerting: lights on"`
	Enroute     bool          `json:"enroute" doc:"alerting while not on scene"`
	HeartbeatAt fleet.Instant `json:"heartbeat_datetime"`
	At          fleet.Instant `json:"at" doc:"effective time of the position"`
	ReceivedAt  fleet.Instant `json:"received_at"`
	StaleAt     fleet.Instant `json:"stale_at" doc:"from this server instant on the position must not be shown as live"`
	RunID       string        `json:"run_id" doc:"the run that it is on, or that brought it to the incident it is at; empty without one"`
	RunStartAt  fleet.Instant `json:"run_start_time"`
	RunPoints   int64         `json:"run_points_count" doc:"never falls while the run lasts, nor on scene"`
	Location    *LocationRef  `json:"location"`
	IncidentEnd fleet.Instant `json:"incident_end_time,omitempty" nullable:"false" doc:"when its last stay at an incident ended; absent while it is at one, without one, and in snapshots"`
	StationID   string        `json:"station_id"`
	Closures    []ClosureRef  `json:"closures"`
}

// Thing is an asset as lists, single reads and thing messages show it.
type Thing struct {
	Live
	ExternalID            string               `json:"external_id"`
	HaasID                string               `json:"haas_id" doc:"system name"`
	Nickname              string               `json:"nickname"`
	VINNumber             string               `json:"vin_number"`
	LicensePlateNumber    string               `json:"license_plate_number"`
	RegistryNumber        string               `json:"registry_number"`
	ThingTypeID           string               `json:"thing_type_id"`
	ThingSubtypeID        string               `json:"thing_subtype_id"`
	DeviceType            string               `json:"device_type" enum:"api,ha5,ha7"`
	InService             bool                 `json:"in_service"`
	IsPubliclyAlerting    bool                 `json:"is_publicly_alerting"`
	IsAllowedForClosures  bool                 `json:"is_allowed_for_closures"`
	IsAllowedForTestMode  bool                 `json:"is_allowed_for_test_mode"`
	TestMode              bool                 `json:"test_mode"`
	IsResponder           bool                 `json:"is_responder"`
	IsIntegrationOrg      bool                 `json:"is_integration_org"`
	Features              Features             `json:"features"`
	Organization          OrganizationRef      `json:"organization"`
	OrganizationRelations []Relationship       `json:"organization_relationships"`
	ExternalIdentifiers   []ExternalIdentifier `json:"external_identifiers"`
	FeedSubscriptions     []string             `json:"feed_subscriptions" doc:"the public feeds that it is published in"`
	Version               int64                `json:"version"`
	IsDeleted             bool                 `json:"is_deleted,omitempty" doc:"gone, or out of the asking organization's reach; only id is then meaningful"`
}

// LocationThing is an asset in an event (specification section 3, Location).
type LocationThing struct {
	ID                 string        `json:"id"`
	ExternalID         string        `json:"external_id"`
	HaasID             string        `json:"haas_id"`
	Nickname           string        `json:"nickname"`
	VINNumber          string        `json:"vin_number"`
	LicensePlateNumber string        `json:"license_plate_number"`
	RegistryNumber     string        `json:"registry_number"`
	Runtime            int64         `json:"runtime" doc:"seconds"`
	StartTime          fleet.Instant `json:"start_time" nullable:"false"`
	EndTime            fleet.Instant `json:"end_time" doc:"null while it is there"`
}

// Location is an incident or event.
type Location struct {
	ID             string          `json:"id"`
	ExternalID     string          `json:"external_id"`
	OrganizationID string          `json:"organization_id"`
	IsActive       bool            `json:"is_active"`
	Lat            float64         `json:"lat"`
	Lng            float64         `json:"lng"`
	Street         string          `json:"street"`
	RoadwayHeading *float64        `json:"roadway_heading" doc:"of the traffic, degrees clockwise from north; null where it is not known"`
	ThingsActive   []LocationThing `json:"things_active"`
	ThingsInactive []LocationThing `json:"things_inactive"`
	StartTime      fleet.Instant   `json:"start_time" doc:"null where is_deleted"`
	EndTime        fleet.Instant   `json:"end_time" doc:"null while it is active"`
	AlertMessage   string          `json:"alert_message"`
	WZDxID         string          `json:"wzdx_id"`
	Version        int64           `json:"version"`
	IsDeleted      bool            `json:"is_deleted,omitempty" doc:"out of the asking organization's sight; only id is then meaningful"`
}

// Meta of a list answer.
type Meta struct {
	Page    int `json:"page"`
	PerPage int `json:"per_page"`
	Total   int `json:"total"`
	// AsOf is the server instant to send back as last_updated_timestamp.
	AsOf fleet.Instant `json:"as_of" nullable:"false"`
}

// ThingsMeta is that of a list of assets.
type ThingsMeta struct {
	Meta
	IsLarge bool `json:"is_large" doc:"poll the snapshot instead of listening to the stream"`
}
