package api

import (
	"net/http"
	"strings"

	"lightbar/internal/access"
)

// serveFeed answers a public document of closures: GET /feeds/{organizationId}/{document},
// with a key of scope feeds as Authorization: Bearer or ?key= (decisions,
// "Public feeds"). Consumers ask with If-None-Match.
func (s *server) serveFeed(w http.ResponseWriter, r *http.Request) {
	key, isBearer := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if !isBearer {
		key = r.URL.Query().Get("key")
	}
	actor, err := s.app.AuthenticateKey(r.Context(), key, callOf(r.Context()).Network)
	if err != nil {
		failureOf(err).write(w, r)
		return
	}
	s.answerFeed(w, r, actor)
}

func (s *server) answerFeed(w http.ResponseWriter, r *http.Request, actor *access.Actor) {
	doc, err := s.app.Feed(r.Context(), actor, r.PathValue("organization"), r.PathValue("document"))
	if err != nil {
		failureOf(err).write(w, r)
		return
	}
	h := w.Header()
	h.Set("ETag", doc.ETag)
	h.Set("Cache-Control", "private, max-age=0, must-revalidate")
	h.Set("Content-Type", doc.MediaType)
	if knowsETag(r, doc.ETag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	_, _ = w.Write(doc.Body) // the reader has gone if this fails
}
