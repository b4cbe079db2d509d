package tiles

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"lightbar/internal/geo"
	"lightbar/internal/geo/geotest"
)

func TestTileNumbers(t *testing.T) {
	// The numbers of the format's description.
	for _, c := range []struct {
		z    uint8
		x, y uint32
		id   uint64
	}{{0, 0, 0, 0}, {1, 0, 0, 1}, {1, 0, 1, 2}, {1, 1, 1, 3}, {1, 1, 0, 4}, {2, 0, 0, 5}, {12, 3423, 1763, 19078479}} {
		if id := tileID(c.z, c.x, c.y); id != c.id {
			t.Errorf("%d/%d/%d: %d, want %d", c.z, c.x, c.y, id, c.id)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		z := rapid.Uint8Range(0, 26).Draw(t, "z")
		x, y := rapid.Uint32Range(0, 1<<z-1).Draw(t, "x"), rapid.Uint32Range(0, 1<<z-1).Draw(t, "y")
		if z2, x2, y2 := tileOf(tileID(z, x, y)); z2 != z || x2 != x || y2 != y {
			t.Fatalf("%d/%d/%d came back as %d/%d/%d", z, x, y, z2, x2, y2)
		}
	})
}

func TestOpenTilesRefusesWhatIsNotTiles(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join(geotest.ImportOnce(t, geotest.WilmingtonFile), geo.TilesFile))
	if err != nil {
		t.Fatal(err)
	}
	version2 := append([]byte(nil), raw...)
	version2[7] = 2
	badRoot := append([]byte(nil), raw...)
	badRoot[pmHeaderSize+20] ^= 0xff
	for name, content := range map[string][]byte{
		"empty": nil, "short": raw[:100], "foreign": []byte(strings.Repeat("SQLite format 3\x00", 100)), "truncated": raw[:len(raw)/2],
		"version": version2, "damaged": badRoot,
	} {
		if _, err := OpenTilesBytes(content); !errors.Is(err, ErrBadTiles) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := OpenTiles(filepath.Join(t.TempDir(), "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("missing: %v", err)
	}
}

// Large archives have leaf directories; equal tiles are stored once.
func TestLeafDirectoriesAndSharedTiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.pmtiles")
	w, err := newTileWriter(path)
	if err != nil {
		t.Fatal(err)
	}
	first := tilesBelow(12)
	content := func(i int) []byte {
		if i%3 > 0 {
			return []byte("sea") // two neighbors alike
		}
		return fmt.Appendf(nil, "tile %d %s", i, strings.Repeat("x", i%50))
	}
	const n = 60_000
	for i := range n {
		if err := w.add(first+uint64(i), content(i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.finish(TileMeta{Name: "x", Bounds: geo.Bounds{MaxLat: 1, MaxLng: 1}, MaxZoom: 14}); err != nil {
		t.Fatal(err)
	}
	tiles, err := OpenTiles(path)
	if err != nil {
		t.Fatal(err)
	}
	defer tiles.Close()
	var said map[string]any
	if err := json.Unmarshal(tiles.Metadata(), &said); err != nil {
		t.Fatal(err)
	}
	for key := range said {
		if !slices.Contains([]string{"name", "attribution", "type", "version", "content_sha256", "vector_layers"}, key) {
			t.Errorf("the metadata tells %s", key)
		}
	}
	if tiles.header.leafLen == 0 || tiles.header.contents != n/3+1 || tiles.header.addressed != n {
		t.Errorf("%+v", tiles.header)
	}
	for i := 0; i < n; i += 7 {
		z, x, y := tileOf(first + uint64(i))
		if data, ok, err := tiles.Tile(int(z), int(x), int(y)); err != nil || !ok || !bytes.Equal(data, content(i)) {
			t.Fatalf("tile %d: %q %v %v", i, data, ok, err)
		}
	}
	z, x, y := tileOf(first + n)
	if _, ok, err := tiles.Tile(int(z), int(x), int(y)); ok || err != nil {
		t.Errorf("behind the last: %v %v", ok, err)
	}
}
