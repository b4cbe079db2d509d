package api

import (
	"context"
	"slices"

	"lightbar/internal/access"
	"lightbar/internal/geo"
	"lightbar/internal/wire"
)

// MapConfig is the answer of GET /map/config.
type MapConfig struct {
	Brand     wire.Brand         `json:"brand"`
	Region    *MapRegion         `json:"region" doc:"the imported streets; null when there are none"`
	Base      MapSource          `json:"base" doc:"the embedded world"`
	Providers []wire.MapProvider `json:"providers"`
	MapTypes  []string           `json:"map_types" doc:"what may be offered: roadmap always, satellite and hybrid only with a provider"`
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
	out = MapConfig{Brand: brand, Base: sourceOf("base", s.options.Base), Providers: providers, MapTypes: []string{"roadmap"}}
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

func sourceOf(name string, t *geo.Tiles) MapSource {
	out := MapSource{Tiles: "/map/" + name + "/{z}/{x}/{y}.mvt"}
	if t != nil {
		out.Available, out.MinZoom, out.MaxZoom, out.Attribution = true, t.MinZoom, t.MaxZoom, t.Attribution()
		// A new import changes the tiles behind the same address.
		out.Tiles += "?v=" + t.Digest()[:12]
	}
	return out
}
