package api_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/descope/virtualwebauthn"

	"lightbar/internal/api"
	"lightbar/internal/app"
	"lightbar/internal/testkit"
	"lightbar/internal/wire"
)

const publicURL = "http://localhost:8080"

var site = virtualwebauthn.RelyingParty{ID: "localhost", Name: "Lightbar", Origin: publicURL}

// named is a world whose address browsers make passkeys for.
func named(t *testing.T) *testkit.World {
	return testkit.New(t, testkit.WithBuild(func(a *app.App, _ *api.Options) { a.PublicURL = publicURL }))
}

// holder is somebody's security key.
type holder struct {
	device virtualwebauthn.Authenticator
	key    virtualwebauthn.Credential
}

func newHolder(userID string) *holder {
	return &holder{device: virtualwebauthn.NewAuthenticatorWithOptions(virtualwebauthn.AuthenticatorOptions{UserHandle: []byte(userID)}),
		key: newCredential()}
}

// newCredential draws a key whose coordinates are 32 octets each, as RFC 9053
// section 7.1.1 wants. The virtual authenticator drops leading zeros, so about
// one of its keys in 128 is malformed and rightly refused.
func newCredential() virtualwebauthn.Credential {
	const whole = 77 // COSE map: 7 octets of header and fields, then 3+32 for each coordinate
	for {
		c := virtualwebauthn.NewCredential(virtualwebauthn.KeyTypeEC2)
		if len(c.Key.AttestationData()) == whole {
			return c
		}
	}
}

// ceremony is a challenge as the browser gets it.
type ceremony struct {
	Challenge string          `json:"challenge"`
	Passkey   json.RawMessage `json:"passkey"`
}

// make answers creation options as a browser on a site would.
func (h *holder) make(t *testing.T, rp virtualwebauthn.RelyingParty, options json.RawMessage) json.RawMessage {
	t.Helper()
	parsed, err := virtualwebauthn.ParseAttestationOptions(string(options))
	must(t, err)
	return json.RawMessage(virtualwebauthn.CreateAttestationResponse(rp, h.device, h.key, *parsed))
}

// sign answers request options; each use counts.
func (h *holder) sign(t *testing.T, rp virtualwebauthn.RelyingParty, options json.RawMessage) json.RawMessage {
	t.Helper()
	parsed, err := virtualwebauthn.ParseAssertionOptions(string(options))
	must(t, err)
	h.key.Counter++
	return json.RawMessage(virtualwebauthn.CreateAssertionResponse(rp, h.device, h.key, *parsed))
}

func registerKey(t *testing.T, w *testkit.World, token string, h *holder, name string) wire.Passkey {
	t.Helper()
	c := data[ceremony](t, w.Do(send("POST", "/api/session/passkeys/challenge", token, nil)))
	return data[wire.Passkey](t, w.Do(send("POST", "/api/session/passkeys", token, map[string]any{"challenge": c.Challenge, "name": name,
		"credential": h.make(t, site, c.Passkey)})))
}

func passkeyGrant(challenge string, credential json.RawMessage) testkit.Request {
	return send("POST", "/api/user_token", "", map[string]any{"grant_type": "mfa", "challenge": challenge, "method": "passkey", "credential": credential})
}

// asked signs in with the password and answers the ceremony that follows.
func asked(t *testing.T, w *testkit.World, email string) ceremony {
	t.Helper()
	r := w.Do(signIn(email, testkit.Password))
	wants(t, r, 401, "mfa_required", "")
	return testkit.Decode[ceremony](t, r)
}

func TestPasskeyAtSignIn(t *testing.T) {
	w := named(t)
	token := w.SignIn("viewer").AccessToken
	h := newHolder(w.Users["viewer"].ID)
	row := registerKey(t, w, token, h, " Blue key ")
	if row.Name != "Blue key" || row.ID == "" || row.LastUsedAt != 0 {
		t.Errorf("row: %+v", row)
	}
	r := w.Do(signIn("viewer@demo.example", testkit.Password))
	f := wants(t, r, 401, "mfa_required", "")
	if fmt.Sprint(f.Methods) != "[passkey]" {
		t.Errorf("methods: %v", f.Methods)
	}
	c := testkit.Decode[ceremony](t, r)
	var options struct {
		PublicKey struct {
			RpID             string `json:"rpId"`
			UserVerification string `json:"userVerification"`
			AllowCredentials []struct {
				ID string `json:"id"`
			} `json:"allowCredentials"`
		} `json:"publicKey"`
	}
	must(t, json.Unmarshal(c.Passkey, &options))
	if o := options.PublicKey; o.RpID != "localhost" || o.UserVerification != "required" || len(o.AllowCredentials) != 1 || o.AllowCredentials[0].ID != row.ID {
		t.Errorf("options: %s", c.Passkey)
	}
	answer := h.sign(t, site, c.Passkey)
	got := w.Do(passkeyGrant(c.Challenge, answer))
	if got.Status != 200 {
		t.Fatalf("%d %s\n%s", got.Status, got.Text, w.Log.Text())
	}
	pair := testkit.Decode[wire.TokenPair](t, got)
	if p := data[wire.Profile](t, w.Get("/api/profile", pair.AccessToken)); p.Session.Method != "passkey" || !p.User.SecondFactor {
		t.Errorf("profile: %+v", p.Session)
	}
	if s := data[wire.SecondFactor](t, w.Get("/api/session/second_factor", token)); len(s.Passkeys) != 1 || s.Passkeys[0].LastUsedAt == 0 || s.TOTP {
		t.Errorf("second factor: %+v", s)
	}
	// The same answer again: to its own challenge, and to a new one.
	wants(t, w.Do(passkeyGrant(c.Challenge, answer)), 401, "mfa_challenge_expired", "")
	next := asked(t, w, "viewer@demo.example")
	wants(t, w.Do(passkeyGrant(next.Challenge, answer)), 401, "mfa_failed", "")
	// A counter that does not grow is written down, not refused: a dispatcher must get in.
	h.key.Counter = 0
	if r := w.Do(passkeyGrant(next.Challenge, h.sign(t, site, next.Passkey))); r.Status != 200 {
		t.Errorf("the counter fell: %s", r.Text)
	}
	if !hasAudit(t, w, w.Own.ID, "passkey_counter") {
		t.Error("the counter's fall is not audited")
	}
}

// Answers a hostile page, a phishing site, a stolen key without its finger or
// another user could give.
func TestHostilePasskeyAnswers(t *testing.T) {
	w := named(t)
	mine, theirs := newHolder(w.Users["viewer"].ID), newHolder(w.Users["operator"].ID)
	registerKey(t, w, w.SignIn("viewer").AccessToken, mine, "mine")
	registerKey(t, w, w.SignIn("operator").AccessToken, theirs, "theirs")
	at := func(id, origin string) virtualwebauthn.RelyingParty {
		return virtualwebauthn.RelyingParty{ID: id, Name: "Lightbar", Origin: origin}
	}
	blind := &holder{device: mine.device, key: mine.key}
	blind.device.Options.UserNotVerified = true
	absent := &holder{device: mine.device, key: mine.key}
	absent.device.Options.UserNotPresent = true
	forged := &holder{device: mine.device, key: newCredential()}
	forged.key.ID = mine.key.ID
	handle := &holder{device: theirs.device, key: mine.key}
	other := asked(t, w, "operator@demo.example")
	for _, row := range []struct {
		name   string
		answer func(c ceremony) json.RawMessage
	}{
		{"another origin", func(c ceremony) json.RawMessage {
			return mine.sign(t, at("localhost", "https://localhost.evil.example"), c.Passkey)
		}},
		{"another port", func(c ceremony) json.RawMessage {
			return mine.sign(t, at("localhost", "http://localhost:9999"), c.Passkey)
		}},
		{"another scheme", func(c ceremony) json.RawMessage {
			return mine.sign(t, at("localhost", "https://localhost:8080"), c.Passkey)
		}},
		{"another relying party", func(c ceremony) json.RawMessage { return mine.sign(t, at("evil.example", publicURL), c.Passkey) }},
		{"no user verification", func(c ceremony) json.RawMessage { return blind.sign(t, site, c.Passkey) }},
		{"nobody present", func(c ceremony) json.RawMessage { return absent.sign(t, site, c.Passkey) }},
		{"another user's key", func(c ceremony) json.RawMessage { return theirs.sign(t, site, c.Passkey) }},
		{"another user's handle", func(c ceremony) json.RawMessage { return handle.sign(t, site, c.Passkey) }},
		{"a forged signature", func(c ceremony) json.RawMessage { return forged.sign(t, site, c.Passkey) }},
		{"an answer to another challenge", func(ceremony) json.RawMessage { return mine.sign(t, site, other.Passkey) }},
		{"a registration", func(c ceremony) json.RawMessage {
			m := data[ceremony](t, w.Do(send("POST", "/api/session/passkeys/challenge", signedInBy(t, w, mine), nil)))
			return newHolder(w.Users["viewer"].ID).make(t, site, m.Passkey)
		}},
		{"nothing", func(ceremony) json.RawMessage { return json.RawMessage(`null`) }},
		{"an empty object", func(ceremony) json.RawMessage { return json.RawMessage(`{}`) }},
		{"a text", func(ceremony) json.RawMessage { return json.RawMessage(`"lb_mfa"`) }},
	} {
		c := asked(t, w, "viewer@demo.example")
		r := w.Do(passkeyGrant(c.Challenge, row.answer(c)))
		if f := testkit.Decode[wire.Failure](t, r); r.Status != 401 || f.Error != "mfa_failed" {
			t.Errorf("%s: %d %s", row.name, r.Status, r.Text)
		}
		w.Clock.Advance(11 * time.Minute) // not to be locked out
	}
	signedInBy(t, w, mine)
}

// signedInBy signs the viewer in with a key and answers the access token.
func signedInBy(t *testing.T, w *testkit.World, h *holder) string {
	t.Helper()
	c := asked(t, w, "viewer@demo.example")
	r := w.Do(passkeyGrant(c.Challenge, h.sign(t, site, c.Passkey)))
	if r.Status != 200 {
		t.Fatalf("sign in with the key: %s", r.Text)
	}
	return testkit.Decode[wire.TokenPair](t, r).AccessToken
}

func TestHostilePasskeyRegistrations(t *testing.T) {
	w := named(t)
	token, stranger := w.SignIn("viewer").AccessToken, w.SignIn("operator").AccessToken
	taken := newHolder(w.Users["operator"].ID)
	registerKey(t, w, stranger, taken, "taken")
	begin := func(token string) ceremony {
		t.Helper()
		return data[ceremony](t, w.Do(send("POST", "/api/session/passkeys/challenge", token, nil)))
	}
	blind := newHolder(w.Users["viewer"].ID)
	blind.device.Options.UserNotVerified = true
	evil := virtualwebauthn.RelyingParty{ID: "localhost", Origin: "https://evil.example"}
	elsewhere := virtualwebauthn.RelyingParty{ID: "evil.example", Origin: publicURL}
	for _, row := range []struct {
		name, field string
		body        func() map[string]any
	}{
		{"another origin", "credential", func() map[string]any {
			c := begin(token)
			return map[string]any{"challenge": c.Challenge, "name": "k", "credential": newHolder("").make(t, evil, c.Passkey)}
		}},
		{"another relying party", "credential", func() map[string]any {
			c := begin(token)
			return map[string]any{"challenge": c.Challenge, "name": "k", "credential": newHolder("").make(t, elsewhere, c.Passkey)}
		}},
		{"no user verification", "credential", func() map[string]any {
			c := begin(token)
			return map[string]any{"challenge": c.Challenge, "name": "k", "credential": blind.make(t, site, c.Passkey)}
		}},
		{"a key somebody has", "credential", func() map[string]any {
			c := begin(token)
			return map[string]any{"challenge": c.Challenge, "name": "k", "credential": taken.make(t, site, c.Passkey)}
		}},
		{"another challenge", "credential", func() map[string]any {
			c := begin(token)
			return map[string]any{"challenge": c.Challenge, "name": "k", "credential": newHolder("").make(t, site, begin(token).Passkey)}
		}},
		{"another user's challenge", "challenge", func() map[string]any {
			c := begin(stranger)
			return map[string]any{"challenge": c.Challenge, "name": "k", "credential": newHolder("").make(t, site, c.Passkey)}
		}},
		{"another session's challenge", "challenge", func() map[string]any {
			c := begin(w.SignIn("viewer").AccessToken)
			return map[string]any{"challenge": c.Challenge, "name": "k", "credential": newHolder("").make(t, site, c.Passkey)}
		}},
		{"too late", "challenge", func() map[string]any {
			c := begin(token)
			w.Clock.Advance(5 * time.Minute)
			return map[string]any{"challenge": c.Challenge, "name": "k", "credential": newHolder("").make(t, site, c.Passkey)}
		}},
		{"no name", "name", func() map[string]any {
			c := begin(token)
			return map[string]any{"challenge": c.Challenge, "name": " ", "credential": newHolder("").make(t, site, c.Passkey)}
		}},
		{"nothing", "credential", func() map[string]any {
			return map[string]any{"challenge": begin(token).Challenge, "name": "k", "credential": map[string]any{}}
		}},
	} {
		f := wants(t, w.Do(send("POST", "/api/session/passkeys", token, row.body())), 422, "validation_failed", "")
		if f.Fields[row.field] == "" {
			t.Errorf("%s: fields %v", row.name, f.Fields)
		}
	}
	if s := data[wire.SecondFactor](t, w.Get("/api/session/second_factor", token)); len(s.Passkeys) != 0 {
		t.Errorf("registered all the same: %+v", s)
	}
	// A challenge makes one key.
	c := begin(token)
	body := map[string]any{"challenge": c.Challenge, "name": "k", "credential": newHolder("").make(t, site, c.Passkey)}
	data[wire.Passkey](t, w.Do(send("POST", "/api/session/passkeys", token, body)))
	body["credential"] = newHolder("").make(t, site, c.Passkey)
	wants(t, w.Do(send("POST", "/api/session/passkeys", token, body)), 422, "validation_failed", "")
}

func TestPasskeyStepUpAndRemoval(t *testing.T) {
	w := named(t)
	token, stranger := w.SignIn("viewer").AccessToken, w.SignIn("operator").AccessToken
	wants(t, w.Do(send("POST", "/api/session/step_up/passkey", token, nil)), 422, "step_up_failed", "")
	h := newHolder(w.Users["viewer"].ID)
	row := registerKey(t, w, token, h, "mine")
	second := signedInBy(t, w, h)
	w.Clock.Advance(time.Hour)
	c := data[ceremony](t, w.Do(send("POST", "/api/session/step_up/passkey", token, nil)))
	answer := h.sign(t, site, c.Passkey)
	body := map[string]any{"challenge": c.Challenge, "credential": answer}
	// It belongs to one session.
	wants(t, w.Do(stepUp(second, body)), 422, "step_up_failed", "")
	wants(t, w.Do(stepUp(stranger, body)), 422, "step_up_failed", "")
	data[wire.Verified](t, w.Do(stepUp(token, body)))
	wants(t, w.Do(stepUp(token, body)), 422, "step_up_failed", "")
	// A challenge of one ceremony is none of another.
	wants(t, w.Do(passkeyGrant(c.Challenge, answer)), 401, "mfa_challenge_expired", "")
	wants(t, w.Do(send("DELETE", "/api/session/passkeys/"+row.ID, stranger, nil)), 403, "step_up_required", "")
	data[wire.Verified](t, w.Do(stepUp(stranger, map[string]any{"password": testkit.Password})))
	wants(t, w.Do(send("DELETE", "/api/session/passkeys/"+row.ID, stranger, nil)), 404, "not_found", "")
	setOrganization(t, w, "mfa_required", true)
	wants(t, w.Do(send("DELETE", "/api/session/passkeys/"+row.ID, token, nil)), 422, "last_factor", "")
	setOrganization(t, w, "mfa_required", false)
	if r := w.Do(send("DELETE", "/api/session/passkeys/"+row.ID, token, nil)); r.Status != 200 {
		t.Errorf("remove: %s", r.Text)
	}
	w.SignIn("viewer")
}

// Browsers make no passkeys for addresses without a name.
func TestPasskeysNeedAName(t *testing.T) {
	for _, address := range []string{"", "http://127.0.0.1:8080", "http://[::1]:8080"} {
		w := testkit.New(t, testkit.WithBuild(func(a *app.App, _ *api.Options) { a.PublicURL = address }))
		wants(t, w.Do(send("POST", "/api/session/passkeys/challenge", w.SignIn("viewer").AccessToken, nil)), 422, "validation_failed",
			"Passkeys need a host name. They don't work with an IP address.")
	}
}
