package places_test

import (
	"context"
	"testing"

	"lightbar/internal/geo/geotest"
	"lightbar/internal/geo/osm"
)

func TestMain(m *testing.M) {
	geotest.RunTests(m, func(ctx context.Context, src, dir string) error {
		_, err := osm.Import(ctx, src, dir, osm.ImportOptions{})
		return err
	})
}
