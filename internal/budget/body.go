package budget

import (
	"errors"
	"io"
	"net/http"
	"os"
	"time"

	"lightbar/catalog"
	"lightbar/internal/budget/call"
	"lightbar/internal/fleet"
)

var (
	strangerBytes = catalog.LimitInt("http", "strangerBodyBytes")
	stallAfter    = catalog.Setting("http", "bodyStallMs")
)

const (
	// paceBytes of a body must come within stallAfter, again and again. That is
	// 0.4 kB/s: a phone on 2G needs minutes for 1 MiB and gets them, and who
	// sends a byte now and then does not.
	paceBytes = 2 << 10
	// answerWithin is how long an answer may take from the end of the body on.
	answerWithin = 60 * time.Second
	// bodyWeight is what a JSON call holds for each byte of its body: a buffer
	// that grows by doubling, and the texts that are decoded from it.
	bodyWeight = 3
)

// Body is a request's body under the budget.
type Body struct {
	*Hold
	from    io.ReadCloser
	control *http.ResponseController
	weight  int64
	got     int64
	mark    int64 // of got, when the deadline was set
	begun   bool
	err     error
}

// Guard puts the bodies of requests under the budget until they are answered.
// network names where a request comes from.
func (b *Budget) Guard(network func(*http.Request) string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, done := r.Body.(*Body); done || r.Body == nil || r.Body == http.NoBody {
			next.ServeHTTP(w, r)
			return
		}
		body := &Body{Hold: b.Open(network(r)), from: r.Body, control: http.NewResponseController(w), weight: bodyWeight}
		b.begin(body)
		defer body.finish()
		body.expect() // also of what nobody reads
		r = r.WithContext(call.Counting(r.Context(), body.Hold.Take))
		r.Body = body
		next.ServeHTTP(w, r)
	})
}

// Of finds the guarded body of a request; nil when it has none.
func Of(r *http.Request) *Body {
	b, _ := r.Body.(*Body)
	return b
}

// SetHolder says whose body it is; see Hold. A request without a body holds none.
func (b *Body) SetHolder(id string) {
	if b != nil {
		b.Hold.SetHolder(id)
	}
}

// SkipCounting leaves it to the reader to count what is held of the body.
func (b *Body) SkipCounting() { b.weight = 0 }

// Close implements io.Closer; what is held stays held until the answer.
func (b *Body) Close() error { return b.from.Close() }

// Broken is a body that did not come to its end. Nothing but the body itself
// makes one: a database that loses its connection says the same of it as a
// sender that does, and whoever asks why a request failed must not take the one for the other.
type Broken struct {
	Stalled bool // the sender stopped amid it, and may send it again
	cause   error
}

// Error implements error.
func (b *Broken) Error() string { return "the body broke off: " + b.cause.Error() }

// Read implements io.Reader. Its errors are io.EOF, Broken, the refusal busy,
// and http.MaxBytesError for more than a stranger may send.
func (b *Body) Read(p []byte) (int, error) {
	if b.err != nil || len(p) == 0 {
		return 0, b.err
	}
	if !b.begun { // the time until now was the server's own
		b.begun = true
		b.expect()
	}
	if left := strangerBytes - b.got; !b.known && int64(len(p)) > left+1 {
		p = p[:left+1]
	}
	n, err := b.from.Read(p)
	b.got += int64(n)
	switch {
	case err == io.EOF: //nolint:errorlint // a wrapped one is not the end but a fault
		b.budget.end(b)
		_ = b.control.SetReadDeadline(time.Time{}) // the connection is watched for its end while the answer is made
	case errors.Is(err, os.ErrDeadlineExceeded):
		if b.budget.stall() {
			err = &fleet.Refusal{Code: "busy", RetryAfterS: 5}
		} else {
			err = &Broken{Stalled: true, cause: err}
		}
	case err != nil && !errors.As(err, new(*http.MaxBytesError)):
		err = &Broken{cause: err}
	case err == nil && b.got-b.mark >= paceBytes:
		b.expect()
	}
	if !b.known && b.got > strangerBytes {
		n, err = 0, &http.MaxBytesError{Limit: strangerBytes}
	} else if e := b.Take(int64(n) * b.weight); e != nil {
		n, err = 0, e
	}
	if b.err = err; err != nil { // the body may have taken longer than an answer may
		_ = b.control.SetWriteDeadline(time.Now().Add(answerWithin))
	}
	return n, err
}

// expect sets when the next bytes must have come. Recorders in tests know no deadlines.
func (b *Body) expect() {
	b.mark = b.got
	_ = b.control.SetReadDeadline(time.Now().Add(stallAfter.Duration()))
	if until := b.budget.until.Load(); until != 0 { // looked at last: Hurry may have come in between
		_ = b.control.SetReadDeadline(time.Unix(0, until))
	}
}

func (b *Body) finish() {
	b.budget.end(b)
	b.Hold.Close()
}

func (b *Budget) begin(body *Body) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.bodies == nil {
		b.bodies = map[*Body]struct{}{}
	}
	b.bodies[body] = struct{}{}
}

func (b *Budget) end(body *Body) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.bodies, body)
}

// Hurry is for a server that stops: what has not come of any body by then does
// not come any more, and its sender is told to send it again.
func (b *Budget) Hurry(until time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.until.Store(until.UnixNano())
	for body := range b.bodies {
		_ = body.control.SetReadDeadline(until)
	}
}

// stall counts a body whose sender stopped; true when it was the server that did.
func (b *Budget) stall() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.until.Load() != 0 {
		return true
	}
	b.stalled++
	return false
}
