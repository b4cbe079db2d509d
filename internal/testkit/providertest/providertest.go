// Package providertest is fleet-telematics providers for tests: servers that
// answer in the recorded shapes of Geotab and Samsara (recorded/README.md) and
// can be told to misbehave as these have been seen to.
package providertest

import (
	"compress/gzip"
	"crypto/x509"
	"embed"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"lightbar/internal/outbound"
)

//go:embed recorded
var recorded embed.FS

// Fault is how a call is answered instead.
type Fault string

// The faults; each is known from recordings or the providers' documentation.
const (
	OverLimit   Fault = "over limit"     // Geotab: 200, Retry-After 56; Samsara: 429, Retry-After 0.40235
	Unavailable Fault = "unavailable"    // Geotab: DbUnavailableException; Samsara: 503 in plain text
	HTML502     Fault = "html 502"       // of a load balancer
	HTML400     Fault = "html 400"       // of a load balancer
	HTML200     Fault = "html 200"       // of a hotel
	Generic     Fault = "generic"        // Geotab: GenericException
	NewKind     Fault = "new kind"       // Geotab: an exception that nobody knows
	NoType      Fault = "no type"        // Geotab: InvalidUserException, named in errors alone
	NoName      Fault = "no name"        // Geotab: an error that is named nowhere
	Argument    Fault = "argument"       // Geotab: ArgumentException
	Cut         Fault = "cut"            // an answer that ends in the middle
	HangUp      Fault = "hang up"        // none at all
	Echo        Fault = "echo"           // an error that repeats what it was asked with
	Text400     Fault = "text 400"       // Samsara: as its older interface answers
	Forbidden   Fault = "forbidden"      // Samsara: a token without the right
	NoCursor    Fault = "no cursor"      // Samsara: more pages are promised, and no cursor given
	Wanders     Fault = "wanders"        // 307 to another server
	NoVersion   Fault = "no version"     // Geotab: a feed's page without toVersion
	WrongShape  Fault = "wrong shape"    // data is no list
	OneSpoiled  Fault = "one spoiled"    // one record of a page cannot be read
	NotUnpacked Fault = "not unpackable" // it says gzip and is none
)

// server is what both fakes share.
type server struct {
	mu     sync.Mutex
	http   *httptest.Server
	now    func() time.Time
	faults map[string][]Fault
	calls  map[string]int
	heard  []string // bodies and Authorization headers
}

func (s *server) start(t testing.TB, handle http.HandlerFunc) {
	s.now, s.faults, s.calls = time.Now, map[string][]Fault{}, map[string]int{}
	s.http = httptest.NewTLSServer(handle)
	t.Cleanup(s.http.Close)
}

// Host is the provider's server, as Account.Server names it.
func (s *server) Host() string { return strings.TrimPrefix(s.http.URL, "https://") }

// SetNow gives the provider another clock.
func (s *server) SetNow(now func() time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now = now
}

// Fail answers the next calls with faults, one each: those of a path (Samsara), or
// of a method (Geotab) with or without its type ("GetFeed", "GetFeed LogRecord").
func (s *server) Fail(call string, faults ...Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults[call] = append(s.faults[call], faults...)
}

// Calls is how often a method (Geotab) or path (Samsara) was called.
func (s *server) Calls(call string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.calls[call]
}

// Heard is all that the server was sent as bodies and keys.
func (s *server) Heard() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(s.heard, "\n")
}

// arrive counts a call by its names and takes the fault that waits for one of them. The lock is held.
func (s *server) arrive(names ...string) (fault Fault) {
	for _, name := range names {
		s.calls[name]++
		if list := s.faults[name]; len(list) > 0 && fault == "" {
			fault, s.faults[name] = list[0], list[1:]
		}
	}
	return fault
}

// Outbound reaches this machine and knows the certificate of the fakes.
func (s *server) Outbound() *outbound.Client {
	pool := x509.NewCertPool()
	pool.AddCert(s.http.Certificate())
	return &outbound.Client{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, Roots: pool}
}

// whole is a fresh copy of a recorded object.
func whole(name string) map[string]any {
	raw, err := recorded.ReadFile("recorded/" + name)
	if err != nil {
		panic(err)
	}
	out := map[string]any{}
	if err := json.Unmarshal(raw, &out); err != nil {
		panic(err)
	}
	return out
}

var shapes sync.Map // by name: recorded objects that nobody changes

// shape is a recorded object with other values for some of its keys; what is inside the others must stay as it is.
func shape(name string, other map[string]any) map[string]any {
	known, ok := shapes.Load(name)
	if !ok {
		known, _ = shapes.LoadOrStore(name, whole(name))
	}
	out := maps.Clone(known.(map[string]any))
	maps.Copy(out, other)
	for key, value := range out {
		if value == nil {
			delete(out, key) // neither provider says null: what is not known is absent
		}
	}
	return out
}

func html(w http.ResponseWriter, code int) {
	page, _ := recorded.ReadFile("recorded/geotab_load_balancer.html")
	w.Header().Set("Content-Type", "text/html")
	w.WriteHeader(code)
	_, _ = w.Write(page)
}

// say writes JSON, packed as the providers do for those who can unpack it.
func say(w http.ResponseWriter, r *http.Request, code int, value any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	out := io.Writer(w)
	if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		defer func() { _ = z.Close() }()
		out = z
	}
	w.WriteHeader(code)
	_ = json.NewEncoder(out).Encode(value)
}

// broken answers the faults that know no provider; false if it is none of them.
func broken(w http.ResponseWriter, fault Fault) bool {
	switch fault {
	case HTML502:
		html(w, http.StatusBadGateway)
	case HTML400:
		html(w, http.StatusBadRequest)
	case HTML200:
		html(w, http.StatusOK)
	case Wanders:
		w.Header().Set("Location", "https://127.0.0.1:1/apiv1")
		w.WriteHeader(http.StatusTemporaryRedirect)
	case NotUnpacked:
		w.Header().Set("Content-Encoding", "gzip")
		_, _ = io.WriteString(w, `{"this":"is no gzip"}`)
	case Cut:
		_, _ = io.WriteString(w, `{"result":{"data":[{"latitude":40.1`)
	case HangUp:
		panic(http.ErrAbortHandler)
	default:
		return false
	}
	return true
}

// disordered is a list in another order: what a device kept while it was out of reach comes after what it said since.
func disordered[T any](list []T) []T {
	out := make([]T, 0, len(list))
	for i := 1; i < len(list); i += 2 {
		out = append(out, list[i])
	}
	for i := 0; i < len(list); i += 2 {
		out = append(out, list[i])
	}
	return out
}

// twice is a list that has each of its elements again.
func twice[T any](list []T) []T {
	out := make([]T, 0, 2*len(list))
	for _, x := range list {
		out = append(out, x, x)
	}
	return out
}
