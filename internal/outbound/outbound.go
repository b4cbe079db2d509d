// Package outbound fetches third-party documents and asks third-party APIs over
// HTTP. Someone typed the address, so it may point at a private network. Each name is resolved here, its
// addresses are checked, and exactly the checked address is dialed. That also
// holds after each redirect and if a name changes in between.
package outbound

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Why nothing was fetched; the list is closed.
const (
	BadAddress  = "address_invalid"
	Refused     = "address_refused" // it is not public
	Unreachable = "unreachable"
	NotSecure   = "certificate_invalid"
	TimedOut    = "timed_out"
	TooSlow     = "too_slow"
	TooLarge    = "too_large"
	Redirects   = "too_many_redirects"
	Status      = "status"
)

// Error says why a document could not be fetched. It never contains the
// address's path or query, where keys are.
type Error struct {
	Reason     string // of the list above
	Message    string // a sentence
	Code       int    // of HTTP, with Status
	RetryAfter time.Duration
}

func (e *Error) Error() string { return e.Message }

func failed(reason, format string, args ...any) *Error {
	return &Error{Reason: reason, Message: fmt.Sprintf(format, args...)}
}

const (
	mostRedirects = 5
	userAgent     = "Lightbar"
	slowest       = 1 << 10 // bytes in a second, on average, once the grace is over
	grace         = 30 * time.Second
	idle          = 20 * time.Second // servers close theirs after a minute or so, and not while we use it
)

// Client fetches. The zero value reaches public addresses only. It is safe for concurrent use.
type Client struct {
	Allow   []netip.Prefix // besides public addresses; "0.0.0.0/0" and "::/0" allow all
	Limit   int64          // bytes of a document as it is sent; 0 = 200 MB
	Timeout time.Duration  // for all of it; 0 = 5 min
	Silence time.Duration  // between two pieces; 0 = 30 s

	// Lookup, Dial and Roots are the system's unless a test says otherwise.
	Lookup func(ctx context.Context, host string) ([]netip.Addr, error)
	Dial   func(ctx context.Context, network, address string) (net.Conn, error)
	Roots  *x509.CertPool

	keepAlive *http.Transport // nil = each request has a connection of its own
}

// WithKeepAlive is a client like this one whose connections serve further requests for
// a while, for who asks one server every few seconds. Each leads to an address that was judged.
func (c Client) WithKeepAlive() *Client {
	c.keepAlive = c.transport()
	c.keepAlive.IdleConnTimeout = idle
	return &c
}

// Request is what is fetched, and what is known of it.
type Request struct {
	URL                string
	Header             http.Header // keys; they stay with the host of the URL
	ETag, LastModified string      // of the last answer: then it may be unchanged
}

// Document is an answer. Body gives the bytes as they were sent (perhaps packed
// with gzip) and *Error when the limits are met; it must be closed.
type Document struct {
	Body               io.ReadCloser
	Unchanged          bool // 304; the body is empty
	ETag, LastModified string
}

// Get fetches a document. Errors: *Error, or the context's.
func (c *Client) Get(ctx context.Context, r Request) (*Document, error) {
	at, err := addressOf(r.URL)
	if err != nil {
		return nil, err
	}
	inner, cancel := c.timed(ctx)
	request, err := http.NewRequestWithContext(inner, http.MethodGet, at.String(), nil)
	if err != nil {
		cancel()
		return nil, failed(BadAddress, "This is not an address.")
	}
	for name, values := range r.Header {
		request.Header[http.CanonicalHeaderKey(name)] = values
	}
	public(request.Header)
	for name, value := range map[string]string{"If-None-Match": r.ETag, "If-Modified-Since": r.LastModified} {
		if value != "" {
			request.Header.Set(name, value)
		}
	}
	response, b, err := c.send(ctx, inner, cancel, request, redirected)
	if err != nil {
		return nil, err
	}
	code := response.StatusCode
	if code != http.StatusOK && code != http.StatusNotModified {
		_ = b.Close()
		e := failed(Status, "The server answers %d %s.", code, http.StatusText(code))
		e.Code, e.RetryAfter = code, retryAfter(response.Header.Get("Retry-After"))
		return nil, e
	}
	if err := b.fits(response.ContentLength); err != nil {
		return nil, err
	}
	return &Document{Body: b, Unchanged: code == http.StatusNotModified, ETag: response.Header.Get("ETag"),
		LastModified: response.Header.Get("Last-Modified")}, nil
}

func (c *Client) timed(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, or(c.Timeout, 5*time.Minute), failed(TimedOut, "The whole document did not come in time."))
}

// send gives an answer's head and its body, which ends the request when it is closed.
func (c *Client) send(ctx, inner context.Context, cancel func(), request *http.Request,
	redirect func(*http.Request, []*http.Request) error) (*http.Response, *body, error) {
	transport, end := c.keepAlive, cancel
	if transport == nil {
		transport = c.transport()
		end = func() { cancel(); transport.CloseIdleConnections() }
	}
	client := http.Client{Transport: transport, CheckRedirect: redirect}
	response, err := client.Do(request)
	if err != nil {
		end()
		return nil, nil, because(ctx, inner, err)
	}
	limit, silence := or(c.Limit, 200<<20), or(c.Silence, 30*time.Second)
	b := &body{in: response.Body, outer: ctx, inner: inner, end: end, left: limit, limit: limit, silence: silence, began: time.Now()}
	b.alarm = time.AfterFunc(silence, b.silent)
	return response, b, nil
}

func tooLarge(limit int64) *Error {
	return failed(TooLarge, "The document has more than %d MB.", limit>>20)
}

// addressOf checks an address as far as its text goes.
func addressOf(text string) (*url.URL, error) {
	at, err := url.Parse(strings.TrimSpace(text))
	switch {
	case err != nil || len(text) > 4000 || at.Opaque != "" || at.Hostname() == "":
		return nil, failed(BadAddress, "Enter a full address, such as https://example.org/feed.geojson.")
	case at.Scheme != "http" && at.Scheme != "https":
		return nil, failed(BadAddress, "The address must begin with https:// or http://.")
	}
	at.Fragment = ""
	return at, nil
}

// public sets what any server may know of us.
func public(h http.Header) {
	h.Set("User-Agent", userAgent)
	h.Set("Accept", "application/geo+json, application/json, application/xml;q=0.9, text/csv;q=0.8, */*;q=0.5")
	h.Set("Accept-Encoding", "gzip")
}

// redirected lets a redirect pass, without what is for the first host alone.
func redirected(request *http.Request, via []*http.Request) error {
	if len(via) > mostRedirects {
		return failed(Redirects, "The server redirects more than %d times.", mostRedirects)
	}
	if _, err := addressOf(request.URL.String()); err != nil {
		return failed(BadAddress, "The server redirects to what is not a web address.")
	}
	request.Header.Del("Referer") // it has the query of the address before, and so its key
	for _, before := range append(via[1:len(via):len(via)], request) {
		if before.URL.Host != via[0].URL.Host || before.URL.Scheme != via[0].URL.Scheme && before.URL.Scheme == "http" {
			stripped(request.Header)
			break
		}
	}
	return nil
}

// stripped leaves what is no secret.
func stripped(h http.Header) {
	for name := range h {
		if name != "If-None-Match" && name != "If-Modified-Since" {
			h.Del(name)
		}
	}
	public(h)
}

func (c *Client) transport() *http.Transport {
	return &http.Transport{
		DialContext: c.dial, DisableCompression: true, TLSHandshakeTimeout: 10 * time.Second, ResponseHeaderTimeout: 30 * time.Second,
		MaxResponseHeaderBytes: 64 << 10, ForceAttemptHTTP2: true, // no proxy: it would be asked to dial in our place
		TLSClientConfig: &tls.Config{RootCAs: c.Roots, MinVersion: tls.VersionTLS12},
	}
}

// dial resolves a name, and dials the first of its addresses that is allowed and answers.
func (c *Client) dial(ctx context.Context, network, address string) (net.Conn, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	addresses, err := c.lookup(ctx, host)
	if err != nil {
		return nil, failed(Unreachable, "There is no server of this name: %s.", host)
	}
	dial := c.Dial
	if dial == nil {
		dial = (&net.Dialer{Timeout: 10 * time.Second}).DialContext
	}
	var last error = failed(Refused, "%s is not a public address: an operator must allow it (outbound_allow).", host)
	for _, at := range addresses {
		if !c.allowed(at) {
			continue
		}
		conn, err := dial(ctx, network, net.JoinHostPort(at.String(), port))
		if err == nil {
			return conn, nil
		}
		last = err
	}
	return nil, last
}

func (c *Client) lookup(ctx context.Context, host string) ([]netip.Addr, error) {
	if at, err := netip.ParseAddr(host); err == nil {
		return []netip.Addr{at}, nil
	}
	if c.Lookup != nil {
		return c.Lookup(ctx, host)
	}
	return net.DefaultResolver.LookupNetIP(ctx, "ip", host)
}

// allowed judges an address: public, or one of those that an operator named.
func (c *Client) allowed(at netip.Addr) bool {
	at = at.Unmap().WithZone("")
	for _, p := range c.Allow {
		if p.Contains(at) {
			return true
		}
	}
	return IsPublic(at)
}

// because puts a failure into one of our words.
func because(outer, inner context.Context, err error) error {
	var ours *Error
	var timeout net.Error
	var wrong *url.Error
	switch {
	case outer.Err() != nil:
		return outer.Err()
	case errors.As(context.Cause(inner), &ours), errors.As(err, &ours):
		return ours
	case errors.As(err, &timeout) && timeout.Timeout():
		return failed(TimedOut, "The server does not answer in time.")
	}
	if errors.As(err, &wrong) { // its text has the whole address
		err = wrong.Err
	}
	if text := err.Error(); strings.Contains(text, "tls: ") || strings.Contains(text, "x509: ") {
		return failed(NotSecure, "The server's certificate is not valid: %v.", err)
	}
	return failed(Unreachable, "The server cannot be reached: %v.", err)
}

func retryAfter(text string) time.Duration {
	if seconds, err := strconv.ParseFloat(text, 64); err == nil && seconds > 0 {
		return time.Duration(min(seconds, 86_400) * float64(time.Second))
	}
	if at, err := http.ParseTime(text); err == nil {
		return min(max(0, time.Until(at)), 24*time.Hour)
	}
	return 0
}

func or[T int64 | time.Duration](value, usual T) T {
	if value > 0 {
		return value
	}
	return usual
}
