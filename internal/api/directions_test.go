package api_test

import (
	"net/http"
	"strings"
	"testing"

	"lightbar/internal/api"
	"lightbar/internal/fleet"
	"lightbar/internal/testkit"
	"lightbar/internal/wire"
)

// spec: 7.other.02
func TestDirections(t *testing.T) {
	w := withStreets(t, nil)
	ask := func(role string, waypoints ...fleet.LatLng) testkit.Response {
		return w.Do(testkit.Request{Method: "POST", Path: "/api/directions", Token: w.SignIn(role).AccessToken,
			Body: api.DirectionsAsked{Waypoints: waypoints}})
	}
	market, sixth := fleet.LatLng{Lat: 39.7402, Lng: -75.5516}, fleet.LatLng{Lat: 39.7416, Lng: -75.5492}
	got := testkit.Decode[wire.One[api.Directions]](t, ask("operator", market, sixth)).Data
	if !got.IsRouted || got.RoadName != "North Market Street" || got.StreetEnd != "East 6th Street" || len(got.Route) != 4 || got.DistanceM < 250 {
		t.Errorf("%+v", got)
	}
	for _, c := range []struct {
		status   int
		sentence string
		answer   testkit.Response
	}{
		{http.StatusForbidden, "", ask("viewer", market, sixth)},
		{http.StatusUnprocessableEntity, "A line has at least 2 points.", ask("operator", market)},
		{http.StatusUnprocessableEntity, "At most 25 points.", ask("operator", make([]fleet.LatLng, 26)...)},
		{http.StatusUnprocessableEntity, "The points are more than 200 km apart.", ask("operator", market, fleet.LatLng{Lat: 42, Lng: -75})},
		{http.StatusUnprocessableEntity, "waypoints[1].lat", ask("operator", market, fleet.LatLng{Lat: 91, Lng: -75})},
	} {
		if c.answer.Status != c.status || !strings.Contains(c.answer.Text, c.sentence) {
			t.Errorf("%d %q: %d %s", c.status, c.sentence, c.answer.Status, c.answer.Text)
		}
	}
}
