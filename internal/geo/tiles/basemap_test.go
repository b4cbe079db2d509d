package tiles

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/encoding/mvt"

	"lightbar/internal/geo/geotest"
)

// writeBase writes the layers of a small world; what is not given is empty.
func writeBase(t *testing.T, layers map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range baseLayers {
		content := `{"type":"FeatureCollection","features":[` + layers[name] + `]}`
		if err := os.WriteFile(filepath.Join(dir, name+".json"), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestBakeBase(t *testing.T) {
	src := writeBase(t, map[string]string{
		"land":          `{"type":"Feature","geometry":{"type":"Polygon","coordinates":[[[-100,30],[-60,30],[-60,50],[-100,50],[-100,30]]]}}`,
		"state":         `{"type":"Feature","geometry":{"type":"LineString","coordinates":[[-80,30],[-80,50]]}}`,
		"place":         `{"type":"Feature","properties":{"name":"Middle","population":40000,"rank":5,"capital":"country"},"geometry":{"type":"Point","coordinates":[-80.1,40]}}`,
		"country_label": `{"type":"Feature","properties":{"name":"Land","rank":1},"geometry":{"type":"Point","coordinates":[-80.1,40]}}`,
	})
	path := filepath.Join(t.TempDir(), "base.pmtiles")
	if _, err := BakeBase(t.Context(), src, path); err != nil {
		t.Fatal(err)
	}
	tiles, err := OpenTiles(path)
	if err != nil {
		t.Fatal(err)
	}
	defer tiles.Close()
	if tiles.MinZoom != 0 || tiles.MaxZoom != baseZoom || tiles.Attribution() != BaseAttribution {
		t.Errorf("%d–%d %q", tiles.MinZoom, tiles.MaxZoom, tiles.Attribution())
	}
	at := world(40, -80.1)
	for z, want := range map[int][]string{0: {"land", "country_label"}, 2: {"land", "state", "country_label"}, baseZoom: {"land", "state", "place", "country_label"}} {
		var got []string
		for _, l := range layersIn(t, tiles, z, int(at[0]*float64(int(1)<<z)), int(at[1]*float64(int(1)<<z))) {
			got = append(got, l.Name)
			if l.Name == "place" {
				p := l.Features[0].Properties
				if p["name"] != "Middle" || p["rank"] != 5.0 || p["population"] != 40000.0 || p["capital"] != "country" {
					t.Errorf("place %v", p)
				}
			}
			if polygon, ok := l.Features[0].Geometry.(orb.Polygon); ok && RingArea(polygon[0]) <= 0 {
				t.Errorf("zoom %d: the land is wound the wrong way", z)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("zoom %d: layers %v, want %v", z, got, want)
		}
	}
	if left := geotest.ListDir(t, filepath.Dir(path)); len(left) != 1 {
		t.Errorf("left behind %v", left)
	}
}

func TestBakeBaseRefusesBrokenLayers(t *testing.T) {
	for _, feature := range []string{
		`{"geometry":{"type":"Polygon","coordinates":[]}}`, `{"geometry":{"type":"Polygon","coordinates":7}}`,
		`{"geometry":{"type":"Curve","coordinates":[]}}`, `{`,
	} {
		path := filepath.Join(t.TempDir(), "base.pmtiles")
		if _, err := BakeBase(t.Context(), writeBase(t, map[string]string{"land": feature}), path); err == nil {
			t.Errorf("%s is taken", feature)
		}
		if left := geotest.ListDir(t, filepath.Dir(path)); len(left) != 0 {
			t.Errorf("%s: left behind %v", feature, left)
		}
	}
}

// layersIn decodes a tile with orb's own decoder.
func layersIn(t testing.TB, tiles *Tiles, z, x, y int) mvt.Layers {
	t.Helper()
	data, ok, err := tiles.Tile(z, x, y)
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	layers, err := mvt.UnmarshalGzipped(data)
	if err != nil {
		t.Fatalf("%d/%d/%d: %v", z, x, y, err)
	}
	return layers
}
