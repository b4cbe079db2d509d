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
)

// Alert is an asset with its lights on, as drivers may learn of it.
type Alert struct {
	ID        string // opaque: the same while the lights stay on, another one the next time
	Kind      string // a thing type: "fire", "police", "arrow_board" …
	OnScene   bool   // it is at an incident
	Lat, Lng  float64
	Heading   *float64 // degrees clockwise from north, below 360; nil = unknown
	SpeedKPH  *float64
	Street    string
	Since     fleet.Instant // its lights are on
	UpdatedAt fleet.Instant // of the position
	ExpiresAt fleet.Instant // from then on nobody may show it
}

// AlertOf is an asset as an alert to drivers. ok is false for what they may not
// or need not learn of: assets out of service, hidden from drivers, under test,
// without a position, with their lights off, and those not heard from for 30
// seconds: a marker that looks live and is not misleads whoever trusts it.
// name makes an id of what is on: one that leads nowhere without the server's key.
func AlertOf(t *fleet.Thing, s *fleet.State, now fleet.Instant, name func(of string) string) (a Alert, ok bool) {
	expires := fleet.StaleAt(s)
	if !t.InService || !t.PubliclyAlerting || t.TestMode || t.DeletedAt != 0 || !s.HasPosition || !s.Alerting || now >= expires {
		return a, false
	}
	since := cmp.Or(s.LightsAt, s.At)
	a = Alert{ID: name(s.ThingID + " " + since.String()), Kind: typeNames[t.TypeID], OnScene: s.LocationID != "" && s.QuietAt == 0,
		Lat: micro(s.Lat), Lng: micro(s.Lng), Street: s.Street, Since: since, UpdatedAt: s.At, ExpiresAt: expires}
	if s.HasCourse {
		heading := math.Mod(math.Round(s.CourseDeg), 360)
		a.Heading = &heading
	}
	if s.HasSpeed {
		kph := math.Round(s.SpeedMS*36) / 10
		a.SpeedKPH = &kph
	}
	return a, true
}

type alertFeature struct {
	ID         string          `json:"id"`
	Type       string          `json:"type"`
	Properties alertProperties `json:"properties"`
	Geometry   point           `json:"geometry"`
}

type alertProperties struct {
	ThingType string   `json:"thing_type"`
	OnScene   bool     `json:"on_scene"`
	Heading   *float64 `json:"heading"`
	SpeedKPH  *float64 `json:"speed_kph"`
	RoadName  string   `json:"road_name"`
	Since     string   `json:"since"`
	UpdatedAt string   `json:"updated_at"`
	ExpiresAt string   `json:"expires_at"`
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
		out.Features[i] = alertFeature{ID: a.ID, Type: "Feature", Geometry: point{"Point", [2]float64{a.Lng, a.Lat}}, Properties: alertProperties{
			ThingType: a.Kind, OnScene: a.OnScene, Heading: a.Heading, SpeedKPH: a.SpeedKPH, RoadName: a.Street,
			Since: utc(a.Since), UpdatedAt: moment(a.UpdatedAt), ExpiresAt: moment(a.ExpiresAt)}}
	}
	if newest != 0 {
		text := moment(newest)
		out.UpdatedAt = &text
	}
	return mustJSON(out)
}

// moment is an instant to the millisecond: alerts live for seconds.
func moment(at fleet.Instant) string { return at.Time().UTC().Format("2006-01-02T15:04:05.000Z") }
