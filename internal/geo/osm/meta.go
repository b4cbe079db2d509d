package osm

import (
	"lightbar/internal/geo"
	"lightbar/internal/geo/tiles"
)

var regionLayerMeta = map[string]tiles.LayerMeta{
	"landuse":  {MinZoom: 6, Text: []string{"class", "name"}},
	"park":     {MinZoom: 6, Text: []string{"class", "name"}},
	"water":    {MinZoom: 4, Text: []string{"class", "name"}},
	"waterway": {Text: []string{"class", "name"}, Boolean: []string{"tunnel"}},
	"aeroway":  {MinZoom: 10, Text: []string{"class", "ref"}},
	"building": {MinZoom: 13, Number: []string{"height"}},
	"road":     {MinZoom: 4, Text: []string{"class", "name", "ref"}, Boolean: []string{"oneway", "link", "bridge", "tunnel", "private"}},
	"rail":     {MinZoom: 8, Text: []string{"class", "name"}, Boolean: []string{"service", "bridge", "tunnel"}},
	"boundary": {Text: []string{"name"}, Number: []string{"admin_level"}, Boolean: []string{"maritime"}},
	"place":    {MinZoom: 3, Text: []string{"class", "name"}, Number: []string{"rank", "population"}},
}

func regionMeta(name string, bounds geo.Bounds, maxZoom uint8) tiles.TileMeta {
	return tiles.TileMeta{
		Name: name, Attribution: geo.Attribution, Type: "baselayer", Version: "1",
		Description:  "Streets of one region",
		VectorLayers: tiles.VectorLayers(regionLayers, regionLayerMeta, maxZoom), Bounds: bounds, MaxZoom: maxZoom,
	}
}
