package device_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
)

// polled is the answer of a long poll.
type polled struct {
	status int
	data   []struct{ ID, Type, Status string }
	err    error
}

// poll begins a long poll; the channel gets its answer.
func (r *room) poll(ctx context.Context, url, key string) chan polled {
	out := make(chan polled, 1)
	go func() {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
		if err != nil {
			out <- polled{err: err}
			return
		}
		req.Header.Set("Authorization", "Bearer "+key)
		answer, err := http.DefaultClient.Do(req)
		if err != nil {
			out <- polled{err: err}
			return
		}
		defer answer.Body.Close()
		var p struct {
			Data []struct{ ID, Type, Status string }
		}
		err = json.NewDecoder(answer.Body).Decode(&p)
		out <- polled{answer.StatusCode, p.Data, err}
	}()
	return out
}

// A device that waits is answered at once when somebody presses; one that has
// gone, or that asks twice, holds nothing; all are answered when the server stops.
//
// spec: 5.device.03 7.thing.08
func TestADeviceWaitsForItsCommands(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		r := newRoom(t, s)
		server := httptest.NewServer(r.h)
		defer server.Close()
		no, _ := r.Live.Find(r.org, "HA7-0")
		id, _ := r.Live.ThingByNo(no)
		url := server.URL + "/api/ingest/commands?wait=30&asset="
		waits := func(n int) {
			t.Helper()
			for r.WaitingDevices() != n { // nothing tells of it but the count
				select {
				case <-t.Context().Done():
					t.Fatal("nobody waits")
				default:
				}
			}
		}
		user := r.User(r.org, "administrator")
		if w, _ := r.post(`{"items":[{"type":"heartbeat","asset":"HA7-0","at":"2026-11-21T12:00:00Z"}]}`); w.Code != http.StatusOK {
			t.Fatal(w.Body)
		}

		first := r.poll(t.Context(), url+"HA7-0", r.key)
		waits(1)
		second := r.poll(t.Context(), url+"HA7-0", r.Key(r.org, id))
		if p := <-first; p.err != nil || p.status != http.StatusOK || len(p.data) != 0 {
			t.Errorf("a poll that another one of the same device follows: %+v", p)
		}
		waits(1)
		made, err := r.ToggleTestMode(t.Context(), user, id, "press")
		if err != nil {
			t.Fatal(err)
		}
		if p := <-second; p.err != nil || len(p.data) != 1 || p.data[0].ID != made.Command.ID || p.data[0].Status != "sent" {
			t.Errorf("the press wakes with %+v", p)
		}
		if p := <-r.poll(t.Context(), url+"HA7-0", r.key); len(p.data) != 1 || p.data[0].ID != made.Command.ID {
			t.Errorf("what is not acknowledged comes again: %+v", p)
		}
		if _, err := r.AcknowledgeCommand(t.Context(), r.Device(r.org), made.Command.ID, fleet.CommandWord{Status: "delivered", At: r.At()}); err != nil {
			t.Fatal(err)
		}

		leaving, leave := context.WithCancel(t.Context())
		gone := r.poll(leaving, url+"HA7-1", r.key)
		waits(1)
		leave()
		if p := <-gone; p.err == nil {
			t.Errorf("it left: %+v", p)
		}
		waits(0)

		last := r.poll(t.Context(), url+"HA7-2", r.key)
		waits(1)
		r.StopCommands()
		if p := <-last; p.err != nil || p.status != http.StatusOK || len(p.data) != 0 {
			t.Errorf("the server stops: %+v", p)
		}
		if p := <-r.poll(t.Context(), url+"HA7-2", r.key); p.status != http.StatusOK {
			t.Errorf("while the server stops: %+v", p)
		}
	})
}

func TestCommandRequestsAreChecked(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		r := newRoom(t, s)
		no, _ := r.Live.Find(r.org, "HA7-0")
		id, _ := r.Live.ThingByNo(no)
		one, word := r.Key(r.org, id), "/api/ingest/commands/01900000-0000-7000-8000-00000000ffff"
		for _, c := range []struct {
			name, method, path, key, body string
			status                        int
			says                          string
		}{
			{"nothing waits", "GET", "?asset=HA7-0", r.key, "", 200, `"data":[]`},
			{"by its own key", "GET", "", one, "", 200, `"data":[]`},
			{"another's by its own key", "GET", "?asset=HA7-1", one, "", 422, "asset_unknown"},
			{"no name", "GET", "", r.key, "", 422, "asset_unknown"},
			{"a bad key", "GET", "?asset=HA7-0", "lb_key_x", "", 401, "invalid_key"},
			{"too long", "GET", "?asset=HA7-0&wait=31", r.key, "", 422, "Must be from 0 to 30 seconds"},
			{"not a number", "GET", "?asset=HA7-0&wait=soon", r.key, "", 422, `"wait"`},
			{"negative", "GET", "?asset=HA7-0&wait=-1", r.key, "", 422, `"wait"`},
			{"writing", "POST", "?asset=HA7-0", r.key, "{}", 405, "method_not_allowed"},
			{"no such command", "POST", word, r.key, `{"at":"2026-11-21T12:00:00Z","status":"delivered"}`, 404, "command_unknown"},
			{"no id", "POST", "/api/ingest/commands/%00x", r.key, `{"at":"2026-11-21T12:00:00Z","status":"delivered"}`, 404, "command_unknown"},
			{"no time", "POST", word, r.key, `{"status":"failed"}`, 422, `"at"`},
			{"another word", "POST", word, r.key, `{"at":"2026-11-21T12:00:00Z","status":"sent"}`, 422, "Must be delivered or failed"},
			{"not JSON", "POST", word, r.key, `delivered`, 400, "invalid_request"},
			{"an instant that is none", "POST", word, r.key, `{"at":"noon","status":"delivered"}`, 400, "invalid_request"},
			{"reading a word", "GET", word, r.key, "", 405, "method_not_allowed"},
		} {
			path := c.path
			if !strings.HasPrefix(path, "/") {
				path = "/api/ingest/commands" + path
			}
			req := httptest.NewRequest(c.method, path, io.NopCloser(strings.NewReader(c.body)))
			req.Header.Set("Authorization", "Bearer "+c.key)
			w := httptest.NewRecorder()
			r.h.ServeHTTP(w, req)
			if w.Code != c.status || !strings.Contains(w.Body.String(), c.says) {
				t.Errorf("%s: %d %s", c.name, w.Code, w.Body)
			}
		}
	})
}
