package feed_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"lightbar/catalog"
	"lightbar/internal/feed"
	"lightbar/internal/fleet"
)

// paving is a closure of a lane that is published and active.
func paving() *fleet.Closure {
	return &fleet.Closure{ID: "01900000-0000-7000-8000-0000000000c1", Kind: "manual", IsPublished: true, ExternalID: "DE-1", RoadName: "I-95", Direction: "E",
		LocationMethod: "sign-method", VehicleImpact: "some-lanes-closed", ImpactedLanes: []int{2}, TotalLanes: 2, Description: "Paving",
		UserRoute: []fleet.LatLng{{Lat: 39.7391, Lng: -75.5498}, {Lat: 39.7391, Lng: -75.5398}}, StartAt: now - 1000, EndAt: now + 60_000}
}

// What drivers learn of a closure: while it is published and active, for the traffic that it says.
func TestClosureAlerts(t *testing.T) {
	for name, c := range map[string]struct {
		change  func(*fleet.Closure)
		message string // empty: no alert
		bearing any
	}{
		"a lane":          {func(*fleet.Closure) {}, "Right lane closed", 90.0},
		"its own message": {func(c *fleet.Closure) { c.AlertMessage = " Merge   left now " }, "Merge left now", 90.0},
		"a long message":  {func(c *fleet.Closure) { c.AlertMessage = strings.Repeat("slow ", 9) }, "Right lane closed", 90.0},
		"not published":   {func(c *fleet.Closure) { c.IsPublished = false }, "", nil},
		"not begun":       {func(c *fleet.Closure) { c.StartAt = now + 1 }, "", nil},
		"over":            {func(c *fleet.Closure) { c.EndAt = now }, "", nil},
		"out of service":  {func(c *fleet.Closure) { c.OutOfService = true }, "", nil},
		"breaks a rule":   {func(c *fleet.Closure) { c.RoadName = "" }, "", nil},
		"no direction":    {func(c *fleet.Closure) { c.Direction = "" }, "", nil},
		"the other way":   {func(c *fleet.Closure) { c.Direction = "W"; slices.Reverse(c.UserRoute) }, "Right lane closed", 270.0},
	} {
		closure := paving()
		c.change(closure)
		one, ok := feed.ClosureAlert(closure, now, naming)
		if ok != (c.message != "") {
			t.Errorf("%s: %v %v", name, ok, feed.Problems(closure))
			continue
		}
		if !ok {
			continue
		}
		var f struct {
			Properties map[string]any
			Geometry   struct{ Type string }
		}
		if err := json.Unmarshal(one.Feature(), &f); err != nil || f.Properties["message"] != c.message || f.Properties["traffic_bearing"] != c.bearing ||
			f.Geometry.Type != "LineString" || f.Properties["category"] != "closure" || f.Properties["expires_at"] != stamp(now+60_000) {
			t.Errorf("%s: %s %v", name, one.Feature(), err)
		}
	}
}

// Drivers learn of active hazards that are the organization's to tell, and nothing that people wrote about them.
func TestHazardAlerts(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*fleet.Hazard)
		alerts bool
	}{
		"active":                   {func(*fleet.Hazard) {}, true},
		"cleared":                  {func(h *fleet.Hazard) { h.EndedAt = now - 1 }, false},
		"its time is over":         {func(h *fleet.Hazard) { h.ExpiresAt = now }, false},
		"left the lists":           {func(h *fleet.Hazard) { h.DeletedAt = now }, false},
		"not begun":                {func(h *fleet.Hazard) { h.StartAt = now + 1 }, false},
		"another publisher's feed": {func(h *fleet.Hazard) { h.FeedSubscriptionID = "x" }, false},
	} {
		h := fleet.Hazard{ID: "01900000-0000-7000-8000-0000000000d1", Kind: "debris", Lat: 39.7, Lng: -75.5, StartAt: now - 1000, ExpiresAt: now + 60_000,
			Description: "a mattress, says Bob", Source: "Unit 7"}
		c.change(&h)
		one, ok := feed.HazardAlert(&h, now, naming)
		if ok != c.alerts {
			t.Errorf("%s: %v", name, ok)
		}
		if text := string(one.Feature()); strings.Contains(text, "Bob") || strings.Contains(text, "Unit 7") || strings.Contains(text, h.ID) {
			t.Errorf("%s: %s", name, text)
		}
	}
}

// Each message can be read at a glance.
func TestMessagesOfAlertsAreShort(t *testing.T) {
	short := func(message string) {
		t.Helper()
		if n := utf8.RuneCountInString(message); n == 0 || n > 40 {
			t.Errorf("%q has %d characters", message, n)
		}
	}
	for _, kind := range catalog.AllEnums().ThingTypes {
		for _, drives := range []bool{true, false} {
			for _, scene := range []string{"", "x"} {
				thing, state := engine()
				thing.TypeID, state.LocationID, state.HasSpeed = kind.ID, scene, drives
				one, _ := feed.AlertOf(&thing, &state, now, naming)
				short(one.Message)
			}
		}
	}
	for _, kind := range catalog.AllEnums().HazardTypes {
		one, _ := feed.HazardAlert(&fleet.Hazard{Kind: kind.Name, ExpiresAt: now + 1}, now, naming)
		short(one.Message)
	}
	for _, impact := range []string{"all-lanes-closed", "some-lanes-closed", "some-lanes-closed-merge-left", "some-lanes-closed-merge-right",
		"some-lanes-closed-split", "flagging", "alternating-one-way", "all-lanes-open", "temporary-traffic-signal", "unknown"} {
		c := paving()
		c.VehicleImpact, c.TotalLanes, c.ImpactedLanes = impact, 9, []int{1, 3, 5, 7}
		if impact == "all-lanes-closed" {
			c.ImpactedLanes = nil
		}
		if one, ok := feed.ClosureAlert(c, now, naming); ok {
			short(one.Message)
		}
	}
}
