package provider_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"lightbar/internal/provider"
	"lightbar/internal/testkit/providertest"
)

// A feed begins now, and hands each record on once, in our units and in the order of its arrival.
func TestGeotabFeed(t *testing.T) {
	g, c := providertest.NewGeotab(t), newClock()
	asks := client(t, "geotab", g, c, "DiagnosticAux1Id")
	g.Log("b8E2", noon, 40, -100, 10)
	var cursor string
	if got := page(t, asks, c, &cursor); len(got) != 0 {
		t.Fatalf("a feed begins with what was: %+v", got)
	}
	before := cursor
	if got := page(t, asks, c, &cursor); len(got) != 0 || cursor != before {
		t.Fatalf("at its end the feed moves: %+v %s", got, cursor)
	}
	g.Log("b8E2", noon.Add(time.Second), 40.1000001, -100.1000001, 63)
	g.Log("b8E7", noon.Add(-2*time.Hour), 40.2, -100.2, 0) // two hours late
	g.Status("b8E7", "DiagnosticEngineSpeedId", noon, 87.5)
	g.Status("b8E7", "diagnosticAux1Id", noon.Add(2*time.Second), 1)
	g.Status("b8E2", "DiagnosticAux1Id", noon.Add(time.Second), 1) // as a position was said
	got := page(t, asks, c, &cursor)
	if len(got) != 3 {
		t.Fatalf("%d reports: %+v", len(got), got)
	}
	first, late, lights := got[0], got[1], got[2]
	if first.ExternalID != "b8E2" || !first.At.Equal(noon.Add(time.Second)) || first.Lat != 40.1000001 || first.Lng != -100.1000001 || !first.HasFix ||
		math.Abs(*first.SpeedMS-17.5) > 1e-9 || first.CourseDeg != nil || first.Lights == nil || !*first.Lights {
		t.Errorf("%+v", first)
	}
	if !late.At.Equal(noon.Add(-2*time.Hour)) || *late.SpeedMS != 0 || late.Lights != nil {
		t.Errorf("%+v", late)
	}
	if lights.ExternalID != "b8E7" || lights.HasFix || lights.Lights == nil || !*lights.Lights {
		t.Errorf("%+v", lights)
	}
	if got := page(t, asks, c, &cursor); len(got) != 0 {
		t.Errorf("again: %+v", got)
	}
	if n := g.Calls("Authenticate"); n != 1 {
		t.Errorf("signed in %d times", n)
	}
	g.Disorder(true)
	g.Repeat(true)
	for i := range 3 {
		g.Log("b8E2", noon.Add(time.Duration(i)*time.Second), 40, -100, 10)
	}
	if got := page(t, asks, c, &cursor); len(got) != 6 || !got[0].At.Equal(got[1].At) || !got[0].At.After(got[2].At) {
		t.Errorf("repeats and disorder are not ours to mend: %+v", got)
	}
}

// Without inputs that mean lights, their feed is not asked for.
func TestGeotabWithoutLights(t *testing.T) {
	g, c := providertest.NewGeotab(t), newClock()
	asks := client(t, "geotab", g, c)
	var cursor string
	page(t, asks, c, &cursor)
	g.Status("b1", "DiagnosticAux1Id", noon, 1)
	if got := page(t, asks, c, &cursor); len(got) != 0 || g.Calls("GetFeed StatusData") != 0 {
		t.Errorf("%+v", got)
	}
	later := client(t, "geotab", g, c, "DiagnosticAux1Id") // the cursor was made without them
	page(t, later, c, &cursor)
	g.Status("b1", "DiagnosticAux1Id", noon, 0)
	if got := page(t, later, c, &cursor); len(got) != 1 || *got[0].Lights {
		t.Errorf("%+v", got)
	}
}

// A vehicle's lights are on while one of its inputs is, and a late state says nothing of now.
func TestLightsOfSeveralInputs(t *testing.T) {
	g, c := providertest.NewGeotab(t), newClock()
	asks := client(t, "geotab", g, c, "DiagnosticAux1Id", "DiagnosticAux2Id")
	var cursor string
	page(t, asks, c, &cursor)
	for i, say := range []struct {
		input string
		after time.Duration
		value float64
		on    bool
	}{{"DiagnosticAux1Id", 0, 1, true}, {"DiagnosticAux2Id", 1, 1, true}, {"DiagnosticAux1Id", 2, 0, true}, {"DiagnosticAux2Id", -5, 0, false},
		{"DiagnosticAux1Id", 3, 0, true}, {"DiagnosticAux2Id", 4, 0, false}} {
		g.Status("b1", say.input, noon.Add(say.after*time.Second), say.value)
		if got := page(t, asks, c, &cursor); len(got) != 1 || *got[0].Lights != say.on {
			t.Errorf("%d: %+v", i, got)
		}
	}
}

// A feed that is long behind comes in pages, at once; one at its end is left alone for the wait that its page told.
func TestGeotabPages(t *testing.T) {
	g, c := providertest.NewGeotab(t), newClock()
	asks := client(t, "geotab", g, c, "DiagnosticAux1Id")
	var cursor string
	page(t, asks, c, &cursor)
	const many = 25_000
	for i := range many {
		g.Log(fmt.Sprintf("b%X", i%500), noon.Add(time.Duration(i)*time.Second), 40, -100, 10)
	}
	if got := drain(t, asks, c, &cursor); len(got) != many {
		t.Errorf("%d reports", len(got))
	}
	if logs, states := g.Calls("GetFeed LogRecord"), g.Calls("GetFeed StatusData"); logs != 4 || states != 2 {
		t.Errorf("%d calls for positions, %d for states", logs, states)
	}
	c.pass(-time.Second)
	p, err := asks.Feed(t.Context(), cursor)
	if err != nil || len(p.Reports) != 0 || p.Cursor != cursor || p.Wait != time.Second || g.Calls("GetFeed LogRecord") != 4 {
		t.Errorf("too early: %+v %v", p, err)
	}
}

// All vehicles are found behind MyGeotab's silent cap; those that were taken out are not in use.
func TestGeotabVehicles(t *testing.T) {
	g, c := providertest.NewGeotab(t), newClock()
	asks := client(t, "geotab", g, c)
	const many = 5666 // as recorded: 666 of them invisible to a bare Get
	for i := range many {
		g.AddDevice(providertest.Device{ID: fmt.Sprintf("b%X", i+1), Name: "unit", VIN: fmt.Sprintf("4SYNTHV1N%08d", i)})
	}
	got, err := asks.Vehicles(t.Context())
	if err != nil || len(got) != many {
		t.Fatalf("%d vehicles, %v", len(got), err)
	}
	ids := map[string]bool{}
	for _, v := range got {
		ids[v.ExternalID] = true
	}
	if len(ids) != many {
		t.Errorf("%d different vehicles", len(ids))
	}
}

// What is not said stays unsaid, and a device that was replaced gives its vehicle to the next.
func TestWhatGeotabSaysOfVehicles(t *testing.T) {
	g, c := providertest.NewGeotab(t), newClock()
	asks := client(t, "geotab", g, c)
	g.SetNow(c.now)
	g.AddDevice(providertest.Device{ID: "b1", Name: " Engine\t7 ", VIN: "4synthv1n00000017", Serial: "G9-000-1", Plate: "AB 1"})
	g.AddDevice(providertest.Device{ID: "b2", Name: "Trailer", Trailer: true, Serial: "000-000-0000"})
	g.AddDevice(providertest.Device{ID: "b3", Name: "Twin", Serial: "G9-000-1"})
	g.AddDevice(providertest.Device{ID: "b4", Name: "Old", VIN: "?", Retired: noon.AddDate(-1, 0, 0)})
	want := []provider.Vehicle{
		{ExternalID: "b1", Name: "Engine 7", VIN: "4SYNTHV1N00000017", Serial: "G9-000-1", Plate: "AB 1"},
		{ExternalID: "b2", Name: "Trailer"}, {ExternalID: "b3", Name: "Twin", Serial: "G9-000-1"}}
	compare := func() {
		t.Helper()
		got, err := asks.Vehicles(t.Context())
		if err != nil || len(got) != len(want) {
			t.Fatalf("%+v %v", got, err)
		}
		for i := range want {
			if got[i] != want[i] {
				t.Errorf("%+v, want %+v", got[i], want[i])
			}
		}
	}
	compare()
	g.Fail("Get", providertest.OneSpoiled) // the first one: the others are there
	all := want
	want = all[1:]
	compare()
	want = all
	g.Replace("b1", "b9", "G9-000-9")
	want = append(want[1:], provider.Vehicle{ExternalID: "b9", Name: "Engine 7", VIN: "4SYNTHV1N00000017", Serial: "G9-000-9", Plate: "AB 1"})
	compare()
}

// What MyGeotab may answer instead, and what is made of it.
func TestFaultsOfGeotab(t *testing.T) {
	for fault, want := range map[providertest.Fault]provider.Error{
		providertest.OverLimit:   {Reason: provider.OverLimit, RetryAfter: 56 * time.Second},
		providertest.Unavailable: {Reason: provider.Unavailable},
		providertest.HTML502:     {Reason: provider.Unavailable},
		providertest.HTML400:     {Reason: provider.Unavailable},
		providertest.HTML200:     {Reason: provider.Unreadable},
		providertest.Generic:     {Reason: provider.Unavailable},
		providertest.NewKind:     {Reason: provider.Unreadable},
		providertest.NoName:      {Reason: provider.Unreadable},
		providertest.Argument:    {Reason: provider.CursorLost},
		providertest.Cut:         {Reason: provider.Unavailable},
		providertest.HangUp:      {Reason: provider.Unavailable},
		providertest.Wanders:     {Reason: provider.Unreadable},
		providertest.NoVersion:   {Reason: provider.Unreadable},
		providertest.WrongShape:  {Reason: provider.Unreadable},
		providertest.NotUnpacked: {Reason: provider.Unreadable},
	} {
		g, c := providertest.NewGeotab(t), newClock()
		asks := client(t, "geotab", g, c)
		var cursor string
		page(t, asks, c, &cursor)
		g.Log("b1", noon, 40, -100, 10)
		g.Fail("GetFeed LogRecord", fault)
		if fault == providertest.HangUp { // on a kept connection it may be the connection, so that the call is made again
			g.Fail("GetFeed LogRecord", fault)
		}
		if got := problem(t, fed(asks, t, cursor)); got.Reason != want.Reason || got.RetryAfter != want.RetryAfter {
			t.Errorf("%s: %+v", fault, got)
		}
		if got := page(t, asks, c, &cursor); len(got) != 1 {
			t.Errorf("%s: afterwards %d reports", fault, len(got))
		}
	}
}

// A record that cannot be read is counted, and takes no other with it.
func TestRefusedRecordsOfGeotab(t *testing.T) {
	g, c := providertest.NewGeotab(t), newClock()
	asks := client(t, "geotab", g, c, "DiagnosticAux1Id")
	var cursor string
	page(t, asks, c, &cursor)
	g.Log("b1", noon, 40, -100, 10)
	g.Log("b1", noon, 91, -100, 10)
	g.Log("b1", noon, 40, -181, 10)
	g.Log("", noon, 40, -100, 10)
	g.Log("NoDeviceId", noon, 40, -100, 10)
	g.Log("b1", time.Date(1980, 1, 6, 0, 0, 0, 0, time.UTC), 40, -100, 10)
	g.Log("b2", noon, 40, -100, -1)
	g.Fail("GetFeed LogRecord", providertest.OneSpoiled)
	p, err := asks.Feed(t.Context(), cursor)
	if err != nil || len(p.Reports) != 1 || p.Reports[0].ExternalID != "b2" || p.Reports[0].SpeedMS != nil {
		t.Fatalf("%+v %v", p, err)
	}
	for reason, n := range map[string]int{"record_invalid": 1, "position_invalid": 2, "vehicle_missing": 2, "time_invalid": 1} {
		if p.Refused[reason] != n {
			t.Errorf("%s: %d, want %d", reason, p.Refused[reason], n)
		}
	}
}
