package device_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
)

// message is one record of a recorded fleet.
type message struct {
	AVL struct {
		Vehicle  struct{ ID string }
		Position struct {
			Latitude, Longitude float64
			Bearing             *float64
			Speed               float64 // km/h
		}
		Source struct {
			At string `json:"collection_timestamp"`
		}
	} `json:"avl_location"`
}

// recorded reads the recorded fleet; the test is skipped, loudly, without it.
func recorded(t *testing.T) []message {
	t.Helper()
	folder := os.Getenv("LIGHTBAR_TESTDATA")
	if folder == "" {
		folder = "../../../shared/data"
	}
	b, err := os.ReadFile(filepath.Join(folder, "traces/cdot_geotab_avl_2022-06-20.json"))
	if err != nil {
		t.Skipf("SKIPPED: the recorded fleet is missing. Set LIGHTBAR_TESTDATA to the folder that holds traces/ (%v)", err)
	}
	var list []message
	if err := json.Unmarshal(b, &list); err != nil {
		t.Fatal(err)
	}
	if testing.Short() { // under the race detector the database is 20 times slower
		list = list[:300]
	}
	return list
}

// items writes messages for the wire: the newest becomes now, speed m/s. With
// lights, two of three messages say whether the unit alerts (moving fast).
func items(list []message, now time.Time, lights bool) []string {
	var newest time.Time
	at := make([]time.Time, len(list))
	for i := range list {
		at[i], _ = time.Parse(time.RFC3339, list[i].AVL.Source.At)
		if at[i].After(newest) {
			newest = at[i]
		}
	}
	out := make([]string, len(list))
	for i := range list {
		p := &list[i].AVL.Position
		m := map[string]any{"type": "point", "asset": list[i].AVL.Vehicle.ID, "at": now.Add(at[i].Sub(newest)).Format(time.RFC3339Nano),
			"lat": p.Latitude, "lng": p.Longitude, "speed": p.Speed / 3.6}
		if p.Bearing != nil {
			m["course"] = *p.Bearing
		}
		if lights && at[i].Unix()%3 != 0 {
			m["alerting"] = p.Speed > 20
		}
		b, _ := json.Marshal(m)
		out[i] = string(b)
	}
	return out
}

func (r *room) registerAll(list []message) {
	r.t.Helper()
	seen := map[string]bool{}
	var rows []app.NewThing
	for i := range list {
		id := list[i].AVL.Vehicle.ID
		if !seen[strings.ToLower(id)] {
			seen[strings.ToLower(id)] = true
			rows = append(rows, app.NewThing{OrganizationID: r.org, SystemName: id, Type: "maintenance"})
		}
	}
	if _, err := r.RegisterThings(r.t.Context(), access.System(), rows); err != nil {
		r.t.Fatal(err)
	}
}

func (r *room) send(rows []string, batch int, after func()) (accepted, duplicates int) {
	r.t.Helper()
	for part := range slices.Chunk(rows, batch) {
		w, a := r.post(strings.Join(part, "\n"), func(req *http.Request) { req.Header.Set("Content-Type", "application/x-ndjson") })
		if w.Code != http.StatusOK || len(a.Data.Refused) > 0 {
			r.t.Fatalf("answered %d %s", w.Code, w.Body)
		}
		accepted += a.Data.Accepted
		duplicates += a.Data.Duplicates
		if after != nil {
			after()
		}
	}
	return accepted, duplicates
}

// The recorded fleet passes with nothing lost and no marker going back in time.
//
// spec: 4.live.01 D.ingest.04 D.ingest.07
func TestRecordedFleet(t *testing.T) {
	list := recorded(t)
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		r := newRoom(t, s)
		r.registerAll(list)
		markers := map[string]fleet.Instant{}
		accepted, duplicates := r.send(items(list, r.Now(), false), 50, func() {
			things, _, err := r.ListThings(t.Context(), r.user, app.ThingQuery{PerPage: 500})
			more, _, err2 := r.ListThings(t.Context(), r.user, app.ThingQuery{PerPage: 500, Page: 2})
			if err != nil || err2 != nil {
				t.Fatal(err, err2)
			}
			for _, th := range append(things, more...) {
				if th.At < markers[th.ID] {
					t.Errorf("%s: the marker went from %v back to %v", th.HaasID, markers[th.ID], th.At)
				}
				markers[th.ID] = th.At
			}
		})
		if accepted+duplicates != len(list) || duplicates == 0 && !testing.Short() {
			t.Errorf("accepted %d + duplicates %d, want %d in all", accepted, duplicates, len(list))
		}
		stored, err := s.CountPoints(t.Context())
		if err != nil || int(stored) != accepted {
			t.Errorf("%d points stored, %d accepted (%v)", stored, accepted, err)
		}
		if n := r.Live.Count([]string{r.org}); n < 848 && !testing.Short() {
			t.Errorf("%d assets", n)
		}
	})
}

// The same reports in time order and shuffled end in the same markers, statuses and runs.
func TestRecordedFleetInAnyOrder(t *testing.T) {
	list := recorded(t)
	storetest.Each(t, func(t *testing.T, s *store.Store) { sameInAnyOrder(t, s, list) })
}

func sameInAnyOrder(t *testing.T, s *store.Store, list []message) {
	// Two assets for each vehicle, one organization each: the first hears the reports in order.
	var ends [2]string
	first := newRoom(t, s)
	for i := range 2 {
		r := *first
		if i == 1 {
			o := r.Organization("Shuffled")
			r.org, r.key, r.user = o.ID, r.Key(o.ID, ""), r.User(o.ID, "manager")
		}
		r.registerAll(list)
		rows := items(list, r.Now(), true)
		rows = distinct(rows)
		if i == 1 {
			rand.New(rand.NewPCG(1, 2)).Shuffle(len(rows), func(a, b int) { rows[a], rows[b] = rows[b], rows[a] })
		} else {
			slices.SortStableFunc(rows, func(a, b string) int { return strings.Compare(instantIn(a), instantIn(b)) })
		}
		r.send(rows, 37, nil)
		ends[i] = r.end()
	}
	if ends[0] != ends[1] {
		a, b := strings.Split(ends[0], "\n"), strings.Split(ends[1], "\n")
		for i := range a {
			if a[i] != b[i] {
				t.Errorf("in order  %s\nshuffled  %s", a[i], b[i])
			}
		}
	}
	if !strings.Contains(ends[0], "runs [{") && !testing.Short() { // the short list is too short for one
		t.Error("no run was made: the comparison says nothing")
	}
}

func instantIn(row string) string {
	var m struct{ At string }
	_ = json.Unmarshal([]byte(row), &m)
	return m.At
}

// distinct keeps the first report of an asset and instant: a second with other
// content is stored under its receive instant, which depends on the order by design.
func distinct(rows []string) []string {
	seen := map[string]bool{}
	return slices.DeleteFunc(slices.Clone(rows), func(row string) bool {
		var m struct{ Asset, At string }
		_ = json.Unmarshal([]byte(row), &m)
		key := m.Asset + m.At
		was := seen[key]
		seen[key] = true
		return was
	})
}

// end describes what every asset of the room has come to.
func (r *room) end() string {
	r.t.Helper()
	if err := r.Live.Flush(r.t.Context()); err != nil { // states and runs are written lazily
		r.t.Fatal(err)
	}
	var out strings.Builder
	for page := 1; ; page++ {
		things, _, err := r.ListThings(r.t.Context(), r.user, app.ThingQuery{Page: page})
		if err != nil {
			r.t.Fatal(err)
		}
		for _, th := range things {
			if !strings.HasPrefix(th.HaasID, "HA7") {
				fmt.Fprintf(&out, "%s %s\n", th.HaasID, r.endOf(th.ID))
			}
		}
		if len(things) < 500 {
			return out.String()
		}
	}
}

func (r *room) endOf(id string) string {
	_, s, _, _ := r.Live.Thing(id)
	runs, err := store.RunsBetween(r.t.Context(), r.Store.Reader(), s.No, 0, r.At()+1)
	if err != nil {
		r.t.Fatal(err)
	}
	for i := range runs {
		runs[i].ID, runs[i].OrganizationID, runs[i].ThingNo = "", "", 0
	}
	return fmt.Sprintf("%v %v %v %v %v %v %v %v since %v runs %+v", s.At, s.Lat, s.Lng, s.SpeedMS, s.HeartbeatAt, s.Alerting, s.AlertingAt, s.Status, s.SinceAt, runs)
}
