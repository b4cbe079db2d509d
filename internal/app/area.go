package app

import (
	"context"
	"strings"
	"unicode/utf8"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/audit"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/store"
)

// NewStation asks for a station: a circle in which an organization's units are at home.
type NewStation struct {
	OrganizationID string
	Name           string
	Lat, Lng       float64 // degrees
	RadiusM        float64 // 0 = the default of 100 m
}

// CreateStation adds a station; units of its organization that stand in it open
// no incident there. Requires ADD_AREA and full reach. Refusals:
// organization_not_found, validation_failed.
func (a *App) CreateStation(ctx context.Context, actor *access.Actor, in NewStation) (fleet.Area, error) {
	if err := actor.Must("ADD_AREA"); err != nil {
		return fleet.Area{}, err
	}
	if _, known := a.Live.Organization(in.OrganizationID); !known || actor.Reach(in.OrganizationID) != access.Full {
		return fleet.Area{}, fleet.Refuse("organization_not_found", "organization_id", "Organization not found")
	}
	name := strings.TrimSpace(in.Name)
	switch {
	case name == "":
		return fleet.Area{}, fleet.Refuse("validation_failed", "name", "Required")
	case utf8.RuneCountInString(name) > int(catalog.LimitInt("text", "name")):
		return fleet.Area{}, fleet.Refuse("validation_failed", "name", "100 Max Characters")
	case !(in.Lat >= -90 && in.Lat <= 90 && in.Lng >= -180 && in.Lng <= 180):
		return fleet.Area{}, fleet.Refuse("validation_failed", "lat", "The position is not on the map.")
	case !(in.RadiusM >= 0 && in.RadiusM <= 5000):
		return fleet.Area{}, fleet.Refuse("validation_failed", "radius_dist", "The radius is 0 to 5000 meters.")
	}
	area := fleet.Area{ID: a.NewID(), OrganizationID: in.OrganizationID, Name: name, Kind: "station", IsStation: true,
		HasCenter: true, Lat: in.Lat, Lng: in.Lng, RadiusM: in.RadiusM, Version: 1, UpdatedAt: a.now()}
	err := a.Change(ctx, func(c *live.Change, tx *store.Tx) error {
		if err := tx.InsertArea(ctx, &area, ""); err != nil {
			return err
		}
		c.PutArea(&area)
		if err := c.Save(ctx, tx); err != nil {
			return err
		}
		return a.Audit.Write(ctx, tx, actor, audit.Row{Verb: "create", Noun: "area", NounID: area.ID, OrganizationID: area.OrganizationID,
			After: map[string]any{"name": area.Name, "lat": area.Lat, "lng": area.Lng, "radius_dist": area.RadiusM}})
	})
	if err != nil {
		return fleet.Area{}, err
	}
	return area, nil
}
