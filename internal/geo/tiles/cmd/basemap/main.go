// Command basemap bakes the built-in base map: GeoJSON layers in, PMTiles out.
// It is run at build time by scripts/basemap.sh.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"

	"lightbar/internal/geo/tiles"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: basemap LAYERS-FOLDER OUT.pmtiles")
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	tiles, err := tiles.BakeBase(ctx, os.Args[1], os.Args[2])
	if err != nil {
		fmt.Fprintln(os.Stderr, "basemap:", err)
		os.Exit(1)
	}
	fmt.Printf("%s: %d tiles\n", os.Args[2], tiles)
}
