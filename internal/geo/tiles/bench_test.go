package tiles

import (
	"path/filepath"
	"testing"

	"lightbar/internal/geo"
	"lightbar/internal/geo/geotest"
)

func BenchmarkTile(b *testing.B) {
	tiles, err := OpenTiles(filepath.Join(geotest.ImportOnce(b, geotest.DelawareFile), geo.TilesFile))
	if err != nil {
		b.Fatal(err)
	}
	defer tiles.Close()
	c := tiles.Bounds().Center()
	at := world(c.Lat, c.Lng)
	x, y := int(at[0]*(1<<14)), int(at[1]*(1<<14))
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if _, _, err := tiles.Tile(14, x+i%64, y+i/64%64); err != nil {
			b.Fatal(err)
		}
	}
}
