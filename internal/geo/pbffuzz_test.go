package geo

import (
	"bytes"
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"testing"
)

// FuzzImport feeds whole files: any bytes give tiles and roads or ErrNotPBF.
func FuzzImport(f *testing.F) {
	good := town().encode()
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
			if _, err := OpenRoads(filepath.Join(dir, RoadsFile)); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// FuzzBlocks feeds the content of blobs, past packing and checksums, as three
// blobs of one file: nodes, ways and relations as the fuzzer likes.
func FuzzBlocks(f *testing.F) {
	e := town()
	e.relations = []testRelation{
		{id: 1, tags: []string{"type", "multipolygon", "natural", "water"}, members: []testMember{{100, ofWay, "outer"}}},
		{id: 2, tags: []string{"type", "restriction", "restriction", "no_left_turn"}, members: []testMember{
			{100, ofWay, "from"}, {1, ofNode, "via"}, {200, ofWay, "to"}}},
		{id: 3, tags: []string{"type", "boundary", "boundary", "administrative", "admin_level", "6"}, members: []testMember{{100, ofWay, ""}}},
	}
	f.Add(e.nodeBlock(), e.wayBlock(), e.relationBlock())
	f.Add(e.wayBlock(), e.relationBlock(), e.nodeBlock())
	header := (&extract{}).encode()
	f.Fuzz(func(t *testing.T, a, b, c []byte) {
		raw := bytes.Clone(header)
		for _, block := range [][]byte{a, b, c} {
			raw = appendBlob(raw, "OSMData", block)
		}
		dir, _, err := importBytes(t, raw, ImportOptions{MaxZoom: 5})
		if err != nil {
			if !errors.Is(err, ErrNotPBF) {
				t.Fatal(err)
			}
			return
		}
		r, err := OpenRoads(filepath.Join(dir, RoadsFile))
		if err != nil {
			t.Fatal(err)
		}
		r.Nearest(cornerAt(2, 2).Lat, cornerAt(2, 2).Lng, math.NaN())
		if route, err := r.Route(t.Context(), []LatLng{cornerAt(0, 0), cornerAt(3, 3), cornerAt(1, 4)}, RouteOptions{}); err == nil {
			NewTrack(&route).At(route.DistanceM / 2)
		}
	})
}
