package wire

import "lightbar/internal/fleet"

// Snapshot is every live asset of an organization in columns: value i of each
// column belongs to asset i. Texts that repeat (types, organizations, streets)
// are indexes into a dictionary, -1 for none. Coordinates are 1e-7 degrees,
// course degrees, speed m/s, instants milliseconds since the epoch (0 = none).
type Snapshot struct {
	Count        int      `json:"count"`
	ID           []string `json:"id"`
	HaasID       []string `json:"haas_id"`
	Nickname     []string `json:"nickname"`
	ExternalID   []string `json:"external_id"`
	VINNumber    []string `json:"vin_number"`
	Plate        []string `json:"license_plate_number"`
	Registry     []string `json:"registry_number"`
	Type         []int32  `json:"thing_type"`
	Subtype      []int32  `json:"thing_subtype"`
	DeviceType   []int32  `json:"device_type"`
	Relations    []int32  `json:"relations" doc:"-1 = none"`
	Organization []int32  `json:"organization"`
	Status       []uint16 `json:"status"`
	// Flags: 1 in service, 2 alerting, 4 has position, 8 has course, 16 r2r, 32 publicly alerting, 64 responder.
	Flags       []uint16          `json:"flags"`
	Lat         []int32           `json:"lat"`
	Lng         []int32           `json:"lng"`
	Course      []int16           `json:"course"`
	Speed       []float32         `json:"speed"`
	Street      []int32           `json:"street"`
	HeartbeatAt []int64           `json:"heartbeat_at"`
	At          []int64           `json:"at"`
	StaleAt     []int64           `json:"stale_at"`
	LocationID  []string          `json:"location_id"`
	StatusAt    []int64           `json:"status_at"`
	StationID   []string          `json:"station_id"`
	Types       []string          `json:"types" doc:"dictionary of thing_type: ids"`
	Subtypes    []string          `json:"subtypes" doc:"dictionary of thing_subtype: ids"`
	DeviceTypes []string          `json:"device_types" doc:"dictionary of device_type"`
	RelationSet [][]Relationship  `json:"relation_set" doc:"dictionary of relations"`
	Orgs        []OrganizationRef `json:"orgs" doc:"dictionary of organization"`
	Streets     []string          `json:"streets" doc:"dictionary of street"`
	AsOf        fleet.Instant     `json:"as_of" nullable:"false"`
}
