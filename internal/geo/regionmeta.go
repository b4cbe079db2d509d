package geo

var regionLayerMeta = map[string]layerMeta{
	"landuse":  {minZoom: 6, text: []string{"class", "name"}},
	"park":     {minZoom: 6, text: []string{"class", "name"}},
	"water":    {minZoom: 4, text: []string{"class", "name"}},
	"waterway": {text: []string{"class", "name"}, boolean: []string{"tunnel"}},
	"aeroway":  {minZoom: 10, text: []string{"class", "ref"}},
	"building": {minZoom: 13, number: []string{"height"}},
	"road":     {minZoom: 4, text: []string{"class", "name", "ref"}, boolean: []string{"oneway", "link", "bridge", "tunnel", "private"}},
	"rail":     {minZoom: 8, text: []string{"class", "name"}, boolean: []string{"service", "bridge", "tunnel"}},
	"boundary": {text: []string{"name"}, number: []string{"admin_level"}, boolean: []string{"maritime"}},
	"place":    {minZoom: 3, text: []string{"class", "name"}, number: []string{"rank", "population"}},
}

func regionMeta(name string, bounds Bounds, maxZoom uint8) tileMeta {
	return tileMeta{
		Name: name, Attribution: Attribution, Type: "baselayer", Version: "1",
		Description:  "Streets of one region",
		VectorLayers: vectorLayers(regionLayers, regionLayerMeta, maxZoom), bounds: bounds, maxZoom: maxZoom,
	}
}
