package api

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"html"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"regexp"
	"strconv"
	"strings"
	"time"

	"lightbar/internal/people"
)

// asset is one file of the built web app with its packed forms.
type asset struct {
	data     []byte
	packed   map[string][]byte // by content coding: br, gzip
	etag     string
	kind     string
	lasting  bool // the name carries a hash of the content
	template bool // index.html: carries the nonce mark
}

// hashedName are the names vite gives: name-8+characters.ext below assets/.
var hashedName = regexp.MustCompile(`^assets/.*-[A-Za-z0-9_-]{8,}\.[a-z0-9.]+$`)

var kinds = map[string]string{".js": "text/javascript; charset=utf-8", ".mjs": "text/javascript; charset=utf-8",
	".css": "text/css; charset=utf-8", ".html": "text/html; charset=utf-8", ".svg": "image/svg+xml", ".json": "application/json",
	".webmanifest": "application/manifest+json", ".woff2": "font/woff2", ".png": "image/png", ".ico": "image/x-icon",
	".wasm": "application/wasm", ".txt": "text/plain; charset=utf-8",
	".pmtiles": "application/vnd.pmtiles"}

// loadAssets reads the built app once; it lies in the binary.
func loadAssets(dist fs.FS) (map[string]*asset, error) {
	out := map[string]*asset{}
	if dist == nil {
		return out, nil
	}
	err := fs.WalkDir(dist, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasPrefix(path.Base(name), ".") {
			return err
		}
		data, err := fs.ReadFile(dist, name)
		if err != nil {
			return err
		}
		sum := sha256.Sum256(data)
		kind := kinds[path.Ext(name)]
		if kind == "" {
			if kind = mime.TypeByExtension(path.Ext(name)); kind == "" {
				kind = "application/octet-stream"
			}
		}
		out[name] = &asset{data: data, etag: `"` + hex.EncodeToString(sum[:12]) + `"`, kind: kind, packed: map[string][]byte{},
			lasting: hashedName.MatchString(name), template: name == "index.html"}
		return nil
	})
	for name, a := range out {
		for suffix, coding := range map[string]string{".br": "br", ".gz": "gzip"} {
			if of, ok := out[strings.TrimSuffix(name, suffix)]; ok && strings.HasSuffix(name, suffix) {
				of.packed[coding] = a.data
				delete(out, name)
			}
		}
	}
	return out, err
}

// webApp serves the built app: its files, and index.html for every other GET,
// because the addresses of screens belong to the app's router.
func (s *server) webApp() http.Handler {
	assets, err := loadAssets(s.options.Dist)
	if err != nil {
		panic("api: the web app cannot be read: " + err.Error()) // it is embedded in the binary
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			fail("method_not_allowed").write(w, r)
			return
		}
		name := strings.TrimPrefix(path.Clean(r.URL.Path), "/")
		if a := assets[name]; a != nil && !a.template {
			if path.Ext(name) == ".mjs" {
				s.serveWorker(w, r, a)
				return
			}
			serveAsset(w, r, a)
			return
		}
		index := assets["index.html"]
		switch { // addresses of mailed links end with an e-mail address, whose dot is no file's
		case isProgram(r):
			fail("not_found").write(w, r) // a program that left out /api, and would take a page for an answer
		case path.Ext(name) != "" && name != "index.html" && !strings.HasPrefix(name, "welcome/") ||
			strings.HasPrefix(name+"/", "assets/") || name == "cable":
			fail("not_found").write(w, r) // a missing file is not a screen
		case index == nil:
			servePage(w, http.StatusServiceUnavailable, notBuilt)
		default:
			s.serveIndex(w, r, index)
		}
	})
}

func isProgram(r *http.Request) bool {
	_, ok := bearerOf(r.Header.Get("Authorization"))
	return ok
}

// bearerOf tells a program's token from what a proxy's own sign-in adds (RFC 9110, 11.1: the scheme's letter case is free).
func bearerOf(authorization string) (token string, ok bool) {
	scheme, token, ok := strings.Cut(authorization, " ")
	return strings.TrimSpace(token), ok && strings.EqualFold(scheme, "Bearer")
}

// serveIndex answers the app's page with this answer's nonce.
func (s *server) serveIndex(w http.ResponseWriter, r *http.Request, a *asset) {
	nonce := newNonce()
	h := w.Header()
	setPage(h, s.pagePolicy(r.Context(), nonce))
	h.Set("Content-Type", a.kind)
	h.Set("Cache-Control", "no-store")
	title := "<title>" + html.EscapeString(s.app.BrandName(r.Context())) + "</title>"
	page := bytes.Replace(a.data, []byte("<title>"+people.DefaultBrandName()+"</title>"), []byte(title), 1)
	_, _ = w.Write(bytes.ReplaceAll(page, []byte(nonceMark), []byte(nonce)))
}

// serveWorker answers a worker's script. It is asked for anew each time (304
// when unchanged), because its policy lists the providers of the moment.
func (s *server) serveWorker(w http.ResponseWriter, r *http.Request, a *asset) {
	w.Header().Set("Content-Security-Policy", s.workerPolicy(r.Context()))
	fresh := *a
	fresh.lasting = false
	serveAsset(w, r, &fresh)
}

func serveAsset(w http.ResponseWriter, r *http.Request, a *asset) {
	h := w.Header()
	h.Set("Content-Type", a.kind)
	h.Set("Cache-Control", "no-cache")
	if a.lasting {
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
		// Only documents heed the first two (the policy forbids frames, too), and what never changes
		// is not asked about: a first load has forty such answers, and each byte counts there.
		for _, name := range []string{"X-Frame-Options", "Cross-Origin-Opener-Policy", "X-Request-Id"} {
			h.Del(name)
		}
	}
	data, etag := a.data, a.etag
	if len(a.packed) > 0 { // the compressing wrapper has said Vary
		for _, coding := range []string{"br", "gzip"} {
			if packed, ok := a.packed[coding]; ok && accepts(r, coding) && r.Header.Get("Range") == "" {
				h.Set("Content-Encoding", coding)
				data, etag = packed, strings.TrimSuffix(a.etag, `"`)+"-"+coding+`"`
				break
			}
		}
	}
	h.Set("Etag", etag)
	if strings.HasPrefix(a.kind, "text/html") {
		setPage(h, formPolicy)
	}
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(data))
}

// accepts reads Accept-Encoding (RFC 9110, 12.5.3); q=0 refuses.
func accepts(r *http.Request, coding string) bool {
	for part := range strings.SplitSeq(r.Header.Get("Accept-Encoding"), ",") {
		name, q, _ := strings.Cut(strings.TrimSpace(part), ";")
		if !strings.EqualFold(strings.TrimSpace(name), coding) {
			continue
		}
		value, ok := strings.CutPrefix(strings.TrimSpace(q), "q=")
		weight, err := strconv.ParseFloat(value, 64)
		return !ok || (err == nil && weight > 0)
	}
	return false
}

// serveBytes answers a document made at start.
func serveBytes(w http.ResponseWriter, r *http.Request, kind string, data []byte) {
	sum := sha256.Sum256(data)
	h := w.Header()
	h.Set("Content-Type", kind)
	h.Set("Cache-Control", "no-cache")
	h.Set("Etag", `"`+hex.EncodeToString(sum[:12])+`"`)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(data))
}
