package osm

import (
	"math"
	"path/filepath"
	"slices"
	"testing"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/encoding/mvt"
	"github.com/paulmach/orb/planar"
	"pgregory.net/rapid"

	"lightbar/internal/geo"
	"lightbar/internal/geo/geotest"
	"lightbar/internal/geo/tiles"
)

// namedParks counts, at a zoom, what has the name of a park; by geometry.
func namedParks(t *testing.T, tiles *tiles.Tiles, zoom int) (points map[string]int, polygons int) {
	t.Helper()
	points = map[string]int{}
	eachTile(t, tiles, func(z, _, _ int, layers mvt.Layers) {
		park := slices.IndexFunc(layers, func(l *mvt.Layer) bool { return l.Name == "park" })
		if park < 0 {
			return
		}
		for _, f := range layers[park].Features {
			name, ok := f.Properties["name"].(string)
			switch g := f.Geometry.(type) {
			case orb.Point:
				if z == zoom {
					points[name]++
				}
			case orb.MultiPoint:
				if z == zoom {
					points[name] += len(g)
				}
			default:
				if ok {
					polygons++
				}
			}
		}
	})
	return points, polygons
}

// A park of two parts that reach into several tiles is named once.
func TestAParkIsNamedOnce(t *testing.T) {
	e := geotest.Town()
	for i, p := range [][2]float64{{0, 0}, {0, .004}, {.03, .004}, {.03, 0}, {.014, .005}, {.014, .007}, {.016, .007}, {.016, .005}} {
		e.Nodes = append(e.Nodes, geotest.TestNode{ID: 800 + int64(i), Lat: 40.02 + p[0], Lng: -75 + p[1]})
	}
	e.Ways = append(e.Ways, geotest.TestWay{ID: 800, Refs: []int64{800, 801, 802, 803, 800}}, geotest.TestWay{ID: 801, Refs: []int64{804, 805, 806, 807, 804}},
		geotest.TestWay{ID: 802, Refs: []int64{800, 801, 807, 800}, Tags: []string{"leisure", "park", "name", "Long Park"}})
	e.Relations = append(e.Relations, geotest.TestRelation{ID: 800, Tags: []string{"type", "multipolygon", "leisure", "park", "name", "Long Park"},
		Members: []geotest.TestMember{{ID: 800, Kind: geotest.OfWay, Role: "outer"}, {ID: 801, Kind: geotest.OfWay, Role: "outer"}}})
	dir, _, err := importBytes(t, e.Encode(), ImportOptions{})
	if err != nil {
		t.Fatal(err)
	}
	tiles, err := tiles.OpenTiles(filepath.Join(dir, geo.TilesFile))
	if err != nil {
		t.Fatal(err)
	}
	defer tiles.Close()
	for _, zoom := range []int{12, 14} {
		if points, polygons := namedParks(t, tiles, zoom); points["Long Park"] != 1 || polygons != 0 {
			t.Errorf("zoom %d: %v, and %d polygons with a name", zoom, points, polygons)
		}
	}
}

// Of a real town: the parks have names, each once.
func TestParksOfATownAreNamedOnce(t *testing.T) {
	points, polygons := namedParks(t, openTestTiles(t, geotest.WilmingtonFile), lastZoom)
	if len(points) < 10 || polygons > 0 {
		t.Errorf("%d names of parks, and %d polygons with one", len(points), polygons)
	}
	for _, name := range []string{"H. Fletcher Brown Park", "Brandywine Park"} {
		if points[name] != 1 {
			t.Errorf("%q stands %d times", name, points[name])
		}
	}
}

// The name stands inside of the park, and not in its lake.
func TestALabelStandsInside(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		star := func(label string, least, most float64) orb.Ring {
			n := rapid.IntRange(4, 24).Draw(t, label)
			ring := make(orb.Ring, 0, n+1)
			for i := range n {
				away, way := rapid.Float64Range(least, most).Draw(t, label), 2*math.Pi*float64(i)/float64(n)
				ring = append(ring, orb.Point{0.3 + away*math.Sin(way), 0.4 + away*math.Cos(way)})
			}
			return append(ring, ring[0])
		}
		outer, hole := star("outer", 2e-4, 1e-3), star("hole", 1e-5, 1e-4)
		at := insideOf([]orb.Ring{outer, hole})
		if !planar.RingContains(outer, at) || planar.RingContains(hole, at) {
			t.Fatalf("%v is not inside", at)
		}
	})
}
