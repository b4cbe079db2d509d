package device_test

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"lightbar/internal/app"
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
		if w := get("id=" + secret + "&lat=39.7&lon=-75.5&speed=10&bearing=361"); w.Code != 422 {
			t.Errorf("course 361: %d %s", w.Code, w.Body)
		}
		if w := get("id=" + secret + "&lat=39.7&lon=-75.5&speed=10"); w.Code != 200 {
			t.Errorf("%d %s", w.Code, w.Body)
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
