package device_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"lightbar/internal/app"
	"lightbar/internal/fleet"
	picture "lightbar/internal/live"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/wire"
)

// tracker is a phone with the key of one asset.
type tracker struct {
	*room
	id, secret string
}

func newTracker(t *testing.T, s *store.Store) *tracker {
	r := newRoom(t, s)
	things, _, err := r.ListThings(t.Context(), r.user, app.ThingQuery{})
	if err != nil {
		t.Fatal(err)
	}
	return &tracker{room: r, id: things[0].ID, secret: r.Key(r.org, things[0].ID)}
}

// send sends a query or a JSON body, with seconds from now for @-60@ and the like.
func (k *tracker) send(query, body string) (status int, a answer) {
	k.t.Helper()
	for _, text := range []*string{&query, &body} {
		for {
			before, rest, found := strings.Cut(*text, "@")
			offset, after, closed := strings.Cut(rest, "@")
			if !found || !closed {
				break
			}
			var s int64
			if _, err := fmt.Sscan(offset, &s); err != nil {
				k.t.Fatal(err)
			}
			*text = before + (k.At() + fleet.Instant(s*1000)).String() + after
		}
	}
	method := http.MethodGet
	if body != "" {
		method = http.MethodPost
	}
	w := httptest.NewRecorder()
	k.h.ServeHTTP(w, httptest.NewRequest(method, "/api/ingest/osmand?id="+k.secret+"&"+query, strings.NewReader(body)))
	if err := json.Unmarshal(w.Body.Bytes(), &a); err != nil {
		k.t.Fatalf("%d %s", w.Code, w.Body)
	}
	return w.Code, a
}

func (k *tracker) asset() wire.Thing {
	k.t.Helper()
	got, err := k.Thing(k.t.Context(), k.user, k.id)
	if err != nil {
		k.t.Fatal(err)
	}
	return got
}

const week = 7 * 24 * 3600

// An app sends in order and repeats what is not answered 200. So what is never
// taken is answered 200: it is counted on the asset, and its sender lives.
func TestWhatIsNeverTakenStopsNoTracker(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		k := newTracker(t, s)
		for i, c := range []struct{ query, body, code string }{
			{"timestamp=@-2678400@&lat=39.7&lon=-75.5&speed=3&accuracy=5", "", "at_too_old"},
			{"timestamp=@172800@&lat=39.7&lon=-75.5", "", "at_too_far_ahead"},
			{"timestamp=1&lat=39.7&lon=-75.5", "", "at_too_old"},
			{"timestamp=yesterday&lat=39.7&lon=-75.5", "", "wrong_type"},
			{"timestamp=@-5@&lat=north&lon=-75.5", "", "wrong_type"},
			{"timestamp=@-5@&lat=91&lon=-75.5", "", "lat_out_of_range"},
			{"timestamp=@-5@&lat=39.7&lon=-181", "", "lng_out_of_range"},
			{"timestamp=@-5@&lat=39.7", "", "lng_missing"},
			{"timestamp=@-5@&lat=0&lon=0", "", "no_fix"},
			{"timestamp=@-900@&lat=39.7&lon=-75.5&valid=0&accuracy=5", "", "no_fix"},
			{"timestamp=@-5@&lat=39.7&lon=-75.5&valid=false", "", "no_fix"},
			{"", `{"location":{"timestamp":"@-2678400@","coords":{"latitude":39.7,"longitude":-75.5}}}`, "at_too_old"},
			{"", `{"location":{"timestamp":"@-5@","coords":{"latitude":391,"longitude":-75.5}}}`, "lat_out_of_range"},
		} {
			k.Pass(time.Minute)
			status, a := k.send(c.query, c.body)
			if status != 200 || a.Data.Accepted != 0 || len(a.Data.Refused) != 1 || a.Data.Refused[0].Error != c.code {
				t.Errorf("%s%s: %d %+v", c.query, c.body, status, a)
			}
			got := k.asset()
			if got.HeartbeatAt != k.At() || got.Status == "offline" || got.Lat != nil {
				t.Errorf("%s%s: %+v", c.query, c.body, got.Live)
			}
			if r := got.Refused; r == nil || r.Count != int64(i+1) || r.At != k.At() || r.Error != c.code || r.Reason == "" || r.Reason == c.code {
				t.Errorf("%s%s: on the asset %+v", c.query, c.body, r)
			}
		}
		before := k.asset().Refused
		if status, a := k.send("timestamp=@-1@&lat=39.75&lon=-75.5", ""); status != 200 || a.Data.Accepted != 1 {
			t.Errorf("the next report: %d %+v", status, a)
		}
		k.Open(s, picture.Options{}) // a start keeps the count
		if got := k.asset(); got.Lat == nil || *got.Lat != 39.75 || got.Refused == nil || *got.Refused != *before {
			t.Errorf("%+v, refused %+v, before %+v", got.Live, got.Refused, before)
		}
		k.Pass(8 * 24 * time.Hour)
		if _, err := k.RecordPoints(t.Context(), k.Device(k.org), app.ReportBatch{Reports: []fleet.Report{{Asset: "HA7-0", At: k.At(), HasLat: true, HasLng: true, Lat: 91}}}); err != nil {
			t.Fatal(err)
		}
		if r := k.asset().Refused; r == nil || r.Count != 1 {
			t.Errorf("after a week without one: %+v", r)
		}
	})
}

// Waiting positions come in one body: each is stored, and those that are not taken stop none.
func TestABatchOfATracker(t *testing.T) {
	k := newTracker(t, storetest.SQLite(t))
	position := func(at, lat string) string {
		return `{"timestamp":"` + at + `","coords":{"latitude":` + lat + `,"longitude":-75.5,"accuracy":4,"speed":8},"event":"","battery":{"level":0.5},"extras":{}}`
	}
	body := `{"location":[` + position("@-2678400@", "39.70") + "," + position("@-60@", "39.71") + "," + position("@-30@", "39.72") + `,{"event":"providerchange"}],"device_id":"` + k.secret + `"}`
	status, a := k.send("", body)
	if status != 200 || a.Data.Accepted != 3 || len(a.Data.Refused) != 1 || a.Data.Refused[0].Index != 0 {
		t.Errorf("%d %+v", status, a)
	}
	if got := k.asset(); got.Lat == nil || *got.Lat != 39.72 || got.HeartbeatAt != k.At() {
		t.Errorf("%+v", got.Live)
	}
	if n, err := k.Store.CountPoints(t.Context()); err != nil || n != 2 {
		t.Errorf("%d points, %v", n, err)
	}
	if status, a = k.send("", `{"data":[`+position("@-10@", "39.73")+`]}`); status != 400 || a.Error != "invalid_request" {
		t.Errorf("a list that is not understood: %d %+v", status, a)
	}
}

// A parked phone repeats its last position: that it does is the news.
func TestARepeatOfTheDeviceIsASignOfLife(t *testing.T) {
	k := newTracker(t, storetest.SQLite(t))
	const body = `{"location":{"event":"%s","timestamp":"2026-11-21T11:59:00Z","coords":{"latitude":39.74,"longitude":-75.55,"accuracy":6,"speed":-1,"heading":-1},"activity":{"type":"still"}}}`
	for i, event := range []string{"motionchange", "heartbeat", "heartbeat", "", "HEARTBEAT"} {
		status, a := k.send("", fmt.Sprintf(body, event))
		want := k.At()
		if i == 0 {
			want -= 60_000
		}
		if got := k.asset(); status != 200 || got.HeartbeatAt != want || got.Lat == nil || got.At.String() != "2026-11-21T11:59:00.000Z" || got.Refused != nil {
			t.Errorf("%d %s: %d %+v %+v", i, event, status, a, got.Live)
		}
		if a.Data.Duplicates != min(i, 1) || a.Data.Accepted != 1-min(i, 1) || a.Data.Ignored["speed"] != 1 {
			t.Errorf("%d %s: %+v", i, event, a)
		}
		k.Pass(5 * time.Minute)
	}
	if status, _ := k.send("", `{"location":{"event":"heartbeat","timestamp":"@-1500@"}}`); status != 200 || k.asset().HeartbeatAt != k.At() {
		t.Errorf("%d, a heartbeat without a position: %+v", status, k.asset().Live)
	}
	// A gateway that sends a batch again says nothing new of its assets.
	item := `{"items":[{"type":"point","asset":"HA7-1","at":"2026-11-21T11:58:00Z","lat":39.7,"lng":-75.5}]}`
	k.post(item)
	k.Pass(time.Minute)
	if _, a := k.post(item); a.Data.Duplicates != 1 {
		t.Errorf("%+v", a)
	}
	rows, _, err := k.ListThings(t.Context(), k.user, app.ThingQuery{})
	if err != nil || rows[1].HeartbeatAt.String() != "2026-11-21T11:58:00.000Z" {
		t.Errorf("%+v %v", rows[1].Live, err)
	}
}

// A receiver whose week number began at 0 again dates right positions 1024 weeks back.
func TestAWeekNumberThatRolledOver(t *testing.T) {
	for _, eras := range []int64{1, 2} {
		k := newTracker(t, storetest.SQLite(t))
		at := (int64(k.At())/1000 - eras*1024*week) - 3
		if status, a := k.send(fmt.Sprintf("timestamp=%d&lat=39.7&lon=-75.5&accuracy=5", at), ""); status != 200 || a.Data.Accepted != 1 {
			t.Errorf("%d %+v", status, a)
		}
		if got := k.asset(); got.Lat == nil || got.At != k.At()-3000 || got.Refused != nil {
			t.Errorf("%+v", got.Live)
		}
		if status, a := k.send(fmt.Sprintf("timestamp=%d&lat=39.8&lon=-75.5", at-3600), ""); status != 200 || len(a.Data.Refused) != 1 || a.Data.Refused[0].Error != "at_too_old" {
			t.Errorf("an hour off: %d %+v", status, a)
		}
		if _, state, _, _ := k.Live.Thing(k.id); !state.Skewed || state.HeartbeatAt != k.At() || state.Lat != 39.7 {
			t.Errorf("an hour off: %+v", state)
		}
	}
}

// An accuracy of 0 is none: it moves the marker and opens nothing. An alarm turns the lights on wherever it stands.
func TestUnknownAccuracyAndAlarms(t *testing.T) {
	k := newTracker(t, storetest.SQLite(t))
	var items []string
	for i := range 9 {
		items = append(items, fmt.Sprintf(`{"type":"point","asset":"HA7-0","at":"%s","lat":39.73,"lng":-75.56,"accuracy":%s,"speed":0,"alerting":true}`,
			k.At()-fleet.Instant(90-10*i)*1000, []string{"0", "-1", `"NaN"`}[i%3]))
	}
	_, a := k.post(`{"items":[` + strings.Join(items, ",") + `]}`)
	if got := k.asset(); a.Data.Accepted != 9 || a.Data.Ignored["accuracy"] != 9 || got.Accuracy != nil || got.Location != nil || got.Lat == nil || got.Status != "active" {
		t.Errorf("%+v: %+v", a, got.Live)
	}
	k.send("timestamp=@-4@&lat=39.73&lon=-75.56&alarm=0", "")
	if k.asset().IsActive {
		t.Error("lights on")
	}
	if status, _ := k.send("", `{"location":{"timestamp":"@-3@","coords":{"latitude":39.74,"longitude":-75.55,"accuracy":4},"extras":{"alarm":"sos"}}}`); status != 200 || !k.asset().IsActive {
		t.Errorf("%d %+v", status, k.asset().Live)
	}
}

// An item of a gateway is refused by itself; of an asset that is known it is a sign of life, and counted there.
func TestARefusedItemIsASignOfLife(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		r := newRoom(t, s)
		_, a := r.post(`{"items":[
			{"type":"point","asset":"HA7-0","at":"2026-10-01T00:00:00Z","lat":39.7,"lng":-75.5},
			{"type":"point","asset":"HA7-0","at":"2026-10-02T00:00:00Z","lat":39.7,"lng":-75.5},
			{"type":"point","asset":"ha7-1","at":"2026-11-21T11:50:00Z","lat":99,"lng":-75.5,"alerting":true},
			{"type":"point","asset":"HA7-2","at":"2026-11-21T11:55:00Z","lat":"north","lng":-75.5},
			{"type":"alert","asset":"HA7-2","at":"2026-11-21T11:56:00Z"},
			{"type":"point","asset":"nobody","at":"2026-11-21T11:55:00Z","lat":"39.7","lng":-75.5},
			{"type":"point","asset":"HA7-2","at":"2026-11-21T11:57:00Z","lat":39.7,"lng":-75.5,"valid":false}]}`)
		if a.Data.Accepted != 0 || len(a.Data.Refused) != 7 {
			t.Errorf("%+v", a)
		}
		rows, _, err := r.ListThings(t.Context(), r.user, app.ThingQuery{})
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range []struct {
			heard, code string
			count       int64
			active      bool
		}{{r.At().String(), "at_too_old", 2, false}, {"2026-11-21T11:50:00.000Z", "lat_out_of_range", 1, true}, {"2026-11-21T11:57:00.000Z", "no_fix", 3, false}} {
			if got := rows[i]; got.HeartbeatAt.String() != want.heard || got.Refused == nil || got.Refused.Count != want.count || got.Refused.Error != want.code || got.IsActive != want.active || got.Lat != nil {
				t.Errorf("%s: %+v %+v", got.HaasID, got.Live, got.Refused)
			}
		}
	})
}
