package outbound_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"lightbar/internal/outbound"
)

// here is a client that may reach this machine.
func here() *outbound.Client {
	return &outbound.Client{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}
}

func serve(t *testing.T, h http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL
}

// fetched reads a document to its end.
func fetched(t *testing.T, c *outbound.Client, r outbound.Request) (string, error) {
	t.Helper()
	d, err := c.Get(t.Context(), r)
	if err != nil {
		return "", err
	}
	defer func() { _ = d.Body.Close() }()
	text, err := io.ReadAll(d.Body)
	return string(text), err
}

func reasonOf(err error) string {
	var e *outbound.Error
	if errors.As(err, &e) && e.Message != "" {
		return e.Reason
	}
	return fmt.Sprint(err)
}

// No spelling of an address, and no name, reaches what is not public; nothing is dialed.
func TestPrivateAddressesAreRefused(t *testing.T) {
	for _, host := range []string{"127.0.0.1", "127.1.2.3", "0.0.0.0", "10.0.0.1", "172.31.255.255", "192.168.1.1", "169.254.169.254", "100.64.0.1",
		"198.18.0.1", "224.0.0.1", "255.255.255.255", "[::1]", "[::]", "[::ffff:127.0.0.1]", "[::ffff:10.0.0.1]", "[::7f00:1]", "[fe80::1]", "[fe80::1%25eth0]",
		"[fc00::1]", "[fd12::1]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]", "[2001:0:7f00:1::]", "[fec0::1]", "[ff02::1]", "name.test"} {
		c := &outbound.Client{Lookup: func(context.Context, string) ([]netip.Addr, error) {
			return []netip.Addr{netip.MustParseAddr("10.1.2.3"), netip.MustParseAddr("::1")}, nil
		}, Dial: func(_ context.Context, _, address string) (net.Conn, error) {
			t.Errorf("%s: %s is dialed", host, address)
			return nil, io.EOF
		}}
		if _, err := fetched(t, c, outbound.Request{URL: "http://" + host + "/feed?key=secret"}); reasonOf(err) != outbound.Refused || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", host, err)
		}
	}
	for _, host := range []string{"93.184.216.34", "2606:2800:220:1:248:1893:25c8:1946", "172.32.0.1", "100.128.0.1"} {
		if !outbound.IsPublic(netip.MustParseAddr(host)) {
			t.Errorf("%s is public", host)
		}
	}
	for _, text := range []string{"", "feed", "file:///etc/passwd", "ftp://example.org/", "http://", "https:feed", "gopher://127.0.0.1:25/", "http://[::1", "http://a b/"} {
		if _, err := fetched(t, here(), outbound.Request{URL: text}); reasonOf(err) != outbound.BadAddress {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// A name that is public when it is asked for the first time, and this machine
// the next time: each address is judged and that very one is dialed.
func TestRebinding(t *testing.T) {
	asked, dialed := 0, []string{}
	c := &outbound.Client{
		Lookup: func(context.Context, string) ([]netip.Addr, error) {
			if asked++; asked == 1 {
				return []netip.Addr{netip.MustParseAddr("127.0.0.1"), netip.MustParseAddr("93.184.216.34")}, nil
			}
			return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
		},
		Dial: func(_ context.Context, _, address string) (net.Conn, error) {
			dialed = append(dialed, address)
			near, far := net.Pipe()
			go func() {
				defer func() { _ = far.Close() }()
				_, _ = far.Read(make([]byte, 4096))
				_, _ = io.WriteString(far, "HTTP/1.1 302 Found\r\nLocation: http://rebind.test:99/\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
			}()
			return near, nil
		}}
	_, err := fetched(t, c, outbound.Request{URL: "http://rebind.test:99/"})
	if reasonOf(err) != outbound.Refused || len(dialed) != 1 || dialed[0] != "93.184.216.34:99" || asked != 2 {
		t.Errorf("%v; asked %d times, dialed %v", err, asked, dialed)
	}
}

// Redirects: to what is not public, without end, to another host (without the key), to no web address.
func TestRedirects(t *testing.T) {
	var mu sync.Mutex
	var seen http.Header
	other := serve(t, func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		seen = r.Header.Clone()
		mu.Unlock()
		_, _ = io.WriteString(w, "there")
	})
	var target string
	home := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/same" && r.Header.Get("X-Api-Key") == "k" {
			_, _ = io.WriteString(w, "here")
			return
		}
		http.Redirect(w, r, target, http.StatusFound)
	})
	ask := outbound.Request{URL: home + "/start?key=secret", ETag: `"7"`,
		Header: http.Header{"Authorization": {"Bearer t"}, "X-Api-Key": {"k"}, "Cookie": {"c=1"}}}
	target = other
	text, err := fetched(t, here(), ask)
	if err != nil || text != "there" {
		t.Fatalf("%q, %v", text, err)
	}
	for _, name := range []string{"Authorization", "X-Api-Key", "Cookie", "Referer"} {
		if seen.Get(name) != "" {
			t.Errorf("another host hears %s: %s", name, seen.Get(name))
		}
	}
	if seen.Get("If-None-Match") != `"7"` || seen.Get("User-Agent") == "" {
		t.Errorf("%v", seen)
	}
	target = home + "/same"
	if text, err := fetched(t, here(), ask); err != nil || text != "here" {
		t.Errorf("the same host: %q, %v", text, err)
	}
	for to, reason := range map[string]string{"/again": outbound.Redirects, "http://10.0.0.1/": outbound.Refused, "http://[::1]:1/": outbound.Refused,
		"file:///etc/passwd": outbound.BadAddress} {
		target = to
		if _, err := fetched(t, here(), ask); reasonOf(err) != reason || strings.Contains(err.Error(), "secret") {
			t.Errorf("to %s: %v", to, err)
		}
	}
}

// What a server may answer besides a document.
func TestAnswers(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, _ = io.WriteString(z, "feed")
	_ = z.Close()
	at := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/503":
			w.Header().Set("Retry-After", "1.5")
			http.Error(w, "no healthy upstream", http.StatusServiceUnavailable)
		case "/401":
			w.WriteHeader(http.StatusUnauthorized)
		case "/known":
			if r.Header.Get("If-None-Match") == `"1"` && r.Header.Get("If-Modified-Since") == "Mon, 23 Nov 2026 08:00:00 GMT" {
				w.WriteHeader(http.StatusNotModified)
				return
			}
			w.Header().Set("ETag", `"1"`)
			w.Header().Set("Last-Modified", "Mon, 23 Nov 2026 08:00:00 GMT")
			_, _ = io.WriteString(w, "feed")
		case "/gzip":
			w.Header().Set("Content-Encoding", "gzip")
			_, _ = w.Write(packed.Bytes())
		case "/said":
			w.Header().Set("Content-Length", "2000000")
		case "/streamed":
			for range 2000 {
				_, _ = w.Write(make([]byte, 1000))
				w.(http.Flusher).Flush()
			}
		case "/cut":
			w.Header().Set("Content-Length", "100")
			_, _ = io.WriteString(w, "half")
		}
	})
	c := here()
	c.Limit = 1 << 20
	for path, reason := range map[string]string{"/503": outbound.Status, "/401": outbound.Status, "/said": outbound.TooLarge, "/streamed": outbound.TooLarge,
		"/cut": io.ErrUnexpectedEOF.Error()} {
		if _, err := fetched(t, c, outbound.Request{URL: at + path}); reasonOf(err) != reason {
			t.Errorf("%s: %v", path, err)
		}
	}
	var e *outbound.Error
	if _, err := c.Get(t.Context(), outbound.Request{URL: at + "/503"}); !errors.As(err, &e) || e.Code != 503 || e.RetryAfter != 1500*time.Millisecond {
		t.Errorf("%+v", e)
	}
	if text, err := fetched(t, c, outbound.Request{URL: at + "/gzip"}); err != nil || text != packed.String() {
		t.Errorf("gzip: %q, %v", text, err)
	}
	first, err := c.Get(t.Context(), outbound.Request{URL: at + "/known"})
	if err != nil || first.Unchanged {
		t.Fatal(first, err)
	}
	_ = first.Body.Close()
	again, err := c.Get(t.Context(), outbound.Request{URL: at + "/known", ETag: first.ETag, LastModified: first.LastModified})
	if err != nil || !again.Unchanged {
		t.Fatal(again, err)
	}
	_ = again.Body.Close()
	gone := httptest.NewServer(nil)
	gone.Close()
	if _, err := fetched(t, c, outbound.Request{URL: gone.URL + "/?key=secret"}); reasonOf(err) != outbound.Unreachable || strings.Contains(err.Error(), "secret") {
		t.Errorf("nobody there: %v", err)
	}
	secure := httptest.NewUnstartedServer(nil)
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	secure.StartTLS()
	defer secure.Close()
	if _, err := fetched(t, c, outbound.Request{URL: secure.URL}); reasonOf(err) != outbound.NotSecure {
		t.Errorf("a certificate of nobody: %v", err)
	}
}

// slow is a client of a server in this bubble that answers like this.
func slow(answer func(conn net.Conn)) *outbound.Client {
	return &outbound.Client{Dial: func(context.Context, string, string) (net.Conn, error) {
		near, far := net.Pipe()
		go func() {
			defer func() { _ = far.Close() }()
			_, _ = far.Read(make([]byte, 4096))
			answer(far)
		}()
		return near, nil
	}}
}

// Servers that never answer, fall silent, send a byte each second, or never end: each is left in a stated time.
func TestSlowServers(t *testing.T) {
	const head = "HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n"
	for name, c := range map[string]struct {
		answer func(conn net.Conn)
		reason string
		within time.Duration
	}{
		"never answers": {func(conn net.Conn) { _, _ = conn.Read(make([]byte, 1)) }, outbound.TimedOut, 31 * time.Second},
		"falls silent": {func(conn net.Conn) {
			_, _ = io.WriteString(conn, head+"{")
			_, _ = conn.Read(make([]byte, 1))
		}, outbound.TooSlow, 31 * time.Second},
		"a byte each second": {func(conn net.Conn) {
			_, err := io.WriteString(conn, head)
			for ; err == nil; _, err = io.WriteString(conn, "x") {
				time.Sleep(time.Second)
			}
		}, outbound.TooSlow, 32 * time.Second},
		"without end": {func(conn net.Conn) {
			_, err := io.WriteString(conn, head)
			for ; err == nil; _, err = conn.Write(make([]byte, 10_000)) {
				time.Sleep(time.Second)
			}
		}, outbound.TimedOut, 301 * time.Second},
	} {
		synctest.Test(t, func(t *testing.T) {
			began := time.Now()
			_, err := fetched(t, slow(c.answer), outbound.Request{URL: "http://93.184.216.34/"})
			if took := time.Since(began); reasonOf(err) != c.reason || took > c.within {
				t.Errorf("%s: %v after %v", name, err, took)
			}
			time.Sleep(2 * time.Second) // of the bubble's clock: the server hears that nobody listens
		})
	}
}
