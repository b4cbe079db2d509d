package feeds_test

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit/apptest"
	"lightbar/internal/wire"
)

// publisher is a server of feeds: what it answers can be changed.
type publisher struct {
	mu     sync.Mutex
	answer http.HandlerFunc
	asked  int
	url    string
}

func (p *publisher) says(answer http.HandlerFunc) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.answer = answer
}

func (p *publisher) text(text string) {
	p.says(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(text)) })
}

// reader is an organization that reads a feed of the publisher.
type reader struct {
	*apptest.Kit
	*publisher
	t     testing.TB
	admin *access.Actor
	id    string // of the subscription
}

func newReader(t testing.TB, format string) *reader { return readerAt(t, format, apptest.Noon) }

func readerAt(t testing.TB, format string, at fleet.Instant) *reader {
	t.Helper()
	p := &publisher{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.mu.Lock()
		answer := p.answer
		p.asked++
		p.mu.Unlock()
		answer(w, r)
	}))
	t.Cleanup(server.Close)
	p.url = server.URL
	k := apptest.New(t, storetest.SQLite(t))
	k.Pass(at.Sub(apptest.Noon))
	k.FeedFolder = t.TempDir()
	k.Outbound.Allow = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	o := k.Organization("Harbor County")
	r := &reader{Kit: k, publisher: p, t: t, admin: k.User(o.ID, "administrator")}
	r.id = r.subscribe(format, p.url+"/feed?key=secret")
	return r
}

func (r *reader) subscribe(format, url string) string {
	r.t.Helper()
	row, _, err := r.Subscriptions.Create(r.t.Context(), r.admin, wire.FeedSubscriptionWrite{Name: ref("State DOT"), Format: &format, URL: &url})
	if err != nil {
		r.t.Fatal(err)
	}
	return row.ID
}

// fetch lets the clock come to the next fetch, and answers what the subscription says then.
func (r *reader) fetch() wire.FeedSubscription {
	r.t.Helper()
	if row := r.row(); row.NextFetchAt > r.At() {
		r.Pass(row.NextFetchAt.Sub(r.At()))
	}
	if err := r.FetchFeeds(r.t.Context()); err != nil {
		r.t.Fatal(err)
	}
	return r.row()
}

func (r *reader) row() wire.FeedSubscription {
	r.t.Helper()
	row, err := r.Subscriptions.Read(r.t.Context(), r.admin, r.id)
	if err != nil {
		r.t.Fatal(err)
	}
	return row
}

// closures are those of the organization by their external ids.
func (r *reader) closures() map[string]wire.Closure {
	r.t.Helper()
	out := map[string]wire.Closure{}
	for page := 1; ; page++ {
		rows, meta, err := r.Closures.List(r.t.Context(), r.admin, app.Rows{Page: page, PerPage: 500})
		if err != nil {
			r.t.Fatal(err)
		}
		for _, row := range rows {
			if row.ClosureType == "feed" || out[row.ExternalID].ID == "" {
				out[row.ExternalID] = row
			}
		}
		if page*500 >= meta.Total {
			return out
		}
	}
}

func (r *reader) hazards() map[string]wire.Hazard {
	r.t.Helper()
	out := map[string]wire.Hazard{}
	rows, _, err := r.Hazards.List(r.t.Context(), r.admin, app.Rows{PerPage: 500})
	if err != nil {
		r.t.Fatal(err)
	}
	for _, row := range rows {
		out[row.ExternalID] = row
	}
	return out
}

// is checks what a fetch came to: status, problem, kept, refused, and how many of its closures are active.
func (r *reader) is(what string, row wire.FeedSubscription, want string) {
	r.t.Helper()
	problem, active := "-", 0
	if row.Problem != nil {
		problem = *row.Problem
	}
	for _, c := range r.closures() {
		if c.IsActive {
			active++
		}
	}
	if got := fmt.Sprintf("%s %s %d+%d, %d active", row.Status, problem, row.Kept, row.Refused, active); got != want {
		r.t.Errorf("%s: %s; want %s (%v)", what, got, want, row.Reasons)
	}
}

// zone is a road event that stands for a day around Noon, with a change or two.
func workZone(id string, changes ...string) string {
	text := `{"id":"` + id + `","type":"Feature","properties":{"core_details":{"event_type":"work-zone","data_source_id":"s","road_names":["I-95"],` +
		`"direction":"eastbound","description":"Paving","update_date":"2026-11-21T08:00:00Z"},"start_date":"2026-11-21T03:00:00-05:00","end_date":"2026-11-22T12:00:00Z",` +
		`"is_start_date_verified":true,"is_end_date_verified":true,"is_start_position_verified":false,"is_end_position_verified":false,` +
		`"location_method":"unknown","vehicle_impact":"some-lanes-closed"},"geometry":{"type":"LineString","coordinates":[[-75.5,39.7],[-75.4,39.7]]}}`
	return strings.NewReplacer(changes...).Replace(text)
}

func feedOf(events ...string) string {
	return `{"road_event_feed_info":{"publisher":"State DOT","version":"4.1","update_date":"2026-11-21T12:00:00Z","update_frequency":60,"data_sources":[]},` +
		`"type":"FeatureCollection","features":[` + strings.Join(events, ",") + `]}`
}

func zonesUpTo(n int) (out []string) {
	for i := range n {
		out = append(out, workZone(fmt.Sprint("Z-", i)))
	}
	return out
}

// A feed's life: what it says new, changes and no longer says; nothing is written twice.
//
// spec: 1.feat.02 6.closure.03 8.closure.04
func TestAFeedBringsClosures(t *testing.T) {
	r := newReader(t, "wzdx")
	tags := 0
	serve := func(text string) {
		tags++
		tag := fmt.Sprintf(`"%d"`, tags)
		r.says(func(w http.ResponseWriter, q *http.Request) {
			if q.URL.Query().Get("key") != "secret" {
				t.Errorf("asked for %s", q.URL)
			}
			if q.Header.Get("If-None-Match") == tag {
				w.WriteHeader(http.StatusNotModified)
				return
			}
			w.Header().Set("ETag", tag)
			_, _ = w.Write([]byte(text))
		})
	}
	serve(feedOf(workZone("A"), workZone("B"), workZone("C", "work-zone", "detour"), workZone("D", "-75.5,39.7", "0,0"), workZone("E", "2026-11-22T12", "2026-11-21T09")))
	row := r.fetch()
	r.is("first", row, "good - 2+3, 2 active")
	if fmt.Sprint(row.Reasons) != "map[no_fix:1 not_a_closure:1 over:1]" || row.Publisher != "State DOT" || row.Closures != 2 || strings.Contains(row.URL, "secret") {
		t.Errorf("%+v", row)
	}
	a := r.closures()["A"]
	if a.ClosureType != "feed" || a.Source != "State DOT" || a.IsDashboardManaged || a.IsWZDxCompliant || a.Direction != "E" || a.RoadName != "I-95" ||
		a.Description != "Paving" || a.StartTime.String() != "2026-11-21T08:00:00.000Z" || len(a.UserRoute) != 2 || a.VerifiedBy == nil || a.VerifiedBy.Kind != "feed" {
		t.Errorf("%+v", a)
	}
	row = r.fetch()
	r.is("unchanged", row, "good - 2+3, 2 active")
	if row.Fetches[0].Outcome != "unchanged" || len(row.Fetches) != 2 || r.closures()["A"].UpdatedAt != a.UpdatedAt {
		t.Errorf("%+v", row.Fetches)
	}
	serve(feedOf(workZone("A"), workZone("B", "Paving", "Bridge work"), workZone("F")))
	r.is("changed", r.fetch(), "good - 3+0, 3 active")
	if now := r.closures(); now["A"].UpdatedAt != a.UpdatedAt || now["A"].ID != a.ID || now["B"].Description != "Bridge work" || now["B"].Version != 2 {
		t.Errorf("%+v", now)
	}
	serve(feedOf(workZone("A"), workZone("F")))
	r.is("gone", r.fetch(), "good - 2+0, 2 active")
	if b := r.closures()["B"]; b.EndReason != "gone" || b.EndedAt != r.At() || b.Status != "standby" {
		t.Errorf("%+v", b)
	}
	for what, err := range map[string]error{"edited": second(r.Closures.Edit(t.Context(), r.admin, a.ID, 0, wire.ClosureWrite{Description: ref("Ours")})),
		"deleted": r.Closures.Remove(t.Context(), r.admin, a.ID), "confirmed": second(r.ConfirmClosure(t.Context(), r.admin, a.ID, wire.ClosureConfirm{Answer: "finished"}))} {
		if refusal := refusalOf(t, err); refusal.Code != "not_managed" || !strings.Contains(refusal.Message, "not managed") {
			t.Errorf("%s: %v", what, err)
		}
	}
	// The same id may be one of ours, and of another feed.
	if _, _, err := r.Closures.Create(t.Context(), r.admin, wire.ClosureWrite{Description: ref("Ours"), ExternalID: ref("A"), UserRoute: ref([]fleet.LatLng{{Lat: 39, Lng: -75}, {Lat: 39.1, Lng: -75}})}); err != nil {
		t.Error(err)
	}
	if _, err := r.Subscriptions.Edit(t.Context(), r.admin, r.id, 0, wire.FeedSubscriptionWrite{IsActive: ref(false)}); err != nil {
		t.Fatal(err)
	}
	if left := r.closures(); len(left) != 1 || left["A"].ClosureType != "manual" {
		t.Errorf("paused: %+v", left)
	}
	if row := r.row(); row.Status != "off" || row.Closures != 0 || row.NextFetchAt != 0 {
		t.Errorf("paused: %+v", row)
	}
	if _, err := r.Subscriptions.Edit(t.Context(), r.admin, r.id, 0, wire.FeedSubscriptionWrite{IsActive: ref(true)}); err != nil {
		t.Fatal(err)
	}
	r.is("again", r.fetch(), "good - 2+0, 2 active")
	if err := r.Subscriptions.Remove(t.Context(), r.admin, r.id); err != nil {
		t.Fatal(err)
	}
	if left := r.closures(); len(left) != 1 {
		t.Errorf("deleted: %+v", left)
	}
}

// bad answers a status and a text.
func bad(code int, text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(code)
		_, _ = w.Write([]byte(text))
	}
}

// What is the last document byte by byte is neither unpacked nor looked at, until all that it lists is to be confirmed: here it could
// not even be unpacked. A line that is cut never passes for it.
func TestAKnownDocumentIsNotReadAgain(t *testing.T) {
	r := newReader(t, "wzdx")
	r.text(feedOf(workZone("A")))
	r.is("good", r.fetch(), "good - 1+0, 1 active")
	known := "\x1f\x8b this is no gzip"
	sum := sha256.Sum256([]byte(known))
	s, err := store.FeedSubscriptions.ByID(t.Context(), r.Store.Reader(), r.id)
	if err != nil {
		t.Fatal(err)
	}
	s.State.Digest = base64.RawStdEncoding.EncodeToString(sum[:])
	if err := r.Store.Write(t.Context(), func(tx *store.Tx) error { return tx.SaveFeedState(t.Context(), &s) }); err != nil {
		t.Fatal(err)
	}
	r.text(known)
	row := r.fetch()
	r.is("known", row, "good - 1+0, 1 active")
	if row.Fetches[0].Outcome != "unchanged" {
		t.Errorf("%+v", row.Fetches)
	}
	r.Pass(time.Hour)
	r.is("an hour later it is read", r.fetch(), "failing gzip_invalid 1+0, 1 active")
	left, err := os.ReadDir(r.FeedFolder)
	if err != nil || len(left) != 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	r.FeedFolder = filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(r.FeedFolder, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	r.Pass(r.row().NextFetchAt.Sub(r.At()))
	if err := r.FetchFeeds(t.Context()); err == nil || len(r.row().Fetches) != 3 {
		t.Errorf("a disk of ours that fails is the publisher's fault: %v, %+v", err, r.row().Fetches)
	}
}

// A feed that has been due for more than two periods is counted: nobody came to fetch it.
func TestOverdueFeedsAreCounted(t *testing.T) {
	r := newReader(t, "wzdx")
	r.text(feedOf(workZone("A")))
	r.fetch()
	for _, c := range []struct {
		after time.Duration
		want  int
	}{{time.Minute, 0}, {119 * time.Second, 0}, {2 * time.Second, 1}} {
		r.Pass(c.after)
		if n, err := r.OverdueFeeds(t.Context()); err != nil || n != c.want {
			t.Errorf("%v: %d, %v", c.after, n, err)
		}
	}
	r.fetch()
	if n, err := r.OverdueFeeds(t.Context()); err != nil || n != 0 {
		t.Errorf("fetched: %d, %v", n, err)
	}
}

func TestAFeedThatUnpacksToTooMuch(t *testing.T) {
	if testing.Short() {
		t.Skip("hundreds of megabytes: read without the race detector")
	}
	r := newReader(t, "wzdx")
	r.text(feedOf(zonesUpTo(20)...))
	r.is("good", r.fetch(), "good - 20+0, 20 active")
	var bomb bytes.Buffer
	z := gzip.NewWriter(&bomb)
	_, _ = z.Write([]byte(`{"features":[`))
	for range 300 {
		_, _ = z.Write(bytes.Repeat([]byte{' '}, 1<<20))
	}
	_ = z.Close()
	r.says(bad(200, bomb.String()))
	r.is("zip bomb", r.fetch(), "failing too_large 20+0, 20 active")
}

// Bad feeds: each has a stated result, and none loses what stands.
func TestBadFeeds(t *testing.T) {
	r := newReader(t, "wzdx")
	good := feedOf(zonesUpTo(20)...)
	r.text(good)
	r.is("good", r.fetch(), "good - 20+0, 20 active")
	for _, c := range []struct {
		what   string
		answer http.HandlerFunc
		want   string
	}{
		{"truncated", bad(200, good[:len(good)/2]), "failing truncated 9+0, 20 active"},
		{"cut line", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", fmt.Sprint(len(good)))
			_, _ = w.Write([]byte(good[:len(good)/2]))
		}, "failing truncated 9+0, 20 active"},
		{"HTML with status 200", bad(200, "<!DOCTYPE html><html>Service Unavailable</html>"), "failing html 9+0, 20 active"},
		{"503", bad(503, "no healthy upstream"), "failing status 9+0, 20 active"},
		{"empty", bad(200, ""), "failing empty 9+0, 20 active"},
		{"other JSON", bad(200, `{"error":"no key"}`), "failing not_a_feed 9+0, 20 active"},
		{"schema-invalid", bad(200, strings.ReplaceAll(good, `"Feature"`, `"Fixture"`)), "failing all_refused 0+20, 20 active"},
		{"shrinks to nothing", bad(200, feedOf()), "held shrunk 0+0, 20 active"},
		{"shrinks to a third", bad(200, feedOf(zonesUpTo(7)...)), "held shrunk 7+0, 20 active"},
		{"good again", bad(200, good), "good - 20+0, 20 active"},
	} {
		r.says(c.answer)
		row := r.fetch()
		r.is(c.what, row, c.want)
		if c.what == "503" && (row.HTTPCode == nil || *row.HTTPCode != 503) {
			t.Errorf("503: %+v", row)
		}
	}
	// It asks us to come later; failures in a row make the pauses longer.
	r.says(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "300")
		w.WriteHeader(http.StatusTooManyRequests)
	})
	if row := r.fetch(); row.NextFetchAt.Sub(r.At()) != 5*time.Minute {
		t.Errorf("Retry-After: %v", row.NextFetchAt.Sub(r.At()))
	}
	r.says(bad(500, ""))
	var pauses []time.Duration
	for range 6 {
		pauses = append(pauses, r.fetch().NextFetchAt.Sub(r.At()))
	}
	if fmt.Sprint(pauses) != "[2m0s 4m0s 8m0s 15m0s 15m0s 15m0s]" {
		t.Errorf("pauses: %v", pauses)
	}
	r.Outbound.Allow = nil
	r.is("private", r.fetch(), "failing address_refused 20+0, 20 active")
}

// What is much smaller for an hour is believed; a dead feed's closures end 8 hours after its last word.
func TestShrunkenAndDeadFeeds(t *testing.T) {
	r := newReader(t, "wzdx")
	r.text(feedOf(zonesUpTo(10)...))
	r.is("good", r.fetch(), "good - 10+0, 10 active")
	r.text(feedOf(zonesUpTo(2)...))
	row := r.fetch()
	if r.is("held", row, "held shrunk 2+0, 10 active"); row.Missing != 8 {
		t.Errorf("%+v", row)
	}
	for range 59 {
		row = r.fetch()
	}
	r.is("for 59 minutes", row, "held shrunk 2+0, 10 active")
	r.is("for an hour", r.fetch(), "good - 2+0, 2 active")
	r.says(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) })
	r.fetch()
	last := r.closures()["Z-0"].VerifiedAt
	r.Pass(last.Add(8*time.Hour).Sub(r.At()) - time.Second)
	r.is("silent for almost 8 hours", r.row(), "failing status 2+0, 2 active")
	r.Pass(time.Second)
	r.is("silent for 8 hours", r.row(), "failing status 2+0, 0 active")
	if z := r.closures()["Z-0"]; z.EndReason != "silent" || z.EndedAt != r.At() {
		t.Errorf("%+v", z)
	}
	if err := r.RunClosures(t.Context()); err != nil {
		t.Fatal(err)
	}
	if z := r.closures()["Z-0"]; z.UpdatedAt != r.At() {
		t.Errorf("the end is not told: %+v", z)
	}
	r.text(feedOf(zonesUpTo(2)...))
	r.is("back", r.fetch(), "good - 2+0, 2 active")
}

// A feed without ends, and one that says nothing new for a day.
func TestFrozenFeeds(t *testing.T) {
	r := newReader(t, "wzdx")
	r.text(feedOf(workZone("A", `"end_date":"2026-11-22T12:00:00Z",`, "")))
	r.is("without an end", r.fetch(), "good - 1+0, 1 active")
	if a := r.closures()["A"]; !a.EndIsEstimated || a.EndTime != a.VerifiedAt.Add(8*time.Hour) {
		t.Errorf("%+v", a)
	}
	for r.At() < apptest.Noon.Add(24*time.Hour) {
		r.Pass(30 * time.Minute)
		r.fetch()
	}
	r.is("after a day", r.row(), "frozen - 1+0, 1 active")
}

// The recorded feeds of state DOTs, at the moment when they were recorded.
func TestRealFeedsAreSubscribed(t *testing.T) {
	for _, c := range []struct{ file, format, at, want string }{
		{"cdot_wzdx42_2025-08-13.json", "wzdx", "2025-08-13T18:25:00Z", "good - 279+0, 80 active"},
		{"cdot_cwz10_2025-08-13.json", "cwz", "2025-08-13T18:25:00Z", "good - 150+0, 80 active"},
		{"cdot_wzdx42_2023-05-22.json", "wzdx", "2023-05-22T23:41:00Z", "good - 87+0, 57 active"},
		{"modot_wzdx41_2026-07-31_excerpt.json", "wzdx", "2026-07-31T08:22:00Z", "good - 2+0, 2 active"},
		{"msdot_wzdx42_2026-09-23_excerpt.json", "wzdx", "2026-09-23T12:00:00Z", "good - 4+0, 1 active"},
		{"wisdot_wzdx42_2026-09-23_excerpt.json", "wzdx", "2026-09-23T12:00:00Z", "good - 4+0, 3 active"},
		{"icone_incidents_extended.xml", "cifs", "2020-08-21T15:55:00Z", "good - 92+0, 72 active"},
		{"wzdc_rsm_white-rock-cir.xml", "cifs", "2020-08-21T15:55:00Z", "failing not_a_feed 0+0, 0 active"},
	} {
		text := realFeed(t, c.file)
		at, _ := time.Parse(time.RFC3339, c.at)
		r := readerAt(t, c.format, fleet.InstantOf(at))
		r.text(string(text))
		row := r.fetch()
		r.is(c.file, row, c.want)
		if len(r.hazards()) != row.Hazards || len(r.closures()) != row.Closures {
			t.Errorf("%s: %d closures, %d hazards: %+v", c.file, len(r.closures()), len(r.hazards()), row)
		}
	}
}

func realFeed(t testing.TB, file string) []byte {
	t.Helper()
	data := os.Getenv("LIGHTBAR_TESTDATA")
	text, err := os.ReadFile(filepath.Join(data, "wzdx", "real", file))
	if data == "" || err != nil {
		t.Skip("NO FEEDS: set LIGHTBAR_TESTDATA to the folder that has wzdx")
	}
	return text
}

// Points of a table and of GeoJSON are hazards, lines of the same GeoJSON closures. They live as long as the
// feed lists them; what somebody cleared stays cleared until the feed says something new.
func TestAFeedBringsHazards(t *testing.T) {
	r := newReader(t, "csv")
	const head = "id,lat,lng,type,description,updated\n"
	r.text(head + "R-1,39.75,-75.55,ice,On the bridge,2026-11-21T09:00:00\nR-2,39.76,-75.56,Fallen tree,,\nR-2,39.76,-75.56,fog,,\nR-3,95,0,ice,,\n")
	row := r.fetch()
	if r.is("csv", row, "good - 2+2, 0 active"); row.Hazards != 2 || fmt.Sprint(row.Reasons) != "map[id_repeated:1 out_of_range:1]" {
		t.Errorf("%+v", row)
	}
	ice := r.hazards()["R-1"]
	if ice.Type != "ice" || ice.Source != "State DOT" || ice.ExpiresAt != r.At().Add(time.Hour) || !ice.IsActive {
		t.Errorf("%+v", ice)
	}
	cleared := r.hazards()["R-2"]
	if _, err := r.ClearHazard(t.Context(), r.admin, cleared.ID); err != nil {
		t.Fatal(err)
	}
	for range 150 {
		r.fetch()
	}
	if now := r.hazards(); !now["R-1"].IsActive || now["R-2"].IsActive || now["R-1"].Version > 7 {
		t.Errorf("after 150 minutes: %+v", now)
	}
	r.text(head + "R-1,39.75,-75.55,ice,On the bridge,\nR-2,39.76,-75.56,Fallen tree,Two lanes,\nR-4,39.7,-75.5,fog,,\nR-5,39.7,-75.5,fog,,\n")
	r.fetch()
	if now := r.hazards(); !now["R-2"].IsActive || !now["R-5"].IsActive {
		t.Errorf("something new: %+v", now)
	}
	r.text(head + "R-1,39.75,-75.55,ice,On the bridge,\nR-2,39.76,-75.56,Fallen tree,Two lanes,\nR-4,39.7,-75.5,fog,,\n")
	r.fetch()
	if gone := r.hazards()["R-5"]; gone.IsActive || *gone.EndReason != "source" || gone.EndedBy.Kind != "feed" || gone.EndedBy.Name != "State DOT" {
		t.Errorf("gone: %+v", gone)
	}
	r.text("Ref,Latitude\n1,2\n")
	r.is("another table", r.fetch(), "failing columns_missing 3+0, 0 active")
	if err := r.Subscriptions.Remove(t.Context(), r.admin, r.id); err != nil {
		t.Fatal(err)
	}
	for id, h := range r.hazards() {
		if h.IsActive {
			t.Errorf("deleted: %s stands", id)
		}
	}
	r.id = r.subscribe("geojson", r.url)
	r.text(`{"type":"FeatureCollection","features":[{"type":"Feature","id":"P","properties":{"type":"crash"},"geometry":{"type":"Point","coordinates":[-75.5,39.7]}},` +
		`{"type":"Feature","id":"L","properties":{"road_name":"I-95","start_time":"2026-11-21T11:00:00Z","vehicle_impact":"all-lanes-closed"},"geometry":{"type":"LineString","coordinates":[[-75.5,39.7],[-75.4,39.7]]}},` +
		`{"type":"Feature","id":"X","properties":{},"geometry":{"type":"Polygon","coordinates":[]}}]}`)
	row = r.fetch()
	if r.is("geojson", row, "good - 2+1, 1 active"); row.Hazards != 1 || row.Closures != 1 || !r.hazards()["P"].IsActive || r.hazards()["P"].Type != "crash" {
		t.Errorf("%+v", row)
	}
	r.id = r.subscribe("cifs", r.url)
	r.text(`{"incidents":[{"id":"a","type":"ACCIDENT","polyline":"39.7 -75.5","street":"I-95","starttime":"2026-11-21T11:00:00Z","endtime":"2026-11-21T15:00:00Z"},` +
		`{"id":"h","type":"HAZARD","subtype":"HAZARD_ON_ROAD_CAR_STOPPED","polyline":"39.7 -75.5","street":"I-95","starttime":"2026-11-21T11:00:00Z"},` +
		`{"id":"p","type":"POLICE","polyline":"39.7 -75.5","street":"I-95","starttime":"2026-11-21T11:00:00Z"},` +
		`{"id":"c","type":"ROAD_CLOSED","polyline":"39.7 -75.5 39.8 -75.5","street":"I-95","starttime":"2026-11-21T11:00:00Z"}]}`)
	r.is("cifs", r.fetch(), "good - 3+1, 2 active")
	if now := r.hazards(); now["a"].Type != "crash" || now["a"].ExpiresAt.String() != "2026-11-21T15:00:00.000Z" || now["h"].Type != "disabled_vehicle" {
		t.Errorf("%+v", now)
	}
}

// A closed road with a schedule is active within it, by the clock alone: its feed says nothing new. Whoever watches is told.
func TestAScheduleOpensTheRoadByDay(t *testing.T) {
	r := newReader(t, "cifs") // Saturday, noon
	text := `<incidents><incident id="N-1"><type>ROAD_CLOSED</type><subtype>ROAD_CLOSED_CONSTRUCTION</subtype><street>Main St</street>` +
		`<polyline>39.7 -75.5 39.7 -75.4</polyline><starttime>2026-11-20T21:00:00+00:00</starttime><endtime>2026-12-05T05:00:00+00:00</endtime>` +
		`<schedule><everyday>21:00-23:59,00:00-05:00</everyday></schedule></incident></incidents>`
	r.says(func(w http.ResponseWriter, q *http.Request) {
		if w.Header().Set("ETag", `"1"`); q.Header.Get("If-None-Match") == `"1"` {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		_, _ = w.Write([]byte(text))
	})
	r.is("by day", r.fetch(), "good - 1+0, 0 active")
	is := r.closures()["N-1"]
	if is.StartTime.String() != "2026-11-21T21:00:00.000Z" || is.EndTime.String() != "2026-11-22T05:00:00.000Z" || is.EndedAt.String() != "2026-11-21T05:00:00.000Z" {
		t.Errorf("by day: %+v", is)
	}
	written, told := is.UpdatedAt, is.UpdatedAt
	for r.At() < is.StartTime.Add(8*time.Hour+time.Minute) { // its end, and a minute
		r.fetch()
		if err := r.RunClosures(t.Context()); err != nil {
			t.Fatal(err)
		}
		now := r.closures()["N-1"]
		if want := r.At() >= is.StartTime && r.At() < is.EndTime; now.IsActive != want {
			t.Fatalf("at %s active is %v: %+v", r.At(), now.IsActive, now)
		}
		if now.Version != is.Version {
			t.Fatalf("at %s it was written again: %+v", r.At(), now)
		}
		if turned := r.At() >= is.StartTime && told < is.StartTime || r.At() >= is.EndTime && told < is.EndTime; turned {
			if now.UpdatedAt < is.StartTime || r.At() >= is.EndTime && now.UpdatedAt < is.EndTime {
				t.Fatalf("at %s nobody is told that it is active %v", r.At(), now.IsActive)
			}
			told = now.UpdatedAt
		}
	}
	if told == written || r.row().Refused != 0 {
		t.Errorf("told %s, written %s, %+v", told, written, r.row())
	}
	text = strings.Replace(text, "21:00-23:59,00:00-05:00", "nights", 1)
	r.says(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(text)) })
	if row := r.fetch(); fmt.Sprint(row.Reasons) != "map[schedule_invalid:1]" || row.Status != "failing" {
		t.Errorf("a schedule that nobody can read: %+v", row)
	}
}

// The zone and the format of times hold for lines as for points, and for every format; where the feed says an offset, that counts.
func TestTheZoneOfASubscriptionHoldsForLines(t *testing.T) {
	line := func(id, start string) string {
		return `{"type":"Feature","geometry":{"type":"LineString","coordinates":[[-75.6,39.7],[-75.59,39.71]]},` +
			`"properties":{"road_name":"Elm Street","start_time":` + start + `,"external_id":"` + id + `"}}`
	}
	start := func(format, text string, write wire.FeedSubscriptionWrite) map[string]string {
		t.Helper()
		r := newReader(t, format)
		r.text(text)
		if _, err := r.Subscriptions.Edit(t.Context(), r.admin, r.id, 0, write); err != nil {
			t.Fatal(err)
		}
		r.fetch()
		out := map[string]string{}
		for id, c := range r.closures() {
			out[id] = c.StartTime.String()
		}
		return out
	}
	newYork := wire.FeedSubscriptionWrite{Timezone: ref("America/New_York")}
	inMS := wire.FeedSubscriptionWrite{Timezone: ref("America/New_York"), TimeFormat: ref("unix_ms")}
	points := `{"type":"FeatureCollection","features":[` + line("ms", "1795262400000") + "," + line("local", `"2026-11-21T07:00:00"`) + "," +
		line("utc", `"2026-11-21T12:00:00Z"`) + "," + line("offset", `"2026-11-21T13:00:00+01:00"`) + `]}`
	const noon = "2026-11-21T12:00:00.000Z"
	for id, at := range start("geojson", points, inMS) {
		if at != noon {
			t.Errorf("%s starts at %s", id, at)
		}
	}
	zone := feedOf(workZone("Z", "2026-11-21T03:00:00-05:00", "2026-11-21T07:00:00"))
	incident := `{"incidents":[{"id":"C-1","type":"ROAD_CLOSED","street":"Main St","polyline":"39.7 -75.5 39.7 -75.4","starttime":"2026-11-21T07:00:00"}]}`
	for name, c := range map[string]struct {
		format, text, id, want string
		write                  wire.FeedSubscriptionWrite
	}{
		"WZDx, New York":  {"wzdx", zone, "Z", noon, newYork},
		"WZDx, not said":  {"wzdx", zone, "Z", "2026-11-21T07:00:00.000Z", wire.FeedSubscriptionWrite{}},
		"CIFS, New York":  {"cifs", incident, "C-1", noon, newYork},
		"lines, New York": {"geojson", points, "local", noon, newYork},
	} {
		if got := start(c.format, c.text, c.write)[c.id]; got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// What says of itself that it does not hold, or not yet, does not stand.
func TestAFeedSaysThatAnEventDoesNotHold(t *testing.T) {
	r := newReader(t, "wzdx")
	with := func(id, status string, changes ...string) string {
		return workZone(id, append(changes, `"location_method"`, `"event_status":"`+status+`","location_method"`)...)
	}
	later := []string{"2026-11-21T03:00:00-05:00", "2026-11-22T06:00:00Z"}
	r.text(feedOf(workZone("A"), with("B", "active"), with("C", "cancelled"), with("D", "completed"), with("E", "planned"), with("F", "planned", later...),
		workZone("G", "[[-75.5,39.7],[-75.4,39.7]]", "[[39.7,-75.5],[39.7,-75.4]]"), with("H", "work suspended for winter")))
	row := r.fetch()
	r.is("events", row, "good - 4+4, 3 active")
	if fmt.Sprint(row.Reasons) != "map[cancelled:1 coordinates_swapped:1 not_begun:1 over:1]" {
		t.Errorf("%v", row.Reasons)
	}
	if now := r.closures(); now["F"].IsActive || now["F"].StartTime == 0 || now["H"].Description != "Paving. Status: work suspended for winter." {
		t.Errorf("%+v", now)
	}
}

// Our own feed, read by another organization, gives the same closures.
func TestOurOwnFeedSubscribed(t *testing.T) {
	r := newReader(t, "wzdx")
	o, err := r.CreateOrganization(t.Context(), access.System(), fleet.Organization{Name: "Publisher", Timezone: "UTC", CountryCode: "US", TypeName: "fire", EventWording: "default", WZDx: true})
	if err != nil {
		t.Fatal(err)
	}
	theirs := r.User(o.ID, "administrator")
	for i, impact := range []string{"all-lanes-closed", "some-lanes-closed"} {
		start, end := r.At().Add(-time.Hour), r.At().Add(time.Duration(i+2)*time.Hour)
		lanes, total := [][]int{{1, 2, 3}, {1, 2}}[i], 3
		line := []fleet.LatLng{{Lat: 39.7, Lng: -75.5}, {Lat: 39.7, Lng: []float64{-75.49, -75.48}[i]}}
		if _, _, err := r.Closures.Create(t.Context(), theirs, wire.ClosureWrite{Description: ref("Bridge work"), ExternalID: ref(fmt.Sprint("P-", i)), UserRoute: &line,
			IsWZDxCompliant: ref(true), Direction: ref("E"), RoadName: ref("I-95"), VehicleImpact: &impact, LocationMethod: ref("unknown"), ImpactedLanes: &lanes, TotalLanes: &total,
			IsActive: ref(false), StartTime: &start, EndTime: &end}); err != nil {
			t.Fatal(err)
		}
	}
	want, _, err := r.Closures.List(t.Context(), theirs, app.Rows{})
	if err != nil {
		t.Fatal(err)
	}
	for _, format := range []string{"wzdx-4.2.geojson", "cwz-1.0.geojson", "cifs.xml", "closures.geojson"} {
		r.says(func(w http.ResponseWriter, q *http.Request) {
			reads := r.Device(o.ID)
			document, err := r.Feed(q.Context(), reads, o.ID, format)
			if err != nil {
				t.Errorf("%s: %v", format, err)
			}
			w.Header().Set("ETag", document.ETag)
			_, _ = w.Write(document.Body)
		})
		name, _, _ := strings.Cut(format, "-")
		r.id = r.subscribe(map[string]string{"wzdx": "wzdx", "cwz": "cwz", "cifs.xml": "cifs", "closures.geojson": "geojson"}[name], r.url+"/"+format)
		row := r.fetch()
		if row.Kept != 2 || row.Refused != 0 || row.Closures != 2 {
			t.Errorf("%s: %+v", format, row)
		}
		got := r.closures()
		for _, w := range want {
			id := map[bool]string{true: w.ID, false: w.ExternalID}[name == "cwz"]
			g := got[id]
			if g.StartTime != w.StartTime || g.EndTime != w.EndTime || !g.IsActive || fmt.Sprint(g.UserRoute) != fmt.Sprint(w.UserRoute) || g.RoadName != w.RoadName ||
				name != "cifs.xml" && (g.Direction != w.Direction || fmt.Sprint(g.ImpactedLanes) != fmt.Sprint(w.ImpactedLanes) || g.VehicleImpact != w.VehicleImpact) {
				t.Errorf("%s: %+v; want %+v", format, g, w)
			}
		}
		if err := r.Subscriptions.Remove(t.Context(), r.admin, r.id); err != nil {
			t.Fatal(err)
		}
	}
}

// What a held feed lacks ends at once when somebody accepts it: as much as was seen, and not more.
func TestAHeldFeedIsAccepted(t *testing.T) {
	r := newReader(t, "wzdx")
	accept := func(missing int) (wire.FeedSubscription, error) {
		return r.AcceptFeedSubscription(t.Context(), r.admin, r.id, wire.FeedAccept{Missing: missing})
	}
	now := func() wire.FeedSubscription { // without the clock
		if err := r.FetchFeeds(t.Context()); err != nil {
			t.Fatal(err)
		}
		return r.row()
	}
	r.text(feedOf(zonesUpTo(20)...))
	r.is("good", r.fetch(), "good - 20+0, 20 active")
	_, err := accept(1)
	refused(t, err, "feed_not_held")
	r.text(feedOf(zonesUpTo(8)...))
	r.is("held", r.fetch(), "held shrunk 8+0, 20 active")
	_, err = accept(11)
	refused(t, err, "conflict")
	row, err := accept(12)
	if err != nil || row.NextFetchAt != r.At() || row.Version != 1 {
		t.Errorf("accepted: %+v, %v", row, err)
	}
	r.is("accepted", now(), "good - 8+0, 8 active")
	_, err = accept(12)
	refused(t, err, "feed_not_held")

	// It has changed meanwhile: less is missing, and that ends; more is missing, and all of it is held.
	r.text(feedOf(zonesUpTo(2)...))
	r.is("held again", r.fetch(), "held shrunk 2+0, 8 active")
	_, err = accept(6)
	must(t, err)
	r.text(feedOf())
	if row := now(); row.Missing != 8 {
		t.Errorf("less than was accepted: %+v", row)
	}
	r.is("less than was accepted", r.row(), "held shrunk 0+0, 8 active")
	_, err = accept(8)
	must(t, err)
	r.says(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) })
	r.is("no answer", now(), "failing status 0+0, 8 active")
	r.text(feedOf(zonesUpTo(3)...))
	r.is("some are back", r.fetch(), "good - 3+0, 3 active")

	// It is accepted while it is being fetched.
	r.text(feedOf())
	r.is("nothing left", r.fetch(), "held shrunk 0+0, 3 active")
	r.says(func(w http.ResponseWriter, _ *http.Request) {
		_, err := accept(3)
		must(t, err)
		r.text(feedOf())
		_, _ = w.Write([]byte(feedOf()))
	})
	r.is("accepted meanwhile", r.fetch(), "good - 0+0, 0 active")
	_, err = r.AcceptFeedSubscription(t.Context(), r.User(r.row().OrganizationID, "viewer"), r.id, wire.FeedAccept{Missing: 1})
	refused(t, err, "forbidden")
}

// An edit and a deletion are taken back, with the secrets of the address, and what the feed brought has its ids again.
func TestSubscriptionsAreUndone(t *testing.T) {
	r := newReader(t, "wzdx")
	key := ""
	r.says(func(w http.ResponseWriter, q *http.Request) {
		key = q.URL.Query().Get("key")
		_, _ = w.Write([]byte(feedOf(zonesUpTo(3)...)))
	})
	undo := func(version int64) wire.FeedSubscription {
		t.Helper()
		row, err := r.Subscriptions.Undo(t.Context(), r.admin, r.id, version)
		must(t, err)
		return row
	}
	r.is("good", r.fetch(), "good - 3+0, 3 active")
	before := r.closures()
	_, err := r.Subscriptions.Undo(t.Context(), r.admin, r.id, 1)
	refused(t, err, "undo_nothing")
	edit := wire.FeedSubscriptionWrite{Name: ref("County"), URL: ref(r.url + "/other?key=another")}
	must(t, second(r.Subscriptions.Edit(t.Context(), r.admin, r.id, 0, edit)))
	if r.fetch(); key != "another" {
		t.Errorf("edited, it asks with %q", key)
	}
	if row := undo(2); row.Name != "State DOT" || row.URL != r.url+"/feed?key=***" || row.Version != 3 {
		t.Errorf("an edit: %+v", row)
	}
	if r.fetch(); key != "secret" || r.closures()["Z-0"].Source != "State DOT" {
		t.Errorf("undone, it asks with %q: %+v", key, r.closures()["Z-0"])
	}
	if row := undo(3); row.Name != "County" || row.URL != r.url+"/other?key=***" {
		t.Errorf("an undo: %+v", row)
	}
	must(t, r.Subscriptions.Remove(t.Context(), r.admin, r.id))
	if left := r.closures(); len(left) != 0 {
		t.Errorf("deleted: %+v", left)
	}
	r.Pass(time.Hour)
	if row := undo(5); row.Version != 6 || row.IsDeleted || row.Status != "waiting" || row.Name != "County" {
		t.Errorf("a deletion: %+v", row)
	}
	if r.fetch(); key != "another" || len(r.closures()) != 3 {
		t.Errorf("restored, it asks with %q: %d closures", key, len(r.closures()))
	}
	for id, c := range r.closures() {
		if c.ID != before[id].ID || c.Version <= before[id].Version {
			t.Errorf("%s: %+v", id, c)
		}
	}
	if row := undo(6); !row.IsDeleted || len(r.closures()) != 0 {
		t.Errorf("the way back: %+v", row)
	}
	r.Pass(25 * time.Hour)
	_, err = r.Subscriptions.Undo(t.Context(), r.admin, r.id, 7)
	refused(t, err, "undo_expired")
}
