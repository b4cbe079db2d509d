package alerts

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"lightbar/internal/bus"
	"lightbar/internal/feed"
	"lightbar/internal/fleet"
)

// Names of cells are those of everyone else.
func TestCellsAreGeohashes(t *testing.T) {
	for name, at := range map[string][2]float64{"u4pru": {57.64911, 10.40744}, "9q8yy": {37.7749, -122.4194}, "ezs42": {42.605, -5.603}, "7zzzz": {-0.01, -0.01},
		"s0000": {0.01, 0.01}, "zzzzz": {90, 179.99}, "bpbpb": {89.99, 180}, "00000": {-90, -180}} {
		if got := CellAt(at[0], at[1]); got.String() != name {
			t.Errorf("%v is in %s, want %s", at, got, name)
		}
		if c, ok := ParseCell(name); !ok || c.String() != name {
			t.Errorf("%s: %s %v", name, c, ok)
		}
	}
	for _, text := range []string{"", "dr45", "dr45dd", "DR45D", "dr45a", "dr4/d", "dr4+d", "dr45é"} {
		if c, ok := ParseCell(text); ok {
			t.Errorf("%q is %s", text, c)
		}
	}
}

// A line is in each cell that it passes, and in no other.
func TestALineIsInAllItsCells(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		at := fleet.LatLng{Lat: -60 + random.Float64()*120, Lng: -179.5 + random.Float64()*359}
		line := []fleet.LatLng{at}
		for range 1 + random.IntN(6) {
			at = fleet.LatLng{Lat: at.Lat + (random.Float64()-0.5)/10, Lng: at.Lng + (random.Float64()-0.5)/10}
			line = append(line, at)
		}
		got := cellsOf(&feed.Alert{Line: line})
		var want []Cell
		for i := 1; i < len(line); i++ {
			for part := range 4001 {
				p := float64(part) / 4000
				c := CellAt(line[i-1].Lat+(line[i].Lat-line[i-1].Lat)*p, line[i-1].Lng+(line[i].Lng-line[i-1].Lng)*p)
				if !slices.Contains(want, c) {
					want = append(want, c)
				}
			}
		}
		for _, c := range want {
			if !slices.Contains(got, c) {
				t.Fatalf("%v passes %s: %v", line, c, got)
			}
		}
		if len(got) > len(want)+1 || got[0] != CellAt(line[0].Lat, line[0].Lng) { // one that is barely touched may be between two samples
			t.Fatalf("%v: %v, want %v", line, got, want)
		}
	}
}

// A closure that lies in two cells is told once, and again in the other when the one where it was told is left.
func TestALineStaysWithTheOtherCell(t *testing.T) {
	r := newRig(t)
	lat, lng := 39.7, -75.5
	far := lng + cellDeg
	r.mu.Lock()
	r.alerts = []feed.Alert{{ID: "c", Source: "c", Category: feed.AlertVehicle, Line: []fleet.LatLng{{Lat: lat, Lng: lng}, {Lat: lat, Lng: far}},
		ExpiresAt: fleet.InstantOf(r.at) + 600_000}}
	r.mu.Unlock()
	f, err := r.JoinCells(t.Context(), Request{OrganizationID: org, Address: "192.0.2.1"})
	if err != nil {
		t.Fatal(err)
	}
	defer f.leave()
	is := func(what string, cells ...Cell) {
		t.Helper()
		out, _, err := f.read(nil)
		if err != nil {
			t.Fatal(err)
		}
		var got []Cell
		for _, m := range out {
			if string(m.Data) != string(readyMessage) {
				got = append(got, m.Cell)
			}
		}
		if !slices.Equal(got, cells) {
			t.Errorf("%s: %v, want %v", what, out, cells)
		}
	}
	one, two := CellAt(lat, lng), CellAt(lat, far)
	f.Follow(one)
	is("the first cell", one)
	f.Follow(two)
	is("the second, which has it as well", two)
	f.Leave(two)
	is("the second is left", one)
	f.Leave(one)
	is("both are left")
	f.FollowAll()
	is("all", one)
	f.LeaveAll()
	is("all is left")
	f.Follow(one)
	is("again", one)
	f.Leave(one)
	is("nothing is followed")
	other, err := r.JoinCells(t.Context(), Request{OrganizationID: org, Address: "192.0.2.2"})
	if err != nil {
		t.Fatal(err)
	}
	defer other.leave()
	other.FollowAll()
	_, changed, err := other.read(nil)
	if err != nil {
		t.Fatal(err)
	}
	r.mu.Lock()
	r.alerts, r.at = nil, r.at.Add(time.Second)
	r.mu.Unlock()
	r.take(bus.Frame{Organization: org, Items: []bus.Item{{Type: fleet.MessagePoint, Key: "c"}}})
	<-changed
	if out, _, err := other.read(nil); err != nil || len(out) != 1 {
		t.Errorf("it is not over: %v %v", out, err)
	}
	is("it is over, which is told where it was known")
}
