package device_test

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"lightbar/internal/device"
	picture "lightbar/internal/live"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/wire"
)

// restart stops the server and starts it again on what is stored.
func (r *mqttRoom) restart() {
	r.t.Helper()
	r.stop()
	if err := r.StopIngest(r.t.Context()); err != nil {
		r.t.Fatal(err)
	}
	r.Open(r.Store, picture.Options{})
	r.h = device.New(r.App, device.Options{})
	r.listen()
}

// A device with an older version than the one that was made while the server was there is told of it by the next server,
// over HTTP and over MQTT alike, until it has it.
func TestAnOlderConfigurationIsReplacedAfterARestart(t *testing.T) {
	r := newMQTTRoom(t)
	id := r.configured()
	older := `{"type": "heartbeat", "at": "2026-11-21T11:59:58Z", "config_version": 6}`
	r.call(http.MethodPost, "/api/ingest", `{"items": [`+strings.Replace(older, `{`, `{"asset": "HA7-0", `, 1)+`]}`)
	if r.applied(id) != 6 {
		t.Fatalf("it says 6, has %d", r.applied(id))
	}
	r.restart()
	if r.applied(id) != 6 {
		t.Errorf("after a restart it has %d", r.applied(id))
	}
	var polled struct {
		Data []struct {
			ID, Type, Value string
			Config          struct{ Version int64 }
		}
	}
	body := r.call(http.MethodGet, "/api/ingest/commands?asset=HA7-0", "")
	if err := json.Unmarshal([]byte(body), &polled); err != nil || len(polled.Data) != 1 || polled.Data[0].Type != "config" || polled.Data[0].Config.Version != 7 {
		t.Fatalf("over HTTP: %s %v", body, err)
	}
	// It takes none of it; the next server tells it by its other connection.
	r.restart()
	c := r.device("HA7-0")
	if err := c.subscribe("lightbar/v1/HA7-0/command"); err != nil {
		t.Fatal(err)
	}
	if err := c.publish("lightbar/v1/HA7-0/report", strings.Replace(older, "11:59:58", "11:59:59", 1)); err != nil {
		t.Fatal(err)
	}
	var got wire.PolledCommand
	if err := json.Unmarshal(c.next("lightbar/v1/HA7-0/command"), &got); err != nil || got.Type != "config" || got.Config == nil || got.Config.Version != 7 {
		t.Fatalf("over MQTT: %+v %v", got, err)
	}
	if err := c.publish("lightbar/v1/HA7-0/ack", `{"id": "`+got.ID+`", "at": "2026-11-21T12:00:00Z", "status": "delivered", "config_version": 7}`); err != nil {
		t.Fatal(err)
	}
	if r.applied(id) != 7 {
		t.Errorf("acknowledged, has %d", r.applied(id))
	}
	r.restart()
	if body := r.call(http.MethodGet, "/api/ingest/commands?asset=HA7-0", ""); !strings.Contains(body, `"data":[]`) || r.applied(id) != 7 {
		t.Errorf("told of what it has: %s", body)
	}
}

// A webhook's key that is replaced is refused from that instant on. What the provider signs with a key that is not known here
// (yet, or any more) is answered 401, so that it is sent again, and counts once the keys agree.
func TestTheKeyOfAWebhookIsReplaced(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		h := newHooked(t, s)
		const event = `{"eventId":"3","eventType":"GeofenceEntry"}`
		want := func(what string, key []byte, status int, word string) {
			t.Helper()
			h.key = key
			if got, said := h.says(h.hook(event)); got != status || said != word {
				t.Errorf("%s: %d %s, want %d %s", what, got, said, status, word)
			}
		}
		old, next := h.key, []byte(strings.Repeat("n", 32))
		h.rest()
		want("the key", old, 200, "asked")
		h.rest()
		want("replaced at the provider first", next, 401, "webhook_refused")
		if row := h.row(); row.Events != 1 || row.NextFetchAt == h.At() {
			t.Errorf("a refused event counts: %+v", row)
		}
		said := base64.StdEncoding.EncodeToString(next)
		if _, err := h.Integrations.Edit(t.Context(), h.admin, h.id, 0, wire.IntegrationWrite{WebhookSecret: &said}); err != nil {
			t.Fatal(err)
		}
		h.rest()
		want("the old key, once it is replaced", old, 401, "webhook_refused")
		want("what was refused, sent again", next, 200, "asked")
		if row := h.row(); row.Events != 2 || row.NextFetchAt != h.At() {
			t.Errorf("sent again: %+v", row)
		}
		if stats, err := h.IntegrationStats(t.Context()); err != nil || stats.Events != 2 || stats.RefusedEvents != 2 {
			t.Errorf("%+v %v", stats, err)
		}
	})
}
