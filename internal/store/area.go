package store

import (
	"context"
	"encoding/json"
	"errors"

	"lightbar/internal/fleet"
)

var areas = table[fleet.Area]{name: "area", columns: func(a *fleet.Area) []column {
	return []column{
		{"id", &a.ID, keyed}, {"organization_id", &a.OrganizationID, edit}, {"thing_id", &a.ThingID, edit}, {"name", &a.Name, edit},
		{"description", &a.Description, edit}, {"kind", &a.Kind, edit}, {"is_station", &a.IsStation, edit},
		{"inactive", &a.Inactive, edit},
		{"lat", maybe{&a.Lat, &a.HasCenter, false}, edit}, {"lng", maybe{&a.Lng, &a.HasCenter, true}, edit},
		{"radius_m", &a.RadiusM, edit}, {"geometry", asGeometry(&a.Geometry), edit},
		{"address1", &a.Address1, edit}, {"address2", &a.Address2, edit}, {"city", &a.City, edit}, {"state", &a.State, edit},
		{"postal_code", &a.PostalCode, edit}, {"country_code", &a.CountryCode, edit},
		{"version", &a.Version, edit}, {"updated_at", &a.UpdatedAt, edit}, {"deleted_at", &a.DeletedAt, edit},
	}
}, whole: isShape, wholeOf: "geometry"}

// asGeometry is a geometry that is passed on as it is stored.
func asGeometry(at *string) asText {
	return asText{
		write: func() string { return *at },
		read: func(text string) error {
			if *at = text; text != "" && (text[0] != '{' || !json.Valid([]byte(text))) {
				return errNoGeometry
			}
			return nil
		},
	}
}

var errNoGeometry = errors.New("store: no geometry")

// isShape reports whether the shape of an area can be read. It is not returned: those of a list would take many times its size.
func isShape(a *fleet.Area) error {
	of := *a
	return shapeOf(&of)
}

// shapeOf fills in the shape of an area.
func shapeOf(a *fleet.Area) (err error) {
	if a.Geometry != "" {
		a.Shape, err = fleet.ReadShape([]byte(a.Geometry))
	}
	return err
}

// Areas are points of interest, stations and exclusion zones.
var Areas = recordsOf(areas)

// shapedAreas are areas with their shapes.
var shapedAreas = table[fleet.Area]{name: areas.name, columns: areas.columns, whole: shapeOf, wholeOf: areas.wholeOf}

var listAreas = shapedAreas.selects("WHERE deleted_at = 0 ORDER BY id")

// ListAreas reads every area that has not been removed, its shape parsed. One that cannot be read is left out.
func ListAreas(ctx context.Context, r Reader) ([]*fleet.Area, error) {
	return listAreas.refs(ctx, r)
}
