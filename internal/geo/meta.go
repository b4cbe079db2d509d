package geo

// layerMeta describes a layer in a file's metadata: its fields and their types.
type layerMeta struct {
	minZoom int
	text    []string
	number  []string
	boolean []string
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
