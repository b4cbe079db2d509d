package feed

import (
	"math"
	"strings"
	"time"

	"lightbar/catalog"
	"lightbar/internal/fleet"
)

// DevicesPath is the WZDx DeviceFeed, whose features are assets.
const (
	DevicesPath      = "wzdx-devices-4.2.geojson"
	DevicesMediaType = "application/geo+json"
)

// Device is a field device as the DeviceFeed shows it. It is a value: equal devices make equal bytes.
type Device struct {
	ID        string // of the asset, a UUID
	Source    string // its organization
	Kind      string // arrow-board, or location-marker for a work truck with its lights on
	Status    string // ok, warning, error, unknown
	Silent    string // why the status is not ok; empty = it is
	Pattern   string // of an arrow board
	Lat, Lng  float64
	HasSpeed  bool
	SpeedMS   float64
	Street    string
	UpdatedAt fleet.Instant // its last sign of life
	Closures  string        // WZDx ids of the closures that it drives now, a line each
}

var (
	deviceErrorAfter   = catalog.LimitMs("status", "standbyWindowMs")
	deviceUnknownAfter = catalog.LimitMs("closure", "deviceUnknownAfterMs")
	typeNames          = func() map[string]string {
		out := map[string]string{}
		for _, t := range catalog.AllEnums().ThingTypes {
			out[t.ID] = t.Name
		}
		return out
	}()
)

// DeviceOf is an asset as a field device. ok is false for assets that the public may not see: those out of service, hidden from
// drivers, under test, without a position, and every vehicle that is neither an arrow board nor a work truck that is stopped or
// drives with its lights on, by its own report, right now.
func DeviceOf(t *fleet.Thing, s *fleet.State, now fleet.Instant) (d Device, ok bool) {
	if !t.WarnsDrivers() || !s.HasPosition {
		return d, false
	}
	d = Device{ID: t.ID, Source: t.OrganizationID, Lat: micro(s.Lat), Lng: micro(s.Lng), Street: s.Street, UpdatedAt: max(s.HeartbeatAt, s.At)}
	fresh := now < fleet.StaleAt(s)
	if s.HasSpeed && fresh {
		d.HasSpeed, d.SpeedMS = true, s.SpeedMS
	}
	d.Status, d.Silent = deviceStatus(now.Sub(s.HeartbeatAt), fleet.IsStale(s, now))
	switch t.FieldDevice() {
	case fleet.ArrowBoard:
		d.Kind, d.Pattern = "arrow-board", patternOf(s, d.Status)
		return d, true
	case fleet.WorkTruck:
		d.Kind = "location-marker"
		return d, s.Alerting && fresh
	}
	return d, false
}

// deviceStatus is the status that follows from a device's silence.
func deviceStatus(silent time.Duration, stale bool) (status, why string) {
	switch {
	case !stale:
		return "ok", ""
	case silent < deviceErrorAfter:
		return "warning", "Not heard from for 10 minutes or more"
	case silent < deviceUnknownAfter:
		return "error", "Not heard from for 8 hours or more"
	}
	return "unknown", "Not heard from for 4 days or more"
}

// patternOf is the pattern of a board: its own report, while it is live. A board that reported in the last 8 hours is believed to
// show it still; after that it is unknown.
func patternOf(s *fleet.State, status string) string {
	switch {
	case s.BoardAt == 0 || status == "error" || status == "unknown":
		return "unknown"
	case !s.BoardActive:
		return "blank"
	case s.BoardPattern == "":
		return "unknown"
	}
	return s.BoardPattern
}

type deviceFeature struct {
	ID         string           `json:"id"`
	Type       string           `json:"type"`
	Properties deviceProperties `json:"properties"`
	Geometry   point            `json:"geometry"`
}

type deviceProperties struct {
	Core            deviceDetails    `json:"core_details"`
	Pattern         string           `json:"pattern,omitempty"`
	MarkedLocations []markedLocation `json:"marked_locations,omitempty"`
}

type deviceDetails struct {
	DeviceType           string   `json:"device_type"`
	DataSourceID         string   `json:"data_source_id"`
	DeviceStatus         string   `json:"device_status"`
	UpdateDate           string   `json:"update_date"`
	HasAutomaticLocation bool     `json:"has_automatic_location"`
	RoadNames            []string `json:"road_names,omitempty"`
	StatusMessages       []string `json:"status_messages,omitempty"`
	RoadEventIDs         []string `json:"road_event_ids,omitempty"`
	VelocityKPH          *float64 `json:"velocity_kph,omitempty"`
}

type markedLocation struct {
	Type string `json:"type"`
}

type point struct {
	Type        string     `json:"type"`
	Coordinates [2]float64 `json:"coordinates"`
}

// Feature is a device's part of the DeviceFeed.
func (d *Device) Feature() []byte {
	f := deviceFeature{ID: d.ID, Type: "Feature", Geometry: point{"Point", [2]float64{d.Lng, d.Lat}}, Properties: deviceProperties{
		Pattern: d.Pattern, Core: deviceDetails{DeviceType: d.Kind, DataSourceID: d.Source, DeviceStatus: d.Status, UpdateDate: utc(d.UpdatedAt),
			HasAutomaticLocation: true}}}
	core := &f.Properties.Core
	if d.Street != "" {
		core.RoadNames = []string{d.Street}
	}
	if d.Silent != "" {
		core.StatusMessages = []string{d.Silent}
	}
	if d.Closures != "" {
		core.RoadEventIDs = strings.Split(d.Closures, "\n")
	}
	if d.HasSpeed {
		kph := math.Round(d.SpeedMS*36) / 10
		core.VelocityKPH = &kph
	}
	if d.Kind == "location-marker" {
		f.Properties.MarkedLocations = []markedLocation{{"work-truck-with-lights-flashing"}}
	}
	return mustJSON(f)
}

// DeviceDocument puts the features of devices together: an envelope of WZDx 4.2
// whose date is the newest sign of life, or when somebody last looked for one.
func DeviceDocument(s Source, features [][]byte) []byte { return wzdx.Document(s, features) }
