package fleet_test

import (
	"reflect"
	"strings"
	"testing"

	"lightbar/internal/fleet"
)

// spec: 5.device.01 5.device.02 3.device.01
func TestDeviceConfigLaw(t *testing.T) {
	good := fleet.DeviceConfig{Model: "HA7-N", Platform: "esp32", FileName: "ha7-2.4.bin", HeartbeatIntervalS: 60, WarningLightPin: 4, IndicatorPin: 5, LocationType: "gps"}
	for _, c := range []struct {
		name string
		edit func(*fleet.DeviceConfig)
		want map[string]string
	}{
		{"all filled", func(*fleet.DeviceConfig) {}, nil},
		{"pin 0", func(c *fleet.DeviceConfig) { c.WarningLightPin = 0 }, nil},
		{"no model", func(c *fleet.DeviceConfig) { c.Model = "" }, map[string]string{"model": "Required"}},
		{"platform of spaces", func(c *fleet.DeviceConfig) { c.Platform = " \t" }, map[string]string{"platform": "Required"}},
		{"no file", func(c *fleet.DeviceConfig) { c.FileName = "" }, map[string]string{"file_name": "Required"}},
		{"no location type", func(c *fleet.DeviceConfig) { c.LocationType = "" }, map[string]string{"location_type": "Required"}},
		{"long model", func(c *fleet.DeviceConfig) { c.Model = strings.Repeat("ä", 101) }, map[string]string{"model": "Must be 100 or fewer characters"}},
		{"control", func(c *fleet.DeviceConfig) { c.FileName = "a\x00b" }, map[string]string{"file_name": "Please use printable characters"}},
		{"heartbeat 0", func(c *fleet.DeviceConfig) { c.HeartbeatIntervalS = 0 }, map[string]string{"heartbeat_interval": "Must be from 1 to 86400 seconds"}},
		{"heartbeat of two days", func(c *fleet.DeviceConfig) { c.HeartbeatIntervalS = 172800 }, map[string]string{"heartbeat_interval": "Must be from 1 to 86400 seconds"}},
		{"same pins", func(c *fleet.DeviceConfig) { c.IndicatorPin = 4 }, map[string]string{"indicator_pin": "Cannot be the same as Warning Light Pin"}},
		{"negative pin", func(c *fleet.DeviceConfig) { c.WarningLightPin = -1 }, map[string]string{"warning_light_pin": "Must be from 0 to 255"}},
		{"pin 256", func(c *fleet.DeviceConfig) { c.IndicatorPin = 256 }, map[string]string{"indicator_pin": "Must be from 0 to 255"}},
	} {
		config := good
		c.edit(&config)
		if got := config.Check(); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	spaced := good
	spaced.Model = "  HA7-N "
	if spaced.Check() != nil || spaced.Model != "HA7-N" {
		t.Errorf("not trimmed: %q", spaced.Model)
	}
	for device, want := range map[string]bool{"ha5": true, "ha7": true, "api": false, "": false} {
		if fleet.HasDeviceConfig(device) != want {
			t.Errorf("%q: %v", device, !want)
		}
	}
}

// What stays with a device when it changes hands is what it does not repeat.
func TestHandOver(t *testing.T) {
	s := fleet.State{ThingID: "t", No: 7, HeartbeatAt: 900, At: 900, HasPosition: true, Lat: 39, Lng: -75, Street: "Main", Alerting: true, EverAlerting: true, AlertingAt: 800,
		RunID: "r", RunStartAt: 700, RunPointsCount: 3, LocationID: "l", StationID: "s", BoardActive: true, BoardAt: 600, BoardPattern: "line-flashing", Skewed: true}
	want := fleet.State{ThingID: "t", No: 7, Status: fleet.StatusOffline, StatusAt: 1000, Alerting: true, EverAlerting: true, AlertingAt: 800,
		BoardActive: true, BoardAt: 600, BoardPattern: "line-flashing", Skewed: true}
	if got := fleet.HandOver(s, 1000); !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%+v\nwant\n%+v", got, want)
	}
	o := fleet.Ownership{From: 10, Until: 20}
	for at, covered := range map[fleet.Instant]bool{9: false, 10: true, 19: true, 20: false} {
		if o.Covers(at) != covered {
			t.Errorf("%d: %v", at, !covered)
		}
	}
}
