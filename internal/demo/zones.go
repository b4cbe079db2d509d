package demo

import (
	"encoding/json"

	"lightbar/internal/fleet"
	"lightbar/internal/simulate"
	"lightbar/internal/wire"
)

// zone is an alerting zone of the demo, about where Wilmington has such a place.
// The fire department's units pass all of them on their way from its stations.
type zone struct {
	kind, description, message string
	shape                      string // Polygon, LineString or Point
	radiusM                    float64
	corners                    []simulate.LatLng
}

var zones = []zone{
	{"school", "Howard High School, E 12th St", "School zone: responders ahead", "Polygon", 0, []simulate.LatLng{
		{Lat: 39.7461, Lng: -75.5431}, {Lat: 39.7478, Lng: -75.5416}, {Lat: 39.7467, Lng: -75.5392}, {Lat: 39.7449, Lng: -75.5408}}},
	{"school", "Warner Elementary School, W 18th St", "School zone: responders ahead", "Point", 250,
		[]simulate.LatLng{{Lat: 39.7558, Lng: -75.5590}}},
	{"work", "Paving, N Market St", "Work zone: responders ahead", "LineString", 0, []simulate.LatLng{
		{Lat: 39.7404215, Lng: -75.551308}, {Lat: 39.7411662, Lng: -75.5507979}, {Lat: 39.7419084, Lng: -75.550296},
		{Lat: 39.7426564, Lng: -75.549784}, {Lat: 39.7434035, Lng: -75.5492761}, {Lat: 39.7446868, Lng: -75.5484059},
		{Lat: 39.7455613, Lng: -75.5477807}}},
	{"event", "Farmers market, Rodney Square", "Event: responders ahead", "Point", 150, []simulate.LatLng{{Lat: 39.7464, Lng: -75.5470}}},
}

// features are the zone's shape as the API takes it.
func (z *zone) features() (wire.Geometry, error) {
	var line [][2]float64
	for _, at := range z.corners {
		line = append(line, [2]float64{at.Lng, at.Lat})
	}
	if z.shape == "Polygon" {
		line = append(line, line[0])
	}
	return json.Marshal(fleet.FeatureCollection{Type: "FeatureCollection", Features: []fleet.Feature{{Type: "Feature",
		Geometry: fleet.Geometry{Type: z.shape, Lines: [][][2]float64{line}}, Properties: fleet.FeatureProperties{RadiusM: z.radiusM}}}})
}

func (s *seeding) zones() error {
	of := wire.ID(s.orgs[simulate.FireDepartment].ID)
	for _, z := range zones {
		features, err := z.features()
		if err != nil {
			return err
		}
		_, _, err = s.app.Zones.Create(s.ctx, s.actor, wire.ZoneWrite{OrganizationID: &of, TypeName: &z.kind, Description: &z.description,
			AlertMessage: &z.message, Features: features})
		if err != nil {
			return err
		}
	}
	return nil
}
