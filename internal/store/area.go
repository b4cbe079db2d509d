package store

import (
	"context"
	"database/sql"
	"fmt"

	"lightbar/internal/fleet"
)

const listAreas = `SELECT id, organization_id, name, kind, is_station, lat, lng, radius_m, geometry, version, updated_at, deleted_at FROM area WHERE deleted_at = 0 ORDER BY id`

// ListAreas reads every area that has not been removed.
func ListAreas(ctx context.Context, r Reader) ([]*fleet.Area, error) {
	rows, err := r.QueryContext(ctx, listAreas)
	if err != nil {
		return nil, err
	}
	return collect(rows, func(rows *sql.Rows) (*fleet.Area, error) {
		a := &fleet.Area{}
		var lat, lng sql.NullFloat64
		var geometry string
		err := rows.Scan(&a.ID, &a.OrganizationID, &a.Name, &a.Kind, &a.IsStation, &lat, &lng, &a.RadiusM, &geometry, &a.Version, &a.UpdatedAt, &a.DeletedAt)
		if err != nil {
			return nil, err
		}
		a.HasCenter, a.Lat, a.Lng = lat.Valid && lng.Valid, lat.Float64, lng.Float64
		if a.Rings, err = fleet.ParseRings(geometry); err != nil {
			err = fmt.Errorf("a row of area cannot be read: the shape of %s", a.ID) // no refusal: nobody sent it
		}
		return a, err
	})
}

const insertArea = `INSERT INTO area (id, organization_id, name, kind, is_station, lat, lng, radius_m, geometry, version, updated_at, deleted_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`

// InsertArea adds an area; geometry is a GeoJSON Polygon or empty for a circle.
func (tx *Tx) InsertArea(ctx context.Context, a *fleet.Area, geometry string) error {
	var lat, lng *float64
	if a.HasCenter {
		lat, lng = &a.Lat, &a.Lng
	}
	_, err := tx.ExecContext(ctx, insertArea, a.ID, a.OrganizationID, a.Name, a.Kind, a.IsStation, lat, lng, a.RadiusM, geometry, a.Version, int64(a.UpdatedAt), int64(a.DeletedAt))
	return err
}
