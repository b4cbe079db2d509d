package api_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"

	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/testkit"
	"lightbar/internal/wire"
)

// codeOf is the authenticator app: an implementation that is not ours.
func codeOf(t *testing.T, w *testkit.World, secret string) string {
	t.Helper()
	code, err := totp.GenerateCode(secret, w.Clock.Now())
	must(t, err)
	return code
}

func mfa(challenge, method, code string) testkit.Request {
	return testkit.Request{Method: "POST", Path: "/api/user_token", Body: map[string]any{"grant_type": "mfa", "challenge": challenge, "method": method, "code": code}}
}

func send(method, path, token string, body any) testkit.Request {
	return testkit.Request{Method: method, Path: path, Token: token, Body: body}
}

// data reads the data of an answer that must be 200.
func data[T any](t *testing.T, r testkit.Response) T {
	t.Helper()
	if r.Status != 200 {
		t.Fatalf("%d %s", r.Status, r.Text)
	}
	return testkit.Decode[struct{ Data T }](t, r).Data
}

// setUpTOTP gives a signed-in user an authenticator app. It moves the clock past the step of the first code.
func setUpTOTP(t *testing.T, w *testkit.World, token string) (secret string, codes []string) {
	t.Helper()
	secret = data[wire.TOTPSecret](t, w.Do(send("POST", "/api/session/totp", token, nil))).Secret
	codes = data[wire.RecoveryCodes](t, w.Do(send("PUT", "/api/session/totp", token, map[string]string{"code": codeOf(t, w, secret)}))).RecoveryCodes
	w.Clock.Advance(30 * time.Second)
	return secret, codes
}

// challenged signs in with the password and answers the challenge.
func challenged(t *testing.T, w *testkit.World, email string) wire.Failure {
	t.Helper()
	f := wants(t, w.Do(signIn(email, testkit.Password)), 401, "mfa_required", "Please confirm your second factor.")
	if !strings.HasPrefix(f.Challenge, "lb_mfa_") {
		t.Fatalf("challenge %q", f.Challenge)
	}
	return f
}

func setOrganization(t *testing.T, w *testkit.World, column string, value any) {
	t.Helper()
	must(t, w.App.Store.Write(t.Context(), func(tx *store.Tx) error {
		_, err := tx.ExecContext(t.Context(), `UPDATE organization SET `+column+` = $1 WHERE id = $2`, value, w.Own.ID)
		return err
	}))
}

func setUser(t *testing.T, w *testkit.World, name, column string, value any) {
	t.Helper()
	must(t, w.App.Store.Write(t.Context(), func(tx *store.Tx) error {
		_, err := tx.ExecContext(t.Context(), `UPDATE app_user SET `+column+` = $1 WHERE id = $2`, value, w.Users[name].ID)
		return err
	}))
}

func TestSecondFactorAtSignIn(t *testing.T) {
	eachEngine(t, func(t *testing.T, w *testkit.World) {
		token := w.SignIn("viewer").AccessToken
		secret, codes := setUpTOTP(t, w, token)
		if len(codes) != 10 {
			t.Errorf("%d recovery codes", len(codes))
		}
		f := challenged(t, w, "viewer@demo.example")
		if fmt.Sprint(f.Methods) != "[totp recovery]" || f.Passkey != nil || f.ErrorDescription != f.Message {
			t.Errorf("challenge: %+v", f)
		}
		wants(t, w.Do(mfa(f.Challenge, "totp", "000000")), 401, "mfa_failed", "The code is incorrect.")
		code := codeOf(t, w, secret)
		r := w.Do(mfa(f.Challenge, "totp", code))
		if r.Status != 200 {
			t.Fatalf("right code: %d %s", r.Status, r.Text)
		}
		pair := testkit.Decode[wire.TokenPair](t, r)
		p := data[wire.Profile](t, w.Get("/api/profile", pair.AccessToken))
		if !p.User.SecondFactor || p.Session.Method != "totp" || p.Session.VerifiedAt != fleet.InstantOf(w.Clock.Now()) {
			t.Errorf("profile: %+v", p.Session)
		}
		// The same challenge, and the same code with a new one, have been used.
		wants(t, w.Do(mfa(f.Challenge, "totp", code)), 401, "mfa_challenge_expired", "The sign-in took too long. Please sign in again.")
		again := challenged(t, w, "viewer@demo.example")
		wants(t, w.Do(mfa(again.Challenge, "totp", code)), 401, "mfa_failed", "")
		w.Clock.Advance(30 * time.Second)
		if r := w.Do(mfa(again.Challenge, "totp", codeOf(t, w, secret))); r.Status != 200 {
			t.Errorf("the next code: %d %s", r.Status, r.Text)
		}
	})
}

func TestChallengesOfASignIn(t *testing.T) {
	w := testkit.New(t, testkit.WithAPI(proxied(true)))
	secret, _ := setUpTOTP(t, w, w.SignIn("viewer").AccessToken)
	other, _ := setUpTOTP(t, w, w.SignIn("operator").AccessToken)
	f := challenged(t, w, "viewer@demo.example")
	// It belongs to its user: another's code is wrong.
	wants(t, w.Do(mfa(f.Challenge, "totp", codeOf(t, w, other))), 401, "mfa_failed", "")
	for _, challenge := range []string{"", "lb_mfa_x", w.SignIn("manager").AccessToken, f.Challenge[:len(f.Challenge)-1] + "x"} {
		wants(t, w.Do(mfa(challenge, "totp", codeOf(t, w, secret))), 401, "mfa_challenge_expired", "")
	}
	for _, method := range []string{"", "password", "totp_setup", "passkey"} {
		wants(t, w.Do(mfa(f.Challenge, method, codeOf(t, w, secret))), 401, "mfa_failed", "")
		w.Clock.Advance(3 * time.Minute) // not to be locked out
		f = challenged(t, w, "viewer@demo.example")
	}
	// Another network may answer it.
	in := mfa(f.Challenge, "totp", codeOf(t, w, secret))
	in.Headers = map[string]string{"X-Forwarded-For": "203.0.113.9"}
	if r := w.Do(in); r.Status != 200 {
		t.Errorf("from another network: %s", r.Text)
	}
	// Five minutes.
	w.Clock.Advance(20 * time.Minute)
	late := challenged(t, w, "viewer@demo.example")
	w.Clock.Advance(5 * time.Minute)
	wants(t, w.Do(mfa(late.Challenge, "totp", codeOf(t, w, secret))), 401, "mfa_challenge_expired", "")
	// What has changed meanwhile counts.
	gone := challenged(t, w, "viewer@demo.example")
	setUser(t, w, "viewer", "suspended", true)
	wants(t, w.Do(mfa(gone.Challenge, "totp", codeOf(t, w, secret))), 400, "user_suspended", "User is suspended.")
	setUser(t, w, "viewer", "suspended", false)
	setUser(t, w, "viewer", "password_changed_at", int64(fleet.InstantOf(w.Clock.Now())))
	wants(t, w.Do(mfa(gone.Challenge, "totp", codeOf(t, w, secret))), 401, "mfa_challenge_expired", "")
}

// Wrong second factors wait like wrong passwords, with a counter of their own.
func TestGuessedSecondFactorsAreCounted(t *testing.T) {
	eachEngine(t, func(t *testing.T, w *testkit.World) {
		secret, _ := setUpTOTP(t, w, w.SignIn("viewer").AccessToken)
		f := challenged(t, w, "viewer@demo.example")
		// All at once: no more than five are looked at.
		var mu sync.Mutex
		count := map[string]int{}
		var wait sync.WaitGroup
		for i := range 20 {
			wait.Go(func() {
				r := w.Do(mfa(f.Challenge, "totp", fmt.Sprintf("%06d", i)))
				mu.Lock()
				defer mu.Unlock()
				count[testkit.Decode[wire.Failure](t, r).Error]++
			})
		}
		wait.Wait()
		if count["mfa_failed"] != 5 || count["locked_out"] != 15 {
			t.Errorf("answers: %v", count)
		}
		w.Clock.Advance(30 * time.Second)
		wants(t, w.Do(mfa(f.Challenge, "totp", codeOf(t, w, secret))), 401, "locked_out", "")
		wants(t, w.Do(mfa(f.Challenge, "recovery", "AAAA-AAAA-AAAA-AAAA")), 401, "locked_out", "")
		// The password is not locked by it, nor is anybody else.
		f = challenged(t, w, "viewer@demo.example")
		w.SignIn("operator")
		w.Clock.Advance(10 * time.Minute)
		f = challenged(t, w, "viewer@demo.example")
		if r := w.Do(mfa(f.Challenge, "totp", codeOf(t, w, secret))); r.Status != 200 {
			t.Errorf("ten minutes later: %s", r.Text)
		}
	})
}

func TestRecoveryCodesWorkOnce(t *testing.T) {
	eachEngine(t, func(t *testing.T, w *testkit.World) {
		token := w.SignIn("viewer").AccessToken
		_, codes := setUpTOTP(t, w, token)
		left := func() int {
			t.Helper()
			return data[wire.SecondFactor](t, w.Get("/api/session/second_factor", token)).RecoveryCodesLeft
		}
		f := challenged(t, w, "viewer@demo.example")
		r := w.Do(mfa(f.Challenge, "recovery", strings.ToLower(strings.ReplaceAll(codes[3], "-", " "))))
		if r.Status != 200 {
			t.Fatalf("%d %s", r.Status, r.Text)
		}
		if n := left(); n != 9 {
			t.Errorf("%d codes left", n)
		}
		f = challenged(t, w, "viewer@demo.example")
		wants(t, w.Do(mfa(f.Challenge, "recovery", codes[3])), 401, "mfa_failed", "")
		// New ones make the old ones useless.
		fresh := data[wire.RecoveryCodes](t, w.Do(send("POST", "/api/session/recovery_codes", token, nil))).RecoveryCodes
		wants(t, w.Do(mfa(f.Challenge, "recovery", codes[4])), 401, "mfa_failed", "")
		if r := w.Do(mfa(f.Challenge, "recovery", fresh[0])); r.Status != 200 {
			t.Errorf("a new code: %s", r.Text)
		}
	})
}

func TestOrganizationsMayRequireASecondFactor(t *testing.T) {
	eachEngine(t, func(t *testing.T, w *testkit.World) {
		setOrganization(t, w, "mfa_required", true)
		f := wants(t, w.Do(signIn("viewer@demo.example", testkit.Password)), 401, "mfa_setup_required", "Your organization requires two-factor authentication. Please set it up.")
		if f.TOTP == nil || f.Challenge == "" || !strings.HasPrefix(f.TOTP.URL, "otpauth://totp/Safety%20Cloud:viewer@demo.example?") {
			t.Fatalf("set-up: %+v", f)
		}
		wants(t, w.Do(mfa(f.Challenge, "totp_setup", "000000")), 401, "mfa_failed", "")
		wants(t, w.Do(mfa(f.Challenge, "totp", codeOf(t, w, f.TOTP.Secret))), 401, "mfa_failed", "")
		other := wants(t, w.Do(signIn("viewer@demo.example", testkit.Password)), 401, "mfa_setup_required", "")
		r := w.Do(mfa(f.Challenge, "totp_setup", codeOf(t, w, f.TOTP.Secret)))
		pair := testkit.Decode[wire.TokenPair](t, r)
		if r.Status != 200 || len(pair.RecoveryCodes) != 10 || pair.AccessToken == "" {
			t.Fatalf("set up: %d %s", r.Status, r.Text)
		}
		// A second set-up cannot replace what has been set up.
		wants(t, w.Do(mfa(other.Challenge, "totp_setup", codeOf(t, w, other.TOTP.Secret))), 401, "mfa_failed", "")
		w.Clock.Advance(30 * time.Second)
		next := challenged(t, w, "viewer@demo.example")
		if r := w.Do(mfa(next.Challenge, "totp", codeOf(t, w, f.TOTP.Secret))); r.Status != 200 {
			t.Errorf("sign in: %s", r.Text)
		}
		s := data[wire.SecondFactor](t, w.Get("/api/session/second_factor", pair.AccessToken))
		if !s.TOTP || !s.Required || s.RecoveryCodesLeft != 10 {
			t.Errorf("second factor: %+v", s)
		}
		wants(t, w.Do(send("DELETE", "/api/session/totp", pair.AccessToken, nil)), 422, "last_factor", "")
		setOrganization(t, w, "mfa_required", false)
		if r := w.Do(send("DELETE", "/api/session/totp", pair.AccessToken, nil)); r.Status != 200 {
			t.Errorf("remove: %s", r.Text)
		}
		wants(t, w.Do(send("DELETE", "/api/session/totp", pair.AccessToken, nil)), 404, "not_found", "")
		if s := data[wire.SecondFactor](t, w.Get("/api/session/second_factor", pair.AccessToken)); s.RecoveryCodesLeft != 0 {
			t.Errorf("recovery codes outlive the last factor: %+v", s)
		}
		w.SignIn("viewer")
	})
}

func TestAuthenticatorAppIsConfirmedWithItsCode(t *testing.T) {
	w := testkit.New(t)
	token := w.SignIn("viewer").AccessToken
	put := func(code string) testkit.Response {
		return w.Do(send("PUT", "/api/session/totp", token, map[string]string{"code": code}))
	}
	wants(t, put("123456"), 422, "validation_failed", "This took too long. Please start again.")
	first := data[wire.TOTPSecret](t, w.Do(send("POST", "/api/session/totp", token, nil)))
	second := data[wire.TOTPSecret](t, w.Do(send("POST", "/api/session/totp", token, nil)))
	f := wants(t, put(codeOf(t, w, first.Secret)), 422, "validation_failed", "The code is incorrect.")
	if f.Fields["code"] == "" {
		t.Errorf("fields: %v", f.Fields)
	}
	w.SignIn("viewer") // nothing is set up yet
	data[wire.RecoveryCodes](t, put(codeOf(t, w, second.Secret)))
	wants(t, put(codeOf(t, w, second.Secret)), 422, "validation_failed", "")
	challenged(t, w, "viewer@demo.example")
	if !hasAudit(t, w, w.Own.ID, "totp_set_up") {
		t.Error("the set-up is not audited")
	}
	if n := mails(t, w, "second_factor_changed"); n != 1 {
		t.Errorf("%d mails", n)
	}
	w.Clock.Advance(time.Hour)
	wants(t, w.Do(send("POST", "/api/session/totp", token, nil)), 403, "step_up_required", "Please confirm it's you.")
}

// mails counts the letters of a kind in the outbox.
func mails(t *testing.T, w *testkit.World, kind string) (n int) {
	t.Helper()
	must(t, w.App.Store.Reader().QueryRowContext(t.Context(), `SELECT COUNT(*) FROM mail WHERE kind = $1`, kind).Scan(&n))
	return n
}

// spec: 8.signin.06
func TestOrganizationsThatSignInByTheirProvider(t *testing.T) {
	w := testkit.New(t)
	setOrganization(t, w, "sso_only", true)
	text := "Your organization is managing user access to the Safety Cloud dashboard. Please contact your administrator for access."
	// A wrong password learns nothing about it.
	wants(t, w.Do(signIn("viewer@demo.example", "Wrong*Heron7")), 400, "invalid_grant", "")
	wants(t, w.Do(signIn("viewer@demo.example", testkit.Password)), 401, "not_authorized_method", text)
	setUser(t, w, "manager", "break_glass", true)
	w.SignIn("manager")
	if !hasAudit(t, w, w.Own.ID, "break_glass") {
		t.Error("the emergency sign-in is not audited")
	}
	// To the one who came in, the administrator and the super user.
	if n := mails(t, w, "break_glass"); n != 3 {
		t.Errorf("%d alarm mails", n)
	}
}
