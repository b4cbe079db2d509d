//go:build !cgo

// The decoder is compared with paulmach/osm/osmpbf. With cgo that package
// needs a C zlib, which not every machine has: the comparison runs without cgo.

package osm

import (
	"context"
	"fmt"
	"hash/fnv"
	"maps"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/paulmach/osm"
	"github.com/paulmach/osm/osmpbf"

	"lightbar/internal/geo"
	"lightbar/internal/geo/geotest"
	"lightbar/internal/geo/places"
)

// digest is order-independent: a sum of hashes of the elements' texts.
type digest struct {
	count int
	sum   uint64
}

func (d *digest) add(text string) {
	h := fnv.New64a()
	h.Write([]byte(text))
	d.count++
	d.sum += h.Sum64()
}

func tagText(tags osm.Tags) (s string) {
	for _, t := range tags {
		s += "|" + t.Key + "=" + t.Value
	}
	return s
}

func theirDigests(t *testing.T, path string) (nodes, ways, relations digest) {
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	scanner := osmpbf.New(context.Background(), f, 2)
	defer scanner.Close()
	for scanner.Scan() {
		switch o := scanner.Object().(type) {
		case *osm.Node:
			nodes.add(fmt.Sprint(o.ID, geo.ToFixed(o.Lat), geo.ToFixed(o.Lon), tagText(o.Tags)))
		case *osm.Way:
			s := fmt.Sprint(o.ID, tagText(o.Tags))
			for _, n := range o.Nodes {
				s += fmt.Sprint(",", n.ID)
			}
			ways.add(s)
		case *osm.Relation:
			s := fmt.Sprint(o.ID, tagText(o.Tags))
			for _, m := range o.Members {
				s += fmt.Sprint(",", m.Type, m.Ref, m.Role)
			}
			relations.add(s)
		}
	}
	if scanner.Err() != nil {
		t.Fatal(scanner.Err())
	}
	return nodes, ways, relations
}

func ourTags(tags []tag) (s string) {
	for _, t := range tags {
		s += "|" + t.key + "=" + t.value
	}
	return s
}

func ourDigests(t *testing.T, path string) (nodes, ways, relations digest) {
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	pbf, err := openPBF(f, info.Size())
	if err != nil {
		t.Fatal(err)
	}
	kinds := []osm.Type{osm.TypeNode, osm.TypeWay, osm.TypeRelation}
	err = pbf.each(t.Context(), hasNodes|hasWays|hasRelations, 1, func(int64, int64) {}, func(_, _ int, b *block) error {
		if err := b.nodes(func(id int64, p geo.Point, inWorld bool, tags []tag) error {
			nodes.add(fmt.Sprint(id, p.Lat, p.Lng, ourTags(tags)))
			return nil
		}); err != nil {
			return err
		}
		if err := b.ways(func(id int64, tags []tag, refs []int64) error {
			s := fmt.Sprint(id, ourTags(tags))
			for _, n := range refs {
				s += fmt.Sprint(",", n)
			}
			ways.add(s)
			return nil
		}); err != nil {
			return err
		}
		return b.relations(func(id int64, tags []tag, members []member) error {
			s := fmt.Sprint(id, ourTags(tags))
			for _, m := range members {
				s += fmt.Sprint(",", kinds[m.kind], m.id, m.role)
			}
			relations.add(s)
			return nil
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	return nodes, ways, relations
}

func TestDecoderReadsWhatOSMPBFReads(t *testing.T) {
	for _, name := range []string{geotest.WilmingtonFile, "osm/columbus-oh-center.osm.pbf", "osm/bangor-me.osm.pbf"} {
		path := geotest.TestFile(t, name)
		n1, w1, r1 := theirDigests(t, path)
		n2, w2, r2 := ourDigests(t, path)
		if n1 != n2 || w1 != w2 || r1 != r2 {
			t.Errorf("%s: theirs %v %v %v, ours %v %v %v", name, n1, w1, r1, n2, w2, r2)
		}
	}
}

// exitsRead are the numbered exits of a road as the independent reader finds
// them: junctions to which a way of it leads.
func exitsRead(t *testing.T, path, road string) map[string]bool {
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	scanner := osmpbf.New(context.Background(), f, 2)
	defer scanner.Close()
	junctions, out := map[osm.NodeID]string{}, map[string]bool{}
	for scanner.Scan() {
		switch o := scanner.Object().(type) {
		case *osm.Node:
			if ref := o.Tags.Find("ref"); ref != "" && o.Tags.Find("highway") == "motorway_junction" {
				junctions[o.ID] = fmt.Sprint(ref, geo.ToFixed(o.Lat), geo.ToFixed(o.Lon))
			}
		case *osm.Way:
			kind := o.Tags.Find("highway")
			if kind != "motorway" && kind != "trunk" && kind != "primary" || !strings.Contains(";"+o.Tags.Find("ref")+";", ";"+road+";") {
				continue
			}
			for _, n := range o.Nodes[1:] {
				if text, ok := junctions[n.ID]; ok {
					out[text] = true
				}
			}
		}
	}
	return out
}

func TestExitsAreThoseOfTheExtract(t *testing.T) {
	path := geotest.TestFile(t, geotest.WholeState(t))
	p := openPlacesOf(t, geotest.DelawareFile)
	for _, road := range []string{"I 95", "DE 1", "I 495"} {
		want, got := exitsRead(t, path, road), map[string]bool{}
		for _, x := range p.ExitsOf(p.RoadsNamed(road, geo.LatLng{Lat: math.NaN(), Lng: math.NaN()}, 1)[0]) {
			got[fmt.Sprint(x.Ref, geo.ToFixed(x.Lat), geo.ToFixed(x.Lng))] = true
		}
		if len(want) < 10 || !maps.Equal(want, got) {
			t.Errorf("%s: theirs %d %v, ours %d %v", road, len(want), want, len(got), got)
		}
	}
}

func openPlacesOf(t testing.TB, name string) *places.Places {
	t.Helper()
	p, err := places.OpenPlaces(filepath.Join(geotest.ImportOnce(t, name), places.PlacesFile))
	if err != nil {
		t.Fatal(err)
	}
	return p
}
