package feed_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"lightbar/internal/feed"
	"lightbar/internal/fleet"
)

// engine is a fire engine with its lights on that was heard a second ago.
func engine() (fleet.Thing, fleet.State) {
	thing, state := board()
	thing.TypeID = typeID("fire")
	state.ThingID, state.RunID, state.RunStartAt, state.Alerting = thing.ID, "01900000-0000-7000-8000-0000000000e1", now-60_000, true
	state.LightsAt = now - 45_000
	state.HasCourse, state.CourseDeg = true, 359.7
	return thing, state
}

// named stands in for the server's key.
func named(of string) string {
	sum := sha256.Sum256([]byte("a key " + of))
	return hex.EncodeToString(sum[:12])
}

// naming knows no roads.
var naming = &feed.Naming{Name: named}

// What drivers learn of an asset, and of which they learn nothing.
//
// spec: 1.scope.06
func TestWhichAssetsAlertDrivers(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*fleet.Thing, *fleet.State)
		alerts bool
	}{
		"a fire engine":           {func(*fleet.Thing, *fleet.State) {}, true},
		"a patrol car":            {func(t *fleet.Thing, _ *fleet.State) { t.TypeID = typeID("police") }, true},
		"a tow truck":             {func(t *fleet.Thing, _ *fleet.State) { t.TypeID = typeID("tow") }, true},
		"heard 29.999 s ago":      {func(_ *fleet.Thing, s *fleet.State) { s.At = now - 29_999 }, true},
		"silent for 30 s":         {func(_ *fleet.Thing, s *fleet.State) { s.At = now - 30_000 }, false},
		"a heartbeat is no place": {func(_ *fleet.Thing, s *fleet.State) { s.At, s.HeartbeatAt = now-30_000, now }, false},
		"its lights are off":      {func(_ *fleet.Thing, s *fleet.State) { s.Alerting = false }, false},
		"out of service":          {func(t *fleet.Thing, _ *fleet.State) { t.InService = false }, false},
		"hidden from drivers":     {func(t *fleet.Thing, _ *fleet.State) { t.PubliclyAlerting = false }, false},
		"under test":              {func(t *fleet.Thing, _ *fleet.State) { t.TestMode = true }, false},
		"removed":                 {func(t *fleet.Thing, _ *fleet.State) { t.DeletedAt = now }, false},
		"nowhere":                 {func(_ *fleet.Thing, s *fleet.State) { s.HasPosition = false }, false},
	} {
		thing, state := engine()
		c.change(&thing, &state)
		one, ok := feed.AlertOf(&thing, &state, now, naming)
		if ok != c.alerts {
			t.Errorf("%s: %v", name, ok)
		}
		text := string(feed.AlertDocument(source, []feed.Alert{one}))
		for _, secret := range []string{thing.ID, thing.Nickname, thing.VIN, state.RunID} {
			if strings.Contains(text, secret) {
				t.Errorf("%s: it tells %s: %s", name, secret, text)
			}
		}
	}
}

func TestAnAlertSaysWhatADriverNeeds(t *testing.T) {
	thing, state := engine()
	state.LocationID = "01900000-0000-7000-8000-0000000000f1"
	one, _ := feed.AlertOf(&thing, &state, now, naming)
	var out struct {
		Features []struct {
			ID         string
			Properties map[string]any
			Geometry   struct{ Coordinates []float64 }
		}
		UpdateDate *string `json:"update_date"`
	}
	if err := json.Unmarshal(feed.AlertDocument(source, []feed.Alert{one}), &out); err != nil || len(out.Features) != 1 {
		t.Fatal(err, out)
	}
	is := out.Features[0]
	for name, want := range map[string]any{"thing_type": "fire", "on_scene": true, "heading": 0.0, "speed_kph": 36.0, "road_name": "I-95",
		"since": now.Add(-45 * time.Second).Time().UTC().Format(time.RFC3339), "updated_at": stamp(now - 1000), "expires_at": stamp(now + 29_000)} {
		if is.Properties[name] != want {
			t.Errorf("%s is %v, want %v", name, is.Properties[name], want)
		}
	}
	if is.Geometry.Coordinates[0] != -75.5398 || *out.UpdateDate != stamp(now-1000) {
		t.Errorf("%+v", out)
	}
	state.LightsOffAt, state.HasCourse, state.HasSpeed = now, false, false
	other, _ := feed.AlertOf(&thing, &state, now, naming)
	if other.ID != one.ID || other.OnScene || other.Heading != nil || other.SpeedKPH != nil {
		t.Errorf("%+v", other)
	}
	state.RunID, state.RunStartAt, state.LocationID = "01900000-0000-7000-8000-0000000000e2", now-1000, "" // whatever it does: its lights stay on
	if same, _ := feed.AlertOf(&thing, &state, now, naming); same.ID != one.ID || same.Since != one.Since {
		t.Errorf("%+v", same)
	}
	state.LightsAt = now - 500
	if next, _ := feed.AlertOf(&thing, &state, now, naming); next.ID == one.ID {
		t.Error("the next time has the same id: who reads alerts could follow the vehicle")
	}
	if text := string(feed.AlertDocument(source, nil)); !strings.Contains(text, `"update_date":null,"features":[]`) {
		t.Error(text)
	}
}

func stamp(at fleet.Instant) string { return at.Time().UTC().Format("2006-01-02T15:04:05.000Z") }
