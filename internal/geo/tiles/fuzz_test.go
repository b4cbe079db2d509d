package tiles

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"lightbar/internal/geo"
	"lightbar/internal/geo/geotest"
)

// FuzzOpenTiles feeds PMTiles files: refused, or readable without panic.
func FuzzOpenTiles(f *testing.F) {
	good, err := os.ReadFile(filepath.Join(geotest.RegionOf(f, geotest.Town().Encode()), geo.TilesFile))
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
