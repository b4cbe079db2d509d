package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"lightbar/internal/geo/osm"
)

type mapCmd struct {
	Import mapImportCmd `cmd:"" help:"Build map tiles, the road index, and the search index from an OpenStreetMap extract (.osm.pbf)."`
}

type mapImportCmd struct {
	File string `arg:"" help:"Extract, such as delaware-latest.osm.pbf." type:"path"`
	Name string `help:"Name of the region; default: the file's name." placeholder:"TEXT"`
}

// Help implements kong.HelpProvider.
func (mapImportCmd) Help() string {
	return `Reads the extract and writes region.pmtiles, the road index, and the search index into map/ of the data folder. Existing
files are replaced only when the new ones are complete. A running server uses them after its next start.
Extracts for every region: https://download.geofabrik.de (© OpenStreetMap contributors, ODbL).

  lightbar map import delaware-latest.osm.pbf --data /var/lib/lightbar`
}

func (c *mapImportCmd) Run(e *env) error {
	if _, err := os.Stat(c.File); err != nil {
		return place("The extract %s cannot be read: %v.", c.File, errors.Unwrap(err))
	}
	return importMap(e, c.File, c.Name)
}

// mapDir is where the region's tiles and roads lie.
func mapDir(data string) string { return filepath.Join(data, "map") }

func importMap(e *env, file, name string) error {
	said, stage := time.Now(), ""
	opt := osm.ImportOptions{Name: name, Progress: func(now string, done, total int64) {
		if now == stage && time.Since(said) < time.Second {
			return
		}
		stage, said = now, time.Now()
		if total > 0 {
			_, _ = fmt.Fprintf(e.stderr, "  %-10s %3d %%\n", now, done*100/total)
		}
	}}
	_, _ = fmt.Fprintf(e.stderr, "Reading the streets of %s\n", filepath.Base(file))
	r, err := osm.Import(e.ctx, file, mapDir(e.common.Data), opt)
	var path *fs.PathError
	switch {
	case errors.Is(err, osm.ErrNotPBF):
		return place("%s is not an OpenStreetMap extract (.osm.pbf): %v.", file, err)
	case errors.As(err, &path):
		return place("%s: %v.", path.Path, path.Err)
	case err != nil:
		return err
	}
	_, err = fmt.Fprintf(e.stdout, "%s (%.1f MB), %s, road index %.1f MB, search index %.1f MB, %s.\n", counted(r.Tiles, "tile"),
		float64(r.TilesBytes)/1e6, counted(r.Streets, "street"),
		float64(r.RoadsBytes)/1e6, float64(r.PlacesBytes)/1e6, r.Duration.Round(time.Millisecond))
	if _, runs := runningIn(e.common.Data); runs && err == nil {
		_, err = fmt.Fprintln(e.stdout, "A server runs on this folder: restart it, and it uses the new map.")
	}
	return err
}
