package api_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"lightbar/internal/api"
	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/testkit"
	"lightbar/internal/wire"
)

func stepUp(token string, body map[string]any) testkit.Request {
	return send("POST", "/api/session/step_up", token, body)
}

func TestStepUp(t *testing.T) {
	eachEngine(t, func(t *testing.T, w *testkit.World) {
		token := w.SignIn("viewer").AccessToken
		gate := func() testkit.Response { return w.Do(send("POST", "/api/session/totp", token, nil)) }
		w.Clock.Advance(10*time.Minute - time.Millisecond)
		if r := gate(); r.Status != 200 {
			t.Fatalf("just signed in: %s", r.Text)
		}
		w.Clock.Advance(time.Millisecond)
		wants(t, gate(), 403, "step_up_required", "Please confirm it's you.")
		wants(t, w.Do(stepUp(token, map[string]any{"password": "Wrong*Heron7"})), 422, "step_up_failed", "That's not correct.")
		wants(t, w.Do(stepUp(token, map[string]any{})), 422, "step_up_failed", "")
		wants(t, gate(), 403, "step_up_required", "")
		v := data[wire.Verified](t, w.Do(stepUp(token, map[string]any{"password": testkit.Password})))
		now := fleet.InstantOf(w.Clock.Now())
		if v.VerifiedAt != now || v.Until != now.Add(10*time.Minute) || v.EndsAt != fleet.InstantOf(testkit.Start).Add(24*time.Hour) {
			t.Errorf("verified: %+v", v)
		}
		secret, _ := setUpTOTP(t, w, token)
		w.Clock.Advance(time.Hour)
		code := codeOf(t, w, secret)
		data[wire.Verified](t, w.Do(stepUp(token, map[string]any{"code": code})))
		wants(t, w.Do(stepUp(token, map[string]any{"code": code})), 422, "step_up_failed", "That's not correct.")
		if !hasAudit(t, w, w.Own.ID, "step_up") || !hasAudit(t, w, w.Own.ID, "step_up_refused") {
			t.Error("step-ups are not audited")
		}
	})
}

// A password alone is not enough of somebody who has a second factor, and is
// not even looked at: not to prove who is there, not to change it.
func TestAPasswordAloneProvesNothingBesideASecondFactor(t *testing.T) {
	eachEngine(t, func(t *testing.T, w *testkit.World) {
		token := w.SignIn("viewer").AccessToken
		secret, codes := setUpTOTP(t, w, token)
		w.Clock.Advance(10 * time.Minute)
		for range 6 { // no guess is counted: nothing is said of the password
			for _, password := range []string{testkit.Password, "Wrong*Heron7"} {
				wants(t, w.Do(stepUp(token, map[string]any{"password": password})), 422, "step_up_failed", "Please confirm with your second factor.")
			}
		}
		change := send("PUT", "/api/session/password", token, map[string]any{"current_password": testkit.Password, "password": "An0ther&Password"})
		wants(t, w.Do(change), 403, "step_up_required", "")
		wants(t, w.Do(stepUp(token, map[string]any{"code": "ABCD-EFGH-IJKL-MNOP"})), 422, "step_up_failed", "That's not correct.")
		data[wire.Verified](t, w.Do(stepUp(token, map[string]any{"code": codes[0]})))
		if r := w.Do(send("POST", "/api/session/link", token, nil)); r.Status != 200 {
			t.Errorf("after a recovery code: %d %s", r.Status, r.Text)
		}
		wants(t, w.Do(stepUp(token, map[string]any{"code": codes[0]})), 422, "step_up_failed", "")
		data[wire.Verified](t, w.Do(stepUp(token, map[string]any{"code": codeOf(t, w, secret)})))
		if r := w.Do(change); r.Status >= 300 {
			t.Errorf("after a proof: %d %s", r.Status, r.Text)
		}
	})
}

// The lock screen opens by the password, also beside a second factor, but
// nothing is proved by it: keys and the like ask as before, and no end moves.
func TestUnlockingTheScreenProvesNothingElse(t *testing.T) {
	eachEngine(t, func(t *testing.T, w *testkit.World) {
		token := w.SignIn("viewer").AccessToken
		setUpTOTP(t, w, token)
		w.Clock.Advance(10 * time.Minute)
		before := data[wire.Profile](t, w.Get("/api/profile", token)).Session
		wants(t, w.Do(stepUp(token, map[string]any{"password": "Wrong*Heron7", "unlock": true})), 422, "step_up_failed", "That's not correct.")
		wants(t, w.Do(stepUp(token, map[string]any{"password": testkit.Password, "unlock": true, "extend": true})), 422, "validation_failed", "")
		if v := data[wire.Verified](t, w.Do(stepUp(token, map[string]any{"password": testkit.Password, "unlock": true}))); v.VerifiedAt != before.VerifiedAt {
			t.Errorf("proved at %s, was %s", v.VerifiedAt, before.VerifiedAt)
		}
		if after := data[wire.Profile](t, w.Get("/api/profile", token)).Session; after != before {
			t.Errorf("%+v became %+v", before, after)
		}
		wants(t, w.Do(send("POST", "/api/session/link", token, nil)), 403, "step_up_required", "")
		for range 4 {
			wants(t, w.Do(stepUp(token, map[string]any{"password": "Wrong*Heron7", "unlock": true})), 422, "step_up_failed", "")
		}
		wants(t, w.Do(stepUp(token, map[string]any{"password": testkit.Password, "unlock": true})), 429, "rate_limited", "")
	})
}

// Guessing in an open session waits, without locking anybody's password.
func TestGuessedStepUpsAreCounted(t *testing.T) {
	w := testkit.New(t)
	token := w.SignIn("viewer").AccessToken
	for range 5 {
		wants(t, w.Do(stepUp(token, map[string]any{"password": "Wrong*Heron7"})), 422, "step_up_failed", "")
	}
	r := w.Do(stepUp(token, map[string]any{"password": testkit.Password}))
	wants(t, r, 429, "rate_limited", "Too many attempts. Please try again later.")
	if r.Header.Get("Retry-After") == "" {
		t.Error("no Retry-After")
	}
	w.SignIn("viewer")
	w.Clock.Advance(10 * time.Minute)
	data[wire.Verified](t, w.Do(stepUp(token, map[string]any{"password": testkit.Password})))
	// And wrong passwords at sign-in leave the step-up alone.
	for range 5 {
		wants(t, w.Do(signIn("viewer@demo.example", "Wrong*Heron7")), 400, "invalid_grant", "")
	}
	data[wire.Verified](t, w.Do(stepUp(token, map[string]any{"password": testkit.Password})))
}

// spec: D.auth.05
func TestStepUpMovesTheAbsoluteEnd(t *testing.T) {
	w := testkit.New(t)
	pair := w.SignIn("viewer")
	for range 6 {
		w.Clock.Advance(3*time.Hour + 55*time.Minute)
		pair = testkit.Decode[wire.TokenPair](t, w.Do(refresh(pair.RefreshToken)))
	}
	before := data[wire.Profile](t, w.Get("/api/profile", pair.AccessToken)).Session
	if left := before.EndsAt.Sub(fleet.InstantOf(w.Clock.Now())); left != 30*time.Minute || pair.ExpiresIn != 1800 {
		t.Fatalf("%v left, the token lives %d s", left, pair.ExpiresIn)
	}
	w.Clock.Advance(15 * time.Minute)
	// Proving it alone does not move the end; asking for it does.
	if v := data[wire.Verified](t, w.Do(stepUp(pair.AccessToken, map[string]any{"password": testkit.Password}))); v.EndsAt != before.EndsAt {
		t.Errorf("moved to %v", v.EndsAt)
	}
	wants(t, w.Do(stepUp(pair.AccessToken, map[string]any{"password": "Wrong*Heron7", "extend": true})), 422, "step_up_failed", "")
	v := data[wire.Verified](t, w.Do(stepUp(pair.AccessToken, map[string]any{"password": testkit.Password, "extend": true})))
	if v.EndsAt != fleet.InstantOf(w.Clock.Now()).Add(24*time.Hour) {
		t.Errorf("ends at %v", v.EndsAt)
	}
	again := testkit.Decode[wire.TokenPair](t, w.Do(refresh(pair.RefreshToken)))
	if again.ExpiresIn != 4*3600 {
		t.Errorf("the renewed token lives %d s", again.ExpiresIn)
	}
	w.Clock.Advance(time.Hour)
	if r := w.Get("/api/profile", again.AccessToken); r.Status != 200 {
		t.Errorf("past the first end: %d", r.Status)
	}
	// Awareness mode has no end to move.
	wall := testkit.Decode[wire.TokenPair](t, w.Do(testkit.Request{Method: "POST", Path: "/api/user_token", Body: map[string]any{"grant_type": "password",
		"username": w.Users["viewer"].Email, "password": testkit.Password, "awareness_mode": true}}))
	if v := data[wire.Verified](t, w.Do(stepUp(wall.AccessToken, map[string]any{"password": testkit.Password, "extend": true}))); v.EndsAt != 0 {
		t.Errorf("awareness mode ends at %v", v.EndsAt)
	}
}

func TestSessionsAreListedAndEnded(t *testing.T) {
	eachEngine(t, func(t *testing.T, w *testkit.World) {
		old := w.SignIn("viewer")
		w.Clock.Advance(24 * time.Hour) // over by its own law
		one, two, three := w.SignIn("viewer"), w.SignIn("viewer"), w.SignIn("viewer")
		list := func(token string) []wire.SessionRow {
			t.Helper()
			return data[[]wire.SessionRow](t, w.Get("/api/sessions", token))
		}
		rows := list(two.AccessToken)
		if len(rows) != 3 {
			t.Fatalf("%d sessions: %+v", len(rows), rows)
		}
		current, other := "", ""
		for _, row := range rows {
			if row.Network != "127.0.0.1" || row.Method != "password" || !strings.HasPrefix(row.UserAgent, "Go-http-client") || row.AwarenessMode {
				t.Errorf("row: %+v", row)
			}
			if row.Current {
				current = row.ID
			} else {
				other = row.ID
			}
		}
		if current == "" || data[wire.Profile](t, w.Get("/api/profile", two.AccessToken)).Session.ID != current {
			t.Errorf("the present session is not marked: %+v", rows)
		}
		// Not somebody else's, not twice.
		stranger := w.SignIn("operator").AccessToken
		wants(t, w.Do(send("DELETE", "/api/sessions/"+other, stranger, nil)), 404, "session_not_found", "Session not found")
		if r := w.Do(send("DELETE", "/api/sessions/"+other, two.AccessToken, nil)); r.Status != 200 {
			t.Fatalf("end: %s", r.Text)
		}
		wants(t, w.Do(send("DELETE", "/api/sessions/"+other, two.AccessToken, nil)), 404, "session_not_found", "")
		ended := 0
		for _, token := range []string{one.AccessToken, three.AccessToken} {
			if w.Get("/api/profile", token).Status == 401 {
				ended++
			}
		}
		if ended != 1 {
			t.Errorf("%d sessions ended", ended)
		}
		if r := w.Do(send("DELETE", "/api/sessions", two.AccessToken, nil)); r.Status != 200 {
			t.Fatalf("end the others: %s", r.Text)
		}
		for token, want := range map[string]int{one.AccessToken: 401, three.AccessToken: 401, two.AccessToken: 200, stranger: 200, old.AccessToken: 401} {
			if r := w.Get("/api/profile", token); r.Status != want {
				t.Errorf("profile: %d, want %d", r.Status, want)
			}
		}
		if rows := list(two.AccessToken); len(rows) != 1 || !rows[0].Current {
			t.Errorf("left: %+v", rows)
		}
	})
}

func TestAdministratorsEndSessions(t *testing.T) {
	w := testkit.New(t)
	viewer, administrator := w.SignIn("viewer"), w.SignIn("administrator").AccessToken
	path := "/api/users/" + w.Users["viewer"].ID + "/sessions"
	if rows := data[[]wire.SessionRow](t, w.Get(path, administrator)); len(rows) != 1 || rows[0].Current {
		t.Errorf("rows: %+v", rows)
	}
	for _, role := range []string{"viewer", "manager"} {
		wants(t, w.Get(path, w.SignIn(role).AccessToken), 403, "forbidden", "")
		wants(t, w.Do(send("DELETE", path, w.SignIn(role).AccessToken, nil)), 403, "forbidden", "")
	}
	foreign := w.SignIn("outsider").AccessToken
	wants(t, w.Get(path, foreign), 404, "not_found", "")
	wants(t, w.Do(send("DELETE", path, foreign, nil)), 422, "user_not_found", "Couldn't find the selected user.")
	// Nobody touches who may do more.
	above := "/api/users/" + w.Users["super"].ID + "/sessions"
	w.SignIn("super")
	wants(t, w.Get(above, administrator), 403, "forbidden", "")
	wants(t, w.Do(send("DELETE", above, administrator, nil)), 403, "forbidden", "")
	if r := w.Do(send("DELETE", path, administrator, nil)); r.Status != 200 {
		t.Fatalf("end: %s", r.Text)
	}
	if r := w.Get("/api/profile", viewer.AccessToken); r.Status != 401 {
		t.Errorf("profile: %d", r.Status)
	}
	wants(t, w.Do(refresh(viewer.RefreshToken)), 422, "token_not_verified", "")
	if !hasAudit(t, w, w.Own.ID, "end_sessions") {
		t.Error("not audited")
	}
}

func TestAdministratorsResetASecondFactor(t *testing.T) {
	w := testkit.New(t)
	viewer := w.SignIn("viewer").AccessToken
	_, codes := setUpTOTP(t, w, viewer)
	f := challenged(t, w, "viewer@demo.example")
	administrator := w.SignIn("administrator").AccessToken
	path := "/api/users/" + w.Users["viewer"].ID + "/second_factor"
	wants(t, w.Do(send("DELETE", path, viewer, nil)), 403, "forbidden", "")
	wants(t, w.Do(send("DELETE", path, w.SignIn("outsider").AccessToken, nil)), 422, "user_not_found", "")
	wants(t, w.Do(send("DELETE", "/api/users/"+w.Users["administrator"].ID+"/second_factor", administrator, nil)), 422, "own_account", "")
	w.Clock.Advance(11 * time.Minute)
	wants(t, w.Do(send("DELETE", path, administrator, nil)), 403, "step_up_required", "")
	data[wire.Verified](t, w.Do(stepUp(administrator, map[string]any{"password": testkit.Password})))
	if r := w.Do(send("DELETE", path, administrator, nil)); r.Status != 200 {
		t.Fatalf("reset: %s", r.Text)
	}
	if r := w.Get("/api/profile", viewer); r.Status != 401 {
		t.Errorf("the lost phone's session lives on: %d", r.Status)
	}
	wants(t, w.Do(mfa(f.Challenge, "recovery", codes[0])), 401, "mfa_challenge_expired", "")
	w.SignIn("viewer")
	if n := mails(t, w, "second_factor_changed"); n != 2 {
		t.Errorf("%d mails", n)
	}
}

func byLink(access, refresh string) testkit.Request {
	return send("POST", "/api/user_token", "", map[string]any{"grant_type": "link", "access_token": access, "refresh_token": refresh})
}

// spec: D.auth.07
func TestSignInByLink(t *testing.T) {
	eachEngine(t, func(t *testing.T, w *testkit.World) {
		pair := w.SignIn("viewer")
		mint := func() (access, refresh string) {
			t.Helper()
			link := data[wire.SignInLink](t, w.Do(send("POST", "/api/session/link", pair.AccessToken, nil)))
			if !strings.Contains(link.URL, "/welcome/signin?") || link.ExpiresAt != fleet.InstantOf(w.Clock.Now()).Add(time.Minute) {
				t.Errorf("link: %+v", link)
			}
			return linkTexts(t, link)
		}
		access, token := mint()
		if len(access) <= 400 {
			t.Errorf("%d characters", len(access))
		}
		// It opens nothing else.
		if r := w.Get("/api/profile", access); r.Status != 401 {
			t.Errorf("as a bearer token: %d", r.Status)
		}
		wants(t, w.Do(refresh(token)), 422, "token_not_verified", "")
		wants(t, w.Do(byLink(pair.AccessToken, pair.RefreshToken)), 401, "session_expired", "")
		_, otherToken := mint()
		wants(t, w.Do(byLink(access, otherToken)), 401, "session_expired", "")
		wants(t, w.Do(byLink(access, token)), 401, "session_expired", "") // the newest made it useless
		access, token = mint()
		r := w.Do(byLink(access, token))
		if r.Status != 200 {
			t.Fatalf("%d %s", r.Status, r.Text)
		}
		second := testkit.Decode[wire.TokenPair](t, r)
		p := data[wire.Profile](t, w.Get("/api/profile", second.AccessToken))
		if p.Session.Method != "link" || p.Session.VerifiedAt != 0 || p.User.ID != w.Users["viewer"].ID {
			t.Errorf("session: %+v", p.Session)
		}
		wants(t, w.Do(byLink(access, token)), 401, "session_expired", "")
		// Whoever opened it has not proved who they are.
		wants(t, w.Do(send("POST", "/api/session/link", second.AccessToken, nil)), 403, "step_up_required", "")
		access, token = mint()
		w.Clock.Advance(time.Minute)
		wants(t, w.Do(byLink(access, token)), 401, "session_expired", "")
		w.Clock.Advance(time.Second)
		mint()
		var kept, audited int
		must(t, w.App.Store.Reader().QueryRowContext(t.Context(), `SELECT (SELECT count(*) FROM one_time WHERE purpose = 'link'),
			(SELECT count(*) FROM audit WHERE noun = 'sign_in_link' AND verb = 'create' AND actor_user_id = $1)`, w.Users["viewer"].ID).Scan(&kept, &audited))
		if kept != 1 || audited != 5 {
			t.Errorf("%d links are kept though all but one are over, %d of 5 are in the audit", kept, audited)
		}
		access, token = mint()
		w.Do(revoke(pair.AccessToken))
		wants(t, w.Do(byLink(access, token)), 401, "session_expired", "")
	})
}

// Ten at once with one link: one of them is signed in.
func TestParallelSignInsByLink(t *testing.T) {
	eachEngine(t, func(t *testing.T, w *testkit.World) {
		token := w.SignIn("viewer").AccessToken
		access, refresh := linkTexts(t, data[wire.SignInLink](t, w.Do(send("POST", "/api/session/link", token, nil))))
		answers := make([]testkit.Response, 10)
		var wait sync.WaitGroup
		for i := range answers {
			wait.Go(func() { answers[i] = w.Do(byLink(access, refresh)) })
		}
		wait.Wait()
		in := 0
		for _, r := range answers {
			if r.Status == 200 {
				in++
			} else {
				wants(t, r, 401, "session_expired", "")
			}
		}
		if n := len(data[[]wire.SessionRow](t, w.Get("/api/sessions", token))); in != 1 || n != 2 {
			t.Errorf("%d are signed in, %d sessions", in, n)
		}
	})
}

// Before a link signs in, it can be asked whom: that leaves it as it is, and
// tells nothing to who could not sign in by it.
// spec: D.auth.07
func TestALinkIsLookedUpAndDiscarded(t *testing.T) {
	eachEngine(t, func(t *testing.T, w *testkit.World) {
		pair := w.SignIn("viewer")
		ask := func(path, access, refresh string) testkit.Response {
			t.Helper()
			return w.Do(send("POST", "/api/sign_in_link"+path, "", map[string]any{"access_token": access, "refresh_token": refresh}))
		}
		mint := func() (access, refresh string) {
			t.Helper()
			return linkTexts(t, data[wire.SignInLink](t, w.Do(send("POST", "/api/session/link", pair.AccessToken, nil))))
		}
		access, token := mint()
		u := w.Users["viewer"]
		want := wire.LinkOwner{FirstName: u.FirstName, LastName: u.LastName, Email: u.Email, Organization: w.Own.Name}
		for range 2 {
			r := ask("", access, token)
			if got := data[wire.LinkOwner](t, r); got != want || len(r.Cookies) != 0 {
				t.Errorf("%+v with %v, want %+v", got, r.Cookies, want)
			}
		}
		wants(t, ask("", pair.AccessToken, pair.RefreshToken), 401, "session_expired", "")
		wants(t, ask("", access, access), 401, "session_expired", "")
		if n := len(data[[]wire.SessionRow](t, w.Get("/api/sessions", pair.AccessToken))); n != 1 {
			t.Errorf("asking has made a session: %d", n)
		}
		if r := w.Do(byLink(access, token)); r.Status != 200 {
			t.Fatalf("after asking: %d %s", r.Status, r.Text)
		}
		wants(t, ask("", access, token), 401, "session_expired", "") // used

		access, token = mint()
		if r := ask("/discard", pair.AccessToken, pair.RefreshToken); r.Status != 200 {
			t.Errorf("what is no link: %d", r.Status)
		}
		for range 2 {
			if r := ask("/discard", access, token); r.Status != 200 {
				t.Errorf("discarded: %d %s", r.Status, r.Text)
			}
		}
		wants(t, ask("", access, token), 401, "session_expired", "")
		wants(t, w.Do(byLink(access, token)), 401, "session_expired", "")
		if !hasAudit(t, w, w.Own.ID, "discard_sign_in_link") {
			t.Error("no audit")
		}
		access, token = mint()
		w.Clock.Advance(time.Minute)
		wants(t, ask("", access, token), 401, "session_expired", "")
		access, token = mint()
		must(t, w.App.Store.Write(t.Context(), func(tx *store.Tx) error {
			_, err := tx.ExecContext(t.Context(), `UPDATE app_user SET suspended = TRUE WHERE id = $1`, u.ID)
			return err
		}))
		wants(t, ask("", access, token), 401, "session_expired", "")
	})
}

func TestLinkConfirmationIsTold(t *testing.T) {
	for _, on := range []bool{false, true} {
		w := testkit.New(t, testkit.WithBuild(func(a *app.App, _ *api.Options) { a.LinkConfirmation = on }))
		if got := data[wire.SignInMethods](t, w.Get("/api/sign_in_methods", "")); got.LinkConfirmation != on {
			t.Errorf("told %v", got.LinkConfirmation)
		}
	}
}

// spec: D.auth.05
func TestAwarenessModeTakenAway(t *testing.T) {
	w := testkit.New(t)
	wall := testkit.Decode[wire.TokenPair](t, w.Do(testkit.Request{Method: "POST", Path: "/api/user_token", Body: map[string]any{"grant_type": "password",
		"username": w.Users["viewer"].Email, "password": testkit.Password, "awareness_mode": true}}))
	w.Clock.Advance(48 * time.Hour)
	if r := w.Get("/api/profile", wall.AccessToken); r.Status != 200 {
		t.Fatalf("two days later: %d", r.Status)
	}
	setOrganization(t, w, "infinite_timeout", false)
	w.Clock.Advance(5 * time.Second)
	if r := w.Get("/api/profile", wall.AccessToken); r.Status != 401 {
		t.Errorf("without the option: %d", r.Status)
	}
	wants(t, w.Do(refresh(wall.RefreshToken)), 422, "token_not_verified", "")
}

// spec: D.auth.03
func TestReuseIsMailed(t *testing.T) {
	w := testkit.New(t)
	first := w.SignIn("viewer")
	second := testkit.Decode[wire.TokenPair](t, w.Do(refresh(first.RefreshToken)))
	w.Do(refresh(second.RefreshToken))
	w.Clock.Advance(21 * time.Second)
	wants(t, w.Do(refresh(first.RefreshToken)), 422, "token_not_verified", "")
	if n := mails(t, w, "session_reuse"); n != 1 {
		t.Errorf("%d mails", n)
	}
}

// Answers that tell secrets are never kept for a repeat.
func TestSecretAnswersAreNotKept(t *testing.T) {
	w := testkit.New(t)
	token := w.SignIn("viewer").AccessToken
	in := send("POST", "/api/session/totp", token, nil)
	in.Headers = map[string]string{"Idempotency-Key": "k1"}
	one, two := data[wire.TOTPSecret](t, w.Do(in)), data[wire.TOTPSecret](t, w.Do(in))
	if one.Secret == two.Secret || strings.Contains(dumpTables(t, w.App.Store), one.Secret) {
		t.Error("the secret was kept")
	}
}
