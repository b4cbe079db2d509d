package store

import (
	"context"

	"lightbar/internal/fleet"
)

var deviceConfigs = table[fleet.DeviceConfig]{name: "device_config", columns: func(c *fleet.DeviceConfig) []column {
	return []column{
		{"thing_id", &c.ThingID, keyed}, {"model", &c.Model, edit}, {"platform", &c.Platform, edit},
		{"file_name", &c.FileName, edit}, {"heartbeat_interval_s", &c.HeartbeatIntervalS, edit},
		{"warning_light_pin", &c.WarningLightPin, edit}, {"indicator_pin", &c.IndicatorPin, edit},
		{"location_type", &c.LocationType, edit}, {"version", &c.Version, edit}, {"updated_at", &c.UpdatedAt, edit},
	}
}}

var (
	deviceConfigOf   = deviceConfigs.selects("WHERE thing_id = $1")
	saveDeviceConfig = deviceConfigs.upserts("WHERE device_config.version = excluded.version - 1")
)

// DeviceConfigOf reads an asset's configuration; ErrNotFound when it never had one.
func DeviceConfigOf(ctx context.Context, r Reader, thingID string) (fleet.DeviceConfig, error) {
	return deviceConfigOf.one(ctx, r, thingID)
}

// SaveDeviceConfig writes a configuration whose version is one above the stored
// one (1 for the first). ErrNotFound when the stored version is another.
func (tx *Tx) SaveDeviceConfig(ctx context.Context, c fleet.DeviceConfig) error {
	ok, err := saveDeviceConfig.run(ctx, tx, &c)
	if err == nil && !ok {
		return ErrNotFound
	}
	return err
}
