package contract_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"

	"lightbar/internal/api"
	"lightbar/internal/geo/places"
	"lightbar/internal/geo/route"
	"lightbar/internal/testkit"
	"lightbar/internal/testkit/tilestest"
	"lightbar/internal/words"
)

// playMap searches for places, on a front with a few blocks of a city and a fake of what3words.
func playMap(r *recorder, s *stage) {
	token := s.SignIn("viewer").AccessToken
	status := http.StatusOK
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = w.Write([]byte(`{"words":"filled.count.soap"}`))
	}))
	s.t.Cleanup(service.Close)
	roads, places := tilestest.Streets(s.t)
	front := s.beside(api.Options{Roads: roads, Places: places, Words: &words.Client{Key: "secret", Address: service.URL}})
	ask := func(name, path string) {
		r.t.Helper()
		r.keepAnswer(name, "GET", path, s.at(front, testkit.Request{Method: "GET", Path: path, Token: token}))
	}
	ask("", "/api/geocode?q=market+st&lat=39.74&lng=-75.55")
	ask("crossing", "/api/geocode?q=Market+St+%26+5th")
	ask("several", "/api/geocode?q=east")
	ask("reverse", "/api/geocode?lat=39.7406&lng=-75.5513")
	ask("code", "/api/geocode?q=PFRX%2BFM+Wilmington")
	ask("partial", "/api/geocode?q=99+Market+St")
	ask("empty", "/api/geocode?q=no+such+street")
	ask("elsewhere", "/api/geocode?q=Wilmington,+NC")
	ask("validation_failed", "/api/geocode?q=market&lat=91&lng=0")
	ask("words", "/api/map/config")
	ask("", "/api/what3words?lat=39.7411662&lng=-75.5507979")
	status = http.StatusTooManyRequests
	ask("words_unreachable", "/api/what3words?lat=39.7&lng=-75.5")
	playDirections(r, s, roads, places)
	r.call(s, "not_found", "GET", "/api/what3words?lat=39.7&lng=-75.5", token, nil)
}

// playDirections lays a line along the streets, a straight one, and has a service refuse.
func playDirections(r *recorder, s *stage, roads *route.Roads, places *places.Places) {
	const path = "/api/directions"
	token := s.SignIn("operator").AccessToken
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"code":"TooBig","message":"Too many coordinates."}`)
	}))
	s.t.Cleanup(service.Close)
	near, asking := s.beside(api.Options{Roads: roads, Places: places}), s.beside(api.Options{DirectionsURL: service.URL})
	ask := func(name string, front http.Handler, waypoints ...object) {
		r.t.Helper()
		body := object{"waypoints": waypoints}
		r.keepAnswer(name, "POST", path, s.at(front, testkit.Request{Method: "POST", Path: path, Token: token, Body: body}))
	}
	market, sixth, field := object{"lat": 39.7402, "lng": -75.5516}, object{"lat": 39.7416, "lng": -75.5492}, object{"lat": 39.80, "lng": -75.50}
	ask("", near, market, sixth)
	ask("straight", near, market, field)
	ask("validation_failed", near, market)
	ahead := object{"waypoints": []object{market}, "heading_deg": 45, "distance_m": 100}
	r.keepAnswer("ahead", "POST", path, s.at(near, testkit.Request{Method: "POST", Path: path, Token: token, Body: ahead}))
	said := func(name string, body object) {
		r.t.Helper()
		r.keepAnswer(name, "POST", path, s.at(near, testkit.Request{Method: "POST", Path: path, Token: token, Body: body}))
	}
	said("described", object{"text": "Market St from 5th to 6th", "near": market})
	said("choices", object{"text": "Market St between 5th and 6th"})
	said("choice", object{"text": "Market St between 5th and 6th", "choice": 2})
	said("validation_failed.text", object{"text": "I-95 N, exit 9 to exit 5"})
	ask("directions_failed", asking, market, sixth)
	r.call(s, "forbidden", "POST", path, s.SignIn("viewer").AccessToken, object{"waypoints": []object{market, sixth}})
}
