package route

import (
	"testing"

	"lightbar/internal/geo"
	"lightbar/internal/geo/geotest"
)

// Two roads that lie over each other everywhere: what is looked at for them has a bound, and it is a count.
func TestOverlapsLookAtSoMuch(t *testing.T) {
	const lines = 40
	e := &geotest.Extract{}
	add := func(id int64, name string, from, to geo.LatLng) {
		e.Nodes = append(e.Nodes, geotest.TestNode{ID: id, Lat: from.Lat, Lng: from.Lng}, geotest.TestNode{ID: id + 1, Lat: to.Lat, Lng: to.Lng})
		e.Ways = append(e.Ways, geotest.TestWay{ID: id, Refs: []int64{id, id + 1}, Tags: []string{"highway", "primary", "name", name}})
	}
	for i := range lines {
		at := float64(i+1) * 0.001
		add(int64(10+2*i), "Alpha Road", geo.LatLng{Lat: 40, Lng: -75 + at}, geo.LatLng{Lat: 40.05, Lng: -75 + at})
		add(int64(1000+2*i), "Beta Road", geo.LatLng{Lat: 40 + at, Lng: -75}, geo.LatLng{Lat: 40 + at, Lng: -74.95})
	}
	r := roadsOf(t, e)
	tells := func(work *Work) (n int) {
		r.Overlaps([]string{"Alpha Road"}, [][]string{{"Gamma Road"}, {"Beta Road"}}, work, func(other int, _ geo.LatLng) bool {
			if other != 1 {
				t.Fatal("over a road that is not there")
			}
			n++
			return true
		})
		return n
	}
	whole := &Work{Pieces: MostPieces}
	if n := tells(whole); n != lines*lines {
		t.Fatalf("%d places, want %d", n, lines*lines)
	}
	needs := MostPieces - whole.Pieces
	if needs < passPieces+lines*lines || needs > passPieces+lines*lines*20 {
		t.Errorf("%d pieces are looked at", needs)
	}
	for _, pieces := range []int{0, passPieces - 1, passPieces + 100, needs / 2, needs - 1} {
		work := &Work{Pieces: pieces}
		if n := tells(work); n > max(0, pieces-passPieces) || work.Pieces >= 0 || work.Pieces < -passPieces {
			t.Errorf("with %d pieces: %d places, %d pieces left", pieces, n, work.Pieces)
		}
	}
	passes := 0
	for work := (&Work{Pieces: MostPieces}); work.Pieces >= 0 && passes <= 2*mostPasses; passes++ {
		r.Overlaps([]string{"Gamma Road"}, [][]string{{"Alpha Road"}}, work, func(int, geo.LatLng) bool { return true })
	}
	if passes < mostPasses || passes > mostPasses+2 {
		t.Errorf("%d passes over the region", passes)
	}
}
