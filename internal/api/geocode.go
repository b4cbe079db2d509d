package api

import (
	"context"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/fleet"
	"lightbar/internal/geo"
	"lightbar/internal/geo/places"
	"lightbar/internal/wire"
)

// FoundPlace is a place that a search found (degrees).
type FoundPlace struct {
	Kind  string `json:"kind" enum:"street,crossing,exit,address,town,plus_code,coordinates"`
	Label string `json:"label" doc:"\"North Market Street & East 5th Street\""`
	Near  string `json:"near" doc:"the town it lies in or near; empty when there is none"`
	// What has all that was asked for comes first.
	IsPartial bool    `json:"is_partial" doc:"a near match: a part of what was searched for isn't in it, such as the house number, the town, or a word"`
	Lat       float64 `json:"lat"`
	Lng       float64 `json:"lng"`
}

// FoundPlaces are those that a search found, best first.
type FoundPlaces struct {
	Data []FoundPlace `json:"data"`
	Meta wire.Meta    `json:"meta"`
	// Whoever asks for a town of another state is told so instead of being led to the one here.
	Message string `json:"message,omitempty" doc:"why nothing was found, where that is known: \"No town called Newark in Maryland is known.\""`
}

type placesInput struct {
	Q   string `query:"q" doc:"what to search for, at most 200 characters; none = the street at lat, lng"`
	Lat string `query:"lat" doc:"degrees, -90 to 90"`
	Lng string `query:"lng" doc:"degrees, -180 to 180"`
}

// placesQuery is a search; near is off the Earth when no place was given.
type placesQuery struct {
	text string
	near geo.LatLng
}

var (
	searchLetters = int(catalog.LimitInt("map", "searchLetters"))
	searchResults = int(catalog.LimitInt("map", "searchResults"))
)

func (in *placesInput) query() (q placesQuery, err error) {
	q.text = strings.TrimSpace(in.Q)
	if utf8.RuneCountInString(q.text) > searchLetters {
		return q, refuseField("q", "The search can have at most "+strconv.Itoa(searchLetters)+" characters.")
	}
	q.near, err = parsePlace(in.Lat, in.Lng, q.text == "")
	return q, err
}

// parsePlace reads a position of the query; none, if none is needed, is off the Earth.
func parsePlace(latText, lngText string, isNeeded bool) (geo.LatLng, error) {
	if latText == "" && lngText == "" && !isNeeded {
		return geo.LatLng{Lat: math.NaN(), Lng: math.NaN()}, nil
	}
	lat, err := strconv.ParseFloat(latText, 64)
	if err != nil || !(lat >= -90 && lat <= 90) {
		return geo.LatLng{}, refuseField("lat", "The latitude must be a number from -90 to 90.")
	}
	lng, err := strconv.ParseFloat(lngText, 64)
	if err != nil || !(lng >= -180 && lng <= 180) {
		return geo.LatLng{}, refuseField("lng", "The longitude must be a number from -180 to 180.")
	}
	return geo.LatLng{Lat: lat, Lng: lng}, nil
}

// findPlaces needs a signed-in user but no permission: the map's streets are everybody's.
func (s *server) findPlaces(_ context.Context, _ *access.Actor, q placesQuery) (FoundPlaces, error) {
	if q.text == "" {
		return s.found(s.streetAt(q.near)), nil
	}
	if place, ok := s.options.Places.Parse(q.text, q.near); ok {
		return s.found([]FoundPlace{foundPlace(place)}), nil
	}
	var out []FoundPlace
	if s.options.Places == nil {
		return s.found(out), nil
	}
	for _, p := range s.options.Places.Search(s.options.Roads, q.text, q.near, searchResults) {
		out = append(out, foundPlace(p))
	}
	found := s.found(out)
	if len(out) == 0 {
		found.Message = s.options.Places.NotThere(q.text)
	}
	return found, nil
}

func (s *server) found(rows []FoundPlace) FoundPlaces {
	return FoundPlaces{Data: listed(rows), Meta: wire.SinglePage(len(rows), fleet.InstantOf(s.app.Now()))}
}

func foundPlace(p places.Place) FoundPlace {
	return FoundPlace{Kind: p.Kind, Label: p.Label, Near: p.Near, IsPartial: p.IsPartial, Lat: p.Lat, Lng: p.Lng}
}

func (s *server) townAt(at geo.LatLng) string {
	if s.options.Places == nil {
		return ""
	}
	return s.options.Places.TownAt(at)
}

// streetAt is the street at a position, where it is on it.
func (s *server) streetAt(at geo.LatLng) []FoundPlace {
	if s.options.Roads == nil {
		return nil
	}
	street, ok := s.options.Roads.Nearest(at.Lat, at.Lng, math.NaN())
	if !ok {
		return nil
	}
	return []FoundPlace{{Kind: places.PlaceStreet, Label: street.Label(), Near: s.townAt(at), Lat: street.Lat, Lng: street.Lng}}
}
