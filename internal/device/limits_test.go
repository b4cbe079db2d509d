package device_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"

	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
)

func zip(t *testing.T, s string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(s)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// spec: D.ingest.02 D.ingest.05
func TestLimits(t *testing.T) {
	r := newRoom(t, storetest.SQLite(t))
	gzipped := func(req *http.Request) { req.Header.Set("Content-Encoding", "gzip") }
	const item = `{"type":"heartbeat","asset":"HA7-0","at":"2026-11-21T11:59:59Z"}`
	for _, c := range []struct {
		name, body string
		edit       func(*http.Request)
		want       int
		code       string
	}{
		{"1 MiB", `{"items":[]` + strings.Repeat(" ", 1<<20-12) + `}`, nil, 200, ""},
		{"above 1 MiB", `{"items":[]` + strings.Repeat(" ", 1<<20) + `}`, nil, 413, "too_large"},
		{"above 1 MiB, length not said", `{"items":[]` + strings.Repeat(" ", 1<<20) + `}`, func(q *http.Request) { q.ContentLength = -1 }, 413, "too_large"},
		{"gzip", zip(t, `{"items":[`+item+`]}`), gzipped, 200, ""},
		{"8 MiB unpacked", zip(t, `{"items":[]`+strings.Repeat(" ", 8<<20-12)+`}`), gzipped, 200, ""},
		{"a bomb", zip(t, strings.Repeat(" ", 64<<20)), gzipped, 413, "too_large"},
		{"not gzip", "hello", gzipped, 400, "invalid_request"},
		{"gzip cut off", zip(t, strings.Repeat(item, 100))[:60], gzipped, 400, "invalid_request"},
		{"another encoding", "x", func(q *http.Request) { q.Header.Set("Content-Encoding", "br") }, 415, "unsupported_media_type"},
		{"not JSON", "hello", nil, 400, "invalid_request"},
		{"10001 items", `{"items":[` + strings.Repeat("{},", 10000) + `{}]}`, nil, 413, "too_many_items"},
		{"no key", `{"items":[]}`, func(q *http.Request) { q.Header.Del("Authorization") }, 401, "invalid_key"},
		{"a bad key", `{"items":[]}`, func(q *http.Request) { q.Header.Set("Authorization", "Bearer lb_key_x") }, 401, "invalid_key"},
		{"GET", "", func(q *http.Request) { q.Method = http.MethodGet }, 405, "method_not_allowed"},
	} {
		edit := c.edit
		if edit == nil {
			edit = func(*http.Request) {}
		}
		w, a := r.post(c.body, edit)
		if w.Code != c.want || a.Error != c.code {
			t.Errorf("%s: %d %s", c.name, w.Code, w.Body)
		}
	}
}

// A body that was damaged on its way is the sender's to send anew, whatever byte
// it was: told that the server is busy, a device would send the same for ever.
//
// spec: D.ingest.05
func TestDamagedGzip(t *testing.T) {
	r := newRoom(t, storetest.SQLite(t))
	gzipped := func(q *http.Request) { q.Header.Set("Content-Encoding", "gzip") }
	whole := zip(t, strings.Repeat(`{"items":[]}`, 100)) // no batch, so that 400 is right for the bytes too that do no harm
	for i := range len(whole) {
		damaged := []byte(whole)
		damaged[i] ^= 0xff
		if w, _ := r.post(string(damaged), gzipped); w.Code != 400 || w.Header().Get("Retry-After") != "" {
			t.Errorf("byte %d of %d damaged: %d %s", i, len(whole), w.Code, w.Body)
		}
		if w, _ := r.post(whole[:i], gzipped); w.Code != 400 {
			t.Errorf("cut off after %d bytes: %d %s", i, w.Code, w.Body)
		}
	}
}

// 8 KB on the wire may unpack to four million items: what is read of them takes no memory to speak of.
//
// spec: D.ingest.02
func TestSmallBodyOfManyItems(t *testing.T) {
	r := newRoom(t, storetest.SQLite(t))
	for _, c := range []struct{ path, kind, open, item, end string }{
		{"/api/ingest", "application/json", `{"items":[0`, ",0", "]}"},
		{"/api/ingest", "application/x-ndjson", "0", "\n0", ""},
		{"/api/ingest/assets", "application/json", `{"things":[{}`, ",{}", "]}"},
		{"/api/ingest/assets", "application/json", `{"Thingſ":[{}`, ",{}", "]}"}, // package json takes this name too
	} {
		body := zip(t, c.open+strings.Repeat(c.item, (8<<20-64)/len(c.item))+c.end)
		req := httptest.NewRequest(http.MethodPost, c.path, strings.NewReader(body))
		req.Header.Set("Authorization", "Bearer "+r.key)
		req.Header.Set("Content-Type", c.kind)
		req.Header.Set("Content-Encoding", "gzip")
		w := httptest.NewRecorder()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		r.h.ServeHTTP(w, req)
		runtime.ReadMemStats(&after)
		if w.Code != 413 || !strings.Contains(w.Body.String(), "too_many_items") {
			t.Errorf("%s %s %s: %d %.200s", c.path, c.kind, c.open, w.Code, w.Body)
		}
		if taken := (after.TotalAlloc - before.TotalAlloc) >> 20; taken > 100 { // of it 40 MiB to unpack the body into a growing buffer
			t.Errorf("%s %s %s: %d bytes on the wire took %d MiB", c.path, c.kind, c.open, len(body), taken)
		}
	}
	items := func(n int) string { return `{"items":[` + strings.Repeat(`{},`, n-1) + `{}]}` }
	if w, a := r.post(items(10000)); w.Code != 200 || len(a.Data.Refused) != 10000 {
		t.Errorf("10000 items: %d, %d refused", w.Code, len(a.Data.Refused))
	}
}

func TestOsmAndEndToEnd(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		r := newRoom(t, s)
		things, _, err := r.ListThings(t.Context(), r.user, app.ThingQuery{})
		if err != nil {
			t.Fatal(err)
		}
		secret := r.Key(r.org, things[1].ID)
		get := func(query string) *httptest.ResponseRecorder {
			w := httptest.NewRecorder()
			r.h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/api/ingest/osmand?"+query, nil))
			return w
		}
		if w := get("id=" + secret + "&lat=39.7&lon=-75.5&speed=10&bearing=361"); w.Code != 200 || !strings.Contains(w.Body.String(), `"ignored":{"course":1}`) {
			t.Errorf("course 361: %d %s", w.Code, w.Body)
		}
		if w := get("id=" + secret + "&lat=39.7&lon=-75.5&speed=10"); w.Code != 200 {
			t.Errorf("%d %s", w.Code, w.Body)
		}
		for _, wraps := range []int64{1, 5} { // a time.Duration wraps every 584 years: these would pass for now
			far := int64(r.At()) + wraps*18_446_744_073_710
			if w := get(fmt.Sprintf("id=%s&lat=39.7&lon=-75.5&timestamp=%d", secret, far)); w.Code != 200 || !strings.Contains(w.Body.String(), `"accepted":0`) || !strings.Contains(w.Body.String(), "24 hours") {
				t.Errorf("an instant in %v: %d %s", fleet.Instant(far), w.Code, w.Body)
			}
		}
		for _, bad := range []string{"lat=1&lon=1", "id=wrong&lat=1&lon=1", "id=" + r.key + "&lat=1&lon=1"} {
			if w := get(bad); w.Code != 401 || strings.Contains(w.Body.String(), r.key) {
				t.Errorf("%d %s", w.Code, w.Body)
			}
		}
		if got, err := r.Thing(t.Context(), r.user, things[1].ID); err != nil || got.Lat == nil || *got.Lat != 39.7 || got.At != r.At() {
			t.Errorf("%+v %v", got.Live, err)
		}
	})
}
