package osm

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"lightbar/internal/geo/geotest"
)

func TestMain(m *testing.M) {
	geotest.RunTests(m, func(ctx context.Context, src, dir string) error {
		_, err := Import(ctx, src, dir, ImportOptions{})
		return err
	})
}

// importBytes imports a file's content into a new folder.
func importBytes(t testing.TB, content []byte, opt ImportOptions) (dir string, report Report, err error) {
	t.Helper()
	src := filepath.Join(t.TempDir(), "x.osm.pbf")
	if err := os.WriteFile(src, content, 0o600); err != nil {
		t.Fatal(err)
	}
	dir = t.TempDir()
	report, err = Import(context.Background(), src, dir, opt)
	return dir, report, err
}
