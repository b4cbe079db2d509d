package outbound

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"net/http"
	"time"
)

// Call asks an API.
type Call struct {
	Method string // empty = GET
	URL    string
	Header http.Header // keys; they stay with the host of the URL
	// Body may hold keys, too. So a call with a body follows no redirect: its answer is the redirect.
	Body []byte
}

// Answer is what an API said, of any status. Body is unpacked, gives *Error when the limits are met, and must be closed.
type Answer struct {
	Code       int
	Header     http.Header
	RetryAfter time.Duration // 0 = not said; may be a part of a second
	Body       io.ReadCloser
}

// Do asks an API once. Errors: *Error (of any reason but Status), or the context's.
func (c *Client) Do(ctx context.Context, r Call) (*Answer, error) {
	at, err := addressOf(r.URL)
	if err != nil {
		return nil, err
	}
	inner, cancel := c.timed(ctx)
	request, err := http.NewRequestWithContext(inner, r.Method, at.String(), bytes.NewReader(r.Body))
	if err != nil {
		cancel()
		return nil, failed(BadAddress, "This is not an address.")
	}
	for name, values := range r.Header {
		request.Header[http.CanonicalHeaderKey(name)] = values
	}
	public(request.Header)
	redirect := redirected
	if len(r.Body) > 0 {
		redirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	}
	response, b, err := c.send(ctx, inner, cancel, request, redirect)
	if err != nil {
		return nil, err
	}
	if err := b.fits(response.ContentLength); err != nil {
		return nil, err
	}
	answer := &Answer{Code: response.StatusCode, Header: response.Header, RetryAfter: retryAfter(response.Header.Get("Retry-After")), Body: b}
	if response.Header.Get("Content-Encoding") == "gzip" {
		answer.Body = &unpacked{packed: b, left: b.limit}
	}
	return answer, nil
}

// unpacked is a body that came as gzip; the limit holds for what it becomes, too.
type unpacked struct {
	packed *body
	in     *gzip.Reader
	left   int64
}

func (u *unpacked) Read(p []byte) (int, error) {
	if u.in == nil {
		in, err := gzip.NewReader(u.packed)
		if err != nil {
			return 0, err
		}
		u.in = in
	}
	n, err := u.in.Read(p)
	if u.left -= int64(n); u.left < 0 {
		return 0, tooLarge(u.packed.limit)
	}
	return n, err
}

func (u *unpacked) Close() error { return u.packed.Close() }
