package feed

import (
	"encoding/json"
	"math"
	"strings"

	"lightbar/internal/fleet"
)

// WZDx 4.2 (USDOT, schemas/4.2) and CWZ 1.0 (ITE/AASHTO/NEMA) are one document
// but for the version, the feature's id and the project.
var (
	wzdx = workZones("wzdx-4.2.geojson", "4.2", func(c *fleet.Closure) string { return c.ExternalID })
	cwz  = workZones("cwz-1.0.geojson", "1.0", func(c *fleet.Closure) string { return c.ID })
)

// licenseCC0 is the only one that both schemas allow.
const licenseCC0 = "https://creativecommons.org/publicdomain/zero/1.0/"

// licenseOf is the value of a document's license. In WZDx the member is optional, so a license that its schema does not allow is
// left out. CWZ requires it: there the true license is given, which makes the document invalid, and none when none was set.
func licenseOf(s Source, version string) string {
	if version == "1.0" || s.License == licenseCC0 {
		return s.License
	}
	return ""
}

// updateSeconds is how often consumers are asked to read.
const updateSeconds = 60

type feedInfo struct {
	Publisher       string       `json:"publisher"`
	Version         string       `json:"version"`
	License         string       `json:"license,omitempty"`
	UpdateDate      string       `json:"update_date"`
	UpdateFrequency int          `json:"update_frequency"`
	DataSources     []dataSource `json:"data_sources"`
}

type dataSource struct {
	ID              string `json:"data_source_id"`
	Name            string `json:"organization_name"`
	UpdateDate      string `json:"update_date"`
	UpdateFrequency int    `json:"update_frequency"`
}

type roadEvent struct {
	ID         string     `json:"id"`
	Type       string     `json:"type"`
	Properties workZone   `json:"properties"`
	Geometry   lineString `json:"geometry"`
}

type workZone struct {
	Core                    coreDetails `json:"core_details"`
	StartDate               string      `json:"start_date"`
	EndDate                 string      `json:"end_date"`
	IsStartDateVerified     bool        `json:"is_start_date_verified"`
	IsEndDateVerified       bool        `json:"is_end_date_verified"`
	IsStartPositionVerified bool        `json:"is_start_position_verified"`
	IsEndPositionVerified   bool        `json:"is_end_position_verified"`
	LocationMethod          string      `json:"location_method"`
	WorkZoneType            string      `json:"work_zone_type"`
	VehicleImpact           string      `json:"vehicle_impact"`
	Lanes                   []lane      `json:"lanes,omitempty"`
	BeginningCrossStreet    string      `json:"beginning_cross_street,omitempty"`
	EndingCrossStreet       string      `json:"ending_cross_street,omitempty"`
}

type coreDetails struct {
	EventType    string   `json:"event_type"`
	DataSourceID string   `json:"data_source_id"`
	ProjectID    string   `json:"project_id,omitempty"`
	RoadNames    []string `json:"road_names"`
	Direction    string   `json:"direction"`
	Description  string   `json:"description,omitempty"`
	UpdateDate   string   `json:"update_date"`
}

type lane struct {
	Order  int    `json:"order"`
	Type   string `json:"type"`
	Status string `json:"status"`
}

type lineString struct {
	Type        string       `json:"type"`
	Coordinates [][2]float64 `json:"coordinates"`
}

func workZones(path, version string, id func(*fleet.Closure) string) Format {
	return Format{
		Path: path, MediaType: "application/geo+json", separator: ",", foot: "]}",
		head: func(s Source) []byte {
			at := utc(s.updatedAt())
			info := mustJSON(feedInfo{Publisher: s.Name, Version: version, License: licenseOf(s, version), UpdateDate: at,
				UpdateFrequency: updateSeconds, DataSources: []dataSource{{ID: s.ID, Name: s.Name, UpdateDate: at, UpdateFrequency: updateSeconds}}})
			return append(append([]byte(`{"feed_info":`), info...), `,"type":"FeatureCollection","features":[`...)
		},
		feature: func(c *fleet.Closure, phase Phase) []byte {
			e := roadEventOf(c, phase)
			if e.ID = id(c); version == "1.0" {
				e.Properties.Core.ProjectID = c.GroupID
			}
			return mustJSON(e)
		},
	}
}

func roadEventOf(c *fleet.Closure, phase Phase) roadEvent {
	from, to := span(c, phase)
	return roadEvent{
		Type: "Feature", Geometry: lineOf(Route(c)),
		Properties: workZone{
			Core: coreDetails{EventType: "work-zone", DataSourceID: c.OrganizationID, RoadNames: []string{c.RoadName},
				Direction: directions[c.Direction].wzdx, Description: descriptionOf(c), UpdateDate: utc(c.UpdatedAt)},
			StartDate: utc(from), EndDate: utc(to), IsStartDateVerified: phase != Scheduled, IsEndDateVerified: phase == Ended,
			// A line that somebody drew has not been measured on the road.
			LocationMethod: c.LocationMethod, WorkZoneType: "static", VehicleImpact: c.VehicleImpact, Lanes: lanesOf(c),
			BeginningCrossStreet: c.StreetStart, EndingCrossStreet: c.StreetEnd,
		},
	}
}

// descriptionOf is the message for drivers, then the crew's text.
func descriptionOf(c *fleet.Closure) string {
	if c.AlertMessage == "" || c.AlertMessage == c.Description {
		return c.Description
	}
	return strings.TrimSpace(sentence(c.AlertMessage) + " " + c.Description)
}

// lanesOf are all lanes of the road, or none where their number is not known.
func lanesOf(c *fleet.Closure) (out []lane) {
	if c.TotalLanes == 0 || len(c.ImpactedLanes) == 0 && c.VehicleImpact != "all-lanes-closed" {
		return nil
	}
	for order := 1; order <= c.TotalLanes; order++ {
		out = append(out, lane{order, "general", laneStatus(c, order)})
	}
	return out
}

// laneStatus is the effect of an impact on a lane.
func laneStatus(c *fleet.Closure, order int) string {
	if !isImpacted(c, order) {
		return "open"
	}
	switch c.VehicleImpact {
	case "all-lanes-open-shift-left":
		return "shift-left"
	case "all-lanes-open-shift-right":
		return "shift-right"
	case "alternating-one-way", "flagging", "temporary-traffic-signal":
		return "alternating-flow"
	case "all-lanes-open":
		return "open"
	}
	return "closed"
}

func isImpacted(c *fleet.Closure, order int) bool {
	if c.VehicleImpact == "all-lanes-closed" {
		return true
	}
	for _, lane := range c.ImpactedLanes {
		if lane == order {
			return true
		}
	}
	return false
}

// directions are those of a closure in the words of WZDx, and the bearing of each in degrees.
var directions = map[string]struct {
	wzdx    string
	bearing float64
}{"N": {"northbound", 0}, "E": {"eastbound", 90}, "S": {"southbound", 180}, "W": {"westbound", 270}}

// lineOf is a route as GeoJSON: longitude first, six decimals (0.1 m).
func lineOf(route []fleet.LatLng) lineString {
	out := lineString{Type: "LineString", Coordinates: make([][2]float64, len(route))}
	for i, at := range route {
		out.Coordinates[i] = [2]float64{micro(at.Lng), micro(at.Lat)}
	}
	return out
}

func micro(degrees float64) float64 { return math.Round(degrees*1e6) / 1e6 }

func mustJSON(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic("feed: " + err.Error()) // plain data always encodes
	}
	return b
}
