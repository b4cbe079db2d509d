package api_test

import (
	"encoding/base64"
	"fmt"
	"hash/crc32"
	"net/http"
	"strings"
	"testing"
	"time"

	"lightbar/internal/fleet"
	"lightbar/internal/testkit"
	"lightbar/internal/wire"
)

// forgedDevice is a well-formed token of a device that never signed in.
func forgedDevice(n int) *http.Cookie {
	body := "lb_dev_" + base64.RawURLEncoding.EncodeToString([]byte(fmt.Sprintf("%032d", n)))
	return &http.Cookie{Name: "lb_device", Value: body + fmt.Sprintf("%08x", crc32.ChecksumIEEE([]byte(body)))}
}

// Only a device that has signed in has a counter of its own: forged cookies and
// those of other users count for their network.
//
// spec: D.password.02
func TestForgedDevicesAreCountedAsStrangers(t *testing.T) {
	w := testkit.New(t)
	strangers := cookieNamed(t, w.Do(signIn("operator@demo.example", testkit.Password)), "lb_device")
	for i := range 5 {
		guess := signIn("viewer@demo.example", "Wrong*Heron7")
		guess.Cookies = []*http.Cookie{forgedDevice(i)}
		if i%2 == 0 {
			guess.Cookies = []*http.Cookie{strangers}
		}
		wants(t, w.Do(guess), 400, "invalid_grant", "")
	}
	next := signIn("viewer@demo.example", testkit.Password)
	for _, cookie := range []*http.Cookie{forgedDevice(99), strangers} {
		next.Cookies = []*http.Cookie{cookie}
		wants(t, w.Do(next), 401, "locked_out", "")
	}
}

// What somebody has planted in a browser does not become a known device by another's sign-in there, and a station's browser is
// known to each of its people.
func TestDeviceTokensComeFromTheServer(t *testing.T) {
	w := testkit.New(t)
	enter := func(email string, cookie *http.Cookie) *http.Cookie {
		t.Helper()
		in := signIn(email, testkit.Password)
		in.Cookies = []*http.Cookie{cookie}
		r := w.Do(in)
		if r.Status != 200 {
			t.Fatalf("%d %s", r.Status, r.Text)
		}
		for _, c := range r.Cookies {
			if c.Name == "lb_device" {
				return c
			}
		}
		return cookie
	}
	mine := cookieNamed(t, w.Do(signIn("operator@demo.example", testkit.Password)), "lb_device") // an insider's, well known to them
	planted := forgedDevice(1)
	enter("viewer@demo.example", mine)
	shared := enter("manager@demo.example", enter("viewer@demo.example", planted))
	shared = enter("operator@demo.example", shared)
	for range 5 {
		wants(t, w.Do(signIn("viewer@demo.example", "Wrong*Heron7")), 400, "invalid_grant", "")
	}
	for _, cookie := range []*http.Cookie{mine, planted} {
		in := signIn("viewer@demo.example", testkit.Password)
		in.Cookies = []*http.Cookie{cookie}
		wants(t, w.Do(in), 401, "locked_out", "")
	}
	for _, email := range []string{"viewer@demo.example", "manager@demo.example", "operator@demo.example"} {
		if next := enter(email, shared); next.Value != shared.Value {
			t.Errorf("%s is not known any more", email)
		}
	}
	for i := range 20 { // many people, or hostile tokens: the cookie does not grow
		shared.Value += "." + forgedDevice(i).Value
	}
	if next := enter("administrator@demo.example", shared); strings.Count(next.Value, ".") != 7 || len(next.Value) > 600 {
		t.Errorf("%d characters: %s", len(next.Value), next.Value)
	}
}

// A device is known for a year; after that it is a stranger again.
func TestADeviceIsForgottenAfterAYear(t *testing.T) {
	for late, want := range map[time.Duration]int{-time.Second: 200, time.Second: 401} {
		w := testkit.New(t)
		device := cookieNamed(t, w.Do(signIn("viewer@demo.example", testkit.Password)), "lb_device")
		w.Clock.Advance(365*24*time.Hour + late)
		setUser(t, w, "viewer", "password_changed_at", int64(fleet.InstantOf(w.Clock.Now())))
		guess := signIn("viewer@demo.example", "Wrong*Heron7")
		guess.Cookies = []*http.Cookie{device}
		for range 5 {
			wants(t, w.Do(guess), 400, "invalid_grant", "")
		}
		if r := w.Do(signIn("viewer@demo.example", testkit.Password)); r.Status != want { // from the same network, without the cookie
			t.Errorf("%v: %d %s", late, r.Status, r.Text)
		}
	}
}

// Unknown addresses are counted one by one: guessing at one does not lock another.
func TestUnknownAddressesAreCountedApart(t *testing.T) {
	w := testkit.New(t)
	for range 5 {
		wants(t, w.Do(signIn("nobody@demo.example", "Wrong*Heron7")), 400, "invalid_grant", "")
	}
	wants(t, w.Do(signIn("Nobody@demo.example ", "Wrong*Heron7")), 401, "locked_out", "")
	wants(t, w.Do(signIn("somebody@demo.example", "Wrong*Heron7")), 400, "invalid_grant", "")
	w.SignIn("viewer")
}

// Wrong answers before a right one are forgiven, at each kind of door.
func TestARightAnswerForgivesTheWrongOnes(t *testing.T) {
	w := testkit.New(t)
	token := w.SignIn("viewer").AccessToken
	change := func(current, password string) testkit.Response {
		return w.Do(send("PUT", "/api/session/password", token, map[string]string{"current_password": current, "password": password}))
	}
	for range 2 {
		for range 4 {
			wants(t, w.Do(stepUp(token, map[string]any{"password": "Wrong*Heron7"})), 422, "step_up_failed", "")
			wants(t, change("Wrong*Heron7", "Quiet+Marsh#4 otter"), 422, "password_wrong", "")
		}
		data[wire.Verified](t, w.Do(stepUp(token, map[string]any{"password": testkit.Password})))
		wants(t, change(testkit.Password, "weak"), 422, "password_rules", "") // the present one was right
	}
	secret, codes := setUpTOTP(t, w, token)
	for i := range 2 {
		for range 4 {
			wants(t, w.Do(mfa(challenged(t, w, "viewer@demo.example").Challenge, "totp", "000000")), 401, "mfa_failed", "")
		}
		if r := w.Do(mfa(challenged(t, w, "viewer@demo.example").Challenge, "recovery", codes[i])); r.Status != 200 {
			t.Fatalf("round %d: %d %s", i, r.Status, r.Text)
		}
	}
	_ = secret
}

// A sign-in by password forgives the four before it.
func TestASignInForgivesTheWrongOnes(t *testing.T) {
	w := testkit.New(t)
	for range 3 {
		for range 4 {
			wants(t, w.Do(signIn("viewer@demo.example", "Wrong*Heron7")), 400, "invalid_grant", "")
		}
		w.SignIn("viewer")
	}
}

// An account nobody has used for half a year is shut, unless its password is newer than that.
func TestAnIdleAccountIsShutByItsNewestUse(t *testing.T) {
	w := testkit.New(t)
	w.SignIn("viewer")
	half := 180 * 24 * time.Hour
	w.Clock.Advance(half - time.Millisecond)
	setUser(t, w, "viewer", "password_changed_at", int64(fleet.InstantOf(w.Clock.Now())))
	setUser(t, w, "operator", "password_changed_at", 0)
	setUser(t, w, "operator", "last_sign_in_at", int64(fleet.InstantOf(w.Clock.Now())))
	w.Clock.Advance(time.Millisecond)
	w.SignIn("viewer")
	w.SignIn("operator")
	setUser(t, w, "viewer", "password_changed_at", int64(fleet.InstantOf(w.Clock.Now())))
	w.Clock.Advance(half)
	wants(t, w.Do(signIn("viewer@demo.example", testkit.Password)), 401, "expired", "")
}

// Every call that takes a secret or sends a letter is braked alike.
func TestEveryTokenCallIsBraked(t *testing.T) {
	w := testkit.New(t)
	for range 60 {
		w.Do(send("POST", "/api/verify_token", "", map[string]string{"access_token": "x"}))
	}
	for _, call := range []string{"POST user_token", "POST verify_token", "POST revoke_token", "POST forgot_password", "POST unlock_account", "PUT reset_password", "PUT accept_invitation"} {
		method, path, _ := strings.Cut(call, " ")
		for _, at := range []string{"/api/" + path, "/api/" + path + "/"} {
			wants(t, w.Do(send(method, at, "", map[string]string{})), 429, "rate_limited", "")
		}
	}
	if r := w.Get("/api/sign_in_methods", ""); r.Status != 200 {
		t.Errorf("other calls: %d", r.Status)
	}
}

// Guesses at the present password count with those at the sign-in: an open
// screen is no way round the limit. A new password by mail ends the waiting.
func TestGuessesAtEitherDoorCountTogether(t *testing.T) {
	w, server := mailed(t)
	token := w.SignIn("viewer").AccessToken
	for range 5 {
		wants(t, w.Do(send("PUT", "/api/session/password", token, map[string]string{"current_password": "Wrong*Heron7", "password": "Quiet+Marsh#4 otter"})), 422, "password_wrong", "")
	}
	wants(t, w.Do(signIn("viewer@demo.example", testkit.Password)), 401, "locked_out", "")
	w.Do(ask("/api/forgot_password", "viewer@demo.example"))
	link := tokenOf(linkIn(t, w, server))
	if r := w.Do(choose("/api/reset_password", link, chosen)); r.Status != 200 {
		t.Fatalf("%d %s", r.Status, r.Text)
	}
	if r := w.Do(signIn("viewer@demo.example", chosen)); r.Status != 200 {
		t.Errorf("with the new password: %d %s", r.Status, r.Text)
	}
	// A used link says nothing about passwords any more.
	wants(t, w.Do(choose("/api/reset_password", link, "weak")), 404, "reset_token_unknown", "")
}

// A challenge that is too old is not answered as a wrong code, nor counted as one.
func TestALateAnswerIsNoWrongAnswer(t *testing.T) {
	w := testkit.New(t)
	setUpTOTP(t, w, w.SignIn("viewer").AccessToken)
	f := challenged(t, w, "viewer@demo.example")
	w.Clock.Advance(5 * time.Minute)
	for range 6 {
		wants(t, w.Do(mfa(f.Challenge, "totp", "000000")), 401, "mfa_challenge_expired", "The sign-in took too long. Please sign in again.")
	}
}

// Where the provider signs people in a password proves nothing, but for those
// who may break the glass.
func TestAPasswordIsNoProofBesideAProvider(t *testing.T) {
	w := testkit.New(t)
	token := w.SignIn("viewer").AccessToken
	setOrganization(t, w, "sso_only", true)
	wants(t, w.Do(stepUp(token, map[string]any{"password": testkit.Password})), 422, "step_up_failed",
		"Your organization is managing user access to the Safety Cloud dashboard. Please contact your administrator for access.")
	setUser(t, w, "viewer", "break_glass", true)
	data[wire.Verified](t, w.Do(stepUp(token, map[string]any{"password": testkit.Password})))
}

// Answers with tokens are given, never kept for a second asking.
func TestTokensAreNotKeptForRepeats(t *testing.T) {
	w := testkit.New(t)
	in := signIn("viewer@demo.example", testkit.Password)
	in.Headers = map[string]string{"Idempotency-Key": "k"}
	first, again := w.Do(in), w.Do(in)
	if first.Status != 200 || again.Status != 200 || first.Text == again.Text || again.Header.Get("Idempotency-Replayed") != "" {
		t.Errorf("%d, again %d %q", first.Status, again.Status, again.Header.Get("Idempotency-Replayed"))
	}
	if strings.Contains(dumpTables(t, w.App.Store), testkit.Decode[wire.TokenPair](t, again).AccessToken) {
		t.Error("a token is stored")
	}
}

// The same key with another precondition is another request.
func TestARepeatHasTheSamePrecondition(t *testing.T) {
	w := testkit.New(t)
	token := w.SignIn("administrator").AccessToken
	put := func(ifMatch string) testkit.Response {
		return w.Do(testkit.Request{Method: "PUT", Path: "/api/users/" + w.Users["viewer"].ID, Token: token, Body: `{"lastname":"Heron"}`,
			Headers: map[string]string{"Idempotency-Key": "k", "If-Match": ifMatch}})
	}
	if r := put(`"1"`); r.Status != 200 {
		t.Fatalf("%d %s", r.Status, r.Text)
	}
	if r := put(`"1"`); r.Status != 200 || r.Header.Get("Idempotency-Replayed") != "true" {
		t.Errorf("again: %d %s", r.Status, r.Text)
	}
	wants(t, put(`"2"`), 422, "idempotency_key_reused", "")
}

// Whoever may only read an organization is not told who works there is signed in where.
func TestSessionsOfAnAccessedOrganization(t *testing.T) {
	w := testkit.New(t)
	theirs := w.AddUser("theirs@demo.example", w.Accessed.ID, "viewer")
	wants(t, w.Get("/api/users/"+theirs.ID+"/sessions", w.SignIn("administrator").AccessToken), 404, "not_found", "User not found")
}
