package wire

import "lightbar/internal/fleet"

// DeviceConfig is how a light device is wired and reports (requirements 3.device).
type DeviceConfig struct {
	Model             string `json:"model"`
	Platform          string `json:"platform"`
	FileName          string `json:"file_name"`
	HeartbeatInterval int64  `json:"heartbeat_interval" doc:"seconds"`
	WarningLightPin   int64  `json:"warning_light_pin"`
	IndicatorPin      int64  `json:"indicator_pin"`
	LocationType      string `json:"location_type"`
	Version           int64  `json:"version" doc:"0 = never configured; then the other fields mean nothing"`
}

// DeviceConfigWrite is the body of PUT /things/{id}/device_config; every field is required.
type DeviceConfigWrite struct {
	Model             string `json:"model"`
	Platform          string `json:"platform"`
	FileName          string `json:"file_name"`
	HeartbeatInterval int64  `json:"heartbeat_interval" doc:"seconds"`
	WarningLightPin   int64  `json:"warning_light_pin"`
	IndicatorPin      int64  `json:"indicator_pin" doc:"not the warning light's pin"`
	LocationType      string `json:"location_type"`
}

// DeviceConfigOf makes the wire shape.
func DeviceConfigOf(c fleet.DeviceConfig) DeviceConfig {
	return DeviceConfig{Model: c.Model, Platform: c.Platform, FileName: c.FileName, HeartbeatInterval: c.HeartbeatIntervalS,
		WarningLightPin: c.WarningLightPin, IndicatorPin: c.IndicatorPin, LocationType: c.LocationType, Version: c.Version}
}
