package feed

import "lightbar/internal/fleet"

// geoJSON is the plain document for maps and spreadsheets: a line for each
// closure with the words of our own wire.
var geoJSON = Format{
	Path: "closures.geojson", MediaType: "application/geo+json", separator: ",", foot: "]}",
	head: func(s Source) []byte {
		if s.License == "" {
			return []byte(`{"type":"FeatureCollection","features":[`)
		}
		return append(append([]byte(`{"type":"FeatureCollection","license":`), mustJSON(s.License)...), `,"features":[`...)
	},
	feature: func(c *fleet.Closure, phase Phase) []byte {
		from, to := span(c, phase)
		return mustJSON(plainFeature{ID: c.ID, Type: "Feature", Geometry: lineOf(Route(c)), Properties: plainClosure{
			ExternalID: c.ExternalID, Description: c.Description, AlertMessage: c.AlertMessage, RoadName: c.RoadName, Direction: c.Direction,
			StreetStart: c.StreetStart, StreetEnd: c.StreetEnd, VehicleImpact: c.VehicleImpact, ImpactedLanes: c.ImpactedLanes,
			TotalLanes: c.TotalLanes, StartTime: utc(from), EndTime: utc(to), Status: phaseWords[phase], UpdatedAt: utc(c.UpdatedAt)}})
	},
}

var phaseWords = map[Phase]string{Scheduled: "scheduled", Active: "active", Ended: "ended"}

type plainFeature struct {
	ID         string       `json:"id"`
	Type       string       `json:"type"`
	Properties plainClosure `json:"properties"`
	Geometry   lineString   `json:"geometry"`
}

type plainClosure struct {
	ExternalID    string `json:"external_id"`
	Description   string `json:"description"`
	AlertMessage  string `json:"alert_message"`
	RoadName      string `json:"road_name"`
	Direction     string `json:"direction"`
	StreetStart   string `json:"street_start"`
	StreetEnd     string `json:"street_end"`
	VehicleImpact string `json:"vehicle_impact"`
	ImpactedLanes []int  `json:"impacted_lanes"`
	TotalLanes    int    `json:"total_lanes,omitempty"`
	StartTime     string `json:"start_time"`
	EndTime       string `json:"end_time"`
	Status        string `json:"status"`
	UpdatedAt     string `json:"updated_at"`
}
