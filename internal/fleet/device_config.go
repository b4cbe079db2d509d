package fleet

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"lightbar/catalog"
)

// DeviceConfig is how a light device is wired and reports (requirements 3.device).
type DeviceConfig struct {
	ThingID            string
	Model              string
	Platform           string
	FileName           string // of the firmware or settings the device runs
	HeartbeatIntervalS int64
	WarningLightPin    int64
	IndicatorPin       int64
	LocationType       string
	Version            int64 // 0 = never configured
	UpdatedAt          Instant
}

var (
	configText     = int(catalog.LimitInt("device", "text"))
	configPinMax   = catalog.LimitInt("device", "pinMax")
	heartbeatMaxS  = catalog.LimitInt("device", "heartbeatMaxS")
	hasDeviceSetup = func() map[string]bool {
		m := map[string]bool{}
		for _, d := range catalog.AllEnums().R2RDeviceTypes {
			m[d] = true
		}
		return m
	}()
)

// HasDeviceConfig reports whether a type of device can be configured: ha5 and ha7 are our own light devices; api stands for
// anything that reports over the API.
func HasDeviceConfig(deviceType string) bool { return hasDeviceSetup[deviceType] }

// Check is the law of a configuration (requirements 5.device: all fields required, the indicator pin differs from the warning light
// pin). It trims the texts and returns sentences by wire field; nil = fine.
func (c *DeviceConfig) Check() map[string]string {
	fields := map[string]string{}
	for _, f := range []struct {
		name  string
		value *string
	}{{"model", &c.Model}, {"platform", &c.Platform}, {"file_name", &c.FileName}, {"location_type", &c.LocationType}} {
		*f.value = strings.TrimSpace(*f.value)
		switch {
		case *f.value == "":
			fields[f.name] = "Required"
		case utf8.RuneCountInString(*f.value) > configText:
			fields[f.name] = "Must be " + strconv.Itoa(configText) + " or fewer characters"
		case !utf8.ValidString(*f.value) || strings.ContainsFunc(*f.value, Invisible):
			fields[f.name] = "Please use printable characters"
		}
	}
	if c.HeartbeatIntervalS < 1 || c.HeartbeatIntervalS > heartbeatMaxS {
		fields["heartbeat_interval"] = "Must be from 1 to " + strconv.FormatInt(heartbeatMaxS, 10) + " seconds"
	}
	pin := func(name string, value int64) {
		if value < 0 || value > configPinMax {
			fields[name] = "Must be from 0 to " + strconv.FormatInt(configPinMax, 10)
		}
	}
	pin("warning_light_pin", c.WarningLightPin)
	pin("indicator_pin", c.IndicatorPin)
	if c.IndicatorPin == c.WarningLightPin && fields["indicator_pin"] == "" {
		fields["indicator_pin"] = "Cannot be the same as Warning Light Pin"
	}
	if len(fields) == 0 {
		return nil
	}
	return fields
}
