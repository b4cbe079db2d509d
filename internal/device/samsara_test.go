package device_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/device"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/wire"
)

// hooked is a room with an account at Samsara that takes webhooks.
type hooked struct {
	*room
	admin *access.Actor
	id    string
	key   []byte
}

func newHooked(t *testing.T, s *store.Store) *hooked {
	r := newRoom(t, s)
	h := &hooked{room: r, admin: r.User(r.org, "administrator"), key: []byte(strings.Repeat("k", 32))}
	provider, name, token, secret := "samsara", "Plows", "x", base64.StdEncoding.EncodeToString(h.key)
	row, _, err := r.Integrations.Create(t.Context(), h.admin, wire.IntegrationWrite{Provider: &provider, Name: &name, Secret: &token, WebhookSecret: &secret})
	if err != nil || !row.HasWebhook {
		t.Fatal(row, err)
	}
	h.id = row.ID
	return h
}

// hook is a request of the webhook, signed as Samsara does.
func (h *hooked) hook(body string) *http.Request {
	at := strconv.FormatInt(h.Now().Unix(), 10)
	sum := hmac.New(sha256.New, h.key)
	sum.Write([]byte("v1:" + at + ":" + body))
	r := httptest.NewRequest(http.MethodPost, "/api/ingest/samsara/"+h.id, strings.NewReader(body))
	r.Header.Set("X-Samsara-Timestamp", at)
	r.Header.Set("X-Samsara-Signature", "v1="+hex.EncodeToString(sum.Sum(nil)))
	return r
}

// says answers what became of a request: the outcome, or the error.
func (h *hooked) says(r *http.Request) (status int, word string) {
	h.t.Helper()
	w := httptest.NewRecorder()
	h.h.ServeHTTP(w, r)
	var a struct {
		Data  device.WebhookAnswer `json:"data"`
		Error string               `json:"error"`
	}
	if err := json.Unmarshal(w.Body.Bytes(), &a); err != nil {
		h.t.Fatalf("%d %q: %v", w.Code, w.Body, err)
	}
	return w.Code, a.Data.Outcome + a.Error
}

func (h *hooked) row() wire.Integration {
	h.t.Helper()
	row, err := h.Integrations.Read(h.t.Context(), h.admin, h.id)
	if err != nil {
		h.t.Fatal(err)
	}
	return row
}

// rest lets the account not be asked for an hour.
func (h *hooked) rest() {
	h.t.Helper()
	if err := h.Store.Write(h.t.Context(), func(tx *store.Tx) error {
		_, err := tx.ExecContext(h.t.Context(), "UPDATE integration SET next_fetch_at = $1", int64(h.At().Add(time.Hour)))
		return err
	}); err != nil {
		h.t.Fatal(err)
	}
}

// spec: 1.feat.08
func TestAnEventOfSamsaraLetsTheAccountBeAskedSoon(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		h := newHooked(t, s)
		h.rest()
		want := func(body string, status int, word string) {
			t.Helper()
			if got, said := h.says(h.hook(body)); got != status || said != word {
				t.Errorf("%s: %d %s, want %d %s", body, got, said, status, word)
			}
		}
		want(`{"eventId":"1","eventType":"Ping","orgId":20936,"webhookId":"1"}`, 200, "pong")
		want(`{"eventId":"2","eventType":"FormSubmitted","data":{}}`, 200, "unknown")
		if row := h.row(); row.Events != 0 || row.UnknownEvents != 1 || row.LastEventAt != h.At() || row.NextFetchAt != h.At().Add(time.Hour) {
			t.Errorf("%+v", row)
		}
		const event = `{"eventId":"3","eventType":"GeofenceEntry","data":{"vehicle":{"id":"1"},"address":{"latitude":1,"longitude":2}}}`
		want(event, 200, "asked")
		want(event, 200, "known") // the same again changes nothing
		if row := h.row(); row.Events != 2 || row.NextFetchAt != h.At() || row.Version != 1 {
			t.Errorf("%+v", row)
		}
		stats, err := h.IntegrationStats(t.Context())
		if err != nil || stats.Events != 2 || stats.UnknownEvents != 1 || stats.RefusedEvents != 0 {
			t.Errorf("%+v %v", stats, err)
		}
		for _, body := range []string{``, `{`, `[]`, `"Ping"`, `{} {}`} {
			if got, said := h.says(h.hook(body)); got != 400 && got != 422 {
				t.Errorf("%q: %d %s", body, got, said)
			}
		}
		want(`{"eventType":null}`, 422, "validation_failed")
		want(strings.Repeat(" ", 65_537), 413, "too_large")
		// Paused, it is not asked, and Samsara need not come again.
		paused := false
		if _, err := h.Integrations.Edit(t.Context(), h.admin, h.id, 0, wire.IntegrationWrite{IsActive: &paused}); err != nil {
			t.Fatal(err)
		}
		want(event, 200, "known")
	})
}

func TestOnlyTheProvidersOwnEventsAreTaken(t *testing.T) {
	h := newHooked(t, storetest.SQLite(t))
	const event = `{"eventId":"3","eventType":"GeofenceEntry"}`
	edit := func(in wire.IntegrationWrite) {
		t.Helper()
		if _, err := h.Integrations.Edit(t.Context(), h.admin, h.id, 0, in); err != nil {
			t.Fatal(err)
		}
	}
	want := func(what string, r *http.Request, status int, word string) {
		t.Helper()
		if got, said := h.says(r); got != status || said != word {
			t.Errorf("%s: %d %s, want %d %s", what, got, said, status, word)
		}
	}
	r := h.hook(event)
	r.Header.Del("X-Samsara-Signature")
	want("not signed", r, 401, "webhook_refused")
	r = h.hook(event)
	r.Body = http.NoBody
	want("another body", r, 401, "webhook_refused")
	r = h.hook(event)
	r.URL.Path = "/api/ingest/samsara/01900000-0000-7000-8000-00000000dead"
	want("another account", r, 401, "webhook_refused")
	want("another method", httptest.NewRequest(http.MethodGet, "/api/ingest/samsara/"+h.id, nil), 405, "method_not_allowed")
	r = h.hook(event)
	h.Pass(5*time.Minute + time.Second)
	want("five minutes later", r, 401, "webhook_stale")
	// Another key, none anymore, and the one before taken back.
	other, none := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("o", 32))), ""
	edit(wire.IntegrationWrite{WebhookSecret: &other})
	want("another key", h.hook(event), 401, "webhook_refused")
	if _, err := h.Integrations.Undo(t.Context(), h.admin, h.id, 2); err != nil {
		t.Fatal(err)
	}
	want("taken back", h.hook(event), 200, "known")
	name := "Plows 2"
	edit(wire.IntegrationWrite{Name: &name})
	want("not said is not none", h.hook(event), 200, "known")
	edit(wire.IntegrationWrite{WebhookSecret: &none})
	want("none", h.hook(event), 401, "webhook_refused")
	if h.row().HasWebhook {
		t.Error("it has a webhook")
	}
	if _, err := h.Integrations.Undo(t.Context(), h.admin, h.id, 5); err != nil {
		t.Fatal(err)
	}
	want("taken back again", h.hook(event), 200, "known")
	// It is Samsara's alone, and a short one can be guessed.
	geotab, x, short := "geotab", "x", "AQID"
	_, _, err := h.Integrations.Create(t.Context(), h.admin, wire.IntegrationWrite{Provider: &geotab, Name: &x, Database: &x, User: &x, Secret: &x, WebhookSecret: &other})
	if refusal, ok := err.(*fleet.Refusal); !ok || refusal.Fields["webhook_secret"] != "Only Samsara has it" {
		t.Error(err)
	}
	_, err = h.Integrations.Edit(t.Context(), h.admin, h.id, 0, wire.IntegrationWrite{WebhookSecret: &short})
	if refusal, ok := err.(*fleet.Refusal); !ok || refusal.Fields["webhook_secret"] != "The secret key is too short" {
		t.Error(err)
	}
	// A deleted account takes none, comes back with its key, and then forgets it.
	if err := h.Integrations.Remove(t.Context(), h.admin, h.id); err != nil {
		t.Fatal(err)
	}
	want("deleted", h.hook(event), 401, "webhook_refused")
	if _, err := h.Integrations.Undo(t.Context(), h.admin, h.id, 7); err != nil {
		t.Fatal(err)
	}
	want("back", h.hook(event), 200, "known")
	if err := h.Integrations.Remove(t.Context(), h.admin, h.id); err != nil {
		t.Fatal(err)
	}
	h.Pass(25 * time.Hour)
	if err := h.PollIntegrations(t.Context()); err != nil {
		t.Fatal(err)
	}
	if x, err := store.Integrations.ByID(t.Context(), h.Store.Reader(), h.id); err != nil || x.WebhookSecret != "" || x.WebhookBefore != "" || x.Secret != "" {
		t.Errorf("%+v %v", x, err)
	}
}
