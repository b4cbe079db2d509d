package contract_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"lightbar/internal/alerts"
	"lightbar/internal/api"
	"lightbar/internal/app"
	"lightbar/internal/budget"
	"lightbar/internal/bus"
	"lightbar/internal/cable"
	"lightbar/internal/device"
	"lightbar/internal/testkit"
)

// stage is a whole server with all of its doors. The stream's clock ticks when told.
type stage struct {
	*testkit.World
	t   *testing.T
	bus *bus.Bus
	// budget is what requests hold.
	budget *budget.Budget
	hub    *cable.Hub
	ticks  chan time.Time
	// alerts are what drivers' apps follow; its boards look at the clock when looks says so.
	alerts *alerts.Hub
	looks  chan time.Time
}

func newStage(t *testing.T) *stage {
	t.Helper()
	s := &stage{t: t, budget: &budget.Budget{}, ticks: make(chan time.Time), looks: make(chan time.Time)}
	clock := testkit.NewClock()
	var err error
	s.bus, err = bus.Open(bus.Options{Ticks: s.ticks, Now: clock.Now})
	s.must(err)
	s.World = testkit.New(t, testkit.WithBus(s.bus), testkit.WithBuild(func(a *app.App, o *api.Options) {
		o.Ingest = device.New(a, device.Options{Network: api.NetworkOf, Failed: api.Failed})
		s.hub = cable.New(a, s.bus, cable.Options{Network: api.NetworkOf, Failed: api.Failed, Now: a.Now})
		s.alerts = alerts.New(a, s.bus, alerts.Options{Ticks: s.looks, Log: a.Log})
		o.Cable, o.Budget, o.Alerts = s.hub, s.budget, s.alerts
	}))
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		_ = s.hub.Drain(ctx)
		_ = s.alerts.Drain(ctx)
		s.must(s.App.StopIngest(ctx))
		_ = s.bus.Close(ctx)
	})
	return s
}

// beside is another front of the same application.
func (s *stage) beside(o api.Options) http.Handler {
	o.Version = "1.2.3-test"
	return api.New(s.App, o)
}

// at sends a request to a front; the headers peer and Host say from where and to which name.
func (s *stage) at(front http.Handler, in testkit.Request) testkit.Response {
	var body io.Reader
	if in.Body != nil {
		text, err := json.Marshal(in.Body)
		s.must(err)
		body = bytes.NewReader(text)
	}
	r := httptest.NewRequest(in.Method, in.Path, body)
	r.Header.Set("Content-Type", "application/json")
	r.RemoteAddr, r.Host = cmp.Or(in.Headers["peer"], "127.0.0.1:5"), cmp.Or(in.Headers["Host"], "localhost")
	r.Header.Set("Authorization", "Bearer "+in.Token)
	w := httptest.NewRecorder()
	front.ServeHTTP(w, r)
	return testkit.Response{Status: w.Code, Text: w.Body.String(), Header: w.Header()}
}

func (s *stage) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

// ok sends a request and answers the body's data; anything but a 2xx ends the test.
func (s *stage) ok(method, path, token string, body any) map[string]any {
	s.t.Helper()
	r := s.Do(testkit.Request{Method: method, Path: path, Token: token, Body: body})
	if r.Status/100 != 2 {
		s.t.Fatalf("%s %s: %d %s", method, path, r.Status, r.Text)
	}
	data, _ := testkit.Decode[map[string]any](s.t, r)["data"].(map[string]any)
	return data
}

// report sends items with the key of Own's assets; their instant is now.
func (s *stage) report(items ...map[string]any) {
	s.t.Helper()
	for _, item := range items {
		item["at"] = s.Clock.Now().Format("2006-01-02T15:04:05.000Z")
	}
	if refused := s.ok("POST", "/api/ingest", s.Key, map[string]any{"items": items})["refused"]; len(refused.([]any)) > 0 {
		s.t.Fatalf("refused: %v", refused)
	}
}

// client is a program at the stream.
type client struct {
	t      *testing.T
	conn   *websocket.Conn
	frames chan []byte
}

func (s *stage) dial(token string) *client { return s.dialAt(s.Server.URL+"/cable", token) }

func (s *stage) dialAt(url, token string) *client {
	s.t.Helper()
	d := websocket.Dialer{Subprotocols: []string{"datapumper", token}, EnableCompression: true}
	conn, _, err := d.Dial("ws"+strings.TrimPrefix(url, "http"), nil)
	s.must(err)
	c := &client{t: s.t, conn: conn, frames: make(chan []byte, 1024)}
	go func() {
		defer close(c.frames)
		for {
			_, b, err := conn.ReadMessage()
			if err != nil {
				return
			}
			c.frames <- b
		}
	}()
	s.t.Cleanup(func() { _ = conn.Close() })
	return c
}

func identifier(organizationID string) string {
	return fmt.Sprintf(`{"channel":"EventsChannel","organization_id":%q}`, organizationID)
}

func (c *client) send(command cable.Command) []byte {
	c.t.Helper()
	b, err := json.Marshal(command)
	if err == nil {
		err = c.conn.WriteMessage(websocket.TextMessage, b)
	}
	if err != nil {
		c.t.Fatal(err)
	}
	return b
}

func (c *client) subscribe(organizationID string, batch bool, history *cable.History) []byte {
	return c.send(cable.Command{Command: "subscribe", Identifier: identifier(organizationID), Batch: batch, History: history})
}

// until reads frames to the first that contains all the texts, and answers it.
func (c *client) until(each func([]byte), texts ...string) []byte {
	c.t.Helper()
	guard := time.After(time.Minute)
next:
	for {
		select {
		case b, open := <-c.frames:
			if !open {
				c.t.Fatalf("the socket closed before a frame with %q", texts)
			}
			if each != nil {
				each(b)
			}
			for _, text := range texts {
				if !strings.Contains(string(b), text) {
					continue next
				}
			}
			return b
		case <-guard: // only guards against hanging
			c.t.Fatalf("no frame with %q", texts)
		}
	}
}

// messageOf is the message in a frame of one, as it was sent.
func messageOf(t *testing.T, frame []byte) []byte {
	t.Helper()
	var f struct{ Message json.RawMessage }
	if err := json.Unmarshal(frame, &f); err != nil || f.Message == nil {
		t.Fatalf("no message in %s", frame)
	}
	return f.Message
}

// afterPattern is a pause that is drawn, so that not all come back at once.
var afterPattern = regexp.MustCompile(`"after":\d+`)

// edited is the body of an edit of an asset, which has to say both switches.
func edited(fields object) object {
	whole := object{"in_service": true, "is_publicly_alerting": true}
	maps.Copy(whole, fields)
	return whole
}
