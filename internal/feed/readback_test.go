package feed_test

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"lightbar/internal/feed"
	"lightbar/internal/feed/check"
	"lightbar/internal/feed/read"
	"lightbar/internal/fleet"
)

// many are 10,000 closures and more, also with lines of several points.
func many() []fleet.Closure {
	out := generated()
	for i, c := range generated()[:4000] {
		middle := c.UserRoute[0]
		middle.Lat, middle.Lng = (middle.Lat+c.UserRoute[1].Lat)/2+float64(i)/1e6, (middle.Lng+c.UserRoute[1].Lng)/2
		c.UserRoute = []fleet.LatLng{c.UserRoute[0], middle, c.UserRoute[1]}
		c.ID, c.ExternalID = fmt.Sprintf("01900000-0000-7000-8001-%012x", i), fmt.Sprint("Y", i)
		c.StartAt, c.EndAt = c.StartAt+fleet.Instant(i)*1000, c.EndAt+fleet.Instant(i)*1000
		out = append(out, c)
	}
	for i := range out {
		out[i].ExternalID = "DE-" + out[i].ExternalID // Waze's schema wants three characters
	}
	return out
}

// readBack is what a document can say of a closure.
func readBack(c fleet.Closure, path string, phase feed.Phase) fleet.Closure {
	seconds := func(at fleet.Instant) fleet.Instant { return at - at%1000 }
	out := fleet.Closure{Kind: "feed", ExternalID: c.ExternalID, Description: strings.TrimSpace(c.Description), Direction: c.Direction, RoadName: c.RoadName,
		StreetStart: c.StreetStart, StreetEnd: c.StreetEnd, LocationMethod: c.LocationMethod, VehicleImpact: c.VehicleImpact, TotalLanes: c.TotalLanes,
		StartAt: seconds(c.StartAt), EndAt: seconds(c.EndAt), UpdatedAt: seconds(c.UpdatedAt), EndEstimated: phase != feed.Ended}
	for _, at := range c.UserRoute {
		out.UserRoute = append(out.UserRoute, fleet.LatLng{Lat: math.Round(at.Lat*1e6) / 1e6, Lng: math.Round(at.Lng*1e6) / 1e6})
	}
	if out.ImpactedLanes = c.ImpactedLanes; path != "closures.geojson" {
		lanesBack(&out, strings.HasPrefix(path, "cifs"))
	}
	if path == "cwz-1.0.geojson" {
		out.ExternalID, out.GroupID = c.ID, c.GroupID
	}
	if path != "closures.geojson" {
		if c.AlertMessage != "" && c.AlertMessage != c.Description {
			out.Description = strings.TrimSpace(c.AlertMessage + ". " + c.Description)
		}
	} else {
		out.LocationMethod = ""
	}
	if strings.HasPrefix(path, "cifs") {
		asIncident(&out, &c)
	}
	return out
}

// lanesBack: all lanes or none, and those that are open to traffic are not impacted.
func lanesBack(c *fleet.Closure, asIncident bool) {
	all := c.VehicleImpact == "all-lanes-closed"
	closes := all || strings.HasPrefix(c.VehicleImpact, "some-lanes-closed") || c.VehicleImpact == "unknown"
	if len(c.ImpactedLanes) == 0 && !all {
		c.TotalLanes = 0
	}
	if c.TotalLanes == 0 || c.VehicleImpact == "all-lanes-open" || asIncident && !closes {
		c.ImpactedLanes = nil
	} else if all {
		c.ImpactedLanes = []int{1, 2, 3, 4, 5, 6, 7, 8, 9}[:c.TotalLanes]
	}
}

// asIncident leaves what CIFS has no word for.
func asIncident(out, c *fleet.Closure) {
	out.Direction, out.LocationMethod, out.StreetStart, out.StreetEnd, out.EndEstimated = "", "", "", "", true
	if out.Description = c.AlertMessage; out.Description == "" {
		out.Description = c.Description
	}
	switch {
	case c.VehicleImpact == "all-lanes-closed":
	case strings.HasPrefix(c.VehicleImpact, "some-lanes-closed"):
		out.VehicleImpact = "some-lanes-closed"
	default:
		out.VehicleImpact = "unknown"
	}
}

// Our documents, read by our reader, are the closures that they were made of.
//
// spec: 1.feat.03
func TestDocumentsReadBack(t *testing.T) {
	closures := many()
	for _, path := range []string{"wzdx-4.2.geojson", "cwz-1.0.geojson", "cifs.json", "cifs.xml", "closures.geojson"} {
		var want []fleet.Closure
		for i := range closures {
			if phase := feed.PhaseOf(&closures[i], now); phase != feed.Absent {
				want = append(want, readBack(closures[i], path, phase))
			}
		}
		n, wrong := 0, 0
		result, err := read.Read(context.Background(), bytes.NewReader(document(t, path, now, closures...)), read.Limits{}, func(z *read.WorkZone) {
			got := z.Closure()
			if strings.HasPrefix(path, "cifs") && utf8.RuneCountInString(want[n].Description) > 39 {
				got.Description, want[n].Description = "", "" // it is cut
			}
			if !reflect.DeepEqual(got, want[n]) {
				if wrong++; wrong < 4 {
					t.Errorf("%s:\n got %+v\nwant %+v", path, got, want[n])
				}
			}
			n++
		})
		if err != nil || result.Refused != 0 || result.Kept != len(want) || n < 10_000 || wrong > 0 || result.Broken != "" {
			t.Errorf("%s: %+v, %v; %d of %d differ", path, result, err, wrong, n)
		}
		t.Logf("%s: %d closures", path, n)
	}
}

// Our checker finds nothing in our documents, whichever phase the closures are in.
func TestOurDocumentsAreClean(t *testing.T) {
	for _, path := range []string{"wzdx-4.2.geojson", "cwz-1.0.geojson", "cifs.json", "cifs.xml", "closures.geojson"} {
		r, err := check.Document(context.Background(), bytes.NewReader(document(t, path, now, many()...)), read.Limits{}, now)
		if err != nil || !r.Clean() || r.Good != r.Features || r.Good < 10_000 {
			t.Errorf("%s: %+v, %v", path, r, err)
		}
	}
}
