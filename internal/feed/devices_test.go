package feed_test

import (
	"fmt"
	"strings"
	"testing"

	"lightbar/catalog"
	"lightbar/internal/feed"
	"lightbar/internal/fleet"
)

// board is an arrow board that is heard and shows an arrow.
func board() (fleet.Thing, fleet.State) {
	return fleet.Thing{ID: "01900000-0000-7000-8000-0000000000d1", OrganizationID: source.ID, TypeID: typeID("arrow_board"), Nickname: "Secret name",
			VIN: "1M8GDM9AXKP042788", InService: true, PubliclyAlerting: true},
		fleet.State{HasPosition: true, Lat: 39.7391, Lng: -75.5398, HeartbeatAt: now - 1000, At: now - 1000, BoardAt: now - 1000, BoardActive: true,
			BoardPattern: "right-arrow-flashing", Street: "I-95", HasSpeed: true, SpeedMS: 10}
}

func typeID(name string) string {
	for _, t := range catalog.AllEnums().ThingTypes {
		if t.Name == name {
			return t.ID
		}
	}
	panic("no type " + name)
}

// What the public learns of an asset, and of which it learns nothing.
func TestWhichDevicesArePublic(t *testing.T) {
	minutes := func(n int) fleet.Instant { return now - fleet.Instant(n)*60_000 - 1 }
	heard := func(at fleet.Instant) func(*fleet.Thing, *fleet.State) {
		return func(_ *fleet.Thing, s *fleet.State) { s.HeartbeatAt, s.At, s.BoardAt = at, at, at }
	}
	truck := func(t *fleet.Thing, s *fleet.State) { t.TypeID, s.Alerting = typeID("maintenance"), true }
	for name, c := range map[string]struct {
		change func(*fleet.Thing, *fleet.State)
		want   string // kind status pattern; empty = not public
	}{
		"a board":               {func(*fleet.Thing, *fleet.State) {}, "arrow-board ok right-arrow-flashing"},
		"switched off":          {func(_ *fleet.Thing, s *fleet.State) { s.BoardActive = false }, "arrow-board ok blank"},
		"it never said":         {func(_ *fleet.Thing, s *fleet.State) { s.BoardAt, s.BoardActive = 0, false }, "arrow-board ok unknown"},
		"on without a pattern":  {func(_ *fleet.Thing, s *fleet.State) { s.BoardPattern = "" }, "arrow-board ok unknown"},
		"silent for 11 minutes": {heard(minutes(11)), "arrow-board warning right-arrow-flashing"},
		"silent for 9 hours":    {heard(minutes(9 * 60)), "arrow-board error unknown"},
		"silent for 5 days":     {heard(minutes(5 * 24 * 60)), "arrow-board unknown unknown"},
		"out of service":        {func(t *fleet.Thing, _ *fleet.State) { t.InService = false }, ""},
		"hidden from drivers":   {func(t *fleet.Thing, _ *fleet.State) { t.PubliclyAlerting = false }, ""},
		"under test":            {func(t *fleet.Thing, _ *fleet.State) { t.TestMode = true }, ""},
		"removed":               {func(t *fleet.Thing, _ *fleet.State) { t.DeletedAt = now }, ""},
		"nowhere":               {func(_ *fleet.Thing, s *fleet.State) { s.HasPosition = false }, ""},
		"a work truck, lights":  {truck, "location-marker ok "},
		"a work truck, no lights": {func(t *fleet.Thing, s *fleet.State) {
			truck(t, s)
			s.Alerting = false
		}, ""},
		"a work truck, silent for a minute": {func(t *fleet.Thing, s *fleet.State) {
			truck(t, s)
			s.At, s.HeartbeatAt = minutes(1), minutes(1)
		}, ""},
		"a fire engine with its lights on": {func(t *fleet.Thing, s *fleet.State) { t.TypeID, s.Alerting = typeID("fire"), true }, ""},
		"a patrol car":                     {func(t *fleet.Thing, s *fleet.State) { t.TypeID, s.Alerting = typeID("police"), true }, ""},
	} {
		thing, state := board()
		c.change(&thing, &state)
		d, ok := feed.DeviceOf(&thing, &state, now)
		if got := d.Kind + " " + d.Status + " " + d.Pattern; ok != (c.want != "") || ok && got != c.want {
			t.Errorf("%s: %v %q", name, ok, got)
		}
		if text := string(d.Feature()); strings.Contains(text, "Secret") || strings.Contains(text, thing.VIN) {
			t.Errorf("%s: %s", name, text)
		}
	}
}

// spec: 1.feat.03
func TestTheDeviceFeedHoldsItsSchema(t *testing.T) {
	var features [][]byte
	for _, kind := range []string{"arrow_board", "maintenance"} {
		for _, pattern := range append(catalog.AllEnums().ArrowBoardPatterns, "") {
			for _, silent := range []fleet.Instant{1, 700_000, 40_000_000, 400_000_000} {
				for _, on := range []bool{true, false} {
					thing, state := board()
					thing.ID, thing.TypeID = fmt.Sprintf("01900000-0000-7000-8000-%012x", len(features)), typeID(kind)
					state.HeartbeatAt, state.At, state.BoardPattern, state.BoardActive, state.Alerting = now-silent, now-silent, pattern, on, true
					if d, ok := feed.DeviceOf(&thing, &state, now); ok {
						if on {
							d.Closures = "DE-1\nDE-2"
						} else {
							d.Street = ""
						}
						features = append(features, d.Feature())
					}
				}
			}
		}
	}
	text := feed.DeviceDocument(source, features)
	holdsSchema(t, "https://raw.githubusercontent.com/usdot-jpo-ode/wzdx/main/schemas/4.2/DeviceFeed.json", text, 190)
	if !strings.Contains(string(text), `"road_event_ids":["DE-1","DE-2"]`) {
		t.Error("no closures of a device")
	}
}
