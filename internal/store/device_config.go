package store

import (
	"context"

	"lightbar/internal/fleet"
)

const deviceConfigColumns = `thing_id, model, platform, file_name, heartbeat_interval_s, warning_light_pin, indicator_pin, location_type, version, updated_at`

const getDeviceConfig = `SELECT ` + deviceConfigColumns + ` FROM device_config WHERE thing_id = $1`

// DeviceConfigOf reads an asset's configuration; ErrNotFound when it never had one.
func DeviceConfigOf(ctx context.Context, r Reader, thingID string) (c fleet.DeviceConfig, err error) {
	err = r.QueryRowContext(ctx, getDeviceConfig, thingID).Scan(&c.ThingID, &c.Model, &c.Platform, &c.FileName, &c.HeartbeatIntervalS,
		&c.WarningLightPin, &c.IndicatorPin, &c.LocationType, &c.Version, &c.UpdatedAt)
	return c, orNotFound(err)
}

const upsertDeviceConfig = `INSERT INTO device_config (` + deviceConfigColumns + `) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
ON CONFLICT (thing_id) DO UPDATE SET model = excluded.model, platform = excluded.platform, file_name = excluded.file_name,
heartbeat_interval_s = excluded.heartbeat_interval_s, warning_light_pin = excluded.warning_light_pin, indicator_pin = excluded.indicator_pin,
location_type = excluded.location_type, version = excluded.version, updated_at = excluded.updated_at WHERE device_config.version = excluded.version - 1`

// SaveDeviceConfig writes a configuration whose version is one above the stored
// one (1 for the first). ErrNotFound when the stored version is another.
func (tx *Tx) SaveDeviceConfig(ctx context.Context, c fleet.DeviceConfig) error {
	ok, err := changed(tx.ExecContext(ctx, upsertDeviceConfig, c.ThingID, c.Model, c.Platform, c.FileName, c.HeartbeatIntervalS,
		c.WarningLightPin, c.IndicatorPin, c.LocationType, c.Version, int64(c.UpdatedAt)))
	if err == nil && !ok {
		return ErrNotFound
	}
	return err
}
