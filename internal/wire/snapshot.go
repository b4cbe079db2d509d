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
	Type         []int32  `json:"thing_type"`
	Organization []int32  `json:"organization"`
	Status       []uint8  `json:"status"`
	// Flags: 1 in service, 2 alerting, 4 has position, 8 has course, 16 r2r, 32 publicly alerting, 64 responder.
	Flags       []uint8           `json:"flags"`
	Lat         []int32           `json:"lat"`
	Lng         []int32           `json:"lng"`
	Course      []int16           `json:"course"`
	Speed       []float32         `json:"speed"`
	Street      []int32           `json:"street"`
	HeartbeatAt []int64           `json:"heartbeat_at"`
	At          []int64           `json:"at"`
	StaleAt     []int64           `json:"stale_at"`
	LocationID  []string          `json:"location_id"`
	Types       []string          `json:"types" doc:"dictionary of thing_type: ids"`
	Orgs        []OrganizationRef `json:"orgs" doc:"dictionary of organization"`
	Streets     []string          `json:"streets" doc:"dictionary of street"`
	AsOf        fleet.Instant     `json:"as_of"`
}
