package outbound_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"lightbar/internal/outbound"
)

// asked calls an API and reads its answer to the end.
func asked(t *testing.T, c *outbound.Client, r outbound.Call) (*outbound.Answer, string, error) {
	t.Helper()
	a, err := c.Do(t.Context(), r)
	if err != nil {
		return nil, "", err
	}
	defer func() { _ = a.Body.Close() }()
	text, err := io.ReadAll(a.Body)
	return a, string(text), err
}

// Of any status the caller has code, headers and body, packed or not, within the limit.
func TestAnswersOfAPIs(t *testing.T) {
	packed := func(text string) []byte {
		var out bytes.Buffer
		z := gzip.NewWriter(&out)
		_, _ = io.WriteString(z, text)
		_ = z.Close()
		return out.Bytes()
	}
	at := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		switch r.URL.Path {
		case "/echo":
			w.Header().Set("X-Method", r.Method+" "+r.Header.Get("Content-Type")+" "+r.Header.Get("Authorization"))
			_, _ = w.Write(body)
		case "/429":
			w.Header().Set("Retry-After", "0.40235")
			w.WriteHeader(http.StatusTooManyRequests)
			_, _ = io.WriteString(w, `{"message":"Exceeded rate limit."}`)
		case "/packed":
			w.Header().Set("Content-Encoding", "gzip")
			_, _ = w.Write(packed("plain"))
		case "/bomb":
			w.Header().Set("Content-Encoding", "gzip")
			_, _ = w.Write(packed(strings.Repeat("0", 2<<20)))
		case "/notpacked":
			w.Header().Set("Content-Encoding", "gzip")
			_, _ = io.WriteString(w, "this is not packed")
		case "/long":
			w.Header().Set("Content-Length", "2000000")
		}
	})
	c := here()
	c.Limit = 1 << 20
	a, text, err := asked(t, c, outbound.Call{Method: http.MethodPost, URL: at + "/echo", Body: []byte(`{"a":1}`),
		Header: http.Header{"Content-Type": {"application/json"}, "Authorization": {"Bearer t"}}})
	if err != nil || a.Code != 200 || text != `{"a":1}` || a.Header.Get("X-Method") != "POST application/json Bearer t" {
		t.Errorf("%+v %q %v", a, text, err)
	}
	a, text, err = asked(t, c, outbound.Call{URL: at + "/429"})
	if err != nil || a.Code != 429 || a.RetryAfter != 402350*time.Microsecond || !strings.Contains(text, "Exceeded") {
		t.Errorf("%+v %q %v", a, text, err)
	}
	if _, text, err = asked(t, c, outbound.Call{URL: at + "/packed"}); err != nil || text != "plain" {
		t.Errorf("%q %v", text, err)
	}
	for _, path := range []string{"/bomb", "/long"} {
		if _, text, err = asked(t, c, outbound.Call{URL: at + path}); reasonOf(err) != outbound.TooLarge || len(text) > 1<<20 {
			t.Errorf("%s: %d bytes, %v", path, len(text), err)
		}
	}
	if _, _, err = asked(t, c, outbound.Call{URL: at + "/notpacked"}); !errors.Is(err, gzip.ErrHeader) {
		t.Errorf("not packed: %v", err)
	}
	for url, reason := range map[string]string{"file:///etc/passwd": outbound.BadAddress, "http://10.0.0.1/": outbound.Refused} {
		if _, _, err := asked(t, c, outbound.Call{Method: http.MethodPost, URL: url, Body: []byte("secret")}); reasonOf(err) != reason {
			t.Errorf("%s: %v", url, err)
		}
	}
}

// What a call's body says stays with the server that was asked, and its headers, too.
func TestCallsAreNotRedirectedWithTheirSecrets(t *testing.T) {
	var heard []string
	other := serve(t, func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		heard = append(heard, r.Method+string(body)+r.Header.Get("Authorization"))
	})
	home := serve(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, other, http.StatusTemporaryRedirect) })
	a, _, err := asked(t, here(), outbound.Call{Method: http.MethodPost, URL: home, Body: []byte("password")})
	if err != nil || a.Code != http.StatusTemporaryRedirect || len(heard) != 0 {
		t.Errorf("%+v %v; the other server heard %q", a, err, heard)
	}
	a, _, err = asked(t, here(), outbound.Call{URL: home, Header: http.Header{"Authorization": {"Bearer t"}}})
	if err != nil || a.Code != 200 || len(heard) != 1 || heard[0] != "GET" {
		t.Errorf("%+v %v; the other server heard %q", a, err, heard)
	}
}

// A server's certificate is checked against the roots that a client is given.
func TestRoots(t *testing.T) {
	secure := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "secure") }))
	defer secure.Close()
	c := here()
	c.Roots = secure.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs
	if _, text, err := asked(t, c, outbound.Call{URL: secure.URL}); err != nil || text != "secure" {
		t.Errorf("%q %v", text, err)
	}
}

// A client that keeps its connections needs one for a row of calls; any other one for each. Each address is judged all the same.
func TestKeptConnections(t *testing.T) {
	var mu sync.Mutex
	connections := map[string]bool{}
	at := serve(t, func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		connections[r.RemoteAddr] = true
		_, _ = io.WriteString(w, "here")
	})
	for c, want := range map[*outbound.Client]int{here(): 3, here().WithKeepAlive(): 1} {
		clear(connections)
		for range 3 {
			if _, text, err := asked(t, c, outbound.Call{URL: at}); err != nil || text != "here" {
				t.Fatal(text, err)
			}
		}
		if len(connections) != want {
			t.Errorf("%d connections, want %d", len(connections), want)
		}
	}
	if _, _, err := asked(t, (&outbound.Client{}).WithKeepAlive(), outbound.Call{URL: at}); reasonOf(err) != outbound.Refused {
		t.Error(err)
	}
}
