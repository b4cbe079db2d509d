package wire

import (
	"encoding/json"
	"strconv"

	"lightbar/internal/fleet"
)

// DeviceCommand is what an asset's device is asked to do, and what became of it.
type DeviceCommand struct {
	ID             string         `json:"id"`
	ThingID        string         `json:"thing_id"`
	Type           string         `json:"type" doc:"r2r_test, test_mode, light_intensity, config"`
	Value          *string        `json:"value" doc:"of test_mode: on, off; of light_intensity: low, medium, high; of config: its version; else null"`
	Config         *DeviceConfig  `json:"config,omitempty" nullable:"false" doc:"of config: the configuration that the device is to take; else absent"`
	Status         string         `json:"status" doc:"accepted (stored), sent (handed to the device), delivered and failed (the device's word), expired"`
	IssuedAt       fleet.Instant  `json:"issued_at" nullable:"false"`
	SentAt         fleet.Instant  `json:"sent_at"`
	AcknowledgedAt fleet.Instant  `json:"acknowledged_at" doc:"when the device's word came; of an expired command it came too late"`
	ExpiresAt      fleet.Instant  `json:"expires_at" nullable:"false" doc:"from then on it is not executed"`
	IssuedBy       fleet.Verifier `json:"issued_by" doc:"of another organization's people: the organization, without an id"`
	Message        string         `json:"message" doc:"what the device said when it failed"`
}

// CommandOf is a command for those who may know who issued it.
func CommandOf(c *fleet.Command) (out DeviceCommand) {
	Same(&out, c)
	out.Value, out.Config = valueOf(c)
	out.IssuedBy = fleet.Verifier{Kind: c.IssuedKind, ID: c.IssuedID, Name: c.IssuedName}
	return out
}

// valueOf is the value of a command. A configuration is kept as JSON, and has a member of its own: a value is a text.
func valueOf(c *fleet.Command) (*string, *DeviceConfig) {
	var config DeviceConfig
	switch {
	case c.Value == "":
		return nil, nil
	case c.Type == fleet.CommandConfig && json.Unmarshal([]byte(c.Value), &config) == nil:
		version := strconv.FormatInt(config.Version, 10)
		return &version, &config
	}
	return &c.Value, nil
}

// Commanded answers a device action.
type Commanded struct {
	Command  DeviceCommand `json:"command"`
	TestMode bool          `json:"test_mode" doc:"of the asset, after the action"`
}

// LightIntensity is the body of PUT /things/{thingId}/light_intensity.
type LightIntensity struct {
	LightIntensity string `json:"light_intensity"`
}

// CommandWord is what a device says of a command: the body of POST /ingest/commands/{id}.
type CommandWord struct {
	At      fleet.Instant `json:"at" nullable:"false" doc:"when it was done, by the device's clock"`
	Status  string        `json:"status" doc:"delivered, failed"`
	Message string        `json:"message,omitempty" doc:"why it failed; at most 200 characters are kept"`
	// ConfigVersion is what a device has after a command.
	ConfigVersion *int64 `json:"config_version,omitempty" nullable:"false" doc:"the version of its configuration that it has now; left out after a config command that was delivered, it is that command's"`
}

// CommandHeard is what the server made of a device's word.
type CommandHeard struct {
	Status string `json:"status" doc:"delivered, failed, late (the command had expired), duplicate (its fate was known)"`
}

// PolledCommand is a command as its device gets it.
type PolledCommand struct {
	DeviceCommand
	Asset  string `json:"asset" doc:"the asset's system name"`
	LeftMs int64  `json:"left_ms" doc:"until expires_at, for devices whose clock is wrong"`
}
