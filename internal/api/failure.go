package api

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"lightbar/catalog"
	"lightbar/internal/app"
	"lightbar/internal/budget"
	"lightbar/internal/fleet"
	"lightbar/internal/wire"
)

// Failure is every error answer: the wire shape with its status and headers.
type Failure struct {
	wire.Failure
	status  int
	headers http.Header
	cause   error // for the log only
}

// Error implements error.
func (f *Failure) Error() string { return f.Failure.Error + ": " + f.Message }

// Unwrap is the cause, which users never read.
func (f *Failure) Unwrap() error { return f.cause }

// GetStatus implements huma.StatusError.
func (f *Failure) GetStatus() int { return f.status }

// GetHeaders implements huma.HeadersError.
func (f *Failure) GetHeaders() http.Header { return f.headers }

// fail makes the failure of a machine code with the catalog's status and sentence.
func fail(code string) *Failure {
	row, ok := catalog.ErrorByCode(code)
	if !ok {
		row = catalog.ErrorRow{Status: http.StatusUnprocessableEntity}
	}
	return &Failure{Failure: wire.Failure{Error: code, Message: row.Message}, status: row.Status, headers: http.Header{}}
}

// failureOf turns what a verb answered into what users may read. Refusals are
// data; everything else is "Unknown failure." with the request's id.
func failureOf(err error) *Failure {
	var known *Failure
	if errors.As(err, &known) {
		return known
	}
	var refusal *fleet.Refusal
	var tooLarge *http.MaxBytesError
	f := fail("internal")
	if storage := app.StorageRefusal(err); storage != nil { // before a refusal: a disk that fails refused nothing
		f = failureOfRefusal(storage)
	} else if errors.As(err, &refusal) {
		return failureOfRefusal(refusal)
	} else if errors.As(err, &tooLarge) {
		f = fail("too_large")
	}
	f.cause = err
	return f
}

// failureOfBody says why a body could not be read; nil when the error is about something else.
func failureOfBody(err error) *Failure {
	var refusal *fleet.Refusal
	var tooLarge *http.MaxBytesError
	var broken *budget.Broken
	switch {
	case errors.As(err, &refusal):
		return failureOfRefusal(refusal)
	case errors.As(err, &tooLarge):
		return fail("too_large")
	case errors.As(err, &broken) && broken.Stalled:
		return fail("timed_out")
	case errors.As(err, &broken):
		return fail("invalid_request")
	}
	return nil
}

func failureOfRefusal(r *fleet.Refusal) *Failure {
	f := fail(r.Code)
	if r.Message != "" {
		f.Message = r.Message
	}
	f.Current, f.ChangedBy, f.ChangedAt = r.Current, r.ChangedBy, r.ChangedAt
	if c, ok := r.Challenge.(wire.MFAChallenge); ok {
		f.Challenge, f.Methods, f.Passkey, f.TOTP = c.Challenge, c.Methods, c.Passkey, c.TOTP
	}
	if len(r.Fields) > 0 || r.Field != "" {
		f.Fields = map[string]string{}
		for name, sentence := range r.Fields {
			f.Fields[name] = sentence
		}
		if _, said := f.Fields[r.Field]; r.Field != "" && !said {
			f.Fields[r.Field] = f.Message
		}
	}
	if r.RetryAfterS > 0 {
		f.headers.Set("Retry-After", strconv.Itoa(r.RetryAfterS))
	}
	if f.status == http.StatusUnauthorized {
		f.headers.Set("WWW-Authenticate", "Bearer")
	}
	return f
}

// in finishes a failure for one request: its id and, on the token endpoint,
// the description of RFC 6749.
func (f *Failure) in(c *call) *Failure {
	out := *f
	if c != nil {
		if c.tokenEndpoint && out.Failure.Error == "validation_failed" {
			shape := fail("invalid_request") // RFC 6749, 5.2 has no 422
			out.Failure.Error, out.Message, out.status = shape.Failure.Error, shape.Message, shape.status
		}
		out.RequestID = c.ID
		if c.brand != nil && strings.Contains(out.Message, "{brand}") {
			out.Message = strings.ReplaceAll(out.Message, "{brand}", c.brand())
		}
		c.failed(&out)
		if c.tokenEndpoint {
			out.ErrorDescription = out.Message
		}
	}
	return &out
}

// write answers with the failure outside of huma's operations.
func (f *Failure) write(w http.ResponseWriter, r *http.Request) {
	out := f.in(callOf(r.Context()))
	h := w.Header()
	for name, values := range out.headers {
		h[name] = values
	}
	h.Set("Content-Type", "application/json")
	h.Del("Content-Length")
	h.Del("Etag")
	w.WriteHeader(out.status)
	_ = json.NewEncoder(w).Encode(out) // the client has gone if this fails
}

// statusCodes are the machine codes of refusals that huma itself makes.
var statusCodes = map[int]string{
	http.StatusBadRequest:            "invalid_request",
	http.StatusRequestTimeout:        "timed_out",
	http.StatusRequestEntityTooLarge: "too_large",
	http.StatusUnsupportedMediaType:  "unsupported_media_type",
	http.StatusUnprocessableEntity:   "validation_failed",
}

func init() {
	huma.DefaultArrayNullable = false // "null is not an empty list" (decisions.md, "Wire")
	huma.ValidateStrictCasing = true  // a field of another case is another field
	huma.NewErrorWithContext = func(ctx huma.Context, status int, _ string, errs ...error) huma.StatusError {
		f := shapeFailure(status, errs)
		for name := range f.headers { // huma writes those of an operation's own errors only
			ctx.SetHeader(name, f.headers.Get(name))
		}
		return f.in(callOf(ctx.Context()))
	}
	huma.NewError = func(status int, _ string, errs ...error) huma.StatusError { return shapeFailure(status, errs) }
}

// shapeFailure is what a request of the wrong shape is answered; sentences
// never repeat what was sent.
func shapeFailure(status int, errs []error) *Failure {
	for _, err := range errs {
		var f *Failure
		if errors.As(err, &f) {
			return f
		}
		if f := failureOfBody(err); f != nil { // huma has one word for all of them: 500
			return f
		}
	}
	code, ok := statusCodes[status]
	if !ok {
		code = "internal"
	}
	f := fail(code)
	if len(errs) > 0 && code == "internal" {
		f.cause = errors.Join(errs...)
	}
	for _, err := range errs {
		if len(f.Fields) == mostFields {
			break
		}
		var detail *huma.ErrorDetail
		if !errors.As(err, &detail) {
			continue
		}
		name, sentence := fieldOf(detail)
		if name == "" {
			continue
		}
		if f.Fields == nil {
			f.Fields = map[string]string{}
		}
		f.Fields[name] = sentence
	}
	return f
}

// mostFields is how many fields a refusal of a body's shape names: the answer is no larger than what was sent.
const mostFields = 100

// fieldOf names the wire field of a huma error and says what is wrong with it.
func fieldOf(d *huma.ErrorDetail) (name, sentence string) {
	name = d.Location
	for _, where := range []string{"body", "query", "path", "header", "cookie"} {
		if rest, ok := strings.CutPrefix(name, where); ok {
			name = strings.TrimPrefix(rest, ".")
			break
		}
	}
	switch {
	case d.Message == "unexpected property":
		return name, "Unknown field."
	case strings.HasPrefix(d.Message, "expected required property "):
		property := strings.Fields(strings.TrimPrefix(d.Message, "expected required property "))
		if len(property) > 0 && !strings.HasSuffix(name, property[0]) {
			name = strings.TrimPrefix(name+"."+property[0], ".")
		}
		return name, "Required"
	case strings.HasPrefix(d.Message, "required "):
		return name, "Required"
	}
	return name, sentenceOf(d.Message)
}

func refuseField(name, sentence string) *Failure {
	f := fail("validation_failed")
	f.Fields = map[string]string{name: sentence}
	return f
}

// panicked is the cause of a failure that was a bug.
type panicked struct{ value any }

func (p panicked) Error() string { return fmt.Sprintf("panic: %v", p.value) }
