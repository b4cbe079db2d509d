package api_test

import (
	"net/url"
	"sync"
	"testing"
	"time"

	"lightbar/internal/store"
	"lightbar/internal/testkit"
	"lightbar/internal/wire"
)

// A challenge opens one session, however many right answers come at once.
func TestAChallengeOpensOneSession(t *testing.T) {
	w := testkit.New(t)
	_, codes := setUpTOTP(t, w, w.SignIn("viewer").AccessToken)
	f := challenged(t, w, "viewer@demo.example")
	statuses := make([]int, 8)
	var group sync.WaitGroup
	for i := range statuses { // eight codes, each of them right
		group.Go(func() { statuses[i] = w.Do(mfa(f.Challenge, "recovery", codes[i])).Status })
	}
	group.Wait()
	let := 0
	for _, s := range statuses {
		if s == 200 {
			let++
		}
	}
	left, err := store.RecoveryCodesLeft(t.Context(), w.App.Store.Reader(), w.Users["viewer"].ID)
	if let != 1 || err != nil || left != 9 {
		t.Errorf("let in %d times (%v), %d codes left", let, statuses, left)
	}
}

// What keeps somebody out is asked again at the second step.
func TestTheSecondStepAsksTheAccountAgain(t *testing.T) {
	w := testkit.New(t)
	secret, _ := setUpTOTP(t, w, w.SignIn("viewer").AccessToken)
	f := challenged(t, w, "viewer@demo.example")
	setUser(t, w, "viewer", "suspended", true)
	wants(t, w.Do(mfa(f.Challenge, "totp", codeOf(t, w, secret))), 400, "user_suspended", "User is suspended.")
	setUser(t, w, "viewer", "suspended", false)
	setOrganization(t, w, "sso_only", true)
	wants(t, w.Do(mfa(f.Challenge, "totp", codeOf(t, w, secret))), 401, "not_authorized_method", "")
	setOrganization(t, w, "sso_only", false)
	if r := w.Do(mfa(f.Challenge, "totp", codeOf(t, w, secret))); r.Status != 200 {
		t.Errorf("nothing in the way: %d %s", r.Status, r.Text)
	}
}

// A link dies with the password it was made under, though its session lives on,
// and opens nothing for an account that has been shut.
//
// spec: D.auth.07
func TestALinkDiesWithThePassword(t *testing.T) {
	w := testkit.New(t)
	token := w.SignIn("viewer").AccessToken
	mint := func() testkit.Request {
		t.Helper()
		access, refresh := linkTexts(t, data[wire.SignInLink](t, w.Do(send("POST", "/api/session/link", token, nil))))
		return byLink(access, refresh)
	}
	link := mint()
	w.Clock.Advance(time.Second)
	if r := w.Do(send("PUT", "/api/session/password", token, map[string]string{"current_password": testkit.Password, "password": "Quiet+Marsh#1 otter"})); r.Status != 200 {
		t.Fatalf("password: %d %s", r.Status, r.Text)
	}
	wants(t, w.Do(link), 401, "session_expired", "")
	if r := w.Get("/api/profile", token); r.Status != 200 {
		t.Fatalf("the session itself: %d", r.Status)
	}
	link = mint()
	setUser(t, w, "viewer", "suspended", true)
	if r := w.Do(link); r.Status != 401 {
		t.Errorf("suspended: %d %s", r.Status, r.Text)
	}
	setUser(t, w, "viewer", "suspended", false)
	setUser(t, w, "viewer", "role_id", "01900000-0000-7000-8000-00000000ffff")
	wants(t, w.Do(link), 403, "dashboard_forbidden", "")
}

// An administrator's reset leaves nothing of the second factors, and nothing
// that waits for one.
func TestAResetTakesEverySecondFactor(t *testing.T) {
	w := named(t)
	viewer := w.SignIn("viewer").AccessToken
	_, codes := setUpTOTP(t, w, viewer)
	h := newHolder(w.Users["viewer"].ID)
	registerKey(t, w, viewer, h, "Blue key")
	f := challenged(t, w, "viewer@demo.example")
	if r := w.Do(send("DELETE", "/api/users/"+w.Users["viewer"].ID+"/second_factor", w.SignIn("administrator").AccessToken, nil)); r.Status != 200 {
		t.Fatalf("reset: %d %s", r.Status, r.Text)
	}
	wants(t, w.Do(mfa(f.Challenge, "recovery", codes[0])), 401, "mfa_challenge_expired", "")
	token := w.SignIn("viewer").AccessToken // the password is enough again
	now := data[wire.SecondFactor](t, w.Get("/api/session/second_factor", token))
	if now.TOTP || len(now.Passkeys) != 0 || now.RecoveryCodesLeft != 0 {
		t.Errorf("left: %+v", now)
	}
}

// Recovery codes stand behind a second factor, never alone.
func TestRecoveryCodesNeedASecondFactor(t *testing.T) {
	w := testkit.New(t)
	token := w.SignIn("viewer").AccessToken
	wants(t, w.Do(send("POST", "/api/session/recovery_codes", token, nil)), 422, "validation_failed", "Set up an authenticator app or a passkey first.")
	_, codes := setUpTOTP(t, w, token)
	if r := w.Do(send("DELETE", "/api/session/totp", token, nil)); r.Status != 200 {
		t.Fatalf("%d %s", r.Status, r.Text)
	}
	left, err := store.RecoveryCodesLeft(t.Context(), w.App.Store.Reader(), w.Users["viewer"].ID)
	if err != nil || left != 0 {
		t.Errorf("%d codes are left of the last factor: %v", left, err)
	}
	// Nor do they come back with the next one.
	w.Clock.Advance(time.Minute)
	setUpTOTP(t, w, token)
	f := challenged(t, w, "viewer@demo.example")
	wants(t, w.Do(mfa(f.Challenge, "recovery", codes[0])), 401, "mfa_failed", "")
}

// The second factor's first code has been used by setting it up.
func TestTheCodeOfTheSetUpDoesNotSignIn(t *testing.T) {
	w := testkit.New(t)
	token := w.SignIn("viewer").AccessToken
	secret := data[wire.TOTPSecret](t, w.Do(send("POST", "/api/session/totp", token, nil))).Secret
	code := codeOf(t, w, secret)
	set := func() testkit.Response {
		return w.Do(send("PUT", "/api/session/totp", token, map[string]string{"code": code}))
	}
	data[wire.RecoveryCodes](t, set())
	wants(t, set(), 422, "validation_failed", "This took too long. Please start again.") // and sets nothing up twice
	f := challenged(t, w, "viewer@demo.example")
	wants(t, w.Do(mfa(f.Challenge, "totp", code)), 401, "mfa_failed", "")
	w.Clock.Advance(30 * time.Second)
	if r := w.Do(mfa(f.Challenge, "totp", codeOf(t, w, secret))); r.Status != 200 {
		t.Errorf("the next code: %d %s", r.Status, r.Text)
	}
	// A secret that is shown anew makes the one shown before useless.
	first := data[wire.TOTPSecret](t, w.Do(send("POST", "/api/session/totp", token, nil))).Secret
	data[wire.TOTPSecret](t, w.Do(send("POST", "/api/session/totp", token, nil)))
	wants(t, w.Do(send("PUT", "/api/session/totp", token, map[string]string{"code": codeOf(t, w, first)})), 422, "validation_failed", "The code is incorrect.")
}

// linkTexts are the two texts of a sign-in link.
func linkTexts(t *testing.T, link wire.SignInLink) (access, refresh string) {
	t.Helper()
	u, err := url.Parse(link.URL)
	must(t, err)
	return u.Query().Get("access_token"), u.Query().Get("refresh_token")
}
