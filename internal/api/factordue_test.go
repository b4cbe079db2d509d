package api_test

import (
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/fleet"
	"lightbar/internal/testkit"
	"lightbar/internal/wire"
)

// requireFactors turns the second factor of the own organization on or off.
func requireFactors(t *testing.T, w *testkit.World, on bool) {
	t.Helper()
	_, err := w.App.UpdateOrganization(t.Context(), access.System(), w.Own.ID, wire.OrganizationWrite{MFARequired: &on})
	must(t, err)
}

// wallDisplay signs the viewer in for the situational-awareness mode.
func wallDisplay(t *testing.T, w *testkit.World) wire.TokenPair {
	t.Helper()
	r := w.Do(send("POST", "/api/user_token", "", map[string]any{"grant_type": "password", "application": "dashboard",
		"username": w.Users["viewer"].Email, "password": testkit.Password, "awareness_mode": true}))
	if r.Status != 200 {
		t.Fatalf("awareness mode: %s", r.Text)
	}
	return testkit.Decode[wire.TokenPair](t, r)
}

func dueOf(t *testing.T, w *testkit.World, token string) (due, ends fleet.Instant) {
	t.Helper()
	p := data[wire.Profile](t, w.Get("/api/profile", token))
	return p.User.SecondFactorDue, p.Session.EndsAt
}

// A requirement that comes over living sessions gives their users a day.
func TestRequiredSecondFactorEndsLivingSessionsAfterADay(t *testing.T) {
	eachEngine(t, func(t *testing.T, w *testkit.World) {
		wall, shift := wallDisplay(t, w), w.SignIn("viewer")
		begun := fleet.InstantOf(w.Clock.Now())
		if due, ends := dueOf(t, w, wall.AccessToken); due != 0 || ends != 0 {
			t.Fatalf("nothing is required: due %s, ends %s", due, ends)
		}
		w.Clock.Advance(time.Hour)
		requireFactors(t, w, true)
		end := fleet.InstantOf(w.Clock.Now()).Add(24 * time.Hour)
		if due, ends := dueOf(t, w, wall.AccessToken); due != end || ends != end {
			t.Errorf("awareness mode: due %s, ends %s, want %s", due, ends, end)
		}
		// An ordinary session has an end of its own, which comes first until it is moved.
		if due, ends := dueOf(t, w, shift.AccessToken); due != begun.Add(24*time.Hour) || ends != due {
			t.Errorf("ordinary session: due %s, ends %s", due, ends)
		}
		w.Clock.Advance(2 * time.Hour)
		verified := data[wire.Verified](t, w.Do(stepUp(shift.AccessToken, map[string]any{"password": testkit.Password, "extend": true})))
		if verified.EndsAt != end {
			t.Errorf("extended to %s, want %s", verified.EndsAt, end)
		}
		// What is renewed is good until then, and another edit of the organization moves nothing.
		name := "Harbor County West"
		_, err := w.App.UpdateOrganization(t.Context(), access.System(), w.Own.ID, wire.OrganizationWrite{Name: &name})
		must(t, err)
		renewed := testkit.Decode[wire.TokenPair](t, w.Do(refresh(wall.RefreshToken)))
		if left := end.Sub(fleet.InstantOf(w.Clock.Now())); renewed.ExpiresIn != int64(left/time.Second) {
			t.Errorf("renewed for %d s of %s", renewed.ExpiresIn, left)
		}
		w.Clock.Advance(22*time.Hour - time.Millisecond)
		tokens := []string{renewed.AccessToken, wall.AccessToken}
		for _, token := range tokens {
			if r := w.Get("/api/profile", token); r.Status != 200 {
				t.Fatalf("a moment before: %s", r.Text)
			}
		}
		if rows := data[[]wire.SessionRow](t, w.Get("/api/sessions", renewed.AccessToken)); len(rows) != 1 {
			t.Errorf("%d sessions a moment before, beside the one that was left alone for hours", len(rows))
		}
		actor, err := w.App.Authenticate(t.Context(), renewed.AccessToken, "")
		must(t, err)
		w.Clock.Advance(time.Millisecond)
		for _, token := range tokens {
			wants(t, w.Get("/api/profile", token), 401, "invalid_token", "")
		}
		wants(t, w.Do(refresh(renewed.RefreshToken)), 422, "token_not_verified", "")
		if _, err := w.App.ActorNow(t.Context(), actor); err == nil {
			t.Error("sockets outlive the end")
		}
	})
}

func TestAddingASecondFactorLiftsTheEnd(t *testing.T) {
	eachEngine(t, func(t *testing.T, w *testkit.World) {
		wall, late := wallDisplay(t, w), wallDisplay(t, w)
		requireFactors(t, w, true)
		setUpTOTP(t, w, wall.AccessToken)
		if due, ends := dueOf(t, w, wall.AccessToken); due != 0 || ends != 0 {
			t.Errorf("after adding one: due %s, ends %s", due, ends)
		}
		w.Clock.Advance(26 * time.Hour)
		for _, token := range []string{wall.AccessToken, late.AccessToken} {
			if r := w.Get("/api/profile", token); r.Status != 200 {
				t.Errorf("a day later: %s", r.Text)
			}
		}
		renewed := testkit.Decode[wire.TokenPair](t, w.Do(refresh(wall.RefreshToken)))
		if renewed.ExpiresIn != 30*24*3600 {
			t.Errorf("renewed for %d s", renewed.ExpiresIn)
		}
	})
}

// A session that was over does not come back with the factor that the next sign-in sets up.
func TestOverdueSessionsStayOver(t *testing.T) {
	eachEngine(t, func(t *testing.T, w *testkit.World) {
		wall := wallDisplay(t, w)
		requireFactors(t, w, true)
		w.Clock.Advance(24 * time.Hour)
		f := wants(t, w.Do(signIn("viewer@demo.example", testkit.Password)), 401, "mfa_setup_required", "")
		if r := w.Do(mfa(f.Challenge, "totp_setup", codeOf(t, w, f.TOTP.Secret))); r.Status != 200 {
			t.Fatalf("set up: %s", r.Text)
		}
		wants(t, w.Get("/api/profile", wall.AccessToken), 401, "invalid_token", "")
		wants(t, w.Do(refresh(wall.RefreshToken)), 422, "token_not_verified", "")
	})
}

// Another factor ends nothing for those who owe none: who has one already, and
// who has proved it at a provider.
func TestAddingAFactorEndsNobodyWhoOwesNone(t *testing.T) {
	w := named(t)
	wall := wallDisplay(t, w)
	secret, _ := setUpTOTP(t, w, wall.AccessToken)
	requireFactors(t, w, true)
	w.Clock.Advance(25 * time.Hour)
	data[wire.Verified](t, w.Do(stepUp(wall.AccessToken, map[string]any{"code": codeOf(t, w, secret)})))
	registerKey(t, w, wall.AccessToken, newHolder(w.Users["viewer"].ID), "Key")
	w.Clock.Advance(time.Minute) // what is trusted for a few seconds is looked up anew
	if r := w.Get("/api/profile", wall.AccessToken); r.Status != 200 {
		t.Errorf("who had a second factor: %s", r.Text)
	}

	c := newCity(t)
	c.asks(0) // the provider says that it asked just now
	token, other := c.enters(t, ann()), c.enters(t, ann())
	requireFactors(t, c.World, true)
	setUpTOTP(t, c.World, token) // which takes half a minute
	for _, one := range []string{token, other} {
		if r := c.Get("/api/profile", one); r.Status != 200 {
			t.Errorf("who came in by a provider: %s", r.Text)
		}
	}
}

// Turning the requirement off forgives; on again it counts from anew.
func TestTheRequirementCountsFromWhenItWasTurnedOn(t *testing.T) {
	w := testkit.New(t)
	wall := wallDisplay(t, w)
	requireFactors(t, w, true)
	w.Clock.Advance(time.Hour)
	requireFactors(t, w, true) // says nothing new
	if due, _ := dueOf(t, w, wall.AccessToken); due != fleet.InstantOf(testkit.Start).Add(24*time.Hour) {
		t.Errorf("due %s", due)
	}
	requireFactors(t, w, false)
	if due, ends := dueOf(t, w, wall.AccessToken); due != 0 || ends != 0 {
		t.Errorf("turned off: due %s, ends %s", due, ends)
	}
	requireFactors(t, w, true)
	if due, _ := dueOf(t, w, wall.AccessToken); due != fleet.InstantOf(w.Clock.Now()).Add(24*time.Hour) {
		t.Errorf("turned on again: due %s", due)
	}
}

// A link begins a session past the requirement: none for who owes a second factor.
func TestNoSignInLinkWithoutTheRequiredFactor(t *testing.T) {
	eachEngine(t, func(t *testing.T, w *testkit.World) {
		token := w.SignIn("viewer").AccessToken
		early := data[wire.SignInLink](t, w.Do(send("POST", "/api/session/link", token, nil)))
		requireFactors(t, w, true)
		wants(t, w.Do(send("POST", "/api/session/link", token, nil)), 422, "validation_failed",
			"Your organization requires two-factor authentication. Set it up first.")
		wants(t, w.Do(byLink(linkTexts(t, early))), 401, "session_expired", "")
		setUpTOTP(t, w, token)
		data[wire.SignInLink](t, w.Do(send("POST", "/api/session/link", token, nil)))
	})
}
