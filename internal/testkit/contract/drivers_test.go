package contract_test

import (
	"bufio"
	"net/http"
	"strings"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/testkit"
	"lightbar/internal/wire"
)

// playDrivers reads and follows the alerts to drivers as the page for phones does, and tells which were shown. These
// paths are no operations of the document: they are recorded under names without the organization.
func playDrivers(r *recorder, s *stage) {
	ids, from := s.fleet(s.SignIn("administrator").AccessToken), s.Clock.Now()
	base, public := "/feeds/"+s.Own.ID+"/", true
	say := func(operation, name, method, path, token string, body any) testkit.Response {
		r.t.Helper()
		answer := s.Do(testkit.Request{Method: method, Path: path, Token: token, Body: body})
		r.keepAnswer(name, method, "/feeds/"+operation, answer)
		return answer
	}
	say("alerts", "", "GET", base+"alerts.geojson", "", nil) // not public, no key
	say("alerts", "invalid_key.wrong", "GET", base+"alerts.geojson", "lb_key_wrong", nil)
	_, foreign, err := s.App.CreateKey(s.t.Context(), access.System(), wire.KeyCreate{OrganizationID: wire.ID(s.Foreign.ID), Description: "Navigation",
		Scopes: []string{"alerts"}})
	s.must(err)
	say("alerts", "", "GET", base+"alerts.geojson", foreign, nil)
	_, err = s.App.UpdateOrganization(s.t.Context(), access.System(), s.Own.ID, wire.OrganizationWrite{IsWZDxOrg: &public, AlertsPublic: &public})
	s.must(err)
	say("alerts", "empty", "GET", base+"alerts.geojson", "", nil)
	s.report(object{"type": "point", "asset": "ALERTING", "lat": 39.72, "lng": -75.52, "course": 90, "speed": 20, "accuracy": 5, "alerting": true})
	found := testkit.Decode[struct{ Features []struct{ ID string } }](r.t, say("alerts", "ok", "GET", base+"alerts.geojson", "", nil))
	impressions := base + "alerts/impressions"
	say("alerts/impressions", "ok", "POST", impressions, "", object{"consumer": "a phone", "alerts": []string{found.Features[0].ID, "unknown"}})
	say("alerts/impressions", "", "POST", impressions, "", object{"consumer": "", "alerts": []string{}})
	say("alerts/stream", "", "GET", base+"alerts/stream?lat=91", "", nil)
	r.hide(found.Features[0].ID, "a")

	answer := s.follow(base + "alerts/stream")
	text := answer.until("ready")
	s.Clock.Advance(time.Second)
	epoch, _, _ := strings.Cut(text[strings.Index(text, "\nid: ")+len("\nid: "):], "-")
	s.report(object{"type": "point", "asset": "ALERTING", "lat": 39.72, "lng": -75.52, "course": 90, "speed": 0, "accuracy": 5, "alerting": false})
	text += answer.until("gone")
	r.hidden[epoch] = "eeeeeeee" // a number at random, in seven or eight digits
	r.keepAnswer("ok", "GET", "/feeds/alerts/stream", testkit.Response{Status: answer.status, Header: answer.header, Text: text})

	// What apps told stands in the run.
	s.must(s.App.CountDrivers(s.t.Context()))
	to := s.Clock.Now()
	r.call(s, "drivers", "GET", "/api/things/"+ids["ALERTING"]+"/trips?start_time="+instantOf(from)+"&end_time="+instantOf(to)+"&run_date="+
		instantOf(from), s.SignIn("administrator").AccessToken, nil)
}

// followed is an open stream of alerts.
type followed struct {
	s      *stage
	status int
	header http.Header
	lines  *bufio.Scanner
}

func (s *stage) follow(path string) *followed {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), http.MethodGet, s.Server.URL+path, http.NoBody)
	s.must(err)
	answer, err := http.DefaultTransport.RoundTrip(r)
	s.must(err)
	s.t.Cleanup(func() { _ = answer.Body.Close() })
	return &followed{s, answer.StatusCode, answer.Header, bufio.NewScanner(answer.Body)}
}

// until is what comes, up to an event of that name; the boards look at the clock meanwhile.
func (f *followed) until(name string) (text string) {
	f.s.t.Helper()
	done := make(chan struct{})
	defer close(done)
	go func() {
		for {
			select {
			case f.s.looks <- time.Time{}:
			case f.s.ticks <- time.Time{}:
			case <-done:
				return
			}
		}
	}()
	isIt := false
	for f.lines.Scan() {
		text += f.lines.Text() + "\n"
		isIt = isIt || f.lines.Text() == "event: "+name
		if isIt && f.lines.Text() == "" {
			return text
		}
	}
	f.s.t.Fatalf("the stream ended before %s: %s", name, text)
	return text
}
