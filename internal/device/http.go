package device

import (
	"errors"
	"mime"
	"net/http"

	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/budget"
	"lightbar/internal/fleet"
)

// keyed serves POST by API key: it authenticates the key, reads the body, and calls the handler. Errors are answered as by refuse.
func keyed(a *app.App, o Options, do func(w http.ResponseWriter, r *http.Request, actor *access.Actor, body string) error) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			w.Header().Set("Allow", http.MethodPost)
			fail(w, "method_not_allowed", "")
			return
		}
		actor, err := a.AuthenticateKey(r.Context(), bearer(r), o.network(r))
		if err == nil {
			budget.Of(r).SetHolder(actor.KeyID)
			var body string
			if body, err = readBody(w, r, bodyBytes, unpackedBytes); err == nil {
				err = do(w, r, actor, body)
			}
		}
		if err != nil {
			refuse(w, err)
		}
	})
}

// NewIngest serves POST /api/ingest: {"items": [...]}, or one item per line as application/x-ndjson, by API key. It answers after
// the commit.
func NewIngest(a *app.App, o Options) http.Handler {
	return keyed(a, o, func(w http.ResponseWriter, r *http.Request, actor *access.Actor, body string) error {
		var batch app.ReportBatch
		var err error
		if isLines(r.Header.Get("Content-Type")) {
			batch, err = decodeLines(body)
		} else {
			batch, err = decodeItems(body)
		}
		if errors.Is(err, errJSON) {
			err = errBatch
		}
		if err != nil {
			return err
		}
		batch.Source = fleet.SourceHTTP
		result, err := a.RecordPoints(r.Context(), actor, batch)
		if err != nil {
			return err
		}
		answer(w, result, "")
		return nil
	})
}

var errBatch = fleet.Refuse("invalid_request", "",
	`The body must be {"items": [...]} in JSON, or one item a line as application/x-ndjson.`)

// isLines distinguishes newline-delimited JSON from a document.
func isLines(contentType string) bool {
	if contentType == "application/json" || contentType == "" {
		return false
	}
	kind, _, err := mime.ParseMediaType(contentType)
	return err == nil && (kind == "application/x-ndjson" || kind == "application/ndjson")
}
