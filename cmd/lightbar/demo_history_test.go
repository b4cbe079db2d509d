package main

import (
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A first start makes its history while it serves: then there are trips of yesterday, positions of all of its days, and
// events, without a second start; that one makes nothing more. The audit and the doctor find nothing wrong with it.
func TestDemoHistory(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED in the short run: days of a fleet are many reports")
	}
	data := filepath.Join(t.TempDir(), "demo")
	first := startDemo(t, data, "--quiet", "--history", "4")
	token, list := visitor(t, data, first.info.URL, "manager@demo.example")
	wait(t, first, func() bool { return strings.Contains(first.err.String(), "History: all 4 days") })
	if reported, all := heard(t, token, list); reported != all || all == 0 {
		t.Errorf("%d of %d assets have been heard", reported, all)
	}
	looked := seen(t, first, token, list)
	if looked.runs == 0 || looked.moving == 0 || looked.points < 1000 || looked.days < 3.0 || looked.events < 30 {
		t.Errorf("%+v", looked)
	}
	if code := first.end(t); code != exitOK {
		t.Fatalf("exit %d\n%s", code, first.err.String())
	}
	again := startDemo(t, data, "--quiet", "--history", "90")
	token, list = visitor(t, data, again.info.URL, "manager@demo.example")
	if now := seen(t, again, token, list); now != looked {
		t.Errorf("after another start %+v, before %+v", now, looked)
	}
	if code := again.end(t); code != exitOK || strings.Contains(again.err.String(), "History: ") {
		t.Errorf("exit %d\n%s", code, again.err.String())
	}
	if out := lbOK(t, "audit", "verify", "--data", data); !strings.Contains(out, "The chain holds.") {
		t.Errorf("got %s", out)
	}
	if _, out, _ := lb(t, "doctor", "--data", data); !strings.Contains(out, " at rest in ") || strings.Contains(out, "\nfailure") {
		t.Errorf("doctor:\n%s", out)
	}
}

// pastSeen is what a visitor finds of the past of Engine 2, and of events.
type pastSeen struct {
	runs, moving int // of the last whole day
	points       int
	days         float64
	events       int
}

func seen(t *testing.T, s *serving, token, list string) (out pastSeen) {
	t.Helper()
	var things struct {
		Data []struct {
			ID, Nickname string
		} `json:"data"`
	}
	ask(t, "GET", list, token, nil, &things)
	id := ""
	for _, thing := range things.Data {
		if thing.Nickname == "Engine 2" {
			id = thing.ID
		}
	}
	var coverage struct {
		Data []struct {
			Spans []struct {
				Start  time.Time `json:"start"`
				End    time.Time `json:"end"`
				Points int       `json:"points"`
			} `json:"spans"`
		} `json:"data"`
	}
	ask(t, "GET", s.info.URL+"/api/things/coverage?thing_ids[]="+id, token, nil, &coverage)
	spans := coverage.Data[0].Spans
	for _, span := range spans {
		out.points += span.Points
	}
	last := spans[len(spans)-1].End
	out.days = last.Sub(spans[0].Start).Hours() / 24
	var trips struct {
		Data struct {
			Runs, Other []struct{}
		} `json:"data"`
	}
	// Three days: on one of them the engine was called.
	for back := range 3 {
		end := last.Add(-time.Duration(back) * 24 * time.Hour)
		of := url.Values{"start_time": {end.Add(-24 * time.Hour).Format(time.RFC3339)}, "end_time": {end.Format(time.RFC3339)}}
		ask(t, "GET", s.info.URL+"/api/things/"+id+"/trips?"+of.Encode(), token, nil, &trips)
		out.runs, out.moving = out.runs+len(trips.Data.Runs), out.moving+len(trips.Data.Other)
	}
	var events struct {
		Meta struct {
			Total int `json:"total"`
		} `json:"meta"`
		Data []struct{} `json:"data"`
	}
	ask(t, "GET", s.info.URL+"/api/locations", token, nil, &events)
	out.events = max(events.Meta.Total, len(events.Data))
	return out
}
