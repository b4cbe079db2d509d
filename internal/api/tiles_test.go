package api

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"lightbar/internal/app"
	"lightbar/internal/testkit/tilestest"
)

func TestMapConfigNamesTheRegion(t *testing.T) {
	tiles := tilestest.Small(t)
	source := sourceOf("region", tiles)
	if !source.Available || source.MaxZoom != 1 || source.Attribution != "© OpenStreetMap contributors" || !strings.HasPrefix(source.Tiles, "/map/region/{z}/{x}/{y}.mvt?v=") {
		t.Errorf("%+v", source)
	}
	if none := sourceOf("base", nil); none.Available {
		t.Errorf("%+v", none)
	}
}

func prefixes(texts ...string) (out []netip.Prefix) {
	for _, t := range texts {
		out = append(out, netip.MustParsePrefix(t))
	}
	return out
}

func TestTiles(t *testing.T) {
	tiles := tilestest.Small(t)
	s := newServer(app.New(app.Options{}), Options{Region: tiles})
	get := func(path string, headers map[string]string) *httptest.ResponseRecorder {
		r := httptest.NewRequest("GET", path, nil)
		for name, value := range headers {
			r.Header.Set(name, value)
		}
		w := httptest.NewRecorder()
		s.mux.ServeHTTP(w, r)
		return w
	}
	const path = "/map/region/0/0/0.mvt"
	w := get(path, nil)
	stored, _, err := tiles.Tile(0, 0, 0)
	if err != nil || w.Code != 200 || w.Body.String() != string(stored) {
		t.Fatalf("%s: %d, %d bytes, %v", path, w.Code, w.Body.Len(), err)
	}
	h := w.Header()
	if h.Get("Content-Type") != "application/vnd.mapbox-vector-tile" || (h.Get("Content-Encoding") == "gzip") != tiles.Gzipped() || h.Get("Etag") == "" {
		t.Errorf("headers %v", h)
	}
	if w := get(path, map[string]string{"If-None-Match": h.Get("Etag")}); w.Code != http.StatusNotModified || w.Body.Len() != 0 {
		t.Errorf("known tile: %d", w.Code)
	}
	if w := get(path+"?v=1", nil); w.Header().Get("Cache-Control") != "public, max-age=31536000, immutable" {
		t.Errorf("versioned address: %q", w.Header().Get("Cache-Control"))
	}
	if w := get("/map/region/1/0/0.mvt", nil); w.Code != http.StatusNoContent {
		t.Errorf("empty tile: %d", w.Code)
	}
	for _, bad := range []string{"/map/base/0/0/0.mvt", "/map/other/0/0/0.mvt", "/map/region/0/0/0", "/map/region/0/0/0.png", "/map/region/-1/0/0.mvt",
		"/map/region/0/0/x.mvt", "/map/region/99/0/0.mvt", "/map/region/00/0/0.mvt", "/map/region/99999999999999999999/0/0.mvt", "/map/region/0/0", "/map/"} {
		if w := get(bad, nil); w.Code != http.StatusNotFound {
			t.Errorf("%s: %d", bad, w.Code)
		}
	}
}
