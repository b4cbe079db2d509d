package api_test

import (
	"testing"
	"time"

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
	wants(t, w.Do(refresh(off.RefreshToken)), 401, "session_expired", "")
}

// Who may not use the mode is told so, and keeps the session as it is.
func TestAwarenessModeIsAskedForByRefresh(t *testing.T) {
	w := testkit.New(t)
	for _, missing := range []string{"user", "organization"} {
		pair := w.SignIn("viewer")
		setUser(t, w, "viewer", "awareness", missing != "user")
		setOrganization(t, w, "infinite_timeout", missing != "organization")
		wants(t, w.Do(refreshAware(pair.RefreshToken, true)), 403, "awareness_not_allowed", "Your organization does not offer the situational-awareness mode.")
		again := testkit.Decode[wire.TokenPair](t, w.Do(refresh(pair.RefreshToken)))
		if p := data[wire.Profile](t, w.Get("/api/profile", again.AccessToken)); p.Session.AwarenessMode || p.Session.EndsAt == 0 {
			t.Errorf("without the %s: %+v", missing, p.Session)
		}
	}
}
