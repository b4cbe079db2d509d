package tilestest

import (
	"context"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"testing"

	"lightbar/internal/geo"
	"lightbar/internal/geo/osm"
	"lightbar/internal/geo/places"
	"lightbar/internal/geo/route"
)

// Streets imports a few blocks of Wilmington, Delaware: North Market Street and
// North King Street across East 5th and East 6th Street, a house in each, a
// motorway with an exit and two mileposts, the city, and two roads of the state outside.
func Streets(t testing.TB) (*route.Roads, *places.Places) {
	t.Helper()
	folder := t.TempDir()
	file := filepath.Join(folder, "wilmington.osm.pbf")
	if err := os.WriteFile(file, wilmington(), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := osm.Import(context.Background(), file, folder, osm.ImportOptions{MaxZoom: 1}); err != nil {
		t.Fatal(err)
	}
	roads, err := route.OpenRoads(filepath.Join(folder, geo.RoadsFile))
	if err != nil {
		t.Fatal(err)
	}
	places, err := places.OpenPlaces(filepath.Join(folder, places.PlacesFile))
	if err != nil {
		t.Fatal(err)
	}
	return roads, places
}

// message is a protocol buffer in writing.
type message []byte

func (m message) number(field int, v uint64) message {
	return binary.AppendUvarint(binary.AppendUvarint(m, uint64(field)<<3), v)
}

func (m message) bytes(field int, b []byte) message {
	m = binary.AppendUvarint(binary.AppendUvarint(m, uint64(field)<<3|2), uint64(len(b)))
	return append(m, b...)
}

func (m message) blob(kind string, raw []byte) message {
	packed := message(nil).bytes(1, raw) // stored as it is
	head := message(nil).bytes(1, []byte(kind)).number(3, uint64(len(packed)))
	m = binary.BigEndian.AppendUint32(m, uint32(len(head)))
	return append(append(m, head...), packed...)
}

// wilmington is the extract, in the format of OpenStreetMap (wiki.openstreetmap.org/wiki/PBF_Format).
func wilmington() []byte {
	texts := []string{""}
	tagged := func(m message, tags []string) message {
		var keys, values []byte
		for i, text := range tags {
			texts = append(texts, text)
			list := &keys
			if i%2 == 1 {
				list = &values
			}
			*list = binary.AppendUvarint(*list, uint64(len(texts)-1))
		}
		return m.bytes(2, keys).bytes(3, values)
	}
	zigzag := func(v int64) uint64 { return uint64(v<<1) ^ uint64(v>>63) }
	var nodes, ways message
	node := func(id int64, lat, lng float64, tags ...string) {
		m := tagged(message(nil).number(1, zigzag(id)), tags)
		nodes = nodes.bytes(1, m.number(8, zigzag(int64(math.Round(lat*1e7)))).number(9, zigzag(int64(math.Round(lng*1e7)))))
	}
	way := func(id int64, nodes []int64, tags ...string) {
		var refs []byte
		last := int64(0)
		for _, n := range nodes {
			refs = binary.AppendVarint(refs, n-last)
			last = n
		}
		ways = ways.bytes(3, tagged(message(nil).number(1, uint64(id)), tags).bytes(8, refs))
	}
	node(1, 39.7459468, -75.546589, "place", "city", "name", "Wilmington")
	node(2, 39.7402, -75.5516)
	node(3, 39.7411662, -75.5507979)
	node(4, 39.7420, -75.5501)
	node(5, 39.7398, -75.5508)
	node(6, 39.7408159, -75.5499254)
	node(7, 39.7416, -75.5492)
	node(8, 39.7405605, -75.5494148, "addr:housenumber", "500", "addr:street", "North King Street", "addr:city", "Wilmington")
	node(9, 39.7500, -75.5600)
	node(10, 39.7550, -75.5560, "highway", "motorway_junction", "ref", "5A")
	node(11, 39.7600, -75.5515)
	node(12, 39.7560, -75.5540)
	node(13, 39.7520, -75.5584, "highway", "milestone", "distance", "8")
	node(14, 39.7580, -75.5533, "highway", "milestone", "distance", "8.5")
	way(1, []int64{2, 3, 4}, "highway", "secondary", "name", "North Market Street")
	way(2, []int64{5, 6, 7}, "highway", "primary", "name", "North King Street", "ref", "US 13 Business")
	way(3, []int64{3, 6}, "highway", "residential", "name", "East 5th Street")
	way(4, []int64{4, 7}, "highway", "residential", "name", "East 6th Street")
	way(5, []int64{9, 10, 11}, "highway", "motorway", "ref", "I 95")
	way(6, []int64{10, 12}, "highway", "motorway_link")
	node(15, 39.7700, -75.5800)
	node(16, 39.7710, -75.5810)
	node(17, 39.7720, -75.5820)
	node(18, 39.7715, -75.5800)
	way(7, []int64{15, 16, 17}, "highway", "secondary", "ref", "DE 52") // whose letters say in which state all this is
	way(8, []int64{16, 18}, "highway", "secondary", "ref", "DE 100")

	var table message
	for _, text := range texts {
		table = table.bytes(1, []byte(text))
	}
	header := message(nil).bytes(4, []byte("OsmSchema-V0.6"))
	file := message(nil).blob("OSMHeader", header)
	return file.blob("OSMData", message(nil).bytes(1, table).bytes(2, nodes).bytes(2, ways))
}
