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

// spec: 7.other.02
func TestDescribedDirections(t *testing.T) {
	w := withStreets(t, nil)
	ask := func(role string, body api.DirectionsAsked) testkit.Response {
		return w.Do(testkit.Request{Method: "POST", Path: "/api/directions", Token: w.SignIn(role).AccessToken, Body: body})
	}
	text := api.DirectionsAsked{Text: "Market St from 5th to 6th"}
	got := testkit.Decode[wire.One[api.Directions]](t, ask("operator", text)).Data
	if got.Label != "North Market Street N, East 5th Street to East 6th Street" || got.Direction != "N" || len(got.Waypoints) != 2 || !got.IsRouted ||
		got.RoadName != "North Market Street" || got.StreetStart != "East 5th Street" || got.StreetEnd != "East 6th Street" {
		t.Errorf("%+v", got)
	}
	again := testkit.Decode[wire.One[api.Directions]](t, ask("operator", api.DirectionsAsked{Waypoints: got.Waypoints})).Data
	if len(again.Route) != len(got.Route) || again.DistanceM != got.DistanceM {
		t.Errorf("its waypoints lay another line: %+v", again)
	}
	several := testkit.Decode[wire.One[api.Directions]](t, ask("operator", api.DirectionsAsked{Text: "Market St between 5th and 6th"})).Data
	if len(several.Choices) != 2 || len(several.Route) != 0 || several.IsRouted {
		t.Errorf("%+v", several)
	}
	for _, c := range []struct {
		status   int
		sentence string
		answer   testkit.Response
	}{
		{http.StatusForbidden, "", ask("viewer", text)},
		{http.StatusUnprocessableEntity, "No exit 9 on I-95 here; exits here: 5A.", ask("operator", api.DirectionsAsked{Text: "I-95 N, exit 9 to exit 5"})},
		{http.StatusUnprocessableEntity, "not both", ask("operator", api.DirectionsAsked{Text: text.Text, Waypoints: got.Waypoints})},
		{http.StatusUnprocessableEntity, "near.lat", ask("operator", api.DirectionsAsked{Text: text.Text, Near: &fleet.LatLng{Lat: 91}})},
		{http.StatusUnprocessableEntity, "choice", ask("operator", api.DirectionsAsked{Text: text.Text, Choice: 6})},
		{http.StatusUnprocessableEntity, "That choice is gone", ask("operator", api.DirectionsAsked{Text: text.Text, Choice: 2})},
		{http.StatusUnprocessableEntity, "at most 200 letters", ask("operator", api.DirectionsAsked{Text: strings.Repeat("x", 201)})},
	} {
		if c.answer.Status != c.status || !strings.Contains(c.answer.Text, c.sentence) {
			t.Errorf("%d %q: %d %s", c.status, c.sentence, c.answer.Status, c.answer.Text)
		}
	}
}
