package route

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lightbar/internal/geo"
	"lightbar/internal/geo/geotest"
)

func roadsBytes(t testing.TB) []byte {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(geotest.RegionOf(t, geotest.Town().Encode()), geo.RoadsFile))
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func TestOpenRoadsRefusesWhatIsNotWhole(t *testing.T) {
	good := roadsBytes(t)
	open := func(raw []byte) error {
		path := filepath.Join(t.TempDir(), geo.RoadsFile)
		if err := os.WriteFile(path, raw, 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := OpenRoads(path)
		return err
	}
	if err := open(good); err != nil {
		t.Fatal(err)
	}
	change := func(at int, with byte) []byte {
		raw := slices.Clone(good)
		raw[at] ^= with
		return raw
	}
	for name, c := range map[string]struct {
		raw  []byte
		want string
	}{
		"empty":       {nil, "wrong length"},
		"short":       {good[:64], "wrong length"},
		"odd":         {good[:len(good)-3], "wrong length"},
		"truncated":   {good[:len(good)-64], "truncated"},
		"foreign":     {bytes.Repeat([]byte("PMTiles\x03"), 200), "another kind"},
		"newer":       {change(8, 3), "version 2"},
		"one bit":     {change(len(good)/2, 1), "checksum"},
		"sealed lies": {geotest.Reseal(change(5*8+8+3, 0xff)), "outside"}, // the number of points
	} {
		err := open(c.raw)
		if !errors.Is(err, ErrBadRoads) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := OpenRoads(filepath.Join(t.TempDir(), "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("missing: %v", err)
	}
}

func TestRoadsOfTown(t *testing.T) {
	r := roadsOf(t, geotest.Town())
	b := r.Bounds()
	if at := geotest.CornerAt(0, 0); !b.Contains(at.Lat, at.Lng) || b.Contains(39.99, -75) || b.MaxLat != geotest.CornerAt(4, 4).Lat {
		t.Errorf("bounds %+v", b)
	}
	if len(r.nodes) != 25 || len(r.edges) != 40 || len(r.arcs) != 80 {
		t.Errorf("%d junctions, %d edges, %d arcs", len(r.nodes), len(r.edges), len(r.arcs))
	}
	for i := range r.edges {
		if r.edges[i].Flags&edgeMain == 0 {
			t.Errorf("edge %d is not reachable", i)
		}
	}
}

func TestSpeeds(t *testing.T) {
	for value, want := range map[string]uint8{
		"50": 50, "35 mph": 56, "25mph": 40, "30;50": 30, "80 km/h": 80, "": 0, "signals": 0, "US:urban": 0, "9999": 0, "-3": 0, "1e9": 0, "10 knots": 0, ".": 0,
	} {
		if got := ParseSpeed(value); got != want {
			t.Errorf("%q: %d, want %d", value, got, want)
		}
	}
	for class := range ClassCount {
		for _, limit := range []uint8{1, 40, 120, 200} {
			if s := travelSpeed(class, false, limit); s < 8 || s > 130 {
				t.Errorf("class %d limit %d: %d", class, limit, s)
			}
		}
	}
}

func TestStrongComponents(t *testing.T) {
	// 0→1→2→0 is one part, 3→4 leads into it, 5 stands alone.
	firstArc := []uint32{0, 1, 2, 3, 4, 5, 5}
	arcs := []arc{{to: 1}, {to: 2}, {to: 0}, {to: 4}, {to: 0}}
	component, sizes := strongComponents(firstArc, arcs)
	if component[0] != component[1] || component[1] != component[2] || len(sizes) != 4 || sizes[component[0]] != 3 || sizes[component[3]] != 1 {
		t.Errorf("%v %v", component, sizes)
	}
}

// roadsOf imports an extract and opens its roads.
func roadsOf(t testing.TB, e *geotest.Extract) *Roads {
	t.Helper()
	r, err := OpenRoads(filepath.Join(geotest.RegionOf(t, e.Encode()), geo.RoadsFile))
	if err != nil {
		t.Fatal(err)
	}
	return r
}
