package device_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
)

// A receiver without a fix says 0, 0: the position is refused by name, the sign
// of life and the lights of the same report count, whatever protocol it speaks.
func TestPointsWithoutAFix(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		r := newRoom(t, s)
		things, _, err := r.ListThings(t.Context(), r.user, app.ThingQuery{})
		if err != nil {
			t.Fatal(err)
		}
		id, secret := things[0].ID, r.Key(r.org, things[0].ID)
		r.post(`{"items":[{"type":"point","asset":"HA7-0","at":"2026-11-21T11:59:00Z","lat":39.7,"lng":-75.5,"alerting":false}]}`)
		tracker := func(method, query, kind, body string) func(at string) answer {
			return func(at string) answer {
				put := strings.NewReplacer("AT", at, "SECRET", secret)
				req := httptest.NewRequest(method, "/api/ingest/osmand?"+put.Replace(query), strings.NewReader(put.Replace(body)))
				req.Header.Set("Content-Type", kind)
				w := httptest.NewRecorder()
				r.h.ServeHTTP(w, req)
				var a answer
				if err := json.Unmarshal(w.Body.Bytes(), &a); err != nil || w.Code != 200 {
					t.Errorf("%d %s %v", w.Code, w.Body, err)
				}
				return a
			}
		}
		native := func(body string, edit ...func(*http.Request)) func(at string) answer {
			return func(at string) answer {
				_, a := r.post(strings.ReplaceAll(body, "AT", at), edit...)
				return a
			}
		}
		lines := func(q *http.Request) { q.Header.Set("Content-Type", "application/x-ndjson") }
		form := url.Values{"id": {"SECRET"}, "lat": {"0"}, "lon": {"0.0"}, "timestamp": {"AT"}, "alarm": {"sos"}}.Encode()
		for _, c := range []struct {
			name   string
			alerts bool
			send   func(at string) answer
		}{
			{"items", true, native(`{"items":[{"type":"point","asset":"HA7-0","at":"AT","lat":0,"lng":0.0,"speed":3,"alerting":true}]}`)},
			{"off again", false, native(`{"items":[{"type":"point","asset":"HA7-0","at":"AT","lat":0.00000001,"lng":-0.00000001,"alerting":false}]}`)},
			{"a line each", true, native(`{"type":"point","asset":"HA7-0","at":"AT","lat":0,"lng":0,"alerting":true}`+"\n", lines)},
			{"lights not said", true, native(`{"items":[{"type":"point","asset":"HA7-0","at":"AT","lat":0,"lng":0}]}`)},
			{"tracker, query", false, tracker("GET", "id=SECRET&lat=0&lon=0&timestamp=AT&alarm=off", "", "")},
			{"tracker, form", true, tracker("POST", "", "application/x-www-form-urlencoded", form)},
			{"tracker, JSON", true, tracker("POST", "", "application/json", `{"device_id":"SECRET","location":{"timestamp":"AT","coords":{"latitude":0,"longitude":0,"speed":2}}}`)},
		} {
			r.Pass(time.Second)
			a := c.send(r.At().String())
			if a.Data.Accepted != 0 || a.Data.Duplicates != 0 || len(a.Data.Refused) != 1 || a.Data.Refused[0].Error != "no_fix" {
				t.Errorf("%s: %+v", c.name, a)
			}
			if got, err := r.Thing(t.Context(), r.user, id); err != nil || got.HeartbeatAt != r.At() || got.IsActive != c.alerts || *got.Lat != 39.7 {
				t.Errorf("%s: %+v %v", c.name, got.Live, err)
			}
		}
		if _, a := r.post(`{"items":[{"type":"point","asset":"HA7-0","at":"2026-11-21T11:59:30Z","lat":0,"lng":12},{"type":"point","asset":"HA7-0","at":"2026-11-21T11:59:31Z","lat":12,"lng":0},
			{"type":"point","asset":"nobody","at":"2026-11-21T11:59:31Z","lat":0,"lng":0}]}`); a.Data.Accepted != 2 || len(a.Data.Refused) != 1 || a.Data.Refused[0].Error != "asset_unknown" {
			t.Errorf("on the equator and the meridian, and an asset that is not known: %+v", a.Data)
		}
		if n, err := s.CountPoints(t.Context()); err != nil || n != 3 {
			t.Errorf("%d points stored, %v", n, err)
		}
	})
}

// Items of every type, in a body and one on a line; an asset by its system name or its external id.
//
// spec: D.ingest.01 D.ingest.03
func TestEveryItemInBothForms(t *testing.T) {
	for _, form := range []string{"application/json", "application/x-ndjson"} {
		r := newRoom(t, storetest.SQLite(t))
		made, err := r.RegisterThings(t.Context(), access.System(), []app.NewThing{{OrganizationID: r.org, SystemName: "BOARD-9", ExternalID: "ext 9", Type: "arrow_board"}})
		if err != nil {
			t.Fatal(err)
		}
		items := []string{
			`{"type":"point","asset":"HA7-0","at":"2026-11-21T11:59:58.250Z","lat":39.7447,"lng":-75.5484,"course":38,"speed":15.2,"accuracy":4,"alerting":true}`,
			`{"type":"heartbeat","asset":"HA7-1","at":"2026-11-21T11:59:59Z"}`,
			`{"type":"alert","asset":"HA7-2","at":"2026-11-21T11:59:59Z","on":true}`,
			`{"type":"closure","asset":"ext 9","at":"2026-11-21T11:59:59Z","active":true,"pattern":"right-arrow-flashing"}`,
		}
		body := strings.Join(items, "\n")
		if form == "application/json" {
			body = `{"items":[` + strings.Join(items, ",") + `]}`
		}
		w, a := r.post(body, func(q *http.Request) { q.Header.Set("Content-Type", form) })
		if w.Code != 200 || a.Data.Accepted != 4 || len(a.Data.Refused) != 0 {
			t.Fatalf("%s: %d %s", form, w.Code, w.Body)
		}
		rows, _, err := r.ListThings(t.Context(), r.user, app.ThingQuery{})
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]string{}
		for _, row := range rows {
			got[row.HaasID] = row.Status
			if row.ID == made[0].ID && row.HeartbeatAt == 0 {
				t.Errorf("%s: the board was not heard: %+v", form, row.Live)
			}
		}
		if got["HA7-0"] != "active" || got["HA7-1"] != "standby" || got["HA7-2"] != "active" || got["BOARD-9"] != "active" {
			t.Errorf("%s: %v", form, got)
		}
	}
}

// Too many requests at once and a server that stops say when to come again, and nothing of them was taken.
//
// spec: D.ingest.05
func TestComeAgain(t *testing.T) {
	r := newRoom(t, storetest.SQLite(t))
	busy := r.Live.Begin() // no asset can be made meanwhile
	answers := make(chan *httptest.ResponseRecorder, 17)
	for range 17 {
		go func() {
			req := httptest.NewRequest(http.MethodPost, "/api/ingest/assets", strings.NewReader(`{"things":[{"haas_id":"NEW","thing_type":"fire"}]}`))
			req.Header.Set("Authorization", "Bearer "+r.key)
			w := httptest.NewRecorder()
			r.h.ServeHTTP(w, req)
			answers <- w
		}()
	}
	if w := <-answers; w.Code != 429 || w.Header().Get("Retry-After") == "" || !strings.Contains(w.Body.String(), `"rate_limited"`) {
		t.Errorf("the seventeenth: %d %v %s", w.Code, w.Header(), w.Body)
	}
	busy.Abort()
	for range 16 {
		if w := <-answers; w.Code != 200 {
			t.Errorf("one of sixteen: %d %s", w.Code, w.Body)
		}
	}
	if err := r.StopIngest(t.Context()); err != nil {
		t.Fatal(err)
	}
	w, a := r.post(`{"items":[{"type":"point","asset":"HA7-0","at":"2026-11-21T11:59:00Z","lat":39.7,"lng":-75.5}]}`)
	if w.Code != 503 || a.Error != "busy" || w.Header().Get("Retry-After") == "" {
		t.Errorf("a server that stops: %d %v %s", w.Code, w.Header(), w.Body)
	}
	if got, _, err := r.ListThings(t.Context(), r.user, app.ThingQuery{}); err != nil || got[0].HeartbeatAt != 0 {
		t.Errorf("taken: %+v %v", got[0].Live, err)
	}
}
