package people_test

import (
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/people"
	"lightbar/internal/wire"

	"lightbar/internal/fleet"
	"lightbar/internal/testkit"
)

// A looked-up token is trusted for a few seconds, and never past its own end.
func TestTrustEndsWithTheToken(t *testing.T) {
	w := testkit.New(t)
	token := w.SignIn("viewer").AccessToken
	_, key, err := w.App.CreateKey(t.Context(), access.System(), wire.KeyCreate{OrganizationID: wire.ID(w.Own.ID), Description: "short",
		ExpiresAt: new(fleet.InstantOf(w.Clock.Now()).Add(4 * time.Hour).String())})
	must(t, err)
	w.Clock.Advance(4*time.Hour - time.Second)
	_, err = w.App.Authenticate(t.Context(), token, "")
	must(t, err)
	_, err = w.App.AuthenticateKey(t.Context(), key, "")
	must(t, err)
	w.Clock.Advance(time.Second)
	_, err = w.App.Authenticate(t.Context(), token, "")
	refused(t, err, "invalid_token")
	_, err = w.App.AuthenticateKey(t.Context(), key, "")
	refused(t, err, "invalid_key")
}

// Awareness mode that is withdrawn from a display older than a day ends it at once.
func TestWithdrawnAwarenessModeActsAtOnce(t *testing.T) {
	w := testkit.New(t)
	g, err := w.App.SignIn(t.Context(), people.SignIn{Email: w.Users["viewer"].Email, Password: testkit.Password, Awareness: true, Caller: people.Caller{Network: "192.0.2.1"}})
	must(t, err)
	w.Clock.Advance(25 * time.Hour)
	administrator := w.Actor("administrator")
	_, err = w.App.Authenticate(t.Context(), g.Access, "")
	must(t, err)
	_, err = w.App.UpdateUser(t.Context(), administrator, g.UserID, wire.UserWrite{AwarenessModeAccess: new(false)})
	must(t, err)
	_, err = w.App.Authenticate(t.Context(), g.Access, "")
	refused(t, err, "invalid_token")
}

// A proof of identity from the future, after the clock was set back, proves
// nothing; a session that is over is not brought back by one.
func TestProofsAndTheClock(t *testing.T) {
	w := testkit.New(t)
	administrator := w.Actor("administrator")
	make := func() error {
		_, _, err := w.App.CreateKey(t.Context(), administrator, wire.KeyCreate{Description: "k"})
		return err
	}
	must(t, make())
	w.Clock.Advance(-time.Minute)
	refused(t, make(), "step_up_required")
	_, err := w.App.StepUp(t.Context(), administrator, people.StepUp{Password: testkit.Password, Caller: caller()})
	must(t, err)
	must(t, make())
	w.Clock.Advance(5 * time.Hour)
	_, err = w.App.StepUp(t.Context(), administrator, people.StepUp{Password: testkit.Password, Caller: caller()})
	refused(t, err, "invalid_token")
}
