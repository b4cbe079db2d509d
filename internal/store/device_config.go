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

// ConfigStateRow is which configuration an asset's device should have, and has.
type ConfigStateRow struct {
	ThingID string
	fleet.ConfigState
}

// configStates are the columns of the same rows that devices change; an edit leaves them to the state.
var configStates = table[ConfigStateRow]{name: "device_config", columns: func(c *ConfigStateRow) []column {
	return []column{
		{"thing_id", &c.ThingID, keyed}, {"version", &c.Version, once}, {"updated_at", &c.UpdatedAt, once},
		{"applied_version", &c.AppliedVersion, edit}, {"applied_at", &c.AppliedAt, edit}, {"behind_at", &c.BehindAt, edit},
		{"sent_at", &c.SentAt, edit}, {"sent_count", &c.SentCount, edit},
	}
}}

var (
	listConfigStates  = configStates.selects("ORDER BY thing_id")
	updateConfigState = configStates.updates(edit, "version", "")
)

// ListConfigStates reads those of all devices that were ever configured.
func ListConfigStates(ctx context.Context, r Reader) ([]ConfigStateRow, error) {
	return listConfigStates.all(ctx, r)
}

// SaveConfigState writes the state of a device's configuration. ErrNotFound when the stored version differs.
func (tx *Tx) SaveConfigState(ctx context.Context, c *ConfigStateRow) error {
	ok, err := updateConfigState.run(ctx, tx, c, c.Version)
	if err == nil && !ok {
		return ErrNotFound
	}
	return err
}
