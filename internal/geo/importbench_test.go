package geo

import (
	"context"
	"testing"
)

func BenchmarkImport(b *testing.B) {
	for name, file := range map[string]string{"wilmington": wilmingtonFile, "delaware": delawareFile} {
		b.Run(name, func(b *testing.B) {
			src := testFile(b, file)
			dst := b.TempDir()
			for b.Loop() {
				if _, err := Import(context.Background(), src, dst, ImportOptions{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
