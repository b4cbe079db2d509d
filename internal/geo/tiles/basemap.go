package tiles

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/paulmach/orb"

	"lightbar/internal/geo"
)

// BaseAttribution must be shown wherever the base map is.
const BaseAttribution = "GeoNames CC BY 4.0, Natural Earth, US Census"

const baseZoom = 7

// Layers of base.pmtiles, in drawing order (docs/map.md).
var baseLayers = []string{"land", "lake", "county", "state", "country", "place", "state_label", "country_label"}

var baseLayerMeta = map[string]LayerMeta{
	"land":          {},
	"lake":          {Text: []string{"name"}},
	"county":        {MinZoom: 5},
	"state":         {MinZoom: 2},
	"country":       {},
	"place":         {MinZoom: 2, Text: []string{"name", "capital"}, Number: []string{"population", "rank"}},
	"state_label":   {MinZoom: 3, Text: []string{"name"}},
	"country_label": {Text: []string{"name"}, Number: []string{"rank"}},
}

// baseFeature is a GeoJSON feature as web/scripts/basemap/extract.mjs writes it.
type baseFeature struct {
	Properties struct {
		Name       string `json:"name"`
		Population uint64 `json:"population"`
		Rank       uint64 `json:"rank"`
		Capital    string `json:"capital"`
	} `json:"properties"`
	Geometry struct {
		Type        string          `json:"type"`
		Coordinates json.RawMessage `json:"coordinates"`
	} `json:"geometry"`
}

// BakeBase makes the world's base map from a folder of GeoJSON files, one per
// layer, and writes it to path by temporary file and rename. A layer without
// features is left out of the file. It gives the number of tiles.
func BakeBase(ctx context.Context, srcDir, path string) (int, error) {
	temp, err := os.MkdirTemp(filepath.Dir(path), ".base-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(temp)
	o := NewOven(temp, baseLayers, baseGrid, baseZoom, runtime.GOMAXPROCS(0))
	var present []string
	for i, name := range baseLayers {
		features, err := readBaseLayer(filepath.Join(srcDir, name+".json"))
		if err != nil {
			return 0, err
		}
		if len(features) > 0 {
			present = append(present, name)
		}
		faults := make([]error, len(features))
		err = o.Spread(ctx, len(features), 16, func(int64) {}, func(w *OvenWorker) func(int) {
			return func(n int) { faults[n] = w.base(uint8(i), &features[n]) }
		})
		if err != nil {
			return 0, err
		}
		if n := slices.IndexFunc(faults, func(err error) bool { return err != nil }); n >= 0 {
			return 0, fmt.Errorf("%s.json, feature %d: %w", name, n+1, faults[n])
		}
	}
	meta := TileMeta{
		Name: "base", Description: "Land, borders and places of the world", Attribution: BaseAttribution, Type: "baselayer", Version: "1",
		VectorLayers: VectorLayers(present, baseLayerMeta, baseZoom),
		Bounds:       geo.Bounds{MinLat: -85.0511287, MinLng: -180, MaxLat: 85.0511287, MaxLng: 180}, MaxZoom: baseZoom,
	}
	finished := filepath.Join(temp, "base.pmtiles")
	tiles, err := o.Bake(ctx, finished, meta, func(int64, int64) {})
	if err != nil {
		return 0, err
	}
	if err := os.Chmod(finished, 0o644); err != nil {
		return 0, err
	}
	return tiles, os.Rename(finished, path)
}

func readBaseLayer(path string) ([]baseFeature, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var c struct {
		Features []baseFeature `json:"features"`
	}
	if err := json.Unmarshal(raw, &c); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return c.Features, nil
}

// base draws one feature of the base map.
func (w *OvenWorker) base(layer uint8, f *baseFeature) error {
	name := baseLayers[layer]
	s := Shape{Layer: layer, MinZoom: uint8(baseLayerMeta[name].MinZoom), MaxZoom: baseZoom}
	p := &f.Properties
	s.Fields = s.Fields.Text(KeyName, p.Name)
	switch name {
	case "place":
		s.MinZoom = [9]uint8{0, 2, 3, 4, 6, 7, 7, 7, 7}[min(8, p.Rank)]
		s.Order = uint8(min(20, p.Rank)) // a label that comes first wins its place
		s.Fields = s.Fields.Number(KeyPopulation, p.Population).Number(KeyRank, p.Rank).Text(keyCapital, p.Capital)
	case "country_label":
		s.MinZoom = uint8([6]uint64{0, 0, 2, 3, 4, 5}[min(5, p.Rank)])
		s.Order = uint8(min(20, p.Rank)) // a label that comes first wins its place
		s.Fields = s.Fields.Number(KeyRank, p.Rank)
	}
	switch f.Geometry.Type {
	case "Point":
		var at orb.Point
		if err := json.Unmarshal(f.Geometry.Coordinates, &at); err != nil {
			return err
		}
		w.Point(&s, world(at[1], at[0]))
	case "LineString":
		var line orb.LineString
		if err := json.Unmarshal(f.Geometry.Coordinates, &line); err != nil {
			return err
		}
		w.Line(&s, projectAll(line))
	case "Polygon":
		var rings []orb.Ring
		if err := json.Unmarshal(f.Geometry.Coordinates, &rings); err != nil {
			return err
		}
		if len(rings) == 0 {
			return fmt.Errorf("a polygon without rings")
		}
		for i := range rings {
			projectAll(rings[i])
		}
		w.Polygon(&s, rings)
	default:
		return fmt.Errorf("geometry %q is not expected", f.Geometry.Type)
	}
	return nil
}

func projectAll[T ~[]orb.Point](points T) T {
	for i, p := range points {
		points[i] = world(p[1], p[0])
	}
	return points
}
