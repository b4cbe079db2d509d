package api_test

import (
	"testing"
	"time"

	"lightbar/internal/fleet"
	"lightbar/internal/testkit"
	"lightbar/internal/wire"
)

func refreshAware(token string, on bool) testkit.Request {
	return send("POST", "/api/user_token", "", map[string]any{"grant_type": "refresh_token", "refresh_token": token, "awareness_mode": on})
}

// A display that leaves awareness mode is a session like others from then on:
// a day at most, for the tokens of the mode too.
//
// spec: D.auth.05
func TestLeavingAwarenessModeBringsTheAbsoluteEndBack(t *testing.T) {
	w := testkit.New(t)
	plain := w.SignIn("viewer")
	on := testkit.Decode[wire.TokenPair](t, w.Do(refreshAware(plain.RefreshToken, true)))
	if on.ExpiresIn != 30*24*3600 {
		t.Fatalf("awareness mode lives %d s", on.ExpiresIn)
	}
	w.Clock.Advance(3 * 24 * time.Hour)
	if r := w.Get("/api/profile", on.AccessToken); r.Status != 200 {
		t.Fatalf("after three days: %d", r.Status)
	}
	// The end that the sign-in gave has passed: another one needs a proof.
	wants(t, w.Do(refreshAware(on.RefreshToken, false)), 403, "step_up_required", "Please confirm it's you.")
	if r := w.Get("/api/profile", on.AccessToken); r.Status != 200 {
		t.Fatalf("the display goes on: %d", r.Status)
	}
	data[wire.Verified](t, w.Do(stepUp(on.AccessToken, map[string]any{"password": testkit.Password})))
	off := testkit.Decode[wire.TokenPair](t, w.Do(refreshAware(on.RefreshToken, false)))
	p := data[wire.Profile](t, w.Get("/api/profile", off.AccessToken))
	if off.ExpiresIn != 4*3600 || p.Session.AwarenessMode || p.Session.EndsAt.Time() != w.Clock.Now().Add(24*time.Hour) {
		t.Errorf("lives %d s, session %+v", off.ExpiresIn, p.Session)
	}
	// A token of the mode would have lived for weeks; its family does not.
	for range 6 {
		w.Clock.Advance(4*time.Hour - time.Minute)
		off = testkit.Decode[wire.TokenPair](t, w.Do(refresh(off.RefreshToken)))
		if r := w.Get("/api/profile", on.AccessToken); r.Status != 200 {
			t.Fatalf("the family goes on, the token does not: %d", r.Status)
		}
	}
	w.Clock.Advance(6 * time.Minute)
	for name, token := range map[string]string{"of the mode": on.AccessToken, "the newest": off.AccessToken} {
		if r := w.Get("/api/profile", token); r.Status != 401 {
			t.Errorf("the access token %s past the absolute end: %d", name, r.Status)
		}
	}
	wants(t, w.Do(refresh(off.RefreshToken)), 422, "token_not_verified", "")
}

// The absolute end never moves without a proof: not by going into the mode, nor by leaving it.
//
// spec: D.auth.05
func TestTheAbsoluteEndDoesNotMoveByAwarenessMode(t *testing.T) {
	w := testkit.New(t)
	pair, end := w.SignIn("viewer"), fleet.InstantOf(testkit.Start).Add(24*time.Hour)
	w.Clock.Advance(time.Hour)
	wants(t, w.Do(refreshAware(pair.RefreshToken, true)), 403, "step_up_required", "Please confirm it's you.")
	session := func() wire.ProfileSession {
		return data[wire.Profile](t, w.Get("/api/profile", pair.AccessToken)).Session
	}
	if s := session(); s.AwarenessMode || s.EndsAt != end || hasAudit(t, w, w.Own.ID, "awareness_on") {
		t.Errorf("refused, and yet %+v", s)
	}
	data[wire.Verified](t, w.Do(stepUp(pair.AccessToken, map[string]any{"password": testkit.Password})))
	pair = testkit.Decode[wire.TokenPair](t, w.Do(refreshAware(pair.RefreshToken, true)))
	if s := session(); !s.AwarenessMode || s.EndsAt != 0 || !hasAudit(t, w, w.Own.ID, "awareness_on") {
		t.Errorf("switched on: %+v", s)
	}
	pair = testkit.Decode[wire.TokenPair](t, w.Do(refreshAware(pair.RefreshToken, true))) // on already
	w.Clock.Advance(time.Hour)
	pair = testkit.Decode[wire.TokenPair](t, w.Do(refreshAware(pair.RefreshToken, false))) // its end is still to come: no proof
	if s := session(); s.AwarenessMode || s.EndsAt != end || !hasAudit(t, w, w.Own.ID, "awareness_off") {
		t.Errorf("switched off: %+v, want the end of before, %s", s, end)
	}
}

// Who may not use the mode is told so, and keeps the session as it is.
func TestAwarenessModeIsAskedForByRefresh(t *testing.T) {
	w := testkit.New(t)
	for _, missing := range []string{"user", "organization"} {
		pair := w.SignIn("viewer")
		setUser(t, w, "viewer", "awareness", missing != "user")
		setOrganization(t, w, "infinite_timeout", missing != "organization")
		wants(t, w.Do(refreshAware(pair.RefreshToken, true)), 403, "awareness_not_allowed", "Your organization doesn't allow situational-awareness mode.")
		again := testkit.Decode[wire.TokenPair](t, w.Do(refresh(pair.RefreshToken)))
		if p := data[wire.Profile](t, w.Get("/api/profile", again.AccessToken)); p.Session.AwarenessMode || p.Session.EndsAt == 0 {
			t.Errorf("without the %s: %+v", missing, p.Session)
		}
	}
}
