package api

import (
	"net/http"
	"strconv"
	"strings"

	"lightbar/internal/geo/tiles"
)

// serveTile answers GET /map/{source}/{z}/{x}/{y}.mvt as the tile lies in the
// file (gzip), 204 where the file has none, 304 for a known ETag.
func (s *server) serveTile(w http.ResponseWriter, r *http.Request) {
	var tiles *tiles.Tiles
	switch r.PathValue("source") {
	case "region":
		tiles = s.options.Region
	case "base":
		tiles = s.options.Base
	}
	y, isTile := strings.CutSuffix(r.PathValue("y"), ".mvt")
	at, ok := numbers(r.PathValue("z"), r.PathValue("x"), y)
	if tiles == nil || !isTile || !ok || at[0] > 30 {
		fail("not_found").write(w, r)
		return
	}
	data, found, err := tiles.Tile(at[0], at[1], at[2])
	if err != nil {
		failureOf(err).write(w, r)
		return
	}
	h := w.Header()
	h.Set("Etag", `"`+tiles.Digest()+`"`)
	h.Set("Cache-Control", "public, max-age=86400")
	if r.URL.RawQuery != "" {
		h.Set("Cache-Control", "public, max-age=31536000, immutable") // the address names the file's digest
	}
	if knowsETag(r, h.Get("Etag")) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	if !found {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	h.Set("Content-Type", "application/vnd.mapbox-vector-tile")
	if tiles.Gzipped() {
		h.Set("Content-Encoding", "gzip")
	}
	h.Set("Content-Length", strconv.Itoa(len(data)))
	_, _ = w.Write(data) // the client has gone if this fails
}

// numbers reads plain decimal numbers without signs or leading zeros.
func numbers(texts ...string) (out [3]int, ok bool) {
	for i, t := range texts {
		n, err := strconv.Atoi(t)
		if err != nil || n < 0 || strconv.Itoa(n) != t {
			return out, false
		}
		out[i] = n
	}
	return out, true
}

func knowsETag(r *http.Request, etag string) bool {
	for known := range strings.SplitSeq(r.Header.Get("If-None-Match"), ",") {
		known, _, packed := strings.Cut(strings.TrimPrefix(strings.TrimSpace(known), "W/"), packedTag)
		if packed {
			known += `"` // a compressed answer's tag has the encoding before the quote
		}
		if known == "*" || known == etag {
			return true
		}
	}
	return false
}
