package api_test

import (
	"net/url"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"lightbar/internal/api"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit"
	"lightbar/internal/wire"
)

func signIn(email, password string) testkit.Request {
	return testkit.Request{Method: "POST", Path: "/api/user_token", Body: map[string]any{"grant_type": "password", "application": "dashboard",
		"username": email, "password": password}}
}

func refresh(token string) testkit.Request {
	return testkit.Request{Method: "POST", Path: "/api/user_token", Body: map[string]any{"grant_type": "refresh_token", "refresh_token": token}}
}

func revoke(token string) testkit.Request {
	return testkit.Request{Method: "POST", Path: "/api/revoke_token", Body: map[string]any{"token": token}}
}

// wants checks status, machine code and, when given, the sentence.
func wants(t *testing.T, r testkit.Response, status int, code, message string) wire.Failure {
	t.Helper()
	f := testkit.Decode[wire.Failure](t, r)
	if r.Status != status || f.Error != code || (message != "" && f.Message != message) {
		t.Fatalf("got %d %s\nwant %d %s %q", r.Status, r.Text, status, code, message)
	}
	if f.RequestID == "" || f.RequestID != r.Header.Get("X-Request-Id") {
		t.Fatalf("the answer carries no request id: %s", r.Text)
	}
	return f
}

// eachEngine runs a scenario on SQLite and PostgreSQL.
func eachEngine(t *testing.T, run func(t *testing.T, w *testkit.World)) {
	storetest.Each(t, func(t *testing.T, s *store.Store) { run(t, testkit.New(t, testkit.WithStore(s))) })
}

// spec: 3.token.01 7.auth.01 7.auth.03 D.wire.10 7.base.01
func TestPasswordGrant(t *testing.T) {
	eachEngine(t, func(t *testing.T, w *testkit.World) {
		pair := w.SignIn("operator")
		if len(pair.AccessToken) <= 400 || !strings.HasPrefix(pair.AccessToken, "lb_at_") || !strings.HasPrefix(pair.RefreshToken, "lb_rt_") {
			t.Errorf("tokens: %d %q %q", len(pair.AccessToken), pair.AccessToken[:10], pair.RefreshToken)
		}
		if pair.TokenType != "Bearer" || pair.ExpiresIn != 4*3600 || pair.CreatedAt != testkit.Start.Unix() {
			t.Errorf("bundle: %+v", pair)
		}
		if r := w.Get("/api/profile", pair.AccessToken); r.Status != 200 {
			t.Errorf("profile: %d %s", r.Status, r.Text)
		}
		// A token is never accepted in a query.
		if r := w.Get("/api/profile?access_token="+pair.AccessToken, ""); r.Status != 401 {
			t.Errorf("token in the query: %d", r.Status)
		}
	})
}

// spec: 8.signin.02 8.signin.03 8.signin.04 8.signin.05 8.signin.08 8.signin.09 D.wire.07 4.auth.10
func TestSignInRefusals(t *testing.T) {
	w := testkit.New(t)
	now := fleet.InstantOf(w.Clock.Now())
	change := func(email string, edit func(*fleet.User)) {
		t.Helper()
		u := w.AddUser(email, w.Own.ID, "viewer")
		edit(&u)
		must(t, w.App.Store.Write(t.Context(), func(tx *store.Tx) error {
			_, err := tx.ExecContext(t.Context(), `UPDATE app_user SET suspended = $1, role_id = $2, password_changed_at = $3, last_sign_in_at = $4 WHERE id = $5`,
				u.Suspended, u.RoleID, int64(u.PasswordChangedAt), int64(u.LastSignInAt), u.ID)
			return err
		}))
	}
	day := 24 * time.Hour
	change("suspended@demo.example", func(u *fleet.User) { u.Suspended = true })
	change("norole@demo.example", func(u *fleet.User) { u.RoleID = "019aa5c0-0000-7000-8000-0000000000ff" })
	change("oldpassword@demo.example", func(u *fleet.User) { u.PasswordChangedAt = now.Add(-91 * day) })
	change("young@demo.example", func(u *fleet.User) { u.PasswordChangedAt = now.Add(-89 * day) })
	change("idle@demo.example", func(u *fleet.User) { u.PasswordChangedAt, u.LastSignInAt = now.Add(-200*day), now.Add(-181*day) })
	gone := w.AddUser("gone@demo.example", w.Managed.ID, "viewer")
	must(t, w.App.Store.Write(t.Context(), func(tx *store.Tx) error {
		_, err := tx.ExecContext(t.Context(), `UPDATE organization SET deleted_at = $1 WHERE id = $2`, int64(now), gone.OrganizationID)
		return err
	}))
	for _, row := range []struct {
		email, password string
		status          int
		code, message   string
	}{
		{"viewer@demo.example", "Wrong*Heron7", 400, "invalid_grant", "Email and/or password incorrect."},
		{"nobody@demo.example", testkit.Password, 400, "invalid_grant", "Email and/or password incorrect."},
		{"", testkit.Password, 400, "invalid_grant", "Email and/or password incorrect."},
		{"viewer@demo.example", "", 400, "invalid_grant", "Email and/or password incorrect."},
		{"viewer@demo.example", strings.Repeat("a", 5000), 400, "invalid_grant", "Email and/or password incorrect."},
		{"suspended@demo.example", testkit.Password, 400, "user_suspended", "User is suspended."},
		{"suspended@demo.example", "Wrong*Heron7", 400, "invalid_grant", ""},
		{"norole@demo.example", testkit.Password, 403, "dashboard_forbidden", "Your user is not authorized to access Safety Cloud Dashboard."},
		{"gone@demo.example", testkit.Password, 401, "not_safetycloud_enabled", "Your user is not authorized to access Safety Cloud Dashboard."},
		{"idle@demo.example", testkit.Password, 401, "expired", "Your account has expired due to inactivity. Please contact the provider to restore your account."},
		{"oldpassword@demo.example", testkit.Password, 401, "password_expired", ""},
	} {
		f := wants(t, w.Do(signIn(row.email, row.password)), row.status, row.code, row.message)
		if f.ErrorDescription != f.Message {
			t.Errorf("%s: error_description %q", row.email, f.ErrorDescription)
		}
	}
	for _, email := range []string{"young@demo.example", " VIEWER@Demo.example "} {
		if r := w.Do(signIn(email, testkit.Password)); r.Status != 200 {
			t.Errorf("%s: %d %s", email, r.Status, r.Text)
		}
	}
}

func TestTokenRequestsOfTheWrongShape(t *testing.T) {
	w := testkit.New(t)
	for _, row := range []struct {
		body string
		code string
	}{
		{`{"grant_type":"client_credentials"}`, "unsupported_grant_type"},
		{`{"grant_type":"password","application":"other","username":"a","password":"b"}`, "invalid_request"},
		{`{"grant_type":"password","token_delivery":"pigeon"}`, "invalid_request"},
		{`{"grant_type":"password","role_id":"super"}`, "invalid_request"},
		{`{"grant_type":7}`, "invalid_request"},
		{`{`, "invalid_request"},
		{``, "invalid_request"},
	} {
		f := wants(t, w.Do(testkit.Request{Method: "POST", Path: "/api/user_token", Body: row.body}), 400, row.code, "")
		if f.ErrorDescription == "" {
			t.Errorf("%s: no error_description", row.body)
		}
	}
}

// spec: 7.auth.02
func TestRefreshRotates(t *testing.T) {
	eachEngine(t, func(t *testing.T, w *testkit.World) {
		first := w.SignIn("viewer")
		w.Clock.Advance(4*time.Hour - 10*time.Second)
		r := w.Do(refresh(first.RefreshToken))
		if r.Status != 200 {
			t.Fatalf("refresh: %d %s", r.Status, r.Text)
		}
		second := testkit.Decode[wire.TokenPair](t, r)
		if second.AccessToken == first.AccessToken || second.RefreshToken == first.RefreshToken || second.CreatedAt != w.Clock.Now().Unix() {
			t.Errorf("not a new pair: %+v", second)
		}
		w.Clock.Advance(time.Minute)
		if r := w.Get("/api/profile", first.AccessToken); r.Status != 401 {
			t.Errorf("the old access token lives on: %d", r.Status)
		}
		if r := w.Get("/api/profile", second.AccessToken); r.Status != 200 {
			t.Errorf("the new access token: %d", r.Status)
		}
		w.Clock.Advance(4*time.Hour + time.Minute)
		// spec: 8.token.01
		wants(t, w.Do(refresh(second.RefreshToken)), 422, "token_not_verified", "Access token is expired or does not exist.")
	})
}

// spec: D.auth.02
func TestLostAnswerGetsTheSamePair(t *testing.T) {
	w := testkit.New(t)
	first := w.SignIn("viewer")
	second := w.Do(refresh(first.RefreshToken)).Text
	w.Clock.Advance(20 * time.Second)
	if again := w.Do(refresh(first.RefreshToken)).Text; again != second {
		t.Errorf("within 20 s:\n%s\n%s", again, second)
	}
	// The answer was lost: nobody uses the successor, and an hour later the old token still gets it.
	w.Clock.Advance(time.Hour)
	if again := w.Do(refresh(first.RefreshToken)).Text; again != second {
		t.Errorf("an hour later:\n%s\n%s", again, second)
	}
	pair := testkit.Decode[wire.TokenPair](t, testkit.Response{Text: second})
	if r := w.Get("/api/profile", pair.AccessToken); r.Status != 200 {
		t.Fatalf("the successor: %d", r.Status)
	}
	// Now it has been used: the old token is a stolen one.
	wants(t, w.Do(refresh(first.RefreshToken)), 422, "token_not_verified", "")
	if r := w.Get("/api/profile", pair.AccessToken); r.Status != 401 {
		t.Errorf("the family lives on: %d", r.Status)
	}
	wants(t, w.Do(refresh(pair.RefreshToken)), 422, "token_not_verified", "")
}

// spec: D.auth.03
func TestReuseEndsTheFamilyAndIsAudited(t *testing.T) {
	eachEngine(t, func(t *testing.T, w *testkit.World) {
		first := w.SignIn("viewer")
		other := w.SignIn("viewer") // another family of the same user stays
		second := testkit.Decode[wire.TokenPair](t, w.Do(refresh(first.RefreshToken)))
		third := testkit.Decode[wire.TokenPair](t, w.Do(refresh(second.RefreshToken)))
		// Both are younger than 20 s: each gets its own pair again.
		if again := testkit.Decode[wire.TokenPair](t, w.Do(refresh(first.RefreshToken))); !reflect.DeepEqual(again, second) {
			t.Errorf("within 20 s the first token got another pair")
		}
		w.Clock.Advance(21 * time.Second)
		wants(t, w.Do(refresh(first.RefreshToken)), 422, "token_not_verified", "")
		for name, token := range map[string]string{"second": second.AccessToken, "third": third.AccessToken} {
			if r := w.Get("/api/profile", token); r.Status != 401 {
				t.Errorf("%s access token: %d", name, r.Status)
			}
		}
		if r := w.Get("/api/profile", other.AccessToken); r.Status != 200 {
			t.Errorf("the other family: %d", r.Status)
		}
		if !hasAudit(t, w, w.Own.ID, "session_reuse") {
			t.Errorf("reuse is not audited")
		}
	})
}

func TestTenParallelRefreshesGetOnePair(t *testing.T) {
	eachEngine(t, func(t *testing.T, w *testkit.World) {
		first := w.SignIn("viewer")
		answers := make([]string, 10)
		var wait sync.WaitGroup
		for i := range answers {
			wait.Go(func() { answers[i] = w.Do(refresh(first.RefreshToken)).Text })
		}
		wait.Wait()
		for _, a := range answers {
			if a != answers[0] || !strings.Contains(a, "lb_at_") {
				t.Fatalf("different answers:\n%s\n%s", a, answers[0])
			}
		}
	})
}

// spec: D.auth.05 1.feat.10 1.feat.11
func TestAbsoluteEndAndAwarenessMode(t *testing.T) {
	w := testkit.New(t)
	plain := w.SignIn("viewer")
	wall := testkit.Decode[wire.TokenPair](t, w.Do(testkit.Request{Method: "POST", Path: "/api/user_token", Body: map[string]any{"grant_type": "password",
		"username": w.Users["viewer"].Email, "password": testkit.Password, "awareness_mode": true}}))
	if wall.ExpiresIn != 30*24*3600 {
		t.Errorf("awareness access lives %d s", wall.ExpiresIn)
	}
	for range 6 {
		w.Clock.Advance(3*time.Hour + 50*time.Minute)
		plain = testkit.Decode[wire.TokenPair](t, w.Do(refresh(plain.RefreshToken)))
	}
	if plain.ExpiresIn != 3600 {
		t.Errorf("the last access token outlives the family: %d s", plain.ExpiresIn)
	}
	w.Clock.Advance(time.Hour)
	wants(t, w.Do(refresh(plain.RefreshToken)), 422, "token_not_verified", "")
	if r := w.Get("/api/profile", plain.AccessToken); r.Status != 401 {
		t.Errorf("after 24 h: %d", r.Status)
	}
	w.Clock.Advance(28 * 24 * time.Hour)
	if r := w.Get("/api/profile", wall.AccessToken); r.Status != 200 {
		t.Errorf("awareness mode after 29 days: %d", r.Status)
	}
	// An organization without the option does not get the mode.
	r := w.Do(testkit.Request{Method: "POST", Path: "/api/user_token", Body: map[string]any{"grant_type": "password",
		"username": w.Users["outsider"].Email, "password": testkit.Password, "awareness_mode": true}})
	wants(t, r, 403, "awareness_not_allowed", "")
}

// spec: 7.auth.08 4.auth.02 D.auth.01
func TestRevokeActsAtOnceAndIsIdempotent(t *testing.T) {
	eachEngine(t, func(t *testing.T, w *testkit.World) {
		pair := w.SignIn("viewer")
		if r := w.Get("/api/profile", pair.AccessToken); r.Status != 200 {
			t.Fatalf("before: %d", r.Status) // the look-up is cached now
		}
		for range 2 {
			if r := w.Do(revoke(pair.AccessToken)); r.Status != 200 || strings.TrimSpace(r.Text) != "{}" {
				t.Fatalf("revoke: %d %s", r.Status, r.Text)
			}
		}
		if r := w.Get("/api/profile", pair.AccessToken); r.Status != 401 {
			t.Errorf("after: %d", r.Status)
		}
		wants(t, w.Do(refresh(pair.RefreshToken)), 422, "token_not_verified", "")
		for _, token := range []string{"", "x", "lb_at_nonsense", pair.RefreshToken} {
			if r := w.Do(revoke(token)); r.Status != 200 {
				t.Errorf("revoke %q: %d %s", token, r.Status, r.Text)
			}
		}
		if !hasAudit(t, w, w.Own.ID, "sign_out") {
			t.Errorf("signing out is not audited")
		}
	})
}

// spec: 7.auth.04
func TestVerifyToken(t *testing.T) {
	w := testkit.New(t)
	pair := w.SignIn("viewer")
	w.Clock.Advance(time.Minute)
	verify := func(token string) testkit.Response {
		return w.Do(testkit.Request{Method: "POST", Path: "/api/verify_token", Body: map[string]any{"access_token": token}})
	}
	good := testkit.Decode[api.VerifiedToken](t, verify(pair.AccessToken))
	if good.CreatedAt != pair.CreatedAt || good.ExpiresIn != pair.ExpiresIn || good.UserID != w.Users["viewer"].ID {
		t.Errorf("verified: %+v, issued %+v", good, pair)
	}
	for _, token := range []string{"", "x", pair.RefreshToken, pair.AccessToken[:len(pair.AccessToken)-1] + "x"} {
		wants(t, verify(token), 422, "token_not_verified", "Access token is expired or does not exist.")
	}
	w.Clock.Advance(5 * time.Hour)
	wants(t, verify(pair.AccessToken), 422, "token_not_verified", "")
}

// spec: D.auth.08
func TestEachTokenWorksForItsOnePurposeOnly(t *testing.T) {
	w := testkit.New(t)
	pair := w.SignIn("super")
	setup := "lb_set_" + pair.AccessToken[6:]
	secret, _ := setUpTOTP(t, w, w.SignIn("operator").AccessToken)
	mint := func() url.Values {
		link, err := url.Parse(data[wire.SignInLink](t, w.Do(send("POST", "/api/session/link", pair.AccessToken, nil))).URL)
		must(t, err)
		return link.Query()
	}
	link := mint()
	tokens := map[string]string{"access": pair.AccessToken, "refresh": pair.RefreshToken, "key": w.Key, "setup": setup, "nothing": "",
		"link": link.Get("access_token"), "link refresh": link.Get("refresh_token"), "challenge": challenged(t, w, "operator@demo.example").Challenge}
	doors := map[string]func(token string) bool{
		"access":  func(token string) bool { return w.Get("/api/profile", token).Status == 200 },
		"refresh": func(token string) bool { return w.Do(refresh(token)).Status == 200 },
		"key": func(token string) bool {
			_, err := w.App.AuthenticateKey(t.Context(), token, "192.0.2.1")
			return err == nil
		},
		"setup": func(token string) bool { return w.App.SetupOpen(t.Context(), token) == nil },
		// Each link works once, so the right token is that of a fresh one.
		"link": func(token string) bool {
			fresh := mint()
			if token == tokens["link"] {
				token = fresh.Get("access_token")
			}
			return w.Do(byLink(token, fresh.Get("refresh_token"))).Status == 200
		},
		"link refresh": func(token string) bool {
			fresh := mint()
			if token == tokens["link refresh"] {
				token = fresh.Get("refresh_token")
			}
			return w.Do(byLink(fresh.Get("access_token"), token)).Status == 200
		},
		"challenge": func(token string) bool { return w.Do(mfa(token, "totp", codeOf(t, w, secret))).Status == 200 },
	}
	for door, opens := range doors {
		w.Clock.Advance(20 * time.Second) // not to be slowed down
		for kind, token := range tokens {
			if got, want := opens(token), door == kind && kind != "setup"; got != want {
				t.Errorf("%s token at the %s door: %v", kind, door, got)
			}
		}
	}
}

// spec: D.auth.08
func TestNoSecretIsStoredOrLogged(t *testing.T) {
	w := testkit.New(t)
	pair := w.SignIn("viewer")
	second := testkit.Decode[wire.TokenPair](t, w.Do(refresh(pair.RefreshToken)))
	w.Do(signIn("viewer@demo.example", "Wrong*Secret9"))
	w.Get("/api/profile?access_token="+pair.AccessToken, "")
	w.Get("/api/profile", second.AccessToken+"x")
	w.Do(revoke(second.AccessToken))
	secrets := []string{pair.AccessToken, pair.RefreshToken, second.AccessToken, second.RefreshToken, w.Key, testkit.Password, "Wrong*Secret9"}
	log := w.Log.Text()
	dump := dumpTables(t, w.App.Store)
	for i, secret := range secrets {
		if strings.Contains(log, secret) {
			t.Errorf("secret %d is in the log", i)
		}
		if strings.Contains(dump, secret) {
			t.Errorf("secret %d is in the database", i)
		}
	}
	if !strings.Contains(dump, "$argon2id$v=19$m=19456,t=2,p=1$") {
		t.Errorf("passwords are not hashed as decided")
	}
}
