package store

import (
	"context"
	"database/sql"

	"lightbar/internal/fleet"
)

const locationColumns = `id, organization_id, external_id, is_active, lat, lng, street, roadway_heading, start_at, end_at, alert_message, wzdx_id, version, updated_at`

const upsertLocation = `INSERT INTO location (` + locationColumns + `) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
ON CONFLICT (id) DO UPDATE SET external_id = excluded.external_id, is_active = excluded.is_active, lat = excluded.lat, lng = excluded.lng, street = excluded.street,
roadway_heading = excluded.roadway_heading, start_at = excluded.start_at, end_at = excluded.end_at, alert_message = excluded.alert_message,
wzdx_id = excluded.wzdx_id, version = excluded.version, updated_at = excluded.updated_at`

const upsertPresence = `INSERT INTO location_thing (location_id, thing_id, organization_id, start_at, end_at) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (location_id, thing_id, start_at) DO UPDATE SET end_at = excluded.end_at`

// SaveLocation writes an incident with its stays.
func (tx *Tx) SaveLocation(ctx context.Context, l *fleet.Location) error {
	var heading *float64
	if l.HasHeading {
		heading = &l.RoadwayHeading
	}
	_, err := tx.ExecContext(ctx, upsertLocation, l.ID, l.OrganizationID, l.ExternalID, l.IsActive, l.Lat, l.Lng, l.Street, heading,
		int64(l.StartAt), int64(l.EndAt), l.AlertMessage, l.WZDxID, l.Version, int64(l.UpdatedAt))
	for i := 0; err == nil && i < len(l.Presences); i++ {
		p := &l.Presences[i]
		_, err = tx.ExecContext(ctx, upsertPresence, l.ID, p.ThingID, p.OrganizationID, int64(p.StartAt), int64(p.EndAt))
	}
	return err
}

const locationsSince = `SELECT ` + locationColumns + ` FROM location WHERE is_active OR updated_at >= $1 OR start_at >= $2 ORDER BY start_at, id`

const presencesSince = `SELECT t.location_id, t.thing_id, t.organization_id, t.start_at, t.end_at FROM location_thing t
JOIN location l ON l.id = t.location_id WHERE l.is_active OR l.updated_at >= $1 OR l.start_at >= $2 ORDER BY t.location_id, t.start_at, t.thing_id`

// LocationsSince reads incidents that are active, changed or began since an instant, with their stays.
func LocationsSince(ctx context.Context, r Reader, since fleet.Instant) ([]*fleet.Location, error) {
	return readLocations(ctx, r, locationsSince, presencesSince, int64(since), int64(since))
}

const locationsOfOrganization = `SELECT ` + locationColumns + ` FROM location WHERE organization_id = $1 AND start_at >= $2 AND start_at < $3 ORDER BY start_at, id`

const presencesOfOrganization = `SELECT t.location_id, t.thing_id, t.organization_id, t.start_at, t.end_at FROM location_thing t
JOIN location l ON l.id = t.location_id WHERE l.organization_id = $1 AND l.start_at >= $2 AND l.start_at < $3 ORDER BY t.location_id, t.start_at, t.thing_id`

// LocationsOfOrganization reads an organization's incidents that began from, to (to excluded).
func LocationsOfOrganization(ctx context.Context, r Reader, organizationID string, from, to fleet.Instant) ([]*fleet.Location, error) {
	return readLocations(ctx, r, locationsOfOrganization, presencesOfOrganization, organizationID, int64(from), int64(to))
}

func readLocations(ctx context.Context, r Reader, locations, presences string, args ...any) ([]*fleet.Location, error) {
	rows, err := r.QueryContext(ctx, locations, args...)
	if err != nil {
		return nil, err
	}
	list, err := collect(rows, scanLocation)
	if err != nil {
		return nil, err
	}
	byID := make(map[string]*fleet.Location, len(list))
	for _, l := range list {
		byID[l.ID] = l
	}
	if rows, err = r.QueryContext(ctx, presences, args...); err != nil {
		return nil, err
	}
	_, err = collect(rows, func(rows *sql.Rows) (p fleet.Presence, err error) {
		var id string
		err = rows.Scan(&id, &p.ThingID, &p.OrganizationID, &p.StartAt, &p.EndAt)
		if l := byID[id]; err == nil && l != nil {
			l.Presences = append(l.Presences, p)
		}
		return p, err
	})
	return list, err
}

func scanLocation(rows *sql.Rows) (*fleet.Location, error) {
	l := &fleet.Location{}
	var heading sql.NullFloat64
	err := rows.Scan(&l.ID, &l.OrganizationID, &l.ExternalID, &l.IsActive, &l.Lat, &l.Lng, &l.Street, &heading, &l.StartAt, &l.EndAt,
		&l.AlertMessage, &l.WZDxID, &l.Version, &l.UpdatedAt)
	l.HasHeading, l.RoadwayHeading = heading.Valid, heading.Float64
	return l, err
}

const staysOfThing = `SELECT thing_id, organization_id, start_at, end_at FROM location_thing
WHERE thing_id = $1 AND start_at <= $2 AND (end_at = 0 OR end_at >= $3) ORDER BY start_at`

// StaysOfThing reads one asset's stays at incidents that touch a stretch of time.
func StaysOfThing(ctx context.Context, r Reader, thingID string, from, to fleet.Instant) ([]fleet.Presence, error) {
	rows, err := r.QueryContext(ctx, staysOfThing, thingID, int64(to), int64(from))
	if err != nil {
		return nil, err
	}
	return collect(rows, func(rows *sql.Rows) (p fleet.Presence, err error) {
		err = rows.Scan(&p.ThingID, &p.OrganizationID, &p.StartAt, &p.EndAt)
		return p, err
	})
}
