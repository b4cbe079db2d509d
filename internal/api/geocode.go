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
	Kind  string  `json:"kind" enum:"street,crossing,exit,address,town,plus_code"`
	Label string  `json:"label" doc:"\"North Market Street & East 5th Street\""`
	Near  string  `json:"near" doc:"the town it lies in or near; empty when there is none"`
	Lat   float64 `json:"lat"`
	Lng   float64 `json:"lng"`
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
func (s *server) findPlaces(_ context.Context, _ *access.Actor, q placesQuery) ([]FoundPlace, wire.Meta, error) {
	if q.text == "" {
		return s.whole(s.streetAt(q.near))
	}
	if place, ok := s.codeIn(q); ok {
		return s.whole([]FoundPlace{place})
	}
	var out []FoundPlace
	if places := s.options.Places; places != nil {
		found := places.Find(q.text, q.near, searchResults)
		if len(found) == 0 && s.options.Roads != nil {
			found = places.FindBridges(s.options.Roads, q.text, q.near, searchResults)
		}
		for _, p := range found {
			out = append(out, FoundPlace{Kind: p.Kind, Label: p.Label, Near: p.Near, Lat: p.Lat, Lng: p.Lng})
		}
	}
	return s.whole(out)
}

func (s *server) whole(found []FoundPlace) ([]FoundPlace, wire.Meta, error) {
	return found, wire.Whole(len(found), fleet.InstantOf(s.app.Now())), nil
}

// codeIn finds a Plus Code in a text: a full one, or a short one with a town
// behind it or a place near by. A town that is not known here leaves the place.
func (s *server) codeIn(q placesQuery) (FoundPlace, bool) {
	code, behind, _ := strings.Cut(strings.ReplaceAll(q.text, ",", " , "), " ")
	near := q.near
	if behind = strings.Trim(behind, " ,"); behind != "" && strings.Contains(code, "+") && s.options.Places != nil {
		if town, ok := s.options.Places.Town(behind, q.near); ok {
			near = town.LatLng
		} else if found := s.options.Places.Find(behind, q.near, 1); len(found) > 0 {
			near = found[0].LatLng
		}
	}
	at, ok := places.ReadPlusCode(code, near)
	if !ok {
		return FoundPlace{}, false
	}
	return FoundPlace{Kind: "plus_code", Label: places.PlusCode(at, len(code)-1), Near: s.townAt(at), Lat: at.Lat, Lng: at.Lng}, true
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
