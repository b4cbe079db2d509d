package people_test

import (
	"fmt"
	"testing"
	"time"

	"lightbar/internal/app"
	"lightbar/internal/people"
	"lightbar/internal/testkit"
	"lightbar/internal/wire"
)

// Three letters an hour for an address, ten for a network: the whole hour long.
func TestLettersAreBoundedForAnHour(t *testing.T) {
	w := testkit.New(t)
	for range 3 {
		must(t, w.App.ForgotPassword(t.Context(), "viewer@demo.example", caller()))
	}
	w.Clock.Advance(time.Hour - time.Millisecond)
	elsewhere := people.Caller{Network: "198.51.100.1"}
	if r := refused(t, w.App.ForgotPassword(t.Context(), "Viewer@demo.example", elsewhere), "rate_limited"); r.RetryAfterS != 1 {
		t.Errorf("come again in %d s", r.RetryAfterS)
	}
	must(t, w.App.UnlockAccount(t.Context(), "viewer@demo.example", elsewhere)) // another kind of letter
	for i := range 7 {
		if err := w.App.UnlockAccount(t.Context(), fmt.Sprintf("nobody%d@demo.example", i), caller()); codeOf(t, err) != "user_not_known" {
			t.Fatalf("%d: %v", i, err)
		}
	}
	refused(t, w.App.UnlockAccount(t.Context(), "operator@demo.example", caller()), "rate_limited")
	w.Clock.Advance(time.Millisecond)
	must(t, w.App.ForgotPassword(t.Context(), "viewer@demo.example", elsewhere))
}

// A link to unlock works for half an hour; later it unlocks nothing.
func TestALinkToUnlockExpires(t *testing.T) {
	for late, want := range map[time.Duration]string{-time.Millisecond: "", 0: "locked_out"} {
		p := newPosted(t)
		must(t, p.App.UnlockAccount(t.Context(), "viewer@demo.example", caller()))
		token := p.one(t, "").token()
		p.Clock.Advance(30*time.Minute + late)
		in := people.SignIn{Email: "viewer@demo.example", Password: "Wrong*Heron7", Caller: caller()}
		for range 5 {
			_, err := p.App.SignIn(t.Context(), in)
			refused(t, err, "invalid_grant")
		}
		in.Password, in.UnlockToken = testkit.Password, token
		if _, err := p.App.SignIn(t.Context(), in); codeOf(t, err) != want {
			t.Errorf("%v from its end: %v", late, err)
		}
	}
}

// The scope of a key says what it is for; half a word is none.
func TestScopesOfKeys(t *testing.T) {
	w := testkit.New(t)
	administrator := w.Actor("administrator")
	thing, err := w.App.RegisterThing(t.Context(), administrator, app.NewThing{OrganizationID: w.Own.ID, SystemName: "T-1", Type: "tow"})
	must(t, err)
	for _, in := range []wire.KeyCreate{{Scopes: []string{}}, {Scopes: []string{"all"}}, {Scopes: []string{"ingest", ""}}, {Scopes: []string{"ingest"}, ThingID: wire.ID(thing.ID)}, {Scopes: []string{}, ThingID: wire.ID(thing.ID)}} {
		in.Description = "k"
		_, _, err := w.App.CreateKey(t.Context(), administrator, in)
		if r := refused(t, err, "validation_failed"); r.Fields["scopes"] == "" {
			t.Errorf("%+v: %+v", in, r)
		}
	}
}
