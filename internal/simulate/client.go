// Package simulate is the demo fleet and the load generator: real clients of
// the public API, with no back door into the server.
package simulate

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Item is one report on the ingest wire (docs/ingest.md). Nil fields are left out.
type Item struct {
	Type     string   `json:"type"`
	Asset    string   `json:"asset,omitempty"`
	At       string   `json:"at"`
	Lat      *float64 `json:"lat,omitempty"`
	Lng      *float64 `json:"lng,omitempty"`
	Course   *float64 `json:"course,omitempty"`
	Speed    *float64 `json:"speed,omitempty"`
	Accuracy *float64 `json:"accuracy,omitempty"`
	Alerting *bool    `json:"alerting,omitempty"`
	Config   *int64   `json:"config_version,omitempty"`
	On       *bool    `json:"on,omitempty"`
	Active   *bool    `json:"active,omitempty"`
	Pattern  string   `json:"pattern,omitempty"`

	// Of a hazard or an event, which have no asset.
	ID           string          `json:"id,omitempty"`
	HazardType   string          `json:"hazard_type,omitempty"`
	Description  string          `json:"description,omitempty"`
	ExpiresAt    string          `json:"expires_at,omitempty"`
	IsActive     *bool           `json:"is_active,omitempty"`
	AlertMessage string          `json:"alert_message,omitempty"`
	Features     json.RawMessage `json:"features,omitempty"`
}

// Answer is what the server says of a batch.
type Answer struct {
	Accepted   int       `json:"accepted"`
	Duplicates int       `json:"duplicates"`
	Refused    []Refused `json:"refused"`
}

// Refused is one item the server did not take.
type Refused struct {
	Index   int    `json:"index"`
	Error   string `json:"error"`
	Field   string `json:"field"`
	Message string `json:"message"`
}

// Client sends batches with an API key.
type Client struct {
	URL  string // the server's address without a path
	Key  string
	HTTP *http.Client
}

// NewClient makes a client that keeps up to connections connections open.
func NewClient(url, key string, connections int) *Client {
	return &Client{
		URL: strings.TrimRight(url, "/"), Key: key,
		HTTP: &http.Client{
			Timeout:   30 * time.Second,
			Transport: &http.Transport{MaxIdleConnsPerHost: connections, MaxConnsPerHost: connections},
		},
	}
}

// StatusError is an answer other than 200.
type StatusError struct {
	Status     int
	Message    string
	RetryAfter time.Duration
}

// Error implements error.
func (e *StatusError) Error() string {
	return fmt.Sprintf("the server answered %d: %s", e.Status, e.Message)
}

// Retryable reports whether nothing of the batch was taken and it may come again.
func (e *StatusError) Retryable() bool {
	return e.Status == http.StatusTooManyRequests || e.Status == http.StatusServiceUnavailable
}

// Send posts one batch and returns the server's answer.
func (c *Client) Send(ctx context.Context, items []Item) (Answer, error) {
	body, err := json.Marshal(map[string][]Item{"items": items})
	if err != nil {
		return Answer{}, err
	}
	var answer struct {
		Data Answer `json:"data"`
	}
	err = c.post(ctx, "/api/ingest", body, &answer)
	return answer.Data, err
}

// The waits before something refused for the moment comes again; they double.
const (
	firstWait   = 250 * time.Millisecond
	longestWait = 5 * time.Second
	// registerFor bounds the tries to register: it comes before the time that a load takes.
	registerFor = time.Minute
)

// SendAgain is Send that comes again after a refusal of the whole batch or a
// broken connection, until ctx ends: points are keyed, so a repeat is harmless.
func (c *Client) SendAgain(ctx context.Context, items []Item) (Answer, error) {
	for wait := firstWait; ; wait = min(wait*2, longestWait) {
		answer, err := c.Send(ctx, items)
		if err == nil {
			return answer, nil
		}
		pause := wait
		if status, ok := err.(*StatusError); ok {
			if !status.Retryable() {
				return answer, err
			}
			pause = max(pause, status.RetryAfter)
		}
		if !paused(ctx, pause) {
			return answer, err
		}
	}
}

// Register makes assets known to the server; ones it knows already stay as they
// are. A refusal for the moment is tried again for a minute; a server that cannot
// be reached is told at once, as its address may be wrong.
func (c *Client) Register(ctx context.Context, assets []Asset) error {
	body, err := json.Marshal(map[string][]Asset{"things": assets})
	if err != nil {
		return err
	}
	began := time.Now()
	for wait := firstWait; ; wait = min(wait*2, longestWait) {
		err := c.post(ctx, "/api/ingest/assets", body, nil)
		status, ok := err.(*StatusError)
		if !ok || !status.Retryable() || time.Since(began) > registerFor || !paused(ctx, max(wait, status.RetryAfter)) {
			return err
		}
	}
}

// paused waits and reports whether ctx still holds.
func paused(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}

// Asset is what Register says of an asset.
type Asset struct {
	HaasID     string `json:"haas_id"`
	Nickname   string `json:"nickname,omitempty"`
	ThingType  string `json:"thing_type,omitempty"`
	DeviceType string `json:"device_type,omitempty"`
}

func (c *Client) post(ctx context.Context, path string, body []byte, into any) error {
	return c.call(ctx, http.MethodPost, path, body, into)
}

func (c *Client) call(ctx context.Context, method, path string, body []byte, into any) error {
	req, err := http.NewRequestWithContext(ctx, method, c.URL+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+c.Key)
	req.Header.Set("Content-Type", "application/json")
	res, err := c.HTTP.Do(req)
	if err != nil {
		return err
	}
	defer func() {
		_, _ = io.Copy(io.Discard, io.LimitReader(res.Body, 1<<20))
		_ = res.Body.Close()
	}()
	if res.StatusCode/100 != 2 {
		var failure struct {
			Message string `json:"message"`
		}
		_ = json.NewDecoder(io.LimitReader(res.Body, 1<<16)).Decode(&failure)
		seconds, _ := strconv.Atoi(res.Header.Get("Retry-After"))
		return &StatusError{Status: res.StatusCode, Message: failure.Message, RetryAfter: time.Duration(seconds) * time.Second}
	}
	if into == nil {
		return nil
	}
	return json.NewDecoder(io.LimitReader(res.Body, 8<<20)).Decode(into)
}
