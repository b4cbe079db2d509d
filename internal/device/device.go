// Package device is the wire to vehicles, one file for each protocol: points
// in. What a device may send and what it is answered stands in docs/ingest.md.
package device

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"lightbar/catalog"
	"lightbar/internal/app"
	"lightbar/internal/fleet"
)

var (
	bodyBytes     = catalog.LimitInt("ingest", "bodyBytes")
	unpackedBytes = catalog.LimitInt("ingest", "unpackedBytes")
)

// Options are what the handlers need beside the verbs.
type Options struct {
	// Network tells where a request came from; nil = the peer's address.
	Network func(*http.Request) string
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
	osmand := NewOsmAnd(a, o)
	mux.Handle("/api/ingest/osmand", osmand)
	mux.Handle("/api/ingest/osmand/{$}", osmand)
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { fail(w, "not_found", "") })
	return mux
}

// buffers are reused from request to request.
var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

var unpackers = sync.Pool{New: func() any { return new(gzip.Reader) }}

var (
	errTooLarge = errors.New("device: the body is too large")
	errEncoding = errors.New("device: the content encoding is not supported")
	errGzip     = errors.New("device: the body is not gzip")
)

// readBody reads a request's body: at most 1 MiB as sent and 8 MiB unpacked,
// whatever the headers claim.
func readBody(w http.ResponseWriter, r *http.Request) (string, error) {
	if r.ContentLength > bodyBytes {
		return "", errTooLarge
	}
	buffer := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buffer)
	buffer.Reset()
	var from io.Reader = http.MaxBytesReader(w, r.Body, bodyBytes)
	most := bodyBytes
	switch strings.ToLower(strings.TrimSpace(r.Header.Get("Content-Encoding"))) {
	case "", "identity":
	case "gzip", "x-gzip":
		z := unpackers.Get().(*gzip.Reader)
		defer unpackers.Put(z)
		if err := z.Reset(from); err != nil {
			return "", gzipError(err)
		}
		from, most = z, unpackedBytes
	default:
		return "", errEncoding
	}
	n, err := buffer.ReadFrom(io.LimitReader(from, most+1))
	if err != nil {
		return "", gzipError(err)
	}
	if n > most {
		return "", errTooLarge
	}
	return buffer.String(), nil
}

func gzipError(err error) error {
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return errTooLarge
	case errors.Is(err, gzip.ErrHeader), errors.Is(err, gzip.ErrChecksum), errors.Is(err, io.EOF), errors.As(err, new(flate.CorruptInputError)):
		return errGzip
	}
	return err
}

// answer says what became of a batch.
func answer(w http.ResponseWriter, result app.ReportResult) {
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	if len(result.Refused) == 0 { // nearly always
		b := make([]byte, 0, 80)
		b = strconv.AppendInt(append(b, `{"data":{"accepted":`...), int64(result.Accepted), 10)
		b = strconv.AppendInt(append(b, `,"duplicates":`...), int64(result.Duplicates), 10)
		b = append(b, `,"refused":[]}}`+"\n"...)
		h.Set("Content-Length", strconv.Itoa(len(b)))
		_, _ = w.Write(b)
		return
	}
	_ = json.NewEncoder(w).Encode(IngestAnswer{Data: result}) // the device has gone if this fails
}

// refuse answers with a failure of reading or of a verb.
func refuse(w http.ResponseWriter, err error) {
	var refusal *fleet.Refusal
	switch {
	case errors.As(err, &refusal):
		if refusal.RetryAfterS > 0 {
			w.Header().Set("Retry-After", strconv.Itoa(refusal.RetryAfterS))
		}
		fail(w, refusal.Code, refusal.Message)
	case errors.Is(err, errTooLarge):
		fail(w, "too_large", "A body has at most 1 MiB, unpacked 8 MiB.")
	case errors.Is(err, errEncoding):
		fail(w, "unsupported_media_type", "The content encoding is gzip or none.")
	case errors.Is(err, errJSON), errors.Is(err, errGzip), errors.Is(err, io.ErrUnexpectedEOF):
		fail(w, "invalid_request", "")
	default:
		w.Header().Set("Retry-After", "5")
		fail(w, "busy", "")
	}
}

// fail answers with a machine code of the catalogue; an empty message takes its sentence.
func fail(w http.ResponseWriter, code, message string) {
	row, ok := catalog.ErrorByCode(code)
	if !ok {
		row.Status = http.StatusUnprocessableEntity
	}
	if message == "" {
		message = row.Message
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
	_ = json.NewEncoder(w).Encode(IngestFailure{Error: code, Message: message})
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
