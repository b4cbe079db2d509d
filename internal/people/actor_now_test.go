package people_test

import (
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/fleet"
	"lightbar/internal/people"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit"
)

// What a stream asks again and again: each way a session can be over ends it,
// though its sockets never show a token again.
//
// spec: D.auth.05
func TestAStreamIsAskedForItsActorAnew(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		w := testkit.New(t, testkit.WithStore(s))
		now := func(a *access.Actor) (*access.Actor, error) { return w.App.ActorNow(t.Context(), a) }
		operator := w.Actor("operator")
		operator.RequestID = "r"
		again, err := now(operator)
		must(t, err)
		if again.UserID != operator.UserID || again.SessionID != operator.SessionID || again.Network != operator.Network || again.RequestID != "r" ||
			again.Reach(w.Managed.ID) != access.Full || again.Reach(w.Accessed.ID) != access.Read || again.Reach(w.Foreign.ID) != access.None {
			t.Errorf("%+v", again)
		}
		tamper(t, s, `UPDATE app_user SET role_id = $1 WHERE id = $2`, role(t, "viewer"), operator.UserID)
		if again, err = now(operator); err != nil || again.Can("thing:update") || !again.Can("thing:read") {
			t.Errorf("the new role does not act: %v %v", again, err)
		}
		tamper(t, s, `UPDATE app_user SET organization_id = $1 WHERE id = $2`, w.Managed.ID, operator.UserID)
		_, err = now(operator)
		refused(t, err, "organization_changed")

		manager := w.Actor("manager")
		tamper(t, s, `UPDATE app_user SET suspended = TRUE WHERE id = $1`, manager.UserID)
		_, err = now(manager)
		refused(t, err, "invalid_token")

		outsider := w.Actor("outsider")
		tamper(t, s, `UPDATE organization SET deleted_at = 1 WHERE id = $1`, w.Foreign.ID)
		_, err = now(outsider)
		refused(t, err, "invalid_token")

		viewer := w.Actor("viewer")
		w.Clock.Advance(4*time.Hour - time.Millisecond)
		if _, err := now(viewer); err != nil {
			t.Errorf("used within four hours: %v", err)
		}
		w.Clock.Advance(time.Millisecond)
		_, err = now(viewer)
		refused(t, err, "invalid_token")

		// Being accessed by another organization takes nothing from one's own, and opens nothing of the other's.
		w.Users["theirs"] = w.AddUser("theirs@demo.example", w.Accessed.ID, "viewer")
		if again, err = now(w.Actor("theirs")); err != nil || again.Reach(w.Accessed.ID) != access.Full || again.Reach(w.Own.ID) != access.None {
			t.Errorf("a user of the accessed organization: %+v %v", again, err)
		}

		for name, a := range map[string]*access.Actor{"a key": {KeyID: "k", OrganizationID: w.Own.ID}, "a session that never was": {UserID: viewer.UserID, SessionID: w.App.NewID()}} {
			if _, err := now(a); codeOf(t, err) != "invalid_token" {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}

// A wall display whose awareness mode is withdrawn ends a day after it began.
func TestAStreamOfWithdrawnAwarenessModeEnds(t *testing.T) {
	w := testkit.New(t)
	g, err := w.App.SignIn(t.Context(), people.SignIn{Email: w.Users["viewer"].Email, Password: testkit.Password, Awareness: true, Caller: people.Caller{Network: "192.0.2.1"}})
	must(t, err)
	viewer := &access.Actor{UserID: g.UserID, SessionID: g.SessionID, OrganizationID: w.Own.ID}
	w.Clock.Advance(24 * time.Hour)
	if _, err := w.App.ActorNow(t.Context(), viewer); err != nil {
		t.Errorf("awareness mode ends after a day: %v", err)
	}
	tamper(t, w.App.Store, `UPDATE app_user SET awareness = FALSE WHERE id = $1`, viewer.UserID)
	_, err = w.App.ActorNow(t.Context(), viewer)
	refused(t, err, "invalid_token")
	tamper(t, w.App.Store, `UPDATE session SET created_at = $1 WHERE id = $2`, int64(fleet.InstantOf(w.Clock.Now()).Add(-24*time.Hour+time.Millisecond)), viewer.SessionID)
	if _, err := w.App.ActorNow(t.Context(), viewer); err != nil {
		t.Errorf("ended before its day was over: %v", err)
	}
}
