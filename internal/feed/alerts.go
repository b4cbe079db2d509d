package feed

import (
	"cmp"
	"math"

	"lightbar/internal/fleet"
)

// AlertsPath is the document of the assets that have their lights on right now,
// for connected vehicles and navigation apps.
const (
	AlertsPath      = "alerts.geojson"
	AlertsMediaType = "application/geo+json"
	// AlertStreamPath is where the same, closures, and hazards are followed as they change.
	AlertStreamPath = "alerts/stream"
)

// Alert is an asset with its lights on, a closure, or a hazard, as drivers may learn of it.
type Alert struct {
	ID       string // opaque: the same while the lights stay on, another one the next time
	Source   string // the id of the asset, closure, or hazard; drivers don't learn it
	Location string // the incident that an asset is at, empty = none; drivers don't learn it
	Category string
	Kind     string // a thing type: "fire", "police", "arrow_board" …; a type of hazard; what a closure does to traffic
	OnScene  bool   // it is at an incident
	Message  string // at most 40 characters
	Lat, Lng float64
	Line     []fleet.LatLng // of a closure, in the direction of traffic
	Heading  *float64       // degrees clockwise from north, below 360; nil = unknown
	SpeedKPH *float64
	// Bearing is the direction of the traffic that is concerned; nil = all directions.
	Bearing   *float64
	Street    string
	Since     fleet.Instant // its lights are on
	UpdatedAt fleet.Instant // of the position
	ExpiresAt fleet.Instant // from then on nobody may show it
}

// The categories of alerts.
const (
	AlertVehicle = "vehicle"
	AlertClosure = "closure"
	AlertHazard  = "hazard"
)

// Naming has the functions that an alert needs from outside.
type Naming struct {
	// Name makes the id of an alert's source: it reveals nothing without the server's key.
	Name func(of string) string
	// Carriageway returns the direction of the traffic of a one-way road at a position; heading is in degrees, negative when
	// unknown. False on every other road. nil = no roads.
	Carriageway func(lat, lng, heading float64) (deg float64, known bool)
}

// bearing is the direction of the traffic that passes a position; nil = both.
func (n *Naming) bearing(lat, lng, heading float64) *float64 {
	if n.Carriageway == nil {
		return nil
	}
	deg, known := n.Carriageway(lat, lng, heading)
	if !known {
		return nil
	}
	return &deg
}

// AlertOf is an asset as an alert to drivers. ok is false for assets that they may not or need not see: those out of service,
// hidden from drivers, under test, without a position, with their lights off, and those silent for 30 seconds: a marker that looks
// live and is not misleads everybody who trusts it.
func AlertOf(t *fleet.Thing, s *fleet.State, now fleet.Instant, n *Naming) (a Alert, ok bool) {
	expires := fleet.StaleAt(s)
	if !t.WarnsDrivers() || !s.HasPosition || !s.Alerting || now >= expires {
		return a, false
	}
	since := cmp.Or(s.LightsAt, s.At)
	a = Alert{ID: n.Name(s.ThingID + " " + since.String()), Source: s.ThingID, Category: AlertVehicle, Kind: typeNames[t.TypeID],
		OnScene: s.LocationID != "" && s.LightsOffAt == 0, Lat: micro(s.Lat), Lng: micro(s.Lng), Street: s.Street, Since: since,
		UpdatedAt: s.At, ExpiresAt: expires}
	course := -1.0
	if s.HasCourse {
		course = s.CourseDeg
		heading := math.Mod(math.Round(s.CourseDeg), 360)
		a.Heading = &heading
	}
	if s.HasSpeed {
		kph := math.Round(s.SpeedMS*36) / 10
		a.SpeedKPH = &kph
	}
	if a.OnScene {
		a.Location = s.LocationID
	}
	a.Bearing, a.Message = n.bearing(s.Lat, s.Lng, course), vehicleMessage(&a)
	return a, true
}

// ClosureAlert is a closure as an alert to drivers: one that is published and active now.
func ClosureAlert(c *fleet.Closure, now fleet.Instant, n *Naming) (a Alert, ok bool) {
	if PhaseOf(c, now) != Active {
		return a, false
	}
	line, is := Route(c), c.SpanAt(now)
	a = Alert{ID: n.Name("closure " + c.ID + " " + is.From.String()), Source: c.ID, Category: AlertClosure, Kind: c.VehicleImpact,
		Message: closureMessage(c), Lat: line[0].Lat, Lng: line[0].Lng, Line: line, Street: c.RoadName, Since: is.From,
		UpdatedAt: c.UpdatedAt, ExpiresAt: is.To}
	bearing := lineBearing(line) // what is published runs with the traffic, and is no ring
	a.Bearing = &bearing
	return a, true
}

// HazardAlert is a hazard as an alert to drivers: an active one, unless it came from another publisher's feed, who publishes it
// themselves. What people wrote about it is not passed on.
func HazardAlert(stored *fleet.Hazard, now fleet.Instant, n *Naming) (a Alert, ok bool) {
	h := stored.At(now)
	if h.DeletedAt != 0 || h.EndedAt != 0 || h.StartAt > now || h.FeedSubscriptionID != "" {
		return a, false
	}
	return Alert{ID: n.Name("hazard " + h.ID + " " + h.StartAt.String()), Source: h.ID, Category: AlertHazard, Kind: h.Kind,
		Message: hazardMessage(h.Kind), Lat: micro(h.Lat), Lng: micro(h.Lng), Bearing: n.bearing(h.Lat, h.Lng, -1), Street: h.Street,
		Since: h.StartAt, UpdatedAt: h.UpdatedAt, ExpiresAt: h.ExpiresAt}, true
}

// Feature is the alert as documents and the stream carry it.
func (a *Alert) Feature() []byte { return mustJSON(a.feature()) }

func (a *Alert) feature() alertFeature {
	out := alertFeature{ID: a.ID, Type: "Feature", Geometry: point{"Point", [2]float64{a.Lng, a.Lat}}}
	common := alertCommon{Category: a.Category, Message: a.Message, Bearing: a.Bearing, RoadName: a.Street, Since: utc(a.Since),
		UpdatedAt: Moment(a.UpdatedAt), ExpiresAt: Moment(a.ExpiresAt)}
	switch a.Category {
	case AlertClosure:
		out.Geometry, out.Properties = lineOf(a.Line), alertOfClosure{a.Kind, common}
	case AlertHazard:
		out.Properties = alertOfHazard{a.Kind, common}
	default:
		out.Properties = alertOfVehicle{a.Kind, a.OnScene, a.Heading, a.SpeedKPH, common}
	}
	return out
}

type alertFeature struct {
	ID         string `json:"id"`
	Type       string `json:"type"`
	Properties any    `json:"properties"`
	Geometry   any    `json:"geometry"`
}

type alertCommon struct {
	Category  string   `json:"category"`
	Message   string   `json:"message"`
	Bearing   *float64 `json:"traffic_bearing"`
	RoadName  string   `json:"road_name"`
	Since     string   `json:"since"`
	UpdatedAt string   `json:"updated_at"`
	ExpiresAt string   `json:"expires_at"`
}

type alertOfVehicle struct {
	ThingType string   `json:"thing_type"`
	OnScene   bool     `json:"on_scene"`
	Heading   *float64 `json:"heading"`
	SpeedKPH  *float64 `json:"speed_kph"`
	alertCommon
}

type alertOfClosure struct {
	VehicleImpact string `json:"vehicle_impact"`
	alertCommon
}

type alertOfHazard struct {
	HazardType string `json:"hazard_type"`
	alertCommon
}

type alertDocument struct {
	Type      string         `json:"type"`
	Publisher string         `json:"publisher"`
	UpdatedAt *string        `json:"update_date"` // the newest report; null when nobody alerts
	Features  []alertFeature `json:"features"`
}

// AlertDocument is the document of alerts. Its clock is the assets' own: the same alerts make the same bytes.
func AlertDocument(source Source, alerts []Alert) []byte {
	out := alertDocument{Type: "FeatureCollection", Publisher: source.Name, Features: make([]alertFeature, len(alerts))}
	var newest fleet.Instant
	for i := range alerts {
		a := &alerts[i]
		newest = max(newest, a.UpdatedAt)
		out.Features[i] = a.feature()
	}
	if newest != 0 {
		text := Moment(newest)
		out.UpdatedAt = &text
	}
	return mustJSON(out)
}

// Moment is an instant to the millisecond: alerts live for seconds.
func Moment(at fleet.Instant) string { return at.Time().UTC().Format("2006-01-02T15:04:05.000Z") }
