package demo

import (
	"context"
	"encoding/json"
	"log/slog"
	"time"

	"lightbar/catalog"
	"lightbar/internal/simulate"
	"lightbar/internal/wire"
)

// place is an area of the demo beside the stations: a circle, or what lies between corners.
type place struct {
	tenant     simulate.Tenant
	kind, name string
	desc       string
	at         simulate.LatLng
	radiusM    float64
	// corners of a polygon, [lng, lat], the first not repeated; nil for a circle.
	corners [][2]float64
}

// places of the demo: what crews must not enter, where they slow down, where they go.
var places = []place{
	{kind: "no_enter", name: "Port fuel terminal", desc: "No entry without an escort from the terminal",
		at:      simulate.LatLng{Lat: 39.7180, Lng: -75.5282},
		corners: [][2]float64{{-75.5310, 39.7188}, {-75.5268, 39.7192}, {-75.5266, 39.7166}, {-75.5305, 39.7163}}},
	{kind: "slow_zone", name: "Riverfront market", desc: "People on the road on weekends",
		at:      simulate.LatLng{Lat: 39.7364, Lng: -75.5600},
		corners: [][2]float64{{-75.5612, 39.7366}, {-75.5592, 39.7377}, {-75.5586, 39.7363}, {-75.5604, 39.7350}}},
	{kind: "poi", name: "Wilmington Hospital", desc: "Ambulance entrance on the north side",
		at: simulate.LatLng{Lat: 39.7510, Lng: -75.5490}, radiusM: 120},
	{kind: "poi", name: "Riverside fuel depot", desc: "Diesel day and night", at: simulate.LatLng{Lat: 39.7402, Lng: -75.5395}, radiusM: 60},
	{tenant: simulate.PublicWorks, kind: "yard", name: "Public Works yard", desc: "Trucks, boards and salt",
		at:      simulate.LatLng{Lat: 39.7310, Lng: -75.5440},
		corners: [][2]float64{{-75.5455, 39.7318}, {-75.5425, 39.7317}, {-75.5424, 39.7302}, {-75.5454, 39.7303}}},
}

// areas makes the stations and the other places.
func (s *seeding) areas() error {
	all := places[:len(places):len(places)]
	for _, station := range simulate.Stations {
		all = append(all, place{kind: "station", name: station.Name, at: station.At})
	}
	for i := range all {
		if _, _, err := s.app.Areas.Create(s.ctx, s.actor, s.written(&all[i])); err != nil {
			return err
		}
	}
	return nil
}

func (s *seeding) written(p *place) wire.AreaWrite {
	of, kind := wire.ID(s.orgs[p.tenant].ID), wire.ID("")
	for _, t := range catalog.AllEnums().AreaTypes {
		if t.Name == p.kind {
			kind = wire.ID(t.ID)
		}
	}
	out := wire.AreaWrite{OrganizationID: &of, Name: &p.name, Desc: &p.desc, EZTypeID: &kind,
		PointGeom: &wire.PointGeom{Lat: p.at.Lat, Lon: p.at.Lng}}
	if p.radiusM > 0 {
		out.RadiusDist = &p.radiusM
	}
	if p.corners != nil {
		ring := append(p.corners[:len(p.corners):len(p.corners)], p.corners[0])
		out.AreaGeom, _ = json.Marshal(map[string]any{"type": "Polygon", "coordinates": [][][2]float64{ring}})
	}
	return out
}

// parade is an event that a sender reports along North King Street, without assets.
func parade(now time.Time) simulate.Item {
	lat, lng, on := 39.74431, -75.54755, true
	return simulate.Item{Type: "event", ID: "parade", At: now.UTC().Format("2006-01-02T15:04:05.000Z"), Lat: &lat, Lng: &lng, IsActive: &on,
		AlertMessage: "Parade on King Street", Features: json.RawMessage(`{"type": "FeatureCollection", "features": [{"type": "Feature",
	"properties": {}, "geometry": {"type": "LineString", "coordinates": [[-75.54892, 39.7423], [-75.54841, 39.74306], [-75.54755, 39.74431],
	[-75.5469, 39.74534], [-75.54636, 39.7461]]}}]}`)}
}

// sayParade reports the event once, as a client.
func sayParade(ctx context.Context, c *simulate.Client, now time.Time, log *slog.Logger) {
	answer, err := c.SendAgain(ctx, []simulate.Item{parade(now)})
	if err != nil || len(answer.Refused) > 0 {
		log.Warn("the demo's event was not taken", "error", err, "refused", answer.Refused)
	}
}
