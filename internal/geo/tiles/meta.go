package tiles

// LayerMeta describes a layer in a file's metadata: its fields and their types.
type LayerMeta struct {
	MinZoom int
	Text    []string
	Number  []string
	Boolean []string
}

func VectorLayers(order []string, metas map[string]LayerMeta, maxZoom uint8) []vectorLayer {
	var out []vectorLayer
	for _, id := range order {
		m := metas[id]
		l := vectorLayer{ID: id, MinZoom: m.MinZoom, MaxZoom: int(maxZoom), Fields: map[string]string{}}
		for kind, names := range map[string][]string{"String": m.Text, "Number": m.Number, "Boolean": m.Boolean} {
			for _, name := range names {
				l.Fields[name] = kind
			}
		}
		out = append(out, l)
	}
	return out
}
