package geo

// layerMeta describes a layer in a file's metadata: its fields and their types.
type layerMeta struct {
	minZoom int
	text    []string
	number  []string
	boolean []string
}

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

func vectorLayers(order []string, metas map[string]layerMeta, maxZoom uint8) []vectorLayer {
	var out []vectorLayer
	for _, id := range order {
		m := metas[id]
		l := vectorLayer{ID: id, MinZoom: m.minZoom, MaxZoom: int(maxZoom), Fields: map[string]string{}}
		for kind, names := range map[string][]string{"String": m.text, "Number": m.number, "Boolean": m.boolean} {
			for _, name := range names {
				l.Fields[name] = kind
			}
		}
		out = append(out, l)
	}
	return out
}
