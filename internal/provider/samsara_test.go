package provider_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"lightbar/internal/provider"
	"lightbar/internal/testkit/providertest"
)

const lightsInput = "Emergency Lights"

// A feed begins with the last known of each vehicle, and goes on with what is said since.
func TestSamsaraFeed(t *testing.T) {
	s, c := providertest.NewSamsara(t), newClock()
	asks := client(t, "samsara", s, c, "emergency lights ")
	s.AddTruck(providertest.Truck{ID: "281474980000011", Name: "Engine 7"})
	s.GPS("281474980000011", noon.Add(-time.Minute), 33, -96, 90, 1)
	s.GPS("281474980000011", noon, 33.1001, -96.1001, 270, 58.4)
	s.Aux("281474980000011", 4, lightsInput, noon.Add(-time.Hour), true)
	s.Aux("281474980000011", 1, "Plow", noon.Add(-time.Hour), true)
	var cursor string
	got := page(t, asks, c, &cursor)
	if len(got) != 2 {
		t.Fatalf("%+v", got)
	}
	fix, lights := got[0], got[1]
	if fix.ExternalID != "281474980000011" || !fix.At.Equal(noon) || fix.Lat != 33.1001 || fix.Lng != -96.1001 || !fix.HasFix || *fix.CourseDeg != 270 ||
		math.Abs(*fix.SpeedMS-26.107136) > 1e-9 || fix.Lights != nil {
		t.Errorf("%+v", fix)
	}
	if lights.HasFix || !*lights.Lights || !lights.At.Equal(noon.Add(-time.Hour)) {
		t.Errorf("%+v", lights)
	}
	if got := page(t, asks, c, &cursor); len(got) != 0 {
		t.Errorf("again: %+v", got)
	}
	s.GPS("281474980000011", noon.Add(time.Second), 33, -96, 360, 0)
	s.Aux("281474980000011", 1, lightsInput, noon.Add(time.Second), false) // input 4 is on still
	s.Aux("281474980000011", 13, lightsInput, noon.Add(2*time.Second), false)
	s.GPS("281474980000011", noon.Add(-2*time.Hour), 33, -96, 0, 7)
	got = page(t, asks, c, &cursor)
	if len(got) != 3 || *got[0].CourseDeg != 0 || *got[0].SpeedMS != 0 || !*got[0].Lights || !got[1].At.Equal(noon.Add(-2*time.Hour)) || !*got[2].Lights {
		t.Errorf("%+v", got)
	}
	s.Disorder(true)
	s.Repeat(true)
	for i := range 3 {
		s.GPS("281474980000011", noon.Add(time.Duration(i)*time.Minute), 33, -96, 0, 7)
	}
	if got := page(t, asks, c, &cursor); len(got) != 6 || !got[0].At.Equal(got[1].At) || !got[0].At.After(got[2].At) {
		t.Errorf("repeats and disorder are not ours to mend: %+v", got)
	}
}

// What is behind comes in pages at once. A feed at its end is left alone for five seconds.
func TestSamsaraPages(t *testing.T) {
	s, c := providertest.NewSamsara(t), newClock()
	asks := client(t, "samsara", s, c, lightsInput)
	s.Page(100)
	var cursor string
	page(t, asks, c, &cursor)
	for i := range 450 {
		s.GPS(fmt.Sprint(281474980000000+i%7), noon.Add(time.Duration(i)*time.Second), 33, -96, 0, 7)
	}
	before := s.Calls(providertest.FeedPath)
	if got := drain(t, asks, c, &cursor); len(got) != 450 {
		t.Errorf("%d reports", len(got))
	}
	if n := s.Calls(providertest.FeedPath) - before; n != 5+2 { // and once each for the inputs that a call has no room for
		t.Errorf("%d calls", n)
	}
	c.pass(-time.Second)
	p, err := asks.Feed(t.Context(), cursor)
	if err != nil || len(p.Reports) != 0 || p.Cursor != cursor || p.Wait != time.Second || s.Calls(providertest.FeedPath)-before != 7 {
		t.Errorf("too early: %+v %v", p, err)
	}
	alone := client(t, "samsara", s, c) // nothing means lights any more: the feed is another one
	before = s.Calls(providertest.FeedPath)
	if got := page(t, alone, c, &cursor); len(got) != 7 || s.Calls(providertest.FeedPath)-before != 1 {
		t.Errorf("%+v", got)
	}
}

// The newest page may have an empty cursor: the feed goes on where it was.
func TestEmptyCursorOfSamsara(t *testing.T) {
	s, c := providertest.NewSamsara(t), newClock()
	asks := client(t, "samsara", s, c)
	var cursor string
	s.GPS("1", noon, 33, -96, 0, 7)
	page(t, asks, c, &cursor)
	s.EmptyAtHead(true)
	s.GPS("1", noon.Add(time.Second), 33, -96, 0, 7)
	before := cursor
	if got := page(t, asks, c, &cursor); len(got) != 1 || cursor != before {
		t.Errorf("%+v %s", got, cursor)
	}
	s.EmptyAtHead(false)
	if got := page(t, asks, c, &cursor); len(got) != 1 || cursor == before { // as it was repeated, so is it here
		t.Errorf("%+v %s", got, cursor)
	}
}

// A cursor that has expired is lost, and a new beginning has the last known.
func TestSamsaraForgetsCursors(t *testing.T) {
	s, c := providertest.NewSamsara(t), newClock()
	asks := client(t, "samsara", s, c, lightsInput)
	s.GPS("1", noon, 33, -96, 0, 7)
	var cursor string
	page(t, asks, c, &cursor)
	s.ForgetCursors()
	if got := problem(t, fed(asks, t, cursor)); got.Reason != provider.CursorLost {
		t.Errorf("%+v", got)
	}
	cursor = ""
	if got := page(t, asks, c, &cursor); len(got) != 1 {
		t.Errorf("%+v", got)
	}
	for _, text := range []string{"x", "{}", `{"samsara_after":[]}`, `{"geotab_log":"00"}`, `{"samsara_after":["","","",""]}`, `[]`} {
		if got := problem(t, fed(asks, t, text)); got.Reason != provider.CursorLost {
			t.Errorf("%s: %+v", text, got)
		}
	}
}

// All vehicles of all pages, and what is not said of them stays unsaid.
func TestSamsaraVehicles(t *testing.T) {
	s, c := providertest.NewSamsara(t), newClock()
	asks := client(t, "samsara", s, c)
	const many = 1300
	for i := range many {
		s.AddTruck(providertest.Truck{ID: fmt.Sprint(281474980000000 + i), Name: "U", VIN: fmt.Sprintf("4synthv1n%08d", i), Serial: fmt.Sprintf("GSYN%06d", i)})
	}
	s.AddTruck(providertest.Truck{ID: "212000000000001", Name: "GSYN-DEF-001"})
	got, err := asks.Vehicles(t.Context())
	if err != nil || len(got) != many+1 || s.Calls(providertest.VehiclesPath) != 3 {
		t.Fatalf("%d vehicles in %d calls, %v", len(got), s.Calls(providertest.VehiclesPath), err)
	}
	if got[0] != (provider.Vehicle{ExternalID: "212000000000001", Name: "GSYN-DEF-001"}) {
		t.Errorf("%+v", got[0])
	}
	if want := (provider.Vehicle{ExternalID: "281474980000007", Name: "U", VIN: "4SYNTHV1N00000007", Serial: "GSYN000007"}); got[8] != want {
		t.Errorf("%+v, want %+v", got[8], want)
	}
	s.Replace("281474980000007", "281474990000007")
	s.Fail(providertest.VehiclesPath, providertest.OneSpoiled)
	got, err = asks.Vehicles(t.Context())
	if last := got[len(got)-1]; err != nil || len(got) != many || last.ExternalID != "281474990000007" || last.VIN != "4SYNTHV1N00000007" {
		t.Errorf("%d vehicles, %+v, %v", len(got), last, err)
	}
}

// What Samsara may answer instead, and what is made of it.
func TestFaultsOfSamsara(t *testing.T) {
	for fault, want := range map[providertest.Fault]provider.Error{
		providertest.OverLimit:   {Reason: provider.OverLimit, RetryAfter: 402350 * time.Microsecond},
		providertest.Unavailable: {Reason: provider.Unavailable},
		providertest.HTML502:     {Reason: provider.Unavailable},
		providertest.HTML400:     {Reason: provider.Unavailable},
		providertest.HTML200:     {Reason: provider.Unreadable},
		providertest.Text400:     {Reason: provider.Unreadable},
		providertest.Forbidden:   {Reason: provider.Unauthorized},
		providertest.Cut:         {Reason: provider.Unavailable},
		providertest.HangUp:      {Reason: provider.Unavailable},
		providertest.Wanders:     {Reason: provider.Unavailable},
		providertest.NoCursor:    {Reason: provider.Unreadable},
		providertest.WrongShape:  {Reason: provider.Unreadable},
		providertest.NotUnpacked: {Reason: provider.Unreadable},
	} {
		s, c := providertest.NewSamsara(t), newClock()
		asks := client(t, "samsara", s, c)
		var cursor string
		page(t, asks, c, &cursor)
		s.GPS("1", noon, 33, -96, 0, 7)
		s.Fail(providertest.FeedPath, fault)
		if fault == providertest.HangUp { // on a kept connection it may be the connection, so that the call is made again
			s.Fail(providertest.FeedPath, fault)
		}
		if got := problem(t, fed(asks, t, cursor)); got.Reason != want.Reason || got.RetryAfter != want.RetryAfter {
			t.Errorf("%s: %+v", fault, got)
		}
		if got := page(t, asks, c, &cursor); len(got) != 1 {
			t.Errorf("%s: afterwards %d reports", fault, len(got))
		}
	}
}

// A token that was revoked, and texts that are none.
func TestTokensOfSamsara(t *testing.T) {
	s, c := providertest.NewSamsara(t), newClock()
	asks := client(t, "samsara", s, c)
	s.Revoke()
	if got := problem(t, fed(asks, t, "")); got.Reason != provider.Unauthorized {
		t.Errorf("%+v", got)
	}
	for _, token := range []string{"", "a\r\nX-Other: b", "a b", "ä"} {
		account := s.Account()
		account.Secret = token
		asks, err := provider.New("samsara", account, provider.Options{Outbound: s.Outbound(), Now: c.now})
		if err != nil {
			t.Fatal(err)
		}
		if got := problem(t, fed(asks, t, "")); got.Reason != provider.Unauthorized || token != "" && strings.Contains(got.Message, token) {
			t.Errorf("%q: %+v", token, got)
		}
	}
}

// A reading that cannot be read is counted, and takes no other with it.
func TestRefusedReadingsOfSamsara(t *testing.T) {
	s, c := providertest.NewSamsara(t), newClock()
	asks := client(t, "samsara", s, c)
	var cursor string
	page(t, asks, c, &cursor)
	s.GPS("1", noon, 33, -96, 0, 7)
	s.GPS("2", noon, 95, -96, 0, 7)
	s.GPS("2", noon, 33, -96, 400, 7)
	s.Fail(providertest.FeedPath, providertest.OneSpoiled)
	p, err := asks.Feed(t.Context(), cursor)
	if err != nil || len(p.Reports) != 1 || p.Reports[0].ExternalID != "2" || p.Reports[0].CourseDeg != nil || p.Refused["record_invalid"] != 1 || p.Refused["position_invalid"] != 1 {
		t.Errorf("%+v %v", p, err)
	}
}
