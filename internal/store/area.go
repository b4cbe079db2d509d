package store

import (
	"context"
	"fmt"

	"lightbar/internal/fleet"
)

var areas = table[fleet.Area]{name: "area", columns: func(a *fleet.Area) []column {
	return []column{
		{"id", &a.ID, keyed}, {"organization_id", &a.OrganizationID, edit}, {"thing_id", &a.ThingID, edit}, {"name", &a.Name, edit},
		{"description", &a.Description, edit}, {"kind", &a.Kind, edit}, {"is_station", &a.IsStation, edit},
		{"is_active", &a.IsActive, edit},
		{"lat", maybe{&a.Lat, &a.HasCenter, false}, edit}, {"lng", maybe{&a.Lng, &a.HasCenter, true}, edit},
		{"radius_m", &a.RadiusM, edit}, {"geometry", &a.Geometry, edit},
		{"address1", &a.Address1, edit}, {"address2", &a.Address2, edit}, {"city", &a.City, edit}, {"state", &a.State, edit},
		{"postal_code", &a.PostalCode, edit}, {"country_code", &a.CountryCode, edit},
		{"version", &a.Version, edit}, {"updated_at", &a.UpdatedAt, edit}, {"deleted_at", &a.DeletedAt, edit},
	}
}}

// Areas are points of interest, stations and exclusion zones.
var Areas = recordsOf(areas)

var listAreas = areas.selects("WHERE deleted_at = 0 ORDER BY id")

// ListAreas reads every area that has not been removed, its shape parsed.
func ListAreas(ctx context.Context, r Reader) ([]*fleet.Area, error) {
	rows, err := listAreas.refs(ctx, r)
	for _, a := range rows {
		if a.Rings, err = fleet.ParseRings(a.Geometry); err != nil {
			return nil, fmt.Errorf("a row of area cannot be read: the shape of %s", a.ID) // no refusal: nobody sent it
		}
	}
	return rows, err
}
