package app_test

import (
	"testing"
	"time"

	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit/apptest"
)

// One batch does what its items would do sent one by one: the order in which
// they were sent decides, not whether they are points.
//
// spec: D.value.06
func TestOneBatchOrSeveral(t *testing.T) {
	unsaid := func(at fleet.Instant) fleet.Report {
		p := point(at, 2, false)
		p.HasAlerting = false
		return p
	}
	alert := func(at fleet.Instant, on bool) fleet.Report {
		return fleet.Report{Kind: fleet.ReportAlert, Asset: "U-0", At: at, HasAlerting: true, Alerting: on}
	}
	for _, c := range []struct {
		name    string
		before  []fleet.Report // 30 s apart, one by one
		reports func(now fleet.Instant) []fleet.Report
		quiet   time.Duration // that passes then
		want    int           // active incidents
	}{
		{"on scene, then a point", []fleet.Report{point(0, 0, false)}, func(now fleet.Instant) []fleet.Report {
			return []fleet.Report{{Kind: fleet.ReportOnScene, Asset: "U-0", At: now - 1000}, point(now, 2, false)}
		}, time.Second, 1},
		{"a point, then on scene", []fleet.Report{point(0, 0, false)}, func(now fleet.Instant) []fleet.Report {
			return []fleet.Report{point(now-1000, 2, false), {Kind: fleet.ReportOnScene, Asset: "U-0", At: now}}
		}, time.Second, 1},
		{"lights off, then a point that says nothing of them", []fleet.Report{point(0, 0, true), point(0, 0, true), point(0, 0, true)}, func(now fleet.Instant) []fleet.Report {
			return []fleet.Report{alert(now-1000, false), unsaid(now)}
		}, 6 * time.Minute, 0},
		{"lights off and on again between points", []fleet.Report{point(0, 0, true), point(0, 0, true), point(0, 0, true)}, func(now fleet.Instant) []fleet.Report {
			return []fleet.Report{unsaid(now - 4000), alert(now-3000, false), unsaid(now - 2000), alert(now-1000, true), unsaid(now)}
		}, 6 * time.Minute, 1},
	} {
		for _, together := range []bool{true, false} {
			k := apptest.New(t, storetest.SQLite(t))
			o := k.Organization("A")
			k.Things(o.ID, "U", 1)
			send := func(reports ...fleet.Report) {
				t.Helper()
				if r, err := k.RecordPoints(t.Context(), k.Device(o.ID), app.ReportBatch{Reports: reports}); err != nil || r.Accepted != len(reports) {
					t.Fatalf("%+v %v", r, err)
				}
			}
			for _, r := range c.before {
				k.Pass(30 * time.Second)
				r.At = k.At()
				send(r)
			}
			k.Pass(5 * time.Second)
			if reports := c.reports(k.At()); together {
				send(reports...)
			} else {
				for _, r := range reports {
					send(r)
				}
			}
			k.Pass(c.quiet)
			if err := k.AgeDue(t.Context()); err != nil {
				t.Fatal(err)
			}
			if rows, _, err := k.ActiveLocations(t.Context(), k.User(o.ID, "viewer"), nil); err != nil || len(rows) != c.want {
				t.Errorf("%s, in one batch %v: %d active incidents (%v), want %d", c.name, together, len(rows), err, c.want)
			}
		}
	}
}
