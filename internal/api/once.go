package api

import (
	"bytes"
	"cmp"
	"io"
	"net/http"
	"strings"

	"lightbar/internal/record"
)

// once answers a write with an Idempotency-Key the way it was answered the
// first time (decisions.md: "every write carries a client id and may be sent again").
func (s *server) once(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		key := r.Header.Get("Idempotency-Key")
		if key == "" || !repeatable(r) {
			next.ServeHTTP(w, r)
			return
		}
		c := callOf(r.Context())
		actor, err := s.actorOf(r.Context(), c, r.Header.Get("Authorization"))
		if err != nil {
			failureOf(err).write(w, r)
			return
		}
		body, err := io.ReadAll(r.Body)
		if err != nil {
			cmp.Or(failureOfBody(err), fail("invalid_request")).write(w, r)
			return
		}
		if int64(len(body)) > bodyLimitOf(r.URL.Path) {
			fail("too_large").write(w, r)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		var first *capture
		digest := s.app.DigestRequest(r.Method, r.URL.Path, r.URL.RawQuery, r.Header.Get("If-Match"), string(body))
		answer, again, err := s.app.Once(r.Context(), actor, key, digest, func() record.Answer {
			first = &capture{header: http.Header{}}
			next.ServeHTTP(first, unpacked(r))
			return record.Answer{Status: first.code(), Body: first.body.Bytes()}
		})
		switch {
		case err != nil:
			failureOf(err).write(w, r)
		case again:
			h := w.Header()
			h.Set("Content-Type", "application/json")
			h.Set("Idempotency-Replayed", "true")
			w.WriteHeader(answer.Status)
			_, _ = w.Write(answer.Body)
		default:
			first.copyTo(w)
		}
	})
}

// repeatable tells the writes whose answers are kept: of signed-in users, and without secrets.
func repeatable(r *http.Request) bool {
	switch path := r.URL.Path; r.Method {
	case http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete:
		return strings.HasPrefix(path, "/api/") && !strings.HasPrefix(path, "/api/ingest") && !tokenCall(path) && !showsSecret(path)
	}
	return false
}

// secretCall tells calls that tell or take secrets: their answers are never
// kept, and never packed together with what a stranger may choose.
func secretCall(path string) bool {
	return path == "/api/user_token" || path == "/api/keys" || copiesInvitation(path) || strings.HasPrefix(path, "/api/session/")
}

// unpacked asks for an answer that is not packed: it is kept as text.
func unpacked(r *http.Request) *http.Request {
	out := r.Clone(r.Context())
	out.Header.Del("Accept-Encoding")
	return out
}

// capture keeps an answer in memory; JSON answers to writes are small.
type capture struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (c *capture) Header() http.Header { return c.header }

func (c *capture) WriteHeader(status int) {
	if c.status == 0 {
		c.status = status
	}
}

func (c *capture) Write(b []byte) (int, error) {
	c.WriteHeader(http.StatusOK)
	return c.body.Write(b)
}

func (c *capture) code() int {
	if c.status == 0 {
		return http.StatusOK
	}
	return c.status
}

func (c *capture) copyTo(w http.ResponseWriter) {
	for name, values := range c.header {
		w.Header()[name] = values
	}
	w.WriteHeader(c.code())
	_, _ = w.Write(c.body.Bytes())
}
