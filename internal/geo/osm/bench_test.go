package osm

import (
	"context"
	"testing"

	"lightbar/internal/geo/geotest"
)

func BenchmarkImport(b *testing.B) {
	for name, file := range map[string]string{"wilmington": geotest.WilmingtonFile, "delaware": geotest.DelawareFile} {
		b.Run(name, func(b *testing.B) {
			src := geotest.TestFile(b, file)
			dst := b.TempDir()
			for b.Loop() {
				if _, err := Import(context.Background(), src, dst, ImportOptions{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
