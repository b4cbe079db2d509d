package api

import (
	"context"
	"net/http"
	"slices"

	"lightbar/internal/access"
	"lightbar/internal/geo/tiles"
	"lightbar/internal/wire"
)

// MapConfig is the answer of GET /map/config.
type MapConfig struct {
	Brand     wire.Brand         `json:"brand"`
	Region    *MapRegion         `json:"region" doc:"the imported streets; null when there are none"`
	Base      MapSource          `json:"base" doc:"the embedded world"`
	Providers []wire.MapProvider `json:"providers"`
	Search    bool               `json:"search" doc:"the region's streets, intersections, exits, addresses, and towns can be searched"`
	Words     bool               `json:"what3words" doc:"the server has a key, so GET /what3words works"`
	MapTypes  []string           `json:"map_types" doc:"available types: roadmap always, satellite and hybrid only with a provider"`
}

// MapSource is one tile file this server serves at /map/{source}/{z}/{x}/{y}.mvt.
type MapSource struct {
	Available   bool   `json:"available"`
	Tiles       string `json:"tiles" doc:"address template, relative to the server"`
	MinZoom     int    `json:"min_zoom"`
	MaxZoom     int    `json:"max_zoom"`
	Attribution string `json:"attribution"`
}

// MapRegion is the region's tile file and where it lies (degrees).
type MapRegion struct {
	MapSource
	MinLat    float64 `json:"min_lat"`
	MinLng    float64 `json:"min_lng"`
	MaxLat    float64 `json:"max_lat"`
	MaxLng    float64 `json:"max_lng"`
	CenterLat float64 `json:"center_lat"`
	CenterLng float64 `json:"center_lng"`
}

func (s *server) mapRoutes() {
	maps := group{s, "Map"}
	read(maps, "getMapConfig", "/map/config", "The map's region, tiles, and online providers.", nothing, actorOnly(s.mapConfig))
	unwrapped(maps, http.MethodGet, "searchPlaces", "/geocode",
		"Search the region's places by name. With q, the best matches: a street, an intersection "+
			"(\"Market St & 5th Ave\"), an exit (\"I-95 N exit 5\"), an address, a town, a Plus Code, near lat and lng when they are "+
			"given. Without q, the street at lat and lng.", (*placesInput).query, s.findPlaces)
	read(maps, "getWords", "/what3words", "The what3words address of a place. 404 without a key (GET /map/config says what3words).",
		(*wordsInput).at, s.wordsAt, http.StatusNotFound, http.StatusServiceUnavailable)
	do(maps, http.MethodPost, "findDirections", "/directions", "Route the line of a closure along the road. Through waypoints in the "+
		"direction of traffic (straight, with is_routed false, if no road or route is found). Or from a text, over the "+
		"region's own roads. Text that isn't understood is explained, and text with several meanings returns choices.",
		body[DirectionsAsked], s.findDirections, http.StatusServiceUnavailable)
}

// mapConfig says what the map can be drawn from. It needs a signed-in user
// (provider addresses may carry the operator's keys) but no permission.
func (s *server) mapConfig(ctx context.Context, _ *access.Actor) (out MapConfig, err error) {
	brand, err := s.app.Brand(ctx)
	if err != nil {
		return out, err
	}
	providers, err := s.app.MapProviders(ctx)
	if err != nil {
		return out, err
	}
	out = MapConfig{Brand: brand, Base: sourceOf("base", s.options.Base), Providers: providers, Search: s.options.Places != nil,
		Words: s.options.Words != nil, MapTypes: []string{"roadmap"}}
	if t := s.options.Region; t != nil {
		bounds := t.Bounds()
		center := bounds.Center()
		out.Region = &MapRegion{MapSource: sourceOf("region", t), MinLat: bounds.MinLat, MinLng: bounds.MinLng,
			MaxLat: bounds.MaxLat, MaxLng: bounds.MaxLng, CenterLat: center.Lat, CenterLng: center.Lng}
	}
	for _, p := range providers {
		if !slices.Contains(out.MapTypes, p.MapType) {
			out.MapTypes = append(out.MapTypes, p.MapType)
		}
	}
	return out, nil
}

func sourceOf(name string, t *tiles.Tiles) MapSource {
	out := MapSource{Tiles: "/map/" + name + "/{z}/{x}/{y}.mvt"}
	if t != nil {
		out.Available, out.MinZoom, out.MaxZoom, out.Attribution = true, t.MinZoom, t.MaxZoom, t.Attribution()
		// A new import changes the tiles behind the same address.
		out.Tiles += "?v=" + t.Digest()[:12]
	}
	return out
}
