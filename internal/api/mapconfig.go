package api

import (
	"context"
	"slices"

	"lightbar/internal/app"
	"lightbar/internal/geo"
	"lightbar/internal/wire"
)

// mapConfig says what the map can be drawn from. It needs a signed-in user
// (provider addresses may carry the operator's keys) but no permission.
func (s *server) mapConfig(ctx context.Context, _ *app.Actor) (out wire.MapConfig, err error) {
	brand, err := s.app.Brand(ctx)
	if err != nil {
		return out, err
	}
	providers, err := s.app.MapProviders(ctx)
	if err != nil {
		return out, err
	}
	out = wire.MapConfig{Brand: brand, Base: sourceOf("base", s.options.Base), Providers: providers, MapTypes: []string{"roadmap"}}
	if t := s.options.Region; t != nil {
		bounds := t.Bounds()
		center := bounds.Center()
		out.Region = &wire.MapRegion{MapSource: sourceOf("region", t), MinLat: bounds.MinLat, MinLng: bounds.MinLng,
			MaxLat: bounds.MaxLat, MaxLng: bounds.MaxLng, CenterLat: center.Lat, CenterLng: center.Lng}
	}
	for _, p := range providers {
		if !slices.Contains(out.MapTypes, p.MapType) {
			out.MapTypes = append(out.MapTypes, p.MapType)
		}
	}
	return out, nil
}

func sourceOf(name string, t *geo.Tiles) wire.MapSource {
	out := wire.MapSource{Tiles: "/map/" + name + "/{z}/{x}/{y}.mvt"}
	if t != nil {
		out.Available, out.MinZoom, out.MaxZoom, out.Attribution = true, t.MinZoom, t.MaxZoom, t.Attribution()
		// A new import changes the tiles behind the same address.
		out.Tiles += "?v=" + t.Digest()[:12]
	}
	return out
}
