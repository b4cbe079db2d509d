package store

import (
	"context"
	"fmt"

	"lightbar/internal/fleet"
)

// areaRow is an area whose shape is text, a GeoJSON geometry or empty for a circle.
type areaRow struct {
	fleet.Area
	geometry string
}

var areas = table[areaRow]{name: "area", columns: func(a *areaRow) []column {
	return []column{
		{"id", &a.ID, once}, {"organization_id", &a.OrganizationID, once}, {"name", &a.Name, once},
		{"kind", &a.Kind, once}, {"is_station", &a.IsStation, once},
		{"lat", maybe{&a.Lat, &a.HasCenter, false}, once}, {"lng", maybe{&a.Lng, &a.HasCenter, true}, once},
		{"radius_m", &a.RadiusM, once}, {"geometry", &a.geometry, once}, {"version", &a.Version, once},
		{"updated_at", &a.UpdatedAt, once}, {"deleted_at", &a.DeletedAt, once},
	}
}}

var (
	listAreas  = areas.selects("WHERE deleted_at = 0 ORDER BY id")
	insertArea = areas.inserts("")
)

// ListAreas reads every area that has not been removed.
func ListAreas(ctx context.Context, r Reader) (out []*fleet.Area, err error) {
	rows, err := listAreas.refs(ctx, r)
	for _, a := range rows {
		if a.geometry != "" {
			if a.Shape, err = fleet.ReadShape([]byte(a.geometry)); err != nil {
				return nil, fmt.Errorf("a row of area cannot be read: the shape of %s", a.ID) // no refusal: nobody sent it
			}
		}
		out = append(out, &a.Area)
	}
	return out, err
}

// InsertArea adds an area; geometry is GeoJSON as fleet.ParseShape takes it, or empty for a circle.
func (tx *Tx) InsertArea(ctx context.Context, a *fleet.Area, geometry string) error {
	_, err := insertArea.run(ctx, tx, &areaRow{*a, geometry})
	return err
}
