// Package device receives reports from vehicles, with one file for each protocol. docs/ingest.md describes what a device can send
// and what it is answered.
package device

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"strconv"
	"strings"

	"lightbar/catalog"
	"lightbar/internal/alerts"
	"lightbar/internal/app"
	"lightbar/internal/budget"
	"lightbar/internal/fleet"
)

// Listener is a way in that lives on its own, from the start of the server to
// its stop. A protocol makes one of the verbs (its clock and log are theirs:
// app.App's Now and Log), its Options and the port; the server runs all of them alike.
type Listener struct {
	Name string
	// Serve takes connections until Stop; nil after it. An error ends the server.
	Serve func() error
	// Stop takes nothing more, lets what was taken be answered, and cuts what is left when the context ends.
	Stop func(context.Context) error
}

// HTTP is the listener of an HTTP server on a port; the handlers of New are a part of what it serves.
func HTTP(server *http.Server, port net.Listener) Listener {
	return Listener{
		Name: "http",
		Serve: func() error {
			if err := server.Serve(port); !errors.Is(err, http.ErrServerClosed) {
				return err
			}
			return nil
		},
		Stop: func(ctx context.Context) error {
			err := server.Shutdown(ctx)
			if ctx.Err() == nil {
				return err
			}
			return cmp.Or(server.Close(), ErrCut)
		},
	}
}

// ErrCut means that some requests were not answered in time at a stop: their senders send them again.
var ErrCut = errors.New("device: requests that took too long were cut")

// Options are what a protocol needs besides the verbs.
type Options struct {
	// Network returns where a request came from; nil = the peer's address.
	Network func(*http.Request) string
	// Failed is called with each failure that is answered; may be nil.
	Failed func(r *http.Request, code string)
	// Budget counts the bodies and messages that are held at once, unless the caller's handler has done so already; nil = one of
	// its own.
	Budget *budget.Budget
	// Alerts are what drivers' apps can follow over MQTT; nil = they can't.
	Alerts *alerts.Hub
}

func (o Options) network(r *http.Request) string {
	if o.Network != nil {
		return o.Network(r)
	}
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	return host
}

// New serves /api/ingest and the protocols below it.
func New(a *app.App, o Options) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/api/ingest", NewIngest(a, o))
	mux.Handle("/api/ingest/{$}", NewIngest(a, o))
	mux.Handle("/api/ingest/assets", NewAssets(a, o))
	mux.Handle("/api/ingest/device_config", NewConfig(a, o))
	mux.Handle("/api/ingest/commands", NewCommands(a, o))
	mux.Handle("/api/ingest/commands/{id}", NewCommandWord(a, o))
	mux.Handle("/api/ingest/samsara/{id}", NewSamsara(a, o))
	osmand := NewOsmAnd(a, o)
	mux.Handle("/api/ingest/osmand", osmand)
	mux.Handle("/api/ingest/osmand/{$}", osmand)
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { fail(w, "not_found", "") })
	if o.Budget == nil {
		o.Budget = &budget.Budget{}
	}
	within := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mux.ServeHTTP(w, r.WithContext(app.WithinCall(r.Context())))
	})
	return o.Budget.Guard(o.network, o.tell(within))
}

// outcome notes the code of the failure that is answered.
type outcome struct {
	http.ResponseWriter
	code string
}

// Unwrap serves http.ResponseController.
func (o *outcome) Unwrap() http.ResponseWriter { return o.ResponseWriter }

// tell reports which failures were answered.
func (o Options) tell(next http.Handler) http.Handler {
	if o.Failed == nil {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		out := &outcome{ResponseWriter: w}
		next.ServeHTTP(out, r)
		if out.code != "" {
			o.Failed(r, out.code)
		}
	})
}

// answer sends the result of a batch, with the word that a tracker app waits for; empty = none.
func answer(w http.ResponseWriter, result app.ReportResult, word string) {
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	if len(result.Refused)+len(result.Ignored)+len(result.Commands) == 0 { // nearly always
		b := make([]byte, 0, 80)
		b = strconv.AppendInt(append(b, `{"data":{"accepted":`...), int64(result.Accepted), 10)
		b = strconv.AppendInt(append(b, `,"duplicates":`...), int64(result.Duplicates), 10)
		b = append(b, `,"refused":[]}`...)
		if word != "" {
			b = append(b, `,"result":"`+word+`"`...)
		}
		b = append(b, "}\n"...)
		h.Set("Content-Length", strconv.Itoa(len(b)))
		_, _ = w.Write(b)
		return
	}
	_ = json.NewEncoder(w).Encode(IngestAnswer{Data: result, Result: word}) // the device has gone if this fails
}

// refuse answers with a failure of reading or of a verb.
func refuse(w http.ResponseWriter, err error) {
	switch {
	case errors.Is(err, errTooLarge):
		fail(w, "too_large", "A body has at most 1 MiB, unpacked 8 MiB.")
	case errors.Is(err, errStalled):
		w.Header().Set("Connection", "close")
		fail(w, "timed_out", "")
	case errors.Is(err, errEncoding):
		fail(w, "unsupported_media_type", "The content encoding is gzip or none.")
	case errors.Is(err, errJSON), errors.Is(err, errBody):
		fail(w, "invalid_request", "")
	default:
		refuseVerb(w, err)
	}
}

// refuseVerb answers with a verb's refusal; for any other failure, devices must retry.
func refuseVerb(w http.ResponseWriter, err error) {
	refusal := app.StorageRefusal(err)
	if refusal == nil && !errors.As(err, &refusal) {
		refusal = fleet.Refuse("busy", "", "")
		refusal.RetryAfterS = 5
	}
	if refusal.RetryAfterS > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(refusal.RetryAfterS))
	}
	f := IngestFailure{Error: refusal.Code, Message: refusal.Message, Fields: refusal.Fields}
	if made, ok := refusal.Current.(app.Registered); ok {
		f.Data = &made
	}
	failWith(w, f)
}

// fail answers with a machine code of the catalog; with an empty message it uses the catalog's sentence.
func fail(w http.ResponseWriter, code, message string) {
	failWith(w, IngestFailure{Error: code, Message: message})
}

// failWith is fail with all members that an answer may have.
func failWith(w http.ResponseWriter, f IngestFailure) {
	row, ok := catalog.ErrorByCode(f.Error)
	if !ok {
		row.Status = http.StatusUnprocessableEntity
	}
	if f.Message == "" {
		f.Message = row.Message
	}
	if o, ok := w.(*outcome); ok {
		o.code = f.Error
	}
	h := w.Header()
	if row.Status == http.StatusUnauthorized {
		h.Set("WWW-Authenticate", "Bearer")
	}
	if (row.Status == http.StatusServiceUnavailable || row.Status == http.StatusTooManyRequests) && h.Get("Retry-After") == "" {
		h.Set("Retry-After", "5")
	}
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(row.Status)
	_ = json.NewEncoder(w).Encode(f)
}

// bearer is the key of an Authorization header.
func bearer(r *http.Request) string {
	const scheme = "bearer "
	h := r.Header.Get("Authorization")
	if len(h) < len(scheme) || !strings.EqualFold(h[:len(scheme)], scheme) {
		return ""
	}
	return strings.TrimSpace(h[len(scheme):])
}
