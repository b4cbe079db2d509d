package api

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"lightbar/internal/geo"
)

func TestMapConfigNamesTheRegion(t *testing.T) {
	tiles := smallTiles(t)
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
	tiles := smallTiles(t)
	s := newServer(nil, Options{Region: tiles})
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

// smallTiles is a PMTiles version 3 file (github.com/protomaps/PMTiles, spec/v3)
// for zooms 0 and 1 that holds the one tile of zoom 0.
func smallTiles(t *testing.T) *geo.Tiles {
	t.Helper()
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, _ = z.Write([]byte("a vector tile"))
	_ = z.Close()
	metadata := []byte(`{"attribution":"© OpenStreetMap contributors"}`)
	root := []byte{1, 0, 1} // one entry: id 0, a run of one tile
	root = binary.AppendUvarint(root, uint64(packed.Len()))
	root = append(root, 1) // offset 0
	const head = 127
	file := append([]byte("PMTiles"), 3)
	rootAt, metaAt, dataAt := head, head+len(root), head+len(root)+len(metadata)
	for _, n := range []int{rootAt, len(root), metaAt, len(metadata), dataAt, 0, dataAt, packed.Len(), 1, 1, 1} {
		file = binary.LittleEndian.AppendUint64(file, uint64(n))
	}
	file = append(file, 1, 1, 2, 1, 0, 1) // clustered, plain directories, gzip tiles, MVT, zooms 0 to 1
	for _, degrees := range []int32{-76, 38, -75, 40} {
		file = binary.LittleEndian.AppendUint32(file, uint32(degrees*1e7))
	}
	file = append(file, 0)
	file = append(file, make([]byte, 8)...)
	file = append(append(append(file, root...), metadata...), packed.Bytes()...)
	tiles, err := geo.OpenTilesBytes(file)
	if err != nil {
		t.Fatal(err)
	}
	return tiles
}
