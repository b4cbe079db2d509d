package api

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"lightbar/catalog"
	"lightbar/internal/fleet"
	"lightbar/internal/store/engine"
)

// spec: D.wire.08 D.wire.13
func TestFailuresOfErrors(t *testing.T) {
	for _, row := range []struct {
		err     error
		status  int
		code    string
		message string
	}{
		{fmt.Errorf("commit: %w", engine.ErrOutcomeUnknown), 503, "outcome_unknown", "We can't tell whether this was saved. Please send it again."},
		{fmt.Errorf("x: %w", engine.ErrFull), 503, "storage_full", ""},
		{fmt.Errorf("x: %w", engine.ErrReadOnly), 503, "storage_read_only", ""},
		{fmt.Errorf("x: %w", engine.ErrStorage), 503, "storage_failed", ""},
		{engine.ErrBusy, 503, "busy", ""},
		{engine.ErrLockLost, 503, "busy", ""},
		{context.DeadlineExceeded, 503, "busy", ""},
		{errors.New("pq: secret detail"), 500, "internal", "Unknown failure."},
		{&http.MaxBytesError{Limit: 1}, 413, "too_large", ""},
		{fleet.Refuse("email_in_use", "email", ""), 422, "email_in_use", "Email is already in use. Please try another one."},
		{fleet.Refuse("not_yet_known", "", "A sentence."), 422, "not_yet_known", "A sentence."},
		{&fleet.Refusal{Code: "busy", RetryAfterS: 7}, 503, "busy", ""},
		// What failed on the disk was not refused, however both came into one error.
		{errors.Join(fmt.Errorf("x: %w", engine.ErrFull), fleet.Refuse("conflict", "", "")), 503, "storage_full", ""},
		{errors.Join(fleet.Refuse("password_wrong", "", ""), engine.ErrBusy), 503, "busy", ""},
	} {
		f := failureOf(row.err)
		if f.status != row.status || f.Failure.Error != row.code || (row.message != "" && f.Message != row.message) || f.Message == "" {
			t.Errorf("%v: %d %+v", row.err, f.status, f.Failure)
		}
		w := httptest.NewRecorder()
		f.write(w, httptest.NewRequest("GET", "/", nil))
		if w.Code != row.status || strings.Contains(w.Body.String(), "secret") {
			t.Errorf("%v: %d %s", row.err, w.Code, w.Body)
		}
		if retry := w.Header().Get("Retry-After"); (row.status == 503) != (retry != "") {
			t.Errorf("%v: Retry-After %q", row.err, retry)
		}
	}
	if f := failureOf(&fleet.Refusal{Code: "busy", RetryAfterS: 7}); f.headers.Get("Retry-After") != "7" {
		t.Errorf("Retry-After %q", f.headers.Get("Retry-After"))
	}
}

// The words that section 8 keys on stand in the sentences of the catalog.
func TestCatalogKeepsTheKeyWords(t *testing.T) {
	for code, word := range map[string]string{"thing_not_found": "found", "organization_not_found": "found", "user_not_found": "find",
		"email_in_use": "Email", "token_not_verified": "expired", "locked_out": "Too many"} {
		if row, ok := catalog.ErrorByCode(code); !ok || !strings.Contains(row.Message, word) {
			t.Errorf("%s: %q lacks %q", code, row.Message, word)
		}
	}
	if row, _ := catalog.ErrorByCode("user_suspended"); row.Status != http.StatusBadRequest {
		t.Errorf("user_suspended answers %d", row.Status)
	}
}

func TestForwardedHeadersCountFromTrustedHopsOnly(t *testing.T) {
	s := &server{options: Options{TrustedProxies: prefixes("10.0.0.0/8", "192.0.2.0/24", "fe80::1/128")}}
	for _, row := range []struct {
		remote, forwarded, want string
	}{
		{"203.0.113.9:1", "198.51.100.1", "203.0.113.9"},
		{"10.0.0.1:1", "198.51.100.1", "198.51.100.1"},
		{"10.0.0.1:1", "6.6.6.6, 198.51.100.1", "198.51.100.1"}, // what the client invented does not count
		{"10.0.0.1:1", "198.51.100.1, 192.0.2.7", "198.51.100.1"},
		{"10.0.0.1:1", "198.51.100.1, nonsense", "10.0.0.1"},
		{"10.0.0.1:1", "198.51.100.66:5000", "198.51.100.66"}, // gateways of clouds add the port
		{"10.0.0.1:1", "6.6.6.6:7, 198.51.100.66:5000, 192.0.2.7:4711", "198.51.100.66"},
		{"10.0.0.1:1", "[2001:db8::7]:4711", "2001:db8::7"},
		{"10.0.0.1:1", "[2001:db8::7]", "2001:db8::7"},
		{"10.0.0.1:1", "\"[2001:db8::7]:4711\"", "2001:db8::7"},
		{"10.0.0.1:1", "2001:db8::7", "2001:db8::7"},
		{"10.0.0.1:1", "203.0.113.9,", "203.0.113.9"},
		{"10.0.0.1:1", "203.0.113.9, , \t", "203.0.113.9"},
		{"10.0.0.1:1", "203.0.113.9:99999", "10.0.0.1"},
		{"10.0.0.1:1", "unknown", "10.0.0.1"},
		{"10.0.0.1:1", "", "10.0.0.1"},
		{"[::1]:1", "198.51.100.1", "::1"},
		{"[fe80::1%eth0]:1", "198.51.100.1", "198.51.100.1"},
		{"[fe80::2%eth0]:1", "198.51.100.1", "fe80::2%eth0"},
		{"[::ffff:10.0.0.1]:1", "198.51.100.1", "198.51.100.1"},
		{"10.0.0.1:1", "::ffff:198.51.100.1", "198.51.100.1"},
		{"10.0.0.1:1", "[::ffff:198.51.100.1]:80", "198.51.100.1"},
		{"10.0.0.1:1", "6.6.6.6, fe80::7%en0", "fe80::7"},
		{"10.0.0.1:1", "198.51.100.1, fe80::1%en0, 192.0.2.7", "198.51.100.1"},
		{"10.0.0.1:1", "198.051.100.001", "10.0.0.1"},
		{"10.0.0.1:1", "PROXY TCP4 198.51.100.1 10.0.0.1 5 80", "10.0.0.1"},
		{"10.0.0.1:1", "10.0.0.2, 10.0.0.3", "10.0.0.2"},
		{"10.0.0.1:1", "for=198.51.100.1", "10.0.0.1"},
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.RemoteAddr = row.remote
		r.Header.Set("X-Forwarded-For", row.forwarded)
		if got, _ := s.client(r); got != row.want {
			t.Errorf("%s via %q: %s, want %s", row.remote, row.forwarded, got, row.want)
		}
	}
}

// Proxies that know only RFC 7239 are read; where there is X-Forwarded-For, Forwarded is what the client sent.
func TestForwardedAsTheRFCHasIt(t *testing.T) {
	s := &server{options: Options{TrustedProxies: prefixes("10.0.0.0/8", "fe80::1/128")}}
	for _, row := range []struct {
		remote, forwarded, x, proto string // of x and proto each line is a header
		want                        string
		secure                      bool
	}{
		{"10.0.0.1:1", "for=198.51.100.1", "", "", "198.51.100.1", false},
		{"10.0.0.1:1", "for=198.51.100.1;proto=https;by=10.0.0.1", "", "", "198.51.100.1", true},
		{"10.0.0.1:1", "For=\"[2001:db8::7]:4711\"; Proto=HTTPS", "", "", "2001:db8::7", true},
		{"10.0.0.1:1", "for=6.6.6.6, for=\"198.51.100.1:5000\", for=10.0.0.2", "", "", "198.51.100.1", false},
		{"10.0.0.1:1", "for=6.6.6.6;proto=https, for=198.51.100.1;proto=http", "", "", "198.51.100.1", false},
		{"10.0.0.1:1", "for=unknown", "", "", "10.0.0.1", false},
		{"10.0.0.1:1", "for=_hidden, for=10.0.0.2", "", "", "10.0.0.2", false},
		{"10.0.0.1:1", "host=evil.example", "", "", "10.0.0.1", false},
		{"10.0.0.1:1", "for=6.6.6.6;proto=https", "198.51.100.1", "", "198.51.100.1", false},
		{"10.0.0.1:1", "for=6.6.6.6;proto=https", "", "http", "10.0.0.1", false},
		{"203.0.113.9:1", "for=198.51.100.1;proto=https", "", "", "203.0.113.9", false},
		{"10.0.0.1:1", "", "198.51.100.1", "https\nhttp", "198.51.100.1", false}, // the first is the client's
		{"10.0.0.1:1", "", "6.6.6.6\n198.51.100.1", "https", "198.51.100.1", true},
		{"[fe80::1%eth0]:1", "for=198.51.100.1;proto=https", "", "", "198.51.100.1", true},
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.RemoteAddr = row.remote
		for name, lines := range map[string]string{"Forwarded": row.forwarded, "X-Forwarded-For": row.x, "X-Forwarded-Proto": row.proto} {
			for line := range strings.SplitSeq(lines, "\n") {
				if line != "" {
					r.Header.Add(name, line)
				}
			}
		}
		if got, secure := s.client(r); got != row.want || secure != row.secure {
			t.Errorf("%+v: %s, %v", row, got, secure)
		}
	}
}

// A disk that the store takes rows on again must not be one that /readyz calls nearly full.
func TestReadyAndTheStoreAgreeOnSpace(t *testing.T) {
	if readyMinFree > 2*engine.DefaultBallastBytes {
		t.Errorf("/readyz wants %d free bytes, a store goes on from %d", readyMinFree, 2*engine.DefaultBallastBytes)
	}
}
