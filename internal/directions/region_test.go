//go:build !cgo

package directions_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/paulmach/osm"
	"github.com/paulmach/osm/osmpbf"

	"lightbar/internal/directions"
	"lightbar/internal/geo"
	region "lightbar/internal/geo/osm"
	"lightbar/internal/geo/places"
	"lightbar/internal/geo/route"
)

// delaware is the extract as an independent reader has it: exits of a road by
// number, and which pairs of nodes its one-ways join, in driving order.
type delaware struct {
	exits   map[string][]geo.LatLng
	forward map[[2]string]bool
}

func keyAt(p geo.LatLng) string { return fmt.Sprintf("%.7f,%.7f", p.Lat, p.Lng) }

func extract(t *testing.T) string {
	dir := os.Getenv("LIGHTBAR_TESTDATA")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "data")
	}
	path := filepath.Join(dir, "osm", "delaware-2016-08-10.osm.pbf")
	if _, err := os.Stat(path); err != nil {
		t.Skipf("NOT TESTED: %s is missing; set LIGHTBAR_TESTDATA to the folder of test data", path)
	}
	return path
}

// readRoad reads one road; nameless highway pieces count as every road's.
func readRoad(t *testing.T, path, road string) delaware {
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	scanner := osmpbf.New(context.Background(), f, 2)
	defer scanner.Close()
	nodes, junctions := map[osm.NodeID]geo.LatLng{}, map[osm.NodeID]string{}
	out := delaware{map[string][]geo.LatLng{}, map[[2]string]bool{}}
	for scanner.Scan() {
		switch o := scanner.Object().(type) {
		case *osm.Node:
			nodes[o.ID] = geo.LatLng{Lat: o.Lat, Lng: o.Lon}
			if o.Tags.Find("highway") == "motorway_junction" {
				junctions[o.ID] = o.Tags.Find("ref")
			}
		case *osm.Way:
			kind, ref := o.Tags.Find("highway"), o.Tags.Find("ref")
			isRoad := strings.Contains(";"+strings.ReplaceAll(ref, " ;", ";")+";", ";"+road+";")
			if kind != "motorway" && kind != "trunk" || !isRoad && (ref != "" || o.Tags.Find("name") != "") {
				continue
			}
			for i := 1; i < len(o.Nodes); i++ {
				a, b := o.Nodes[i-1].ID, o.Nodes[i].ID
				out.forward[[2]string{keyAt(nodes[a]), keyAt(nodes[b])}] = true
				if ref, ok := junctions[b]; ok && isRoad {
					for part := range strings.SplitSeq(ref, ";") {
						out.exits[strings.TrimSpace(part)] = append(out.exits[strings.TrimSpace(part)], nodes[b])
					}
				}
			}
		}
	}
	return out
}

// Every line between two exits begins and ends at them, and goes the way of its
// direction: from node to node as the one-ways of the extract are driven.
func TestLinesBetweenExitsOfTheExtract(t *testing.T) {
	if testing.Short() {
		t.Skip("a whole state; run without -short")
	}
	path, dir := extract(t), t.TempDir()
	if _, err := region.Import(t.Context(), path, dir, region.ImportOptions{}); err != nil {
		t.Fatal(err)
	}
	roads, err := route.OpenRoads(filepath.Join(dir, geo.RoadsFile))
	if err != nil {
		t.Fatal(err)
	}
	places, err := places.OpenPlaces(filepath.Join(dir, places.PlacesFile))
	if err != nil {
		t.Fatal(err)
	}
	finder := &directions.Finder{Roads: roads, Places: places}
	for _, c := range []struct {
		road, way string
		exits     []string
	}{
		{"I 95", "N", []string{"1", "3A", "3B", "4A", "5A", "6", "7", "8", "9", "10", "11"}},
		{"I 95", "S", []string{"11", "9", "7B", "7A", "6", "5A", "4B", "4A", "3", "1B", "1A"}},
		{"DE 1", "N", []string{"86", "91", "92", "95", "97", "98", "104", "114", "119A", "136", "142", "148", "152", "156", "160", "162"}},
		{"DE 1", "S", []string{"162", "160", "156", "152", "148", "142", "136", "119A", "114", "104", "97", "95", "93", "91", "86"}},
	} {
		raw := readRoad(t, path, c.road)
		for i, from := range c.exits {
			for _, to := range c.exits[i+1:] {
				checkLine(t, finder, raw, c.road, c.way, from, to)
			}
		}
	}
	checkCrossRoads(t, finder)
}

// checkCrossRoads lays lines between roads by their numbers, most of which cross
// without a junction: the numbers are those that were said.
func checkCrossRoads(t *testing.T, finder *directions.Finder) {
	near := geo.LatLng{Lat: 39.7447, Lng: -75.5484}
	for text, want := range map[string]struct {
		label string
		m     float64
	}{
		"DE 141 N, DE 2 to DE 48":           {"DE 141 N, DE 2 to DE 48", 2844},
		"Route 141 N, Route 2 to Route 48":  {"DE 141 N, DE 2 to DE 48", 2844},
		"SR 141 S, State Route 48 to Rt 4":  {"DE 141 S, DE 48 to DE 4", 5704},
		"DE 141 N, DE 4 to DE 2":            {"DE 141 N, DE 4 to DE 2", 2847},
		"DE 273 E, DE 1 to US 13":           {"DE 273 E, DE 1 to US 13", 4184},
		"US Route 40 E, Rte 896 to Route 7": {"US 40 E, DE 896 to DE 7", 7855},
	} {
		got, err := finder.Describe(t.Context(), text, near, 0)
		if err != nil || got.Label != want.label || math.Abs(got.DistanceM-want.m) > 100 {
			t.Errorf("%q: %q, %.0f m, %+v, %v", text, got.Label, got.DistanceM, got.Choices, err)
		}
	}
}

func checkLine(t *testing.T, finder *directions.Finder, raw delaware, road, way, from, to string) {
	text := fmt.Sprintf("%s %s, exit %s to exit %s", road, way, from, to)
	got, err := finder.Describe(t.Context(), text, anywhere, 0)
	if err != nil || len(got.Choices) > 0 {
		if err == nil || !strings.Contains(err.Error(), "too far apart") {
			t.Errorf("%s: %v, %v", text, got.Choices, err)
		}
		return
	}
	line := got.Points
	nearest := func(exits []geo.LatLng, p geo.LatLng) float64 {
		best := math.Inf(1)
		for _, x := range exits {
			best = min(best, geo.DistanceM(x, p))
		}
		return best
	}
	if a, b := nearest(raw.exits[from], line[0]), nearest(raw.exits[to], line[len(line)-1]); a > 150 || b > 150 {
		t.Errorf("%s: begins %.0f m from its exit, ends %.0f m from it", text, a, b)
	}
	driven := 0
	for i := 2; i+1 < len(line); i++ { // but for the ends, which may lie between nodes
		if raw.forward[[2]string{keyAt(line[i-1]), keyAt(line[i])}] {
			driven++
		} else {
			t.Errorf("%s: from %s to %s leads no one-way of the road", text, keyAt(line[i-1]), keyAt(line[i]))
			return
		}
	}
	if len(line) < 3 || got.Direction != way || !strings.HasPrefix(got.Label, route.RoadText(road)+" "+way+", exit ") {
		t.Errorf("%s: %s, %d points", text, got.Label, len(line))
	}
}
