// Package words asks what3words over HTTPS for the three-word address of a
// position, with the operator's key. It stores nothing; answers stay in memory
// for at most an hour.
package words

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"sync"
	"time"
)

const (
	service    = "https://api.what3words.com/v3/convert-to-3wa" // developer.what3words.com/public-api/docs
	callLimit  = 5 * time.Second
	bodyLimit  = 64 << 10
	atOnce     = 4
	remembered = time.Hour
	most       = 4096 // answers in memory
	decimals   = 6    // some 10 cm; a square is 3 m wide
)

// ErrUnreachable is wrapped when no words could be had: a refused key, a used
// up quota, a time-out, an answer that is none. What is wrapped says why.
var ErrUnreachable = errors.New("what3words cannot be asked")

// Client asks; the zero value of all but Key will do. It is safe for concurrent use.
type Client struct {
	Key string
	// Address and Transport are the service's and the system's unless a test says otherwise.
	Address   string
	Transport http.RoundTripper
	Now       func() time.Time

	mu    sync.Mutex
	known map[string]answer
	slots chan struct{}
}

type answer struct {
	words string
	until time.Time
}

// threeWords are letters of any script, with a point between ("filled.count.soap").
var threeWords = regexp.MustCompile(`^[\p{L}\p{M}'-]{1,60}\.[\p{L}\p{M}'-]{1,60}\.[\p{L}\p{M}'-]{1,60}$`)

// At gives the three words of a position in degrees. Errors: ErrUnreachable, or the context's.
func (c *Client) At(ctx context.Context, lat, lng float64) (string, error) {
	at := strconv.FormatFloat(lat, 'f', decimals, 64) + "," + strconv.FormatFloat(lng, 'f', decimals, 64)
	slots, words := c.recall(at)
	if words != "" {
		return words, nil
	}
	ctx, cancel := context.WithTimeout(ctx, callLimit)
	defer cancel()
	select {
	case slots <- struct{}{}:
		defer func() { <-slots }()
	case <-ctx.Done():
		return "", fmt.Errorf("%w: too many questions at once", ErrUnreachable)
	}
	words, err := c.ask(ctx, at)
	if err != nil {
		return "", fmt.Errorf("%w: %v", ErrUnreachable, err)
	}
	c.remember(at, words)
	return words, nil
}

func (c *Client) now() time.Time {
	if c.Now == nil {
		return time.Now()
	}
	return c.Now()
}

func (c *Client) recall(at string) (slots chan struct{}, words string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.slots == nil {
		c.slots, c.known = make(chan struct{}, atOnce), map[string]answer{}
	}
	if a, ok := c.known[at]; ok && c.now().Before(a.until) {
		words = a.words
	}
	return c.slots, words
}

func (c *Client) remember(at, words string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.now()
	if len(c.known) >= most {
		for key, a := range c.known {
			if !now.Before(a.until) {
				delete(c.known, key)
			}
		}
	}
	if len(c.known) >= most {
		clear(c.known)
	}
	c.known[at] = answer{words, now.Add(remembered)}
}

func (c *Client) ask(ctx context.Context, at string) (string, error) {
	address := c.Address
	if address == "" {
		address = service
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address+"?coordinates="+url.QueryEscape(at), nil)
	if err != nil {
		return "", err
	}
	r.Header.Set("X-Api-Key", c.Key) // not in the address, which logs and errors repeat
	client := http.Client{Transport: c.Transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	res, err := client.Do(r)
	if err != nil {
		return "", errors.Unwrap(err) // without the address: it says where somebody looks
	}
	defer res.Body.Close()
	var body struct {
		Words string
		Error struct{ Code string }
	}
	err = json.NewDecoder(io.LimitReader(res.Body, bodyLimit)).Decode(&body)
	switch {
	case res.StatusCode != http.StatusOK:
		return "", fmt.Errorf("status %d %.40q", res.StatusCode, body.Error.Code)
	case err != nil:
		return "", errors.New("the answer is not JSON")
	case !threeWords.MatchString(body.Words):
		return "", errors.New("the answer has no three words")
	}
	return body.Words, nil
}
