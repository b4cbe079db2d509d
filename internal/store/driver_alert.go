package store

import (
	"context"
	"database/sql"

	"lightbar/internal/fleet"
	"lightbar/internal/store/engine"
)

// DriverAlert is an alert that drivers were shown.
type DriverAlert struct {
	OrganizationID, ID, Category, SourceID, LocationID string
	BeganAt, EndedAt, FirstAt                          fleet.Instant
}

const putDriverAlert = `INSERT INTO driver_alert (organization_id, id, category, source_id, location_id, began_at, ended_at, first_at,
drivers) VALUES ($1, $2, $3, $4, $5, $6, 0, $7, 0)
ON CONFLICT (organization_id, id) DO UPDATE SET
location_id = CASE WHEN driver_alert.location_id = '' THEN excluded.location_id ELSE driver_alert.location_id END`

// PutDriverAlert adds an alert, or notes at which event it is by now; the first event stays.
func (tx *Tx) PutDriverAlert(ctx context.Context, a *DriverAlert) error {
	_, err := tx.ExecContext(ctx, putDriverAlert, a.OrganizationID, a.ID, a.Category, a.SourceID, a.LocationID, int64(a.BeganAt),
		int64(a.FirstAt))
	return err
}

const (
	addImpression = `INSERT INTO driver_impression (organization_id, consumer, alert_id, at) VALUES ($1, $2, $3, $4)
ON CONFLICT (organization_id, consumer, alert_id) DO NOTHING`
	impressionAtEvent = `SELECT COUNT(*) FROM driver_impression i
JOIN driver_alert a ON a.organization_id = i.organization_id AND a.id = i.alert_id
WHERE i.organization_id = $1 AND i.consumer = $2 AND a.location_id = $3`
)

// AddImpression counts a reader for an alert. isNew: it was not counted before; isNewThere: nor for another alert of the event.
func (tx *Tx) AddImpression(ctx context.Context, organizationID, consumer, alertID, locationID string, at fleet.Instant) (
	isNew, isNewThere bool, err error) {
	done, err := tx.ExecContext(ctx, addImpression, organizationID, consumer, alertID, int64(at))
	if err != nil {
		return false, false, err
	}
	if n, err := done.RowsAffected(); err != nil || n == 0 {
		return false, false, err
	}
	if locationID == "" {
		return true, false, nil
	}
	var n int64
	err = tx.QueryRowContext(ctx, impressionAtEvent, organizationID, consumer, locationID).Scan(&n)
	return true, n == 1, err
}

const (
	addDrivers         = `UPDATE driver_alert SET drivers = drivers + $1 WHERE organization_id = $2 AND id = $3`
	addLocationDrivers = `UPDATE location SET drivers_measured = TRUE, drivers_alerted = drivers_alerted + $1 WHERE id = $2`
	endDriverAlert     = `UPDATE driver_alert SET ended_at = $1 WHERE organization_id = $2 AND id = $3`
	addDriverHour      = `INSERT INTO driver_hour (organization_id, slot) VALUES ($1, $2) ON CONFLICT (organization_id, slot) DO NOTHING`
)

// AddDrivers adds drivers to those who were shown an alert.
func (tx *Tx) AddDrivers(ctx context.Context, organizationID, alertID string, drivers int64) error {
	_, err := tx.ExecContext(ctx, addDrivers, drivers, organizationID, alertID)
	return err
}

// AddLocationDrivers adds drivers to those who were shown alerts of an event that the picture does not hold.
func (tx *Tx) AddLocationDrivers(ctx context.Context, id string, drivers int64) error {
	_, err := tx.ExecContext(ctx, addLocationDrivers, drivers, id)
	return err
}

// EndDriverAlert records when an alert ended; an alert that no driver was shown has no row.
func (tx *Tx) EndDriverAlert(ctx context.Context, organizationID, alertID string, at fleet.Instant) error {
	_, err := tx.ExecContext(ctx, endDriverAlert, int64(at), organizationID, alertID)
	return err
}

const hourMs = 60 * minuteMs

// AddDriverHour records that an app reported what its drivers were shown.
func (tx *Tx) AddDriverHour(ctx context.Context, organizationID string, at fleet.Instant) error {
	_, err := tx.ExecContext(ctx, addDriverHour, organizationID, int64(at)/hourMs)
	return err
}

const (
	driverHours    = `SELECT COUNT(*) FROM driver_hour WHERE organization_id = $1 AND slot >= $2 AND slot <= $3`
	driversAlerted = `SELECT COALESCE(CAST(SUM(drivers) AS BIGINT), 0) FROM driver_alert WHERE organization_id = $1 AND first_at >= $2 AND first_at < $3`
)

// DriversAlerted counts the drivers who were shown alerts of an organization, each once for an alert, by when the alert was first
// shown: from, up to an instant. nil: no app reported any then.
func DriversAlerted(ctx context.Context, r Reader, organizationID string, from, to fleet.Instant) (*int64, error) {
	var n int64
	err := r.QueryRowContext(ctx, driverHours, organizationID, int64(from)/hourMs, int64(to-1)/hourMs).Scan(&n)
	if err != nil || n == 0 {
		return nil, err
	}
	err = r.QueryRowContext(ctx, driversAlerted, organizationID, int64(from), int64(to)).Scan(&n)
	return &n, err
}

const (
	// An alert begins before it is shown first: that instant bounds the search, as it has an index.
	alertsShown = `SELECT began_at, ended_at, drivers FROM driver_alert
WHERE organization_id = $1 AND first_at >= $2 AND first_at < $3 AND source_id = $4 ORDER BY began_at`
	impressionHours = `SELECT slot FROM driver_hour WHERE organization_id = $1 AND slot >= $2 AND slot <= $3 ORDER BY slot`
)

// AlertsShown reads an asset's alerts that drivers were first shown in a period, as reported to one organization.
func AlertsShown(ctx context.Context, r Reader, organizationID, thingID string, s fleet.Stretch) ([]fleet.ShownAlert, error) {
	return engine.List(ctx, r, func(rows *sql.Rows) (a fleet.ShownAlert, err error) {
		err = rows.Scan(&a.BeganAt, &a.EndedAt, &a.Drivers)
		return a, err
	}, alertsShown, organizationID, int64(s.Start), int64(s.End), thingID)
}

// ImpressionHours reads the hours of a period in which apps reported to an organization what their drivers were shown.
func ImpressionHours(ctx context.Context, r Reader, organizationID string, s fleet.Stretch) ([]fleet.Instant, error) {
	return engine.List(ctx, r, func(rows *sql.Rows) (fleet.Instant, error) {
		var slot int64
		err := rows.Scan(&slot)
		return fleet.Instant(slot * hourMs), err
	}, impressionHours, organizationID, int64(s.Start)/hourMs, int64(s.End)/hourMs)
}

const (
	purgeImpressions = `DELETE FROM driver_impression WHERE at < $1`
	purgeDriverHours = `DELETE FROM driver_hour WHERE slot < $1`
)

// PurgeImpressions deletes which drivers were counted before an instant; the counts stay.
func (tx *Tx) PurgeImpressions(ctx context.Context, before fleet.Instant) error {
	_, err := tx.ExecContext(ctx, purgeImpressions, int64(before))
	return err
}

// PurgeDriverHours deletes the hours before an instant for which reports came.
func (tx *Tx) PurgeDriverHours(ctx context.Context, before fleet.Instant) error {
	_, err := tx.ExecContext(ctx, purgeDriverHours, int64(before)/hourMs)
	return err
}
