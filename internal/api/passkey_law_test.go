package api_test

import (
	"fmt"
	"strings"
	"testing"

	"lightbar/internal/fleet"
	"lightbar/internal/store"
)

// Each fall of a key's counter is written down once; a counter that grows again is no alarm.
func TestTheCountersFallIsWrittenDownOnce(t *testing.T) {
	w := named(t)
	h := newHolder(w.Users["viewer"].ID)
	registerKey(t, w, w.SignIn("viewer").AccessToken, h, "mine")
	for i, counter := range []uint32{7, 2, 8, 9} {
		h.key.Counter = counter
		c := asked(t, w, "viewer@demo.example")
		if r := w.Do(passkeyGrant(c.Challenge, h.sign(t, site, c.Passkey))); r.Status != 200 {
			t.Fatalf("use %d: %d %s", i, r.Status, r.Text)
		}
	}
	rows, err := store.ListAudit(t.Context(), w.App.Store.Reader(), w.Own.ID, 0, 1000)
	must(t, err)
	falls := 0
	for _, r := range rows {
		if r.Verb == "passkey_counter" {
			falls++
		}
	}
	if falls != 1 {
		t.Errorf("one fall is written down %d times", falls)
	}
}

// Ten keys a user, each with a name of at most a hundred characters.
func TestLimitsOfPasskeys(t *testing.T) {
	w := named(t)
	token := w.SignIn("viewer").AccessToken
	h := newHolder(w.Users["viewer"].ID)
	add := func(name string) (status int, text string) {
		c := data[ceremony](t, w.Do(send("POST", "/api/session/passkeys/challenge", token, nil)))
		r := w.Do(send("POST", "/api/session/passkeys", token, map[string]any{"challenge": c.Challenge, "name": name, "credential": h.make(t, site, c.Passkey)}))
		return r.Status, r.Text
	}
	for _, name := range []string{"", "  ", strings.Repeat("ä", 101)} {
		if status, text := add(name); status != 422 || !strings.Contains(text, "The name must have 1 to 100 characters.") {
			t.Errorf("%d characters: %d %s", len([]rune(name)), status, text)
		}
	}
	if status, text := add(strings.Repeat("ä", 100)); status != 200 {
		t.Fatalf("a hundred characters: %d %s", status, text)
	}
	must(t, w.App.Store.Write(t.Context(), func(tx *store.Tx) error {
		for i := range 9 {
			if _, err := tx.InsertPasskey(t.Context(), store.Passkey{ID: fmt.Sprint("key-", i), UserID: w.Users["viewer"].ID, Name: "k", Credential: "{}",
				CreatedAt: fleet.InstantOf(w.Clock.Now())}); err != nil {
				return err
			}
		}
		return nil
	}))
	wants(t, w.Do(send("POST", "/api/session/passkeys/challenge", token, nil)), 422, "validation_failed", "You have 10 passkeys already. Remove one first.")
}
