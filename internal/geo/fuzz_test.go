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
		{id: 1, tags: []string{"type", "multipolygon", "natural", "water"}, members: []member{{100, memberOfWay, "outer"}}},
		{id: 2, tags: []string{"type", "restriction", "restriction", "no_left_turn"}, members: []member{
			{100, memberOfWay, "from"}, {1, memberOfNode, "via"}, {200, memberOfWay, "to"}}},
		{id: 3, tags: []string{"type", "boundary", "boundary", "administrative", "admin_level", "6"}, members: []member{{100, memberOfWay, ""}}},
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
		useRoads(t, r)
	})
}

// useRoads asks everything of an index; the answers do not matter.
func useRoads(t *testing.T, r *Roads) {
	c := r.Bounds().Center()
	s, _ := r.Nearest(c.Lat, c.Lng, 10)
	_ = s.Label()
	r.Nearest(cornerAt(2, 2).Lat, cornerAt(2, 2).Lng, math.NaN())
	route, err := r.Route(t.Context(), []LatLng{cornerAt(0, 0), cornerAt(3, 3), cornerAt(1, 4)}, RouteOptions{})
	if err == nil {
		NewTrack(&route).At(route.DistanceM / 2)
	}
}

// FuzzOpenRoads feeds road indexes whose checksum is right: whatever they
// claim, they are refused or work.
func FuzzOpenRoads(f *testing.F) {
	good := roadsBytes(f)
	f.Add(good)
	f.Add(good[:roadsLayout.headerWords()*8])
	f.Fuzz(func(t *testing.T, raw []byte) {
		raw = bytes.Clone(raw[:len(raw)/8*8])
		if len(raw) < 32 {
			return
		}
		copy(raw, good[:16]) // magic and version
		raw[16], raw[17], raw[18], raw[19] = byte(len(raw)), byte(len(raw)>>8), byte(len(raw)>>16), 0
		r, err := readRoads(bytes.NewReader(reseal(raw)), int64(len(raw)))
		if err != nil {
			if !errors.Is(err, ErrBadRoads) {
				t.Fatal(err)
			}
			return
		}
		useRoads(t, r)
	})
}

// FuzzOpenTiles feeds PMTiles files: refused, or readable without panic.
func FuzzOpenTiles(f *testing.F) {
	dir, _, err := importBytes(f, town().encode(), ImportOptions{MaxZoom: 4})
	if err != nil {
		f.Fatal(err)
	}
	good, err := os.ReadFile(filepath.Join(dir, TilesFile))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good)
	f.Add(good[:pmHeaderSize])
	f.Fuzz(func(t *testing.T, raw []byte) {
		tiles, err := OpenTilesBytes(raw)
		if err != nil {
			if !errors.Is(err, ErrBadTiles) {
				t.Fatal(err)
			}
			return
		}
		_, _ = tiles.Bounds(), tiles.Attribution()
		for z := range 6 {
			if _, _, err := tiles.Tile(z, 0, 0); err != nil && !errors.Is(err, ErrBadTiles) {
				t.Fatal(err)
			}
		}
	})
}

// FuzzDirectory feeds directories past their packing.
func FuzzDirectory(f *testing.F) {
	plain, err := gunzipped(encodeDirectory([]tileEntry{{1, 0, 5, 1}, {2, 5, 6, 3}, {9, 0, 5, 1}}), 1000)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(plain)
	f.Fuzz(func(t *testing.T, raw []byte) {
		entries, err := decodeDirectory(raw, 1)
		if err != nil && !errors.Is(err, errDirectory) {
			t.Fatal(err)
		}
		findEntry(entries, 77)
	})
}
