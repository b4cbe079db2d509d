package device

import (
	"mime"
	"net/http"

	"lightbar/internal/app"
)

// NewIngest serves POST /api/ingest: {"items": [...]}, or one item a line as
// application/x-ndjson, by API key. It answers after the commit.
func NewIngest(a *app.App, o Options) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			w.Header().Set("Allow", http.MethodPost)
			fail(w, "method_not_allowed", "")
			return
		}
		actor, err := a.AuthenticateKey(r.Context(), bearer(r), o.network(r))
		if err != nil {
			refuse(w, err)
			return
		}
		body, err := readBody(w, r)
		if err != nil {
			refuse(w, err)
			return
		}
		var batch app.ReportBatch
		if isLines(r.Header.Get("Content-Type")) {
			batch = decodeLines(body)
		} else if batch, err = decodeItems(body); err != nil {
			refuse(w, err)
			return
		}
		result, err := a.RecordPoints(r.Context(), actor, batch)
		if err != nil {
			refuse(w, err)
			return
		}
		answer(w, result)
	})
}

// isLines tells newline-delimited JSON from a document.
func isLines(contentType string) bool {
	if contentType == "application/json" || contentType == "" {
		return false
	}
	kind, _, err := mime.ParseMediaType(contentType)
	return err == nil && (kind == "application/x-ndjson" || kind == "application/ndjson")
}
