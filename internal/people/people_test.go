package people_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/people"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit"
	"lightbar/internal/wire"
)

// spec: 7.user.01 D.wire.03 6.list.01 1.org.01
func TestProfile(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		w := testkit.New(t, testkit.WithStore(s))
		p, err := w.App.Profile(t.Context(), w.Actor("viewer"))
		must(t, err)
		if p.User.Email != "viewer@demo.example" || p.Organization.ID != w.Own.ID || !p.User.ACS || !p.User.HasAwarenessModeAccess || p.User.SignInCount != 1 {
			t.Errorf("user %+v", p.User)
		}
		if want := fleet.InstantOf(w.Clock.Now().Add(90 * 24 * time.Hour)); p.User.PasswordExpiresAt != want {
			t.Errorf("the password expires %s, want %s", p.User.PasswordExpiresAt, want)
		}
		if len(p.ManagedOrganizations) != 1 || p.ManagedOrganizations[0].ID != w.Managed.ID || len(p.AccessedOrganizations) != 1 || p.AccessedOrganizations[0].ID != w.Accessed.ID {
			t.Errorf("organizations: managed %v accessed %v", p.ManagedOrganizations, p.AccessedOrganizations)
		}
		if managers := p.ManagedOrganizations[0].OrganizationManagers; len(managers) != 1 || managers[0].Name != w.Own.Name {
			t.Errorf("managers %v", managers)
		}
		if want := []string{"things", "events", "areas", "closures", "zones", "hazards"}; !slices.Equal(p.User.DashboardAccess, want) {
			t.Errorf("sections %v", p.User.DashboardAccess)
		}
		if a := p.User.Access["thing"]; !a.CanRead || a.CanUpdate || a.CanCreate || a.CanDelete {
			t.Errorf("access to things %+v", a)
		}
		super, err := w.App.Profile(t.Context(), w.Actor("super"))
		must(t, err)
		if len(super.ManagedOrganizations) != 3 || len(super.AccessedOrganizations) != 0 {
			t.Errorf("super reaches %d and %d organizations", len(super.ManagedOrganizations), len(super.AccessedOrganizations))
		}
	})
}

func TestReach(t *testing.T) {
	w := testkit.New(t)
	viewer, super := w.Actor("viewer"), w.Actor("super")
	for _, row := range []struct {
		id          string
		mine, other access.Reach
	}{{w.Own.ID, access.Full, access.Full}, {w.Managed.ID, access.Full, access.Full}, {w.Accessed.ID, access.Read, access.Full},
		{w.Foreign.ID, access.None, access.Full}, {"", access.None, access.Full}} {
		if viewer.Reach(row.id) != row.mine || super.Reach(row.id) != row.other {
			t.Errorf("%s: %d and %d", row.id, viewer.Reach(row.id), super.Reach(row.id))
		}
	}
	// The relation works one way only.
	if got := w.Actor("outsider").Reach(w.Own.ID); got != access.None {
		t.Errorf("outsider: %d", got)
	}
	// Losing reach acts at once.
	must(t, w.App.RelateOrganizations(t.Context(), access.System(), w.Managed.ID, w.Own.ID, "delete"))
	if got := w.Actor("viewer").Reach(w.Managed.ID); got != access.None {
		t.Errorf("after the relation ended: %d", got)
	}
}

func TestCreateUser(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		w := testkit.New(t, testkit.WithStore(s))
		in := wire.UserCreate{OrganizationID: wire.ID(w.Own.ID), Email: "New.Person@demo.example", FirstName: "New", LastName: "Person", RoleID: wire.ID(role(t, "operator")), Password: new(testkit.Password)}
		u, err := w.App.CreateUser(t.Context(), w.Actor("administrator"), in)
		must(t, err)
		stored, err := store.UserByID(t.Context(), s.Reader(), u.ID)
		if err != nil || stored.EmailKey != "new.person@demo.example" || stored.PasswordHash == "" || strings.Contains(stored.PasswordHash, testkit.Password) || u.InvitedAt != 0 {
			t.Errorf("user %+v", u)
		}
		if _, err := w.App.SignIn(t.Context(), people.SignIn{Email: "NEW.PERSON@demo.example", Password: testkit.Password}); err != nil {
			t.Errorf("sign in: %v", err)
		}
		with := func(edit func(*wire.UserCreate)) wire.UserCreate {
			next := in
			next.Email = "another@demo.example"
			edit(&next)
			return next
		}
		for name, row := range map[string]struct {
			in          wire.UserCreate
			actor, code string
		}{
			"the same address":         {with(func(n *wire.UserCreate) { n.Email = " new.PERSON@demo.example" }), "administrator", "email_in_use"},
			"weak password":            {with(func(n *wire.UserCreate) { n.Password = new("Password1!") }), "administrator", "password_common"},
			"no address":               {with(func(n *wire.UserCreate) { n.Email = "nobody" }), "administrator", "validation_failed"},
			"spaces in the address":    {with(func(n *wire.UserCreate) { n.Email = "a b@demo.example" }), "administrator", "validation_failed"},
			"no name":                  {with(func(n *wire.UserCreate) { n.FirstName = " " }), "administrator", "validation_failed"},
			"unknown role":             {with(func(n *wire.UserCreate) { n.RoleID = "x" }), "administrator", "role_not_found"},
			"super by administrator":   {with(func(n *wire.UserCreate) { n.RoleID = wire.ID(role(t, "super")) }), "administrator", "role_not_found"},
			"foreign organization":     {with(func(n *wire.UserCreate) { n.OrganizationID = wire.ID(w.Foreign.ID) }), "administrator", "organization_not_found"},
			"accessed organization":    {with(func(n *wire.UserCreate) { n.OrganizationID = wire.ID(w.Accessed.ID) }), "administrator", "organization_not_found"},
			"organization that is not": {with(func(n *wire.UserCreate) { n.OrganizationID = "x" }), "super", "organization_not_found"},
			"by a manager":             {with(func(n *wire.UserCreate) {}), "manager", "forbidden"},
		} {
			_, err := w.App.CreateUser(t.Context(), w.Actor(row.actor), row.in)
			var refusal *fleet.Refusal
			if !errors.As(err, &refusal) || refusal.Code != row.code {
				t.Errorf("%s: %v, want %s", name, err, row.code)
			}
		}
		if _, err := w.App.CreateUser(t.Context(), w.Actor("super"), with(func(n *wire.UserCreate) { n.RoleID = wire.ID(role(t, "engineer")) })); err != nil {
			t.Errorf("engineer by super: %v", err)
		}
	})
}

func TestKeys(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		w := testkit.New(t, testkit.WithStore(s))
		ctx, administrator := t.Context(), w.Actor("administrator")
		k, secret, err := w.App.CreateKey(ctx, administrator, wire.KeyCreate{OrganizationID: wire.ID(w.Own.ID), Description: "trucks",
			ExpiresAt: new(fleet.InstantOf(w.Clock.Now().Add(time.Hour)).String())})
		must(t, err)
		actor, err := w.App.AuthenticateKey(ctx, secret, "192.0.2.9")
		must(t, err)
		if actor.KeyID != k.ID || actor.OrganizationID != w.Own.ID || actor.UserID != "" || len(actor.Permissions) != 0 || actor.Network != "192.0.2.9" || actor.KeyThingID != "" {
			t.Errorf("actor %+v", actor)
		}
		refused(t, w.App.RevokeKey(ctx, w.Actor("outsider"), k.ID), "not_found")
		refused(t, w.App.RevokeKey(ctx, w.Actor("manager"), k.ID), "forbidden")
		w.Clock.Advance(time.Hour)
		_, err = w.App.AuthenticateKey(ctx, secret, "")
		refused(t, err, "invalid_key")

		administrator = w.Actor("administrator")
		k, secret, err = w.App.CreateKey(ctx, administrator, wire.KeyCreate{OrganizationID: wire.ID(w.Own.ID), Description: "trucks"})
		must(t, err)
		if _, err = w.App.AuthenticateKey(ctx, secret, ""); err != nil {
			t.Fatal(err)
		}
		must(t, w.App.RevokeKey(ctx, administrator, k.ID))
		must(t, w.App.RevokeKey(ctx, administrator, k.ID))
		_, err = w.App.AuthenticateKey(ctx, secret, "") // though the look-up was cached
		refused(t, err, "invalid_key")

		thing, err := w.App.RegisterThing(ctx, administrator, app.NewThing{OrganizationID: w.Own.ID, SystemName: "HA7-1", Type: "fire"})
		must(t, err)
		_, secret, err = w.App.CreateKey(ctx, administrator, wire.KeyCreate{OrganizationID: wire.ID(w.Own.ID), Description: "phone", ThingID: wire.ID(thing.ID)})
		must(t, err)
		actor, err = w.App.AuthenticateKey(ctx, secret, "")
		must(t, err)
		if actor.KeyThingID != thing.ID {
			t.Errorf("actor %+v", actor)
		}
		for _, row := range []struct {
			in   wire.KeyCreate
			code string
		}{
			{wire.KeyCreate{OrganizationID: wire.ID(w.Foreign.ID), Description: "x"}, "organization_not_found"},
			{wire.KeyCreate{OrganizationID: wire.ID(w.Accessed.ID), Description: "x"}, "organization_not_found"},
			{wire.KeyCreate{OrganizationID: wire.ID(w.Managed.ID), Description: "x", ThingID: wire.ID(thing.ID)}, "thing_not_found"},
			{wire.KeyCreate{OrganizationID: wire.ID(w.Own.ID), Description: "x", Scopes: []string{}}, "validation_failed"},
			{wire.KeyCreate{OrganizationID: wire.ID(w.Own.ID), Description: "x", Scopes: []string{"everything"}}, "validation_failed"},
			{wire.KeyCreate{OrganizationID: wire.ID(w.Own.ID), Description: " "}, "validation_failed"},
		} {
			_, _, err := w.App.CreateKey(ctx, administrator, row.in)
			refused(t, err, row.code)
		}
	})
}

func TestMutationsAreAudited(t *testing.T) {
	w := testkit.New(t)
	rows, err := store.ListAudit(t.Context(), w.App.Store.Reader(), w.Own.ID, 0, 100)
	must(t, err)
	seen := map[string]bool{}
	for _, r := range rows {
		seen[r.Verb+" "+r.Noun] = true
		if r.ID == "" || r.At == 0 || r.Network == "" || strings.Contains(string(r.After), "argon2") {
			t.Errorf("row %+v", r)
		}
	}
	for _, want := range []string{"create organization", "create key"} {
		if !seen[want] {
			t.Errorf("no row for %s in %v", want, seen)
		}
	}
	w.SignIn("viewer")
	_, _ = w.App.SignIn(t.Context(), people.SignIn{Email: "viewer@demo.example", Password: "wrong"})
	must(t, w.App.SetUserPassword(t.Context(), access.System(), "viewer@demo.example", "Quiet+Marsh#4 otter"))
	rows, err = store.ListAudit(t.Context(), w.App.Store.Reader(), w.Own.ID, 0, 100)
	must(t, err)
	for _, verb := range []string{"sign_in", "sign_in_refused", "set_password"} {
		if !slices.ContainsFunc(rows, func(r fleet.AuditRow) bool { return r.Verb == verb && r.NounID == w.Users["viewer"].ID }) {
			t.Errorf("no row for %s", verb)
		}
	}
}

func TestUnlockTokenClearsTheLimits(t *testing.T) {
	w := testkit.New(t)
	caller := people.Caller{Network: "198.51.100.1"}
	for range 5 {
		_, err := w.App.SignIn(t.Context(), people.SignIn{Email: "viewer@demo.example", Password: "wrong", Caller: caller})
		refused(t, err, "invalid_grant")
	}
	in := people.SignIn{Email: "viewer@demo.example", Password: testkit.Password, Caller: caller, UnlockToken: "lb_unl_secret"}
	_, err := w.App.SignIn(t.Context(), in)
	refused(t, err, "locked_out")
	must(t, w.App.Store.Write(t.Context(), func(tx *store.Tx) error {
		now := fleet.InstantOf(w.Clock.Now())
		return tx.InsertOneTime(t.Context(), store.OneTime{Hash: testkit.SHA256("lb_unl_secret"), Purpose: "unlock", UserID: w.Users["viewer"].ID, CreatedAt: now, ExpiresAt: now.Add(time.Hour)})
	}))
	if _, err := w.App.SignIn(t.Context(), in); err != nil {
		t.Errorf("with the unlock token: %v", err)
	}
}
