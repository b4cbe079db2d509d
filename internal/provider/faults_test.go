package provider_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"lightbar/internal/provider"
	"lightbar/internal/testkit/providertest"
)

// driven is a fake that a test lets its vehicles drive on.
type driven struct {
	kind   string
	fake   fake
	drive  func(n int)
	fail   func(fault providertest.Fault)
	faults []providertest.Fault
}

func drivenFakes(t *testing.T) []driven {
	g, s := providertest.NewGeotab(t), providertest.NewSamsara(t)
	s.Page(7)
	calls := []string{"Authenticate", "GetFeed LogRecord", "GetFeed StatusData"}
	return []driven{
		{"geotab", g, func(n int) {
			g.Log(fmt.Sprintf("b%X", n%5), noon.Add(time.Duration(n)*time.Second), 40, -100, 10)
		}, func(fault providertest.Fault) {
			if fault == "session" {
				g.EndSessions()
				return
			}
			g.Fail(calls[len(fault)%len(calls)], fault)
		}, []providertest.Fault{"session", providertest.OverLimit, providertest.Unavailable, providertest.HTML502, providertest.HTML400, providertest.Cut,
			providertest.HangUp, providertest.NoVersion, providertest.NoType, providertest.NewKind}},
		{"samsara", s, func(n int) {
			s.GPS(fmt.Sprint(n%5+1), noon.Add(time.Duration(n)*time.Second), 33, -96, 0, 7)
		}, func(fault providertest.Fault) { s.Fail(providertest.FeedPath, fault) },
			[]providertest.Fault{providertest.OverLimit, providertest.Unavailable, providertest.HTML502, providertest.Cut, providertest.HangUp,
				providertest.NoCursor, providertest.WrongShape, providertest.Text400, providertest.NotUnpacked}},
	}
}

// Whatever fails in between, each report comes once, and in order.
func TestNothingIsLostByFaults(t *testing.T) {
	for seed := range uint64(3) {
		for _, d := range drivenFakes(t) {
			random, c := rand.New(rand.NewPCG(seed, 1)), newClock()
			asks := client(t, d.kind, d.fake, c, "DiagnosticAux1Id", lightsInput)
			var cursor string
			page(t, asks, c, &cursor)
			driven, failures := 0, 0
			var got []provider.Report
			for range 100 {
				for range random.IntN(4) {
					d.drive(driven)
					driven++
				}
				if random.IntN(3) == 0 {
					d.fail(d.faults[random.IntN(len(d.faults))])
				}
				p, err := asks.Feed(t.Context(), cursor)
				if err != nil {
					failures++
					c.pass(max(10*time.Second, problem(t, err).RetryAfter))
					continue
				}
				cursor, got = p.Cursor, append(got, p.Reports...)
				c.pass(p.Wait)
			}
			c.pass(time.Hour)
			for round := 0; round < 200 && len(got) < driven; round++ {
				if p, err := asks.Feed(t.Context(), cursor); err == nil {
					cursor, got = p.Cursor, append(got, p.Reports...)
				}
				c.pass(time.Minute)
			}
			if len(got) != driven || failures < 20 {
				t.Fatalf("%s: %d reports of %d, %d failures", d.kind, len(got), driven, failures)
			}
			newest := map[string]time.Time{} // Samsara's pages are by vehicle
			for _, r := range got {
				if !r.At.After(newest[r.ExternalID]) {
					t.Fatalf("%s: %s at %v comes after %v", d.kind, r.ExternalID, r.At, newest[r.ExternalID])
				}
				newest[r.ExternalID] = r.At
			}
		}
	}
}

// Without an operator's word, no server on a private address is asked, whoever typed its name.
func TestPrivateServersAreNotAsked(t *testing.T) {
	for _, d := range drivenFakes(t) {
		asks, err := provider.New(d.kind, d.fake.Account(), provider.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := problem(t, fed(asks, t, "")); got.Reason != provider.Unavailable || !strings.Contains(got.Message, "not a public address") {
			t.Errorf("%s: %+v", d.kind, got)
		}
	}
}
