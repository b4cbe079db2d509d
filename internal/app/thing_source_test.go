package app_test

import (
	"slices"
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
)

// sourcesOf is what a single read says of the asset's sources: "source name why", the shown one with a star.
func (c *atSamsara) sourcesOf(as string) (out []string) {
	c.t.Helper()
	row, err := c.Thing(c.t.Context(), c.User(c.o.ID, as), c.thing)
	must(c.t, err)
	for _, one := range row.Sources {
		if one.LastAt == 0 || one.ReceivedAt == 0 {
			c.t.Errorf("%+v", one)
		}
		name := "-"
		if one.Name != nil {
			name = *one.Name
		}
		out = append(out, one.Source+map[bool]string{true: "*"}[one.IsShown]+" "+name+" "+one.Why)
	}
	return out
}

func (c *atSamsara) device(by fleet.Source, lat float64, at fleet.Instant) {
	c.t.Helper()
	r, err := c.RecordPoints(c.t.Context(), c.Device(c.o.ID), app.ReportBatch{Source: by, Reports: []fleet.Report{{Kind: fleet.ReportPoint, Asset: "U-0", At: at,
		HasLat: true, HasLng: true, Lat: lat, Lng: -75.5}}})
	if err != nil || len(r.Refused) > 0 {
		c.t.Fatal(r, err)
	}
}

// spec: 1.feat.08
func TestAnAssetShowsWhichOfItsSourcesWonAndWhy(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		c := connected(t, s)
		want := func(what string, want ...string) {
			t.Helper()
			if got := c.sourcesOf("administrator"); !slices.Equal(got, want) {
				t.Errorf("%s: %q, want %q", what, got, want)
			}
		}
		want("nothing came")
		c.said(39.70, 3*time.Second)
		c.poll()
		want("one source", "samsara* Plows newest")
		c.device(fleet.SourceHTTP, 39.71, c.At())
		want("the device is newer", "http* - newest", "samsara Plows older")
		c.said(39.60, 2*time.Hour)
		c.poll()
		want("two hours late", "http* - newest", "samsara Plows older")
		c.Pass(time.Minute)
		at := c.At()
		c.said(39.72, 0)
		c.poll()
		c.Pass(2 * time.Second)
		c.device(fleet.SourceHTTP, 39.73, at) // another position at this instant counts as of when it came
		want("the same instant, elsewhere", "http* - newest", "samsara Plows older")
		at = c.At()
		c.device(fleet.SourceHTTP, 39.74, at)
		c.Pass(time.Second)
		c.device(fleet.SourceMQTT, 39.74, at) // had before: the first one stays
		want("the same instant", "http* - newest", "mqtt - same_instant", "samsara Plows older")
		if c.lat() != 39.74 {
			t.Error(c.lat())
		}
		rows, _, err := c.ListThings(t.Context(), c.admin, app.ThingQuery{})
		if err != nil || len(rows) != 1 || rows[0].Sources != nil {
			t.Errorf("a list has them: %+v %v", rows, err)
		}
		if got := c.sourcesOf("viewer"); !slices.Equal(got, []string{"http* - newest", "mqtt - same_instant", "samsara - older"}) {
			t.Errorf("who may not read integrations sees %q", got)
		}
		// They are saved with the state.
		must(t, c.Live.Flush(t.Context()))
		c.Open(s, live.Options{})
		want("after a start", "http* - newest", "mqtt - same_instant", "samsara Plows older")
		// The next owner sees nothing of it.
		next := c.Organization("Bay County")
		must(t, second(c.TransferThing(t.Context(), access.System(), c.thing, next.ID, 0)))
		row, err := c.Thing(t.Context(), c.User(next.ID, "administrator"), c.thing)
		if err != nil || row.Sources != nil {
			t.Errorf("%+v %v", row.Sources, err)
		}
	})
}
