package fleet_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"lightbar/catalog"
	"lightbar/internal/fleet"
)

// vectors reads a file of laws that the web runs too.
func vectors[T any](t *testing.T, name string) T {
	t.Helper()
	b, err := catalog.Files.ReadFile("vectors/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var v T
	if err := json.Unmarshal(b, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

type cases[T any] struct{ Cases []T }

// spec: 3.thing.17 9.format.05
func TestCompassVectors(t *testing.T) {
	type row struct {
		Course    *float64
		Direction string
	}
	for _, c := range vectors[cases[row]](t, "compass.json").Cases {
		if c.Course == nil {
			continue
		}
		if got := fleet.Compass(*c.Course); got != c.Direction {
			t.Errorf("%v: %s, want %s", *c.Course, got, c.Direction)
		}
	}
}

// spec: 4.status.16 4.status.17 4.status.18 4.status.19 4.status.20 4.status.21 9.limits.01 9.limits.02 9.limits.05 3.enum.02
func TestStatusVectors(t *testing.T) {
	type row struct {
		ClosuresActive bool   `json:"closures_active"`
		OnIncident     bool   `json:"on_incident"`
		HeartbeatAgeMS *int64 `json:"heartbeat_age_ms"`
		Enroute        bool
		Stationary     bool
		Status         string
	}
	for i, c := range vectors[cases[row]](t, "status.json").Cases {
		in := fleet.StatusInput{ClosuresActive: c.ClosuresActive, OnIncident: c.OnIncident, Enroute: c.Enroute, Stationary: c.Stationary}
		if c.HeartbeatAgeMS != nil {
			in.HasHeartbeat, in.HeartbeatAge = true, time.Duration(*c.HeartbeatAgeMS)*time.Millisecond
		}
		if got := fleet.StatusOf(in).Wire(); got != c.Status {
			t.Errorf("%d: %+v: %s, want %s", i, in, got, c.Status)
		}
	}
}

// spec: 4.status.01 4.status.02 4.status.04 4.status.06 4.status.14 4.live.05 3.enum.01
func TestStatusLabelVectors(t *testing.T) {
	type row struct {
		Status, Label, Service string
		Responder              bool
		Rank                   int
	}
	for _, c := range vectors[cases[row]](t, "status-label.json").Cases {
		s, ok := fleet.StatusFromWire(c.Status)
		service := "offline"
		if s.Online() {
			service = "online"
		}
		if !ok || s.Label(c.Responder) != c.Label || int(s) != c.Rank || service != c.Service {
			t.Errorf("%+v: got %s %d %s", c, s.Label(c.Responder), s, service)
		}
	}
}

// spec: 3.thing.12 3.thing.13 3.thing.14
func TestDisplayNameVectors(t *testing.T) {
	type row struct {
		Nickname   string
		SystemName string `json:"system_name"`
		ExternalID string `json:"external_id"`
		DeviceType string `json:"device_type"`
		Primary    string
		Secondary  string
		SystemID   string `json:"system_id"`
	}
	for _, c := range vectors[cases[row]](t, "display-name.json").Cases {
		if got := fleet.DisplayName(c.Nickname, c.SystemName); got != c.Primary {
			t.Errorf("%+v: primary %q", c, got)
		}
		if got := fleet.SecondaryName(c.Nickname, c.SystemName); got != c.Secondary {
			t.Errorf("%+v: secondary %q", c, got)
		}
		if got := fleet.SystemID(c.DeviceType, c.ExternalID); got != c.SystemID {
			t.Errorf("%+v: system id %q", c, got)
		}
	}
}

// spec: 9.format.01 4.status.23 3.thing.19
func TestSpeedVectors(t *testing.T) {
	type row struct {
		Speed   float64
		Country string
		Stale   bool
		Value   int
		Unit    string
		Text    string
	}
	for _, c := range vectors[cases[row]](t, "speed.json").Cases {
		v, unit := fleet.Speed(c.Speed, c.Country)
		if v != c.Value || unit != c.Unit || fleet.SpeedText(c.Speed, c.Country, c.Stale) != c.Text {
			t.Errorf("%+v: got %d %s %q", c, v, unit, fleet.SpeedText(c.Speed, c.Country, c.Stale))
		}
	}
}

// spec: 9.format.02 9.format.03 9.format.04
func TestShortenVectors(t *testing.T) {
	type row struct {
		Name      string
		InService bool `json:"in_service"`
		Label     string
		Row       string
	}
	for _, c := range vectors[cases[row]](t, "shorten.json").Cases {
		if l, r := fleet.MapLabel(c.Name, c.InService), fleet.Truncate(c.Name); l != c.Label || r != c.Row {
			t.Errorf("%+v: got %q %q", c, l, r)
		}
	}
}

// spec: 4.list.05 4.list.06 4.list.07 4.status.14
func TestSortVectors(t *testing.T) {
	type row struct {
		Things []struct {
			ID, Status, Name string
			HeartbeatAt      int64 `json:"heartbeat_at"`
		}
		Sorted []string
	}
	for i, c := range vectors[cases[row]](t, "sort.json").Cases {
		var rows []fleet.SortRow
		for _, th := range c.Things {
			s, _ := fleet.StatusFromWire(th.Status)
			rows = append(rows, fleet.SortRow{ID: th.ID, Status: s, Name: th.Name, HeartbeatAt: fleet.Instant(th.HeartbeatAt)})
		}
		fleet.SortThings(rows)
		got := []string{}
		for _, r := range rows {
			got = append(got, r.ID)
		}
		if !slices.Equal(got, c.Sorted) {
			t.Errorf("%d: %v, want %v", i, got, c.Sorted)
		}
	}
}

// spec: 3.thing.16 D.value.03 D.value.04 D.time.02
func TestStaleVectors(t *testing.T) {
	type file struct {
		Cases []struct {
			HeartbeatAgeMS *int64 `json:"heartbeat_age_ms"`
			Stale          bool
		}
		StaleAt []struct {
			HeartbeatAt int64 `json:"heartbeat_at"`
			At          int64
			Alerting    bool
			StaleAt     int64 `json:"stale_at"`
		} `json:"stale_at"`
	}
	v := vectors[file](t, "stale.json")
	const now = fleet.Instant(1_800_000_000_000)
	for _, c := range v.Cases {
		var heartbeat fleet.Instant
		if c.HeartbeatAgeMS != nil {
			heartbeat = now - fleet.Instant(*c.HeartbeatAgeMS)
		}
		if got := fleet.IsStale(&fleet.State{HeartbeatAt: heartbeat}, now); got != c.Stale {
			t.Errorf("%+v: %v", c, got)
		}
	}
	for _, c := range v.StaleAt {
		s := fleet.State{HeartbeatAt: fleet.Instant(c.HeartbeatAt), At: fleet.Instant(c.At), Alerting: c.Alerting}
		if got := fleet.StaleAt(&s); int64(got) != c.StaleAt {
			t.Errorf("%+v: %d", c, got)
		}
	}
}

// spec: 5.search.01 5.search.02
func TestSearchVectors(t *testing.T) {
	type row struct {
		Fields struct {
			Name, Nickname, VIN, Plate, Registry string
			SystemID                             string `json:"system_id"`
		}
		Query string
		Match bool
	}
	for _, c := range vectors[cases[row]](t, "search.json").Cases {
		f := c.Fields
		if got := fleet.MatchesSearch(c.Query, f.Name, f.Nickname, f.SystemID, f.VIN, f.Plate, f.Registry); got != c.Match {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// A screen shows the run that an asset is on, or that brought it to its
// incident, and never an older one. The web's suite goes on from wire to figures.
func TestRunVectors(t *testing.T) {
	type wire struct {
		RunStart int64 `json:"run_start"`
		Points   int64
	}
	type row struct {
		Name  string
		State struct {
			RunStart    int64 `json:"run_start"`
			RunLast     int64 `json:"run_last"`
			Points      int64
			Standing    int64
			HeartbeatAt int64 `json:"heartbeat_at"`
			Alerting    bool
			ArrivedAt   int64 `json:"arrived_at"`
			LeftAt      int64 `json:"left_at"`
		}
		Wire *wire
	}
	for _, c := range vectors[cases[row]](t, "run.json").Cases {
		s := fleet.State{RunStartAt: fleet.Instant(c.State.RunStart), RunLastAt: fleet.Instant(c.State.RunLast), RunPointsCount: c.State.Points, DwellPoints: c.State.Standing,
			HeartbeatAt: fleet.Instant(c.State.HeartbeatAt), Alerting: c.State.Alerting, ArrivedAt: fleet.Instant(c.State.ArrivedAt), LeftAt: fleet.Instant(c.State.LeftAt)}
		if s.RunStartAt != 0 {
			s.RunID = "r"
		}
		if s.ArrivedAt != 0 {
			s.LocationID = "l"
		}
		r, ok := fleet.PresentRun(&s)
		if ok != (c.Wire != nil) || ok && (wire{int64(r.StartAt), r.Points}) != *c.Wire {
			t.Errorf("%s: %v %+v, want %+v", c.Name, ok, r, c.Wire)
		}
	}
}

// spec: 5.signin.02
func TestEmailVectors(t *testing.T) {
	type row struct {
		Email  string
		Repeat int
		Valid  bool
	}
	for _, c := range vectors[cases[row]](t, "email.json").Cases {
		if got := fleet.ValidEmail(strings.Repeat("x", c.Repeat) + c.Email); got != c.Valid {
			t.Errorf("%q (%d): %v", c.Email, c.Repeat, got)
		}
	}
}
