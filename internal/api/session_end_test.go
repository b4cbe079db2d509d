package api_test

import (
	"context"
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/bus"
	"lightbar/internal/store"
	"lightbar/internal/testkit"
	"lightbar/internal/wire"
)

// spec: 7.user.02 4.auth.05 8.session.01
func TestUserWhoWasMovedMustSignInAgain(t *testing.T) {
	w := testkit.New(t)
	pair := w.SignIn("viewer")
	must(t, w.App.Store.Write(t.Context(), func(tx *store.Tx) error {
		_, err := tx.ExecContext(t.Context(), `UPDATE app_user SET organization_id = $1 WHERE id = $2`, w.Foreign.ID, w.Users["viewer"].ID)
		return err
	}))
	w.Clock.Advance(5 * time.Second)
	wants(t, w.Get("/api/profile", pair.AccessToken), 401, "organization_changed", "Organization was changed, please log back in.")
	wants(t, w.Do(refresh(pair.RefreshToken)), 422, "token_not_verified", "")
}

func TestRoleChangeActsWithinFiveSeconds(t *testing.T) {
	w := testkit.New(t)
	pair := w.SignIn("viewer")
	if r := w.Get("/api/thing_types", pair.AccessToken); r.Status != 200 {
		t.Fatalf("before: %d", r.Status)
	}
	must(t, w.App.Store.Write(t.Context(), func(tx *store.Tx) error {
		_, err := tx.ExecContext(t.Context(), `UPDATE app_user SET role_id = $1 WHERE id = $2`, "019aa5c0-0000-7000-8000-0000000000ff", w.Users["viewer"].ID)
		return err
	}))
	w.Clock.Advance(5 * time.Second)
	wants(t, w.Get("/api/thing_types", pair.AccessToken), 403, "forbidden", "Sorry, you are not currently authorized to access this page.")
}

func TestNewPasswordEndsAllSessions(t *testing.T) {
	w := testkit.New(t)
	pair := w.SignIn("viewer")
	must(t, w.App.SetUserPassword(t.Context(), access.System(), "Viewer@demo.example", "Quiet+Marsh#4 otter"))
	wants(t, w.Get("/api/profile", pair.AccessToken), 401, "invalid_token", "")
	wants(t, w.Do(signIn("viewer@demo.example", testkit.Password)), 400, "invalid_grant", "")
	if r := w.Do(signIn("viewer@demo.example", "Quiet+Marsh#4 otter")); r.Status != 200 {
		t.Errorf("with the new password: %s", r.Text)
	}
}

// The end of a family reaches the stream at once: its sockets close.
// spec: D.auth.01 D.auth.03
func TestEndedSessionsAreToldToTheBus(t *testing.T) {
	b, err := bus.Open(bus.Options{})
	must(t, err)
	t.Cleanup(func() { must(t, b.Close(context.Background())) })
	w := testkit.New(t, testkit.WithBus(b))
	ended := make(chan string, 10)
	defer b.OnEndSession(func(id string) { ended <- id })()
	wantEnd := func(why, id string) {
		t.Helper()
		select {
		case got := <-ended:
			if got != id {
				t.Errorf("%s: session %s ended, want %s", why, got, id)
			}
		case <-time.After(time.Minute):
			t.Errorf("%s: nobody was told", why)
		}
	}
	sessionOf := func(token string) string {
		actor, err := w.App.Authenticate(t.Context(), token, "192.0.2.1")
		must(t, err)
		return actor.SessionID
	}
	out := w.SignIn("viewer")
	id := sessionOf(out.AccessToken)
	w.Do(revoke(out.AccessToken))
	wantEnd("signed out", id)

	first := w.SignIn("viewer")
	id = sessionOf(first.AccessToken)
	second := testkit.Decode[wire.TokenPair](t, w.Do(refresh(first.RefreshToken)))
	w.Do(refresh(second.RefreshToken))
	w.Clock.Advance(21 * time.Second)
	w.Do(refresh(first.RefreshToken))
	wantEnd("used again", id)
}

// So does every other way of ending one: by its user, by an administrator, by
// the reset of a second factor.
// spec: D.auth.01
func TestEveryEndOfASessionIsTold(t *testing.T) {
	b, err := bus.Open(bus.Options{})
	must(t, err)
	t.Cleanup(func() { must(t, b.Close(context.Background())) })
	w := testkit.New(t, testkit.WithBus(b))
	ended := make(chan string, 10)
	defer b.OnEndSession(func(id string) { ended <- id })()
	administrator := w.SignIn("administrator").AccessToken
	viewer := w.Users["viewer"].ID
	for _, row := range []struct {
		name string
		end  func(keep wire.TokenPair, id string) testkit.Request
	}{
		{"one of one's own", func(keep wire.TokenPair, id string) testkit.Request {
			return send("DELETE", "/api/sessions/"+id, keep.AccessToken, nil)
		}},
		{"the others", func(keep wire.TokenPair, _ string) testkit.Request {
			return send("DELETE", "/api/sessions", keep.AccessToken, nil)
		}},
		{"by an administrator", func(keep wire.TokenPair, _ string) testkit.Request {
			w.Do(revoke(keep.AccessToken))
			<-ended
			return send("DELETE", "/api/users/"+viewer+"/sessions", administrator, nil)
		}},
		{"by the reset of the second factor", func(keep wire.TokenPair, _ string) testkit.Request {
			w.Do(revoke(keep.AccessToken))
			<-ended
			return send("DELETE", "/api/users/"+viewer+"/second_factor", administrator, nil)
		}},
	} {
		gone, keep := w.SignIn("viewer"), w.SignIn("viewer")
		actor, err := w.App.Authenticate(t.Context(), gone.AccessToken, "192.0.2.1")
		must(t, err)
		if r := w.Do(row.end(keep, actor.SessionID)); r.Status != 200 {
			t.Fatalf("%s: %s", row.name, r.Text)
		}
		select {
		case got := <-ended:
			if got != actor.SessionID {
				t.Errorf("%s: session %s ended, want %s", row.name, got, actor.SessionID)
			}
		case <-time.After(time.Minute):
			t.Errorf("%s: nobody was told", row.name)
		}
		if r := w.Get("/api/profile", gone.AccessToken); r.Status != 401 {
			t.Errorf("%s: the token works", row.name)
		}
		w.Do(revoke(keep.AccessToken))
		for len(ended) > 0 {
			<-ended
		}
	}
}
