package device_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/device"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit/apptest"
)

type answer struct {
	Data  app.ReportResult `json:"data"`
	Error string           `json:"error"`
}

type room struct {
	*apptest.Kit
	t    *testing.T
	h    http.Handler
	key  string
	org  string
	user *access.Actor
}

func newRoom(t *testing.T, s *store.Store) *room {
	k := apptest.New(t, s)
	org := k.Organization("Sample Fire")
	k.Things(org.ID, "HA7", 3)
	return &room{Kit: k, t: t, h: device.New(k.App, device.Options{}), key: k.Key(org.ID, ""), org: org.ID, user: k.User(org.ID, "manager")}
}

func (r *room) post(body string, edit ...func(*http.Request)) (*httptest.ResponseRecorder, answer) {
	r.t.Helper()
	req := httptest.NewRequest(http.MethodPost, "/api/ingest", strings.NewReader(body))
	req.Header.Set("Authorization", "Bearer "+r.key)
	for _, e := range edit {
		e(req)
	}
	w := httptest.NewRecorder()
	r.h.ServeHTTP(w, req)
	var a answer
	if err := json.Unmarshal(w.Body.Bytes(), &a); err != nil {
		r.t.Fatalf("answer %d %q: %v", w.Code, w.Body, err)
	}
	return w, a
}

// spec: D.ingest.01 D.ingest.03 D.ingest.04 D.ingest.07 D.ingest.09
func TestIngestToList(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		r := newRoom(t, s)
		body := `{"items": [
			{"type": "point", "asset": "HA7-0", "at": "2026-11-21T11:59:58.250Z", "lat": 39.7447, "lng": -75.5484, "course": 38, "speed": 15.2, "accuracy": 4, "alerting": true, "new_field": {"x": [1, 2]}},
			{"type": "heartbeat", "asset": "ha7-1", "at": "2026-11-21T11:59:59Z"},
			{"type": "point", "asset": "HA7-0", "at": "2026-11-21T11:59:57Z", "lat": 91, "lng": 0},
			{"type": "point", "asset": "nobody", "at": "2026-11-21T11:59:57Z", "lat": 1, "lng": 0}]}`
		w, a := r.post(body)
		if w.Code != 200 || a.Data.Accepted != 2 || a.Data.Duplicates != 0 || len(a.Data.Refused) != 2 {
			t.Fatalf("got %d %s", w.Code, w.Body)
		}
		if f := a.Data.Refused[0]; f.Index != 2 || f.Error != "lat_out_of_range" || f.Field != "lat" {
			t.Errorf("refusal %+v", f)
		}
		if f := a.Data.Refused[1]; f.Index != 3 || f.Error != "asset_unknown" || f.Field != "asset" {
			t.Errorf("refusal %+v", f)
		}
		things, meta, err := r.ListThings(t.Context(), r.user, app.ThingQuery{})
		if err != nil || meta.Total != 3 || meta.PerPage != 500 {
			t.Fatalf("list %+v %v", meta, err)
		}
		if got := things[0]; got.Lat == nil || *got.Lat != 39.7447 || got.Status != "active" || !got.Enroute || got.RunPoints != 1 || got.Speed != 15.2 {
			t.Errorf("thing %+v", got.Live)
		}
		if got := things[1]; got.Status != "standby" || got.Lat != nil {
			t.Errorf("thing %+v", got.Live)
		}
		if got := things[2]; got.Status != "offline" {
			t.Errorf("thing %+v", got.Live)
		}
		_, again := r.post(body)
		if again.Data.Accepted != 0 || again.Data.Duplicates != 2 {
			t.Errorf("a repeat: %+v", again.Data)
		}
		since := meta.AsOf
		r.Pass(time.Second)
		r.post(`{"items":[{"type":"alert","asset":"HA7-0","at":"2026-11-21T12:00:01Z","on":false}]}`)
		things, _, _ = r.ListThings(t.Context(), r.user, app.ThingQuery{Since: since + 1})
		if len(things) != 1 || things[0].Status != "standby" || things[0].IsActive {
			t.Errorf("incremental: %+v", things)
		}
		if n, err := s.CountPoints(t.Context()); err != nil || n != 1 {
			t.Errorf("%d points stored, %v", n, err)
		}
	})
}
