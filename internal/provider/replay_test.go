package provider_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"lightbar/internal/provider"
	"lightbar/internal/testkit/providertest"
)

// message is one record of a recorded fleet.
type message struct {
	AVL struct {
		Vehicle  struct{ ID, ID2, Type string }
		Position struct {
			Latitude, Longitude float64
			Speed               float64 // km/h
		}
		Source struct {
			At time.Time `json:"collection_timestamp"`
		}
	} `json:"avl_location"`
}

// recorded reads the recorded fleet; the test is skipped, loudly, without it.
func recorded(t *testing.T) (list []message) {
	t.Helper()
	folder := os.Getenv("LIGHTBAR_TESTDATA")
	if folder == "" {
		folder = "../../../shared/data"
	}
	b, err := os.ReadFile(filepath.Join(folder, "traces/cdot_geotab_avl_2022-06-20.json"))
	if err != nil {
		t.Skipf("SKIPPED: the recorded fleet is missing. Set LIGHTBAR_TESTDATA to the folder that holds traces/ (%v)", err)
	}
	if err := json.Unmarshal(b, &list); err != nil {
		t.Fatal(err)
	}
	return list
}

// counted is what a list of reports says of itself: vehicles, vehicles out of the order of time, exact repeats.
func counted(reports []provider.Report) (vehicles, disordered, repeats int) {
	type what struct {
		id       string
		at       time.Time
		lat, lng float64
		speed    float64
	}
	last, late, seen := map[string]time.Time{}, map[string]bool{}, map[what]bool{}
	for _, r := range reports {
		if before, ok := last[r.ExternalID]; ok && r.At.Before(before) {
			late[r.ExternalID] = true
		}
		last[r.ExternalID] = r.At
		w := what{r.ExternalID, r.At, r.Lat, r.Lng, *r.SpeedMS}
		if seen[w] {
			repeats++
		}
		seen[w] = true
	}
	return len(last), len(late), repeats
}

// A fleet of Colorado's, as it came from Geotab in one hour: 848 trackers. Each
// record comes out once, in the order of its arrival, repeats and late ones with the rest.
func TestReplayOfAFleet(t *testing.T) {
	list := recorded(t)
	g, c := providertest.NewGeotab(t), newClock()
	c.pass(time.Date(2022, 6, 21, 3, 15, 0, 0, time.UTC).Sub(noon))
	asks := client(t, "geotab", g, c)
	known := map[string]bool{}
	for i := range list {
		if v := &list[i].AVL.Vehicle; !known[v.ID] {
			known[v.ID] = true
			g.AddDevice(providertest.Device{ID: v.ID, Name: v.Type, Serial: v.ID2})
		}
	}
	vehicles, err := asks.Vehicles(t.Context())
	serials := map[string]bool{}
	for _, v := range vehicles {
		serials[v.Serial] = true
	}
	if err != nil || len(vehicles) != 850 || len(serials) != 848 { // two trackers are in the fleet by two ids
		t.Fatalf("%d vehicles of %d serials, %v", len(vehicles), len(serials), err)
	}
	var cursor string
	var got []provider.Report
	page(t, asks, c, &cursor)
	for i := range list {
		m := &list[i].AVL
		g.Log(m.Vehicle.ID, m.Source.At, m.Position.Latitude, m.Position.Longitude, int(m.Position.Speed))
		if i%100 == 99 {
			got = append(got, page(t, asks, c, &cursor)...)
		}
	}
	got = append(got, drain(t, asks, c, &cursor)...)
	if len(got) != len(list) || len(got) != 2896 {
		t.Fatalf("%d reports of %d records", len(got), len(list))
	}
	for i := range got {
		m := &list[i].AVL
		if r := &got[i]; r.ExternalID != m.Vehicle.ID || !r.At.Equal(m.Source.At) || r.Lat != m.Position.Latitude || r.Lng != m.Position.Longitude {
			t.Fatalf("record %d: %+v, said %+v", i, r, m)
		}
	}
	if v, disordered, repeats := counted(got); v != 850 || disordered != 171 || repeats != 70 {
		t.Errorf("%d vehicles, %d of them out of order, %d repeats", v, disordered, repeats)
	}
}
