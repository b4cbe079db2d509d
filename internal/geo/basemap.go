package geo

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/paulmach/orb"
)

// BaseAttribution must be shown wherever the base map is.
const BaseAttribution = "GeoNames CC BY 4.0, Natural Earth, US Census"

const baseZoom = 7

// Layers of base.pmtiles, in drawing order (docs/map.md).
var baseLayers = []string{"land", "lake", "county", "state", "country", "place", "state_label", "country_label"}

var baseLayerMeta = map[string]layerMeta{
	"land":          {},
	"lake":          {text: []string{"name"}},
	"county":        {minZoom: 5},
	"state":         {minZoom: 2},
	"country":       {},
	"place":         {minZoom: 2, text: []string{"name", "capital"}, number: []string{"population", "rank"}},
	"state_label":   {minZoom: 3, text: []string{"name"}},
	"country_label": {text: []string{"name"}, number: []string{"rank"}},
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
	o := newOven(temp, baseLayers, baseGrid, baseZoom, runtime.GOMAXPROCS(0))
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
		err = o.spread(ctx, len(features), 16, func(int64) {}, func(w *ovenWorker) func(int) {
			return func(n int) { faults[n] = w.base(uint8(i), &features[n]) }
		})
		if err != nil {
			return 0, err
		}
		if n := slices.IndexFunc(faults, func(err error) bool { return err != nil }); n >= 0 {
			return 0, fmt.Errorf("%s.json, feature %d: %w", name, n+1, faults[n])
		}
	}
	meta := tileMeta{
		Name: "base", Description: "Land, borders and places of the world", Attribution: BaseAttribution, Type: "baselayer", Version: "1",
		VectorLayers: vectorLayers(present, baseLayerMeta, baseZoom),
		bounds:       Bounds{MinLat: -85.0511287, MinLng: -180, MaxLat: 85.0511287, MaxLng: 180}, maxZoom: baseZoom,
	}
	finished := filepath.Join(temp, "base.pmtiles")
	tiles, err := o.bake(ctx, finished, meta, func(int64, int64) {})
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
func (w *ovenWorker) base(layer uint8, f *baseFeature) error {
	name := baseLayers[layer]
	s := shape{layer: layer, minZoom: uint8(baseLayerMeta[name].minZoom), maxZoom: baseZoom}
	p := &f.Properties
	s.fields = s.fields.text(keyName, p.Name)
	switch name {
	case "place":
		s.minZoom = [9]uint8{0, 2, 3, 4, 6, 7, 7, 7, 7}[min(8, p.Rank)]
		s.order = uint8(min(20, p.Rank)) // a label that comes first wins its place
		s.fields = s.fields.number(keyPopulation, p.Population).number(keyRank, p.Rank).text(keyCapital, p.Capital)
	case "country_label":
		s.minZoom = uint8([6]uint64{0, 0, 2, 3, 4, 5}[min(5, p.Rank)])
		s.order = uint8(min(20, p.Rank)) // a label that comes first wins its place
		s.fields = s.fields.number(keyRank, p.Rank)
	}
	switch f.Geometry.Type {
	case "Point":
		var at orb.Point
		if err := json.Unmarshal(f.Geometry.Coordinates, &at); err != nil {
			return err
		}
		w.point(&s, world(at[1], at[0]))
	case "LineString":
		var line orb.LineString
		if err := json.Unmarshal(f.Geometry.Coordinates, &line); err != nil {
			return err
		}
		w.line(&s, projectAll(line))
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
		w.polygon(&s, rings)
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
