package osm

import (
	"bytes"
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"testing"

	"lightbar/internal/geo"
	"lightbar/internal/geo/geotest"
	"lightbar/internal/geo/route"
)

// FuzzImport feeds whole files: any bytes give tiles and roads or ErrNotPBF.
func FuzzImport(f *testing.F) {
	good := geotest.Town().Encode()
	f.Add(good)
	f.Add(good[:len(good)/2])
	f.Add([]byte{})
	f.Add(bytes.Repeat([]byte{0xff}, 300))
	f.Fuzz(func(t *testing.T, raw []byte) {
		src := filepath.Join(t.TempDir(), "x.pbf")
		if err := os.WriteFile(src, raw, 0o600); err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		_, err := Import(context.Background(), src, dir, ImportOptions{MaxZoom: 6})
		if err != nil && !errors.Is(err, ErrNotPBF) {
			t.Fatal(err)
		}
		if err == nil {
			if _, err := route.OpenRoads(filepath.Join(dir, geo.RoadsFile)); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// FuzzBlocks feeds the content of blobs, past packing and checksums, as three
// blobs of one file: nodes, ways and relations as the fuzzer likes.
func FuzzBlocks(f *testing.F) {
	e := geotest.Town()
	e.Relations = []geotest.TestRelation{
		{ID: 1, Tags: []string{"type", "multipolygon", "natural", "water"}, Members: []geotest.TestMember{{ID: 100, Kind: geotest.OfWay, Role: "outer"}}},
		{ID: 2, Tags: []string{"type", "restriction", "restriction", "no_left_turn"}, Members: []geotest.TestMember{
			{ID: 100, Kind: geotest.OfWay, Role: "from"}, {ID: 1, Kind: geotest.OfNode, Role: "via"}, {ID: 200, Kind: geotest.OfWay, Role: "to"}}},
		{ID: 3, Tags: []string{"type", "boundary", "boundary", "administrative", "admin_level", "6"}, Members: []geotest.TestMember{{ID: 100, Kind: geotest.OfWay, Role: ""}}},
	}
	f.Add(e.NodeBlock(), e.WayBlock(), e.RelationBlock())
	f.Add(e.WayBlock(), e.RelationBlock(), e.NodeBlock())
	header := (&geotest.Extract{}).Encode()
	f.Fuzz(func(t *testing.T, a, b, c []byte) {
		raw := bytes.Clone(header)
		for _, block := range [][]byte{a, b, c} {
			raw = geotest.AppendBlob(raw, "OSMData", block)
		}
		dir, _, err := importBytes(t, raw, ImportOptions{MaxZoom: 5})
		if err != nil {
			if !errors.Is(err, ErrNotPBF) {
				t.Fatal(err)
			}
			return
		}
		r, err := route.OpenRoads(filepath.Join(dir, geo.RoadsFile))
		if err != nil {
			t.Fatal(err)
		}
		r.Nearest(geotest.CornerAt(2, 2).Lat, geotest.CornerAt(2, 2).Lng, math.NaN())
		if way, err := r.Route(t.Context(), []geo.LatLng{geotest.CornerAt(0, 0), geotest.CornerAt(3, 3), geotest.CornerAt(1, 4)}, route.RouteOptions{}); err == nil {
			route.NewTrack(&way).At(way.DistanceM / 2)
		}
	})
}
