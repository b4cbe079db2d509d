package simulate

import (
	"math/rand/v2"
	"reflect"
	"testing"
	"time"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func shift(t *testing.T, seed uint64) *Fleet {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 0))
	var vehicles []*Vehicle
	for _, m := range Cast(func(near LatLng, radius float64) LatLng { return Roads{}.Place(rng, near, radius) }) {
		vehicles = append(vehicles, m.Vehicle)
	}
	return NewFleet(vehicles, Roads{}, Wilmington, 2000, seed, noon)
}

// spec: D.demo.01
func TestCastHasSixtyAssetsOfAllTypes(t *testing.T) {
	kinds, names := map[string]int{}, map[string]bool{}
	for _, m := range Cast(func(near LatLng, _ float64) LatLng { return near }) {
		kinds[m.Vehicle.ThingType]++
		if names[m.Vehicle.HaasID] {
			t.Errorf("%s twice", m.Vehicle.HaasID)
		}
		names[m.Vehicle.HaasID] = true
	}
	if len(names) != 60 {
		t.Errorf("%d assets, want 60", len(names))
	}
	for _, kind := range []string{"fire", "police", "ambulance", "emergency_response", "arrow_board", "maintenance", "tow", "waste"} {
		if kinds[kind] == 0 {
			t.Errorf("no %s in the cast", kind)
		}
	}
}

func TestVehiclesDriveWithoutJumping(t *testing.T) {
	f := shift(t, 7)
	last := map[string]Item{}
	scenes, lit, moved := 0, map[string]bool{}, map[string]bool{}
	for s := 1; s <= 25*60; s++ {
		now := noon.Add(time.Duration(s) * time.Second)
		for _, item := range f.Step(t.Context(), now) {
			if item.Type != "point" {
				continue
			}
			before, ok := last[item.Asset]
			last[item.Asset] = item
			if item.Alerting != nil && *item.Alerting {
				lit[item.Asset] = true
				if *item.Speed == 0 {
					scenes++
				}
			}
			if !ok {
				continue
			}
			was, _ := time.Parse(time.RFC3339, before.At)
			far := distance(LatLng{Lat: *before.Lat, Lng: *before.Lng}, LatLng{Lat: *item.Lat, Lng: *item.Lng})
			if far > 20 {
				moved[item.Asset] = true
			}
			if limit := 25*now.Sub(was).Seconds() + 20; far > limit {
				t.Fatalf("%s jumped %.0f m in %s", item.Asset, far, now.Sub(was))
			}
		}
	}
	if scenes < 50 || len(lit) < 8 || len(moved) < 20 {
		t.Errorf("a dull shift: %d reports from scenes, %d vehicles with lights, %d moved", scenes, len(lit), len(moved))
	}
}

func TestSameSeedSameShift(t *testing.T) {
	a, b := shift(t, 3), shift(t, 3)
	for s := 1; s <= 300; s++ {
		now := noon.Add(time.Duration(s) * time.Second)
		if x, y := a.Step(t.Context(), now), b.Step(t.Context(), now); !reflect.DeepEqual(x, y) {
			t.Fatalf("second %d differs", s)
		}
	}
}

func TestSilentVehiclesReportOnceInThePast(t *testing.T) {
	f := shift(t, 1)
	items := f.Silent(noon)
	if len(items) != len(silent)+1 { // the arrow board says its state, too
		t.Fatalf("%d silent reports, want %d", len(items), len(silent)+1)
	}
	for _, item := range items {
		if at, _ := time.Parse(time.RFC3339, item.At); noon.Sub(at) < 2*time.Hour {
			t.Errorf("%s reported %s ago", item.Asset, noon.Sub(at))
		}
		for s := 1; s < 120; s++ {
			for _, later := range f.Step(t.Context(), noon.Add(time.Duration(s)*time.Second)) {
				if later.Asset == item.Asset {
					t.Fatalf("%s speaks though it fell silent", item.Asset)
				}
			}
		}
	}
}

func TestVehiclesOutOfServiceStayDark(t *testing.T) {
	f := shift(t, 5)
	idle := map[string]bool{}
	for _, v := range f.Vehicles {
		idle[v.HaasID] = v.Idle
	}
	for s := 1; s <= 900; s++ {
		for _, item := range f.Step(t.Context(), noon.Add(time.Duration(s)*time.Second)) {
			if idle[item.Asset] && item.Alerting != nil && *item.Alerting {
				t.Fatalf("%s is out of service and has its lights on", item.Asset)
			}
		}
	}
}
