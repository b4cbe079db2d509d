package people_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/people"
	"lightbar/internal/wire"

	"lightbar/internal/bus"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit"
	"lightbar/internal/testkit/check"
)

func audits(t *testing.T, w *testkit.World, organizationID, verb, noun, id string) int {
	t.Helper()
	return check.Audited(t, w.App.Store, organizationID, verb, noun, id)
}

// spec: 7.user.08
func TestAddUserInvites(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		w := testkit.New(t, testkit.WithStore(s))
		ctx, administrator := t.Context(), w.Actor("administrator")
		in := wire.UserCreate{FirstName: " Ada ", LastName: "Cole", Email: " Ada.Cole@Demo.Example ", RoleID: wire.ID(role(t, "operator"))}
		m, err := w.App.CreateUser(ctx, administrator, in)
		must(t, err)
		if m.Email != "Ada.Cole@Demo.Example" || m.FirstName != "Ada" || m.OrganizationID != w.Own.ID || m.OrganizationName != w.Own.Name || m.RoleID != in.RoleID.String() ||
			m.InvitedAt == 0 || !m.InvitationOpen || m.Relation != "own" || !m.CanEdit || m.PasswordExpiresAt != 0 || m.SignInCount != 0 {
			t.Errorf("%+v", m)
		}
		if audits(t, w, w.Own.ID, "create", "user", m.ID) != 1 || audits(t, w, w.Own.ID, "invite", "user", m.ID) != 1 {
			t.Error("not audited")
		}
		var mails int
		must(t, s.Reader().QueryRowContext(ctx, "SELECT COUNT(*) FROM mail WHERE user_id = $1 AND kind = 'invitation'", m.ID).Scan(&mails))
		if mails != 1 {
			t.Errorf("%d invitations wait", mails)
		}
		// Nobody enters before a password was chosen: an empty hash never matches.
		for _, password := range []string{"", " ", testkit.Password, "no account has this password"} {
			_, err := w.App.SignIn(ctx, people.SignIn{Email: m.Email, Password: password})
			refused(t, err, "invalid_grant")
		}
		with := func(edit func(*wire.UserCreate)) wire.UserCreate {
			next := in
			next.Email = "another@demo.example"
			edit(&next)
			return next
		}
		for name, row := range map[string]struct {
			in                 wire.UserCreate
			actor, code, field string
		}{
			"the same address":            {with(func(n *wire.UserCreate) { n.Email = "ADA.COLE@demo.example" }), "administrator", "email_in_use", "email"},
			"an address elsewhere":        {with(func(n *wire.UserCreate) { n.Email = "outsider@demo.example" }), "administrator", "email_in_use", "email"},
			"no address":                  {with(func(n *wire.UserCreate) { n.Email = "" }), "administrator", "validation_failed", "email"},
			"an address with a line":      {with(func(n *wire.UserCreate) { n.Email = "a@b.example\r\nBcc: x@y.example" }), "administrator", "validation_failed", "email"},
			"an address that turns":       {with(func(n *wire.UserCreate) { n.Email = "a\u202e@b.example" }), "administrator", "validation_failed", "email"},
			"a long address":              {with(func(n *wire.UserCreate) { n.Email = strings.Repeat("a", 250) + "@b.example" }), "administrator", "validation_failed", "email"},
			"no first name":               {with(func(n *wire.UserCreate) { n.FirstName = " " }), "administrator", "validation_failed", "firstname"},
			"no last name":                {with(func(n *wire.UserCreate) { n.LastName = "" }), "administrator", "validation_failed", "lastname"},
			"10 000 characters":           {with(func(n *wire.UserCreate) { n.LastName = strings.Repeat("x", 10_000) }), "administrator", "validation_failed", "lastname"},
			"a name with a line":          {with(func(n *wire.UserCreate) { n.FirstName = "a\nb" }), "administrator", "validation_failed", "firstname"},
			"an unknown role":             {with(func(n *wire.UserCreate) { n.RoleID = "x" }), "administrator", "role_not_found", "role_id"},
			"no role":                     {with(func(n *wire.UserCreate) { n.RoleID = "" }), "administrator", "role_not_found", "role_id"},
			"a role nobody may assign":    {with(func(n *wire.UserCreate) { n.RoleID = wire.ID(role(t, "engineer")) }), "administrator", "role_not_found", "role_id"},
			"a foreign organization":      {with(func(n *wire.UserCreate) { n.OrganizationID = wire.ID(w.Foreign.ID) }), "administrator", "organization_not_found", "organization_id"},
			"an accessed organization":    {with(func(n *wire.UserCreate) { n.OrganizationID = wire.ID(w.Accessed.ID) }), "administrator", "organization_not_found", "organization_id"},
			"an organization that is not": {with(func(n *wire.UserCreate) { n.OrganizationID = "x" }), "super", "organization_not_found", "organization_id"},
			"by a manager":                {with(func(*wire.UserCreate) {}), "manager", "forbidden", ""},
		} {
			_, err := w.App.CreateUser(ctx, w.Actor(row.actor), row.in)
			r := refused(t, err, row.code)
			if _, said := r.Fields[row.field]; row.field != "" && r.Field != row.field && !said {
				t.Errorf("%s: no word about %s: %+v", name, row.field, r)
			}
		}
		if m, err := w.App.CreateUser(ctx, administrator, with(func(n *wire.UserCreate) { n.OrganizationID = wire.ID(w.Managed.ID) })); err != nil || m.OrganizationID != w.Managed.ID {
			t.Errorf("into a managed organization: %+v %v", m, err)
		}
	})
}

func TestParallelAdditionsOfOneAddressMakeOneUser(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		w := testkit.New(t, testkit.WithStore(s))
		ctx, administrator := t.Context(), w.Actor("administrator")
		var group sync.WaitGroup
		errs := make([]error, 10)
		for i := range errs {
			group.Go(func() {
				email := []string{"Twin@demo.example", "twin@DEMO.example", " twin@demo.example "}[i%3]
				_, errs[i] = w.App.CreateUser(ctx, administrator, wire.UserCreate{FirstName: "T", LastName: "W", Email: email, RoleID: wire.ID(role(t, "viewer")),
					OrganizationID: []wire.ID{wire.ID(w.Own.ID), wire.ID(w.Managed.ID)}[i%2]})
			})
		}
		group.Wait()
		made := 0
		for _, err := range errs {
			if code := codeOf(t, err); code == "" {
				made++
			} else if code != "email_in_use" {
				t.Errorf("%v", err)
			}
		}
		if made != 1 {
			t.Errorf("%d users were made", made)
		}
	})
}

// Nobody grants more than they have, whatever the role is called.
func TestNobodyGrantsMoreThanTheyHave(t *testing.T) {
	w := testkit.New(t)
	clerk := w.Actor("administrator")
	clerk.Permissions = map[string]bool{"user:manage": true, "user:create": true, "user:update": true, "user:read": true, "thing:read": true, "incident:read": true,
		"exclusion:read": true, "closure:read": true, "zone:read": true, "hazard:read": true, "heatmap:read": true}
	add := func(name string) error {
		_, err := w.App.CreateUser(t.Context(), clerk, wire.UserCreate{FirstName: "A", LastName: "B", Email: name + "@clerk.example", RoleID: wire.ID(role(t, name))})
		return err
	}
	must(t, add("viewer"))
	for _, name := range []string{"operator", "manager", "administrator"} {
		refused(t, add(name), "forbidden")
		_, err := w.App.UpdateUser(t.Context(), clerk, w.Users["viewer"].ID, wire.UserWrite{RoleID: idOf(role(t, name))})
		refused(t, err, "forbidden")
	}
	// Nor does anybody touch those who hold more.
	for _, name := range []string{"operator", "manager", "administrator", "super", "engineer"} {
		for _, edit := range []wire.UserWrite{{FirstName: new("Eve")}, {Suspended: new(true)}, {RoleID: idOf(role(t, "viewer"))}, {OrganizationID: idOf(w.Managed.ID)}} {
			if name == "administrator" {
				continue // the clerk's own account
			}
			_, err := w.App.UpdateUser(t.Context(), clerk, w.Users[name].ID, edit)
			refused(t, err, "forbidden")
		}
	}
	for _, name := range []string{"super", "engineer"} {
		refused(t, w.App.DeleteUser(t.Context(), w.Actor("administrator"), w.Users[name].ID), "forbidden")
		_, err := w.App.InviteUser(t.Context(), w.Actor("administrator"), w.Users[name].ID)
		refused(t, err, "forbidden")
	}
	_, err := w.App.UpdateUser(t.Context(), w.Actor("super"), w.Users["engineer"].ID, wire.UserWrite{FirstName: new("Eli")})
	must(t, err)
}

// spec: 5.user.01 7.user.06 3.user.02 5.address.02 5.address.03 5.address.04 5.address.05
func TestProfileEdit(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		w := testkit.New(t, testkit.WithStore(s))
		ctx, administrator := t.Context(), w.Actor("administrator")
		id := w.Users["operator"].ID
		m, err := w.App.UpdateUser(ctx, administrator, id, wire.UserWrite{FirstName: new(" Omar "), LastName: new("Reed"), PhoneNumber: new("+1 302 555 0142"), Address1: new("1 Main St"),
			Address2: new("Floor 2"), City: new("Elsmere"), State: new("de"), PostalCode: new("19805"), CountryCode: new("us"), IfMatch: 1})
		must(t, err)
		if m.FirstName != "Omar" || m.LastName != "Reed" || m.Phone != "+1 302 555 0142" || m.Address1 != "1 Main St" || m.Address2 != "Floor 2" || m.City != "Elsmere" ||
			m.State != "DE" || m.PostalCode != "19805" || m.CountryCode != "US" || m.Version != 2 {
			t.Errorf("%+v", m)
		}
		if m, err = w.App.UpdateUser(ctx, administrator, id, wire.UserWrite{PhoneNumber: new(""), Address2: new("")}); err != nil || m.Phone != "" || m.Address2 != "" || m.City != "Elsmere" || m.Version != 3 {
			t.Errorf("cleared: %+v %v", m, err)
		}
		if m, err = w.App.UpdateUser(ctx, administrator, id, wire.UserWrite{FirstName: new("Omar")}); err != nil || m.Version != 3 {
			t.Errorf("the same again: %+v %v", m, err)
		}
		if got := audits(t, w, w.Own.ID, "update", "user", id); got != 2 {
			t.Errorf("%d rows of audit", got)
		}
		for field, edit := range map[string]wire.UserWrite{"firstname": {FirstName: new(" ")}, "lastname": {LastName: new("")}, "state": {State: new("")},
			"postal_code": {PostalCode: new("1980")}, "country_code": {CountryCode: new("USA")}, "phonenumber": {PhoneNumber: new(strings.Repeat("1", 41))},
			"city": {City: new(strings.Repeat("x", 101))}, "address1": {Address1: new("a\x00b")}} {
			_, err := w.App.UpdateUser(ctx, administrator, id, edit)
			if r := refused(t, err, "validation_failed"); r.Fields[field] == "" {
				t.Errorf("%s: %+v", field, r)
			}
		}
		// A new country changes the rules for what stays.
		_, err = w.App.UpdateUser(ctx, administrator, id, wire.UserWrite{CountryCode: new("CA")})
		if r := refused(t, err, "validation_failed"); r.Fields["postal_code"] == "" || r.Fields["state"] == "" {
			t.Errorf("%+v", r)
		}
		_, err = w.App.UpdateUser(ctx, administrator, id, wire.UserWrite{FirstName: new("X"), IfMatch: 2})
		refused(t, err, "conflict")
		for _, name := range []string{"viewer", "operator", "manager"} { // spec: 6.profile.01
			_, err = w.App.UpdateUser(ctx, w.Actor(name), w.Users[name].ID, wire.UserWrite{FirstName: new("X")})
			refused(t, err, "forbidden")
		}
		for _, out := range []string{"", "x", w.Users["outsider"].ID} { // spec: 8.user.02
			_, err = w.App.UpdateUser(ctx, administrator, out, wire.UserWrite{FirstName: new("X")})
			if r := refused(t, err, "user_not_found"); !strings.Contains(r.Message, "find") {
				t.Errorf("%q", r.Message)
			}
		}
	})
}

func TestOwnAccountIsProtected(t *testing.T) {
	w := testkit.New(t)
	administrator := w.Actor("administrator")
	own := w.Users["administrator"]
	for _, edit := range []wire.UserWrite{{RoleID: idOf(role(t, "viewer"))}, {Suspended: new(true)}, {OrganizationID: idOf(w.Managed.ID)}} {
		_, err := w.App.UpdateUser(t.Context(), administrator, own.ID, edit)
		refused(t, err, "own_account")
	}
	refused(t, w.App.DeleteUser(t.Context(), administrator, own.ID), "own_account")
	// The profile may be edited, with the present role along (spec: 5.user.02).
	m, err := w.App.UpdateUser(t.Context(), administrator, own.ID, wire.UserWrite{FirstName: new("Dana"), RoleID: idOf(own.RoleID), Suspended: new(false), OrganizationID: idOf(w.Own.ID)})
	if err != nil || m.FirstName != "Dana" {
		t.Errorf("%+v %v", m, err)
	}
}

// spec: 7.user.07 6.model.05
func TestRolesActOnLiveSessionsAtOnce(t *testing.T) {
	b, err := bus.Open(bus.Options{})
	must(t, err)
	w := testkit.New(t, testkit.WithBus(b))
	changed := make(chan string, 8)
	defer b.OnAccessChanged(func(userID, _ string) { changed <- userID })()
	administrator, id := w.Actor("administrator"), w.Users["operator"].ID
	token := w.SignIn("operator").AccessToken
	before, err := w.App.Authenticate(t.Context(), token, "")
	must(t, err)
	m, err := w.App.UpdateUser(t.Context(), administrator, id, wire.UserWrite{FirstName: new("Omar"), LastName: new("Reed"), RoleID: idOf(role(t, "viewer"))})
	must(t, err)
	after, err := w.App.Authenticate(t.Context(), token, "") // within the seconds in which look-ups are trusted
	must(t, err)
	if !before.Can("thing:update") || after.Can("thing:update") || m.RoleID != role(t, "viewer") {
		t.Errorf("before %v, after %v, %+v", before.Can("thing:update"), after.Can("thing:update"), m)
	}
	if got := <-changed; got != id {
		t.Errorf("sockets of %s look again", got)
	}
	if audits(t, w, w.Own.ID, "change_role", "user", id) != 1 {
		t.Error("not audited")
	}
	w.Clock.Advance(11 * time.Minute)
	_, err = w.App.UpdateUser(t.Context(), administrator, id, wire.UserWrite{RoleID: idOf(role(t, "operator"))})
	refused(t, err, "step_up_required")
	_, err = w.App.UpdateUser(t.Context(), administrator, id, wire.UserWrite{RoleID: idOf(role(t, "viewer")), FirstName: new("Om")}) // the role stays: no proof needed
	must(t, err)
	refused(t, w.App.DeleteUser(t.Context(), administrator, id), "step_up_required")
}

func TestSuspensionEndsSessionsAndKeys(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		w := testkit.New(t, testkit.WithStore(s))
		ctx := t.Context()
		second := w.AddUser("second@demo.example", w.Own.ID, "administrator")
		w.Users["second"] = second
		token := w.SignIn("second").AccessToken
		actor := w.Actor("second")
		_, secret, err := w.App.CreateKey(ctx, actor, wire.KeyCreate{Description: "mine"})
		must(t, err)
		_, err = w.App.AuthenticateKey(ctx, secret, "")
		must(t, err)
		administrator := w.Actor("administrator")
		m, err := w.App.UpdateUser(ctx, administrator, second.ID, wire.UserWrite{Suspended: new(true)})
		must(t, err)
		if !m.Suspended || m.Version != second.Version+1 {
			t.Errorf("%+v", m)
		}
		_, err = w.App.Authenticate(ctx, token, "")
		refused(t, err, "invalid_token")
		_, err = w.App.AuthenticateKey(ctx, secret, "") // though the look-up was cached
		refused(t, err, "invalid_key")
		_, err = w.App.SignIn(ctx, people.SignIn{Email: second.Email, Password: testkit.Password})
		refused(t, err, "user_suspended")
		_, err = w.App.UpdateUser(ctx, administrator, second.ID, wire.UserWrite{Suspended: new(false)})
		must(t, err)
		_, err = w.App.Authenticate(ctx, token, "") // an ended session stays ended
		refused(t, err, "invalid_token")
		if _, err = w.App.AuthenticateKey(ctx, secret, ""); err != nil {
			t.Errorf("the key of a restored user: %v", err)
		}
		if audits(t, w, w.Own.ID, "suspend", "user", second.ID) != 1 || audits(t, w, w.Own.ID, "restore", "user", second.ID) != 1 {
			t.Error("not audited")
		}
	})
}

// spec: 7.user.09
func TestDeleteUser(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		w := testkit.New(t, testkit.WithStore(s))
		ctx := t.Context()
		second := w.AddUser("second@demo.example", w.Own.ID, "administrator")
		w.Users["second"] = second
		token := w.SignIn("second").AccessToken
		k, secret, err := w.App.CreateKey(ctx, w.Actor("second"), wire.KeyCreate{Description: "mine"})
		must(t, err)
		administrator := w.Actor("administrator")
		refused(t, w.App.DeleteUser(ctx, w.Actor("manager"), second.ID), "forbidden")
		refused(t, w.App.DeleteUser(ctx, w.Actor("outsider"), second.ID), "not_found")
		refused(t, w.App.DeleteUser(ctx, administrator, "x"), "not_found")
		must(t, w.App.DeleteUser(ctx, administrator, second.ID))
		refused(t, w.App.DeleteUser(ctx, administrator, second.ID), "not_found")
		_, err = w.App.Authenticate(ctx, token, "")
		refused(t, err, "invalid_token")
		_, err = w.App.AuthenticateKey(ctx, secret, "")
		refused(t, err, "invalid_key")
		_, err = w.App.SignIn(ctx, people.SignIn{Email: second.Email, Password: testkit.Password})
		refused(t, err, "invalid_grant")
		_, err = w.App.Member(ctx, administrator, second.ID)
		refused(t, err, "not_found")
		if row, err := store.KeyByID(ctx, s.Reader(), k.ID); err != nil || row.RevokedAt == 0 {
			t.Errorf("the key: %+v %v", row, err)
		}
		if audits(t, w, w.Own.ID, "delete", "user", second.ID) != 1 {
			t.Error("not audited")
		}
		// The address is free; the new person is not the old one.
		m, err := w.App.CreateUser(ctx, administrator, wire.UserCreate{FirstName: "S", LastName: "B", Email: second.Email, RoleID: wire.ID(role(t, "viewer"))})
		if err != nil || m.ID == second.ID {
			t.Errorf("%+v %v", m, err)
		}
	})
}

func TestTheLastAdministratorStays(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		w := testkit.New(t, testkit.WithStore(s))
		ctx, super, last := t.Context(), w.Actor("super"), w.Users["outsider"]
		w.AddUser("crew@demo.example", w.Foreign.ID, "viewer")
		for _, edit := range []wire.UserWrite{{Suspended: new(true)}, {RoleID: idOf(role(t, "manager"))}, {OrganizationID: idOf(w.Own.ID)}, {RoleID: idOf(role(t, "super"))}} {
			_, err := w.App.UpdateUser(ctx, super, last.ID, edit)
			refused(t, err, "last_administrator")
		}
		refused(t, w.App.DeleteUser(ctx, super, last.ID), "last_administrator")
		// Somebody invited or suspended keeps no organization alive.
		_, err := w.App.CreateUser(ctx, super, wire.UserCreate{OrganizationID: wire.ID(w.Foreign.ID), FirstName: "I", LastName: "N", Email: "in@demo.example", RoleID: wire.ID(role(t, "administrator"))})
		must(t, err)
		refused(t, w.App.DeleteUser(ctx, super, last.ID), "last_administrator")
		// Two administrators who remove each other at the same time: one stays.
		other := w.AddUser("other@demo.example", w.Foreign.ID, "administrator")
		w.Users["other"] = other
		actors := []*access.Actor{w.Actor("outsider"), w.Actor("other")}
		errs := make([]error, 2)
		var group sync.WaitGroup
		for i, victim := range []string{other.ID, last.ID} {
			group.Go(func() { errs[i] = w.App.DeleteUser(ctx, actors[i], victim) })
		}
		group.Wait()
		codes := fmt.Sprint(codeOf(t, errs[0]), codeOf(t, errs[1]))
		if codes != "last_administrator" {
			t.Errorf("both removals: %v", errs)
		}
		// The very last user of an organization without assets may go: else it could never be closed.
		left, _, err := w.App.ListMembers(ctx, super, people.MemberQuery{OrganizationIDs: []string{w.Foreign.ID}})
		must(t, err)
		survivor := ""
		for _, m := range left {
			if m.ID == last.ID || m.ID == other.ID {
				survivor = m.ID
				refused(t, w.App.DeleteUser(ctx, super, survivor), "last_administrator")
			}
		}
		for _, m := range left {
			if m.ID != survivor {
				must(t, w.App.DeleteUser(ctx, super, m.ID))
			}
		}
		must(t, w.App.DeleteUser(ctx, super, survivor))
	})
}

// spec: 7.user.02 7.user.04 1.org.01
func TestMovingAUser(t *testing.T) {
	w := testkit.New(t)
	ctx, administrator, id := t.Context(), w.Actor("administrator"), w.Users["operator"].ID
	token := w.SignIn("operator").AccessToken
	for _, to := range []string{w.Foreign.ID, w.Accessed.ID, "x"} {
		_, err := w.App.UpdateUser(ctx, administrator, id, wire.UserWrite{OrganizationID: idOf(to)})
		refused(t, err, "organization_not_found")
	}
	if m, err := w.App.UpdateUser(ctx, administrator, id, wire.UserWrite{OrganizationID: idOf("")}); err != nil || m.OrganizationID != w.Own.ID {
		t.Errorf("an empty id is none: %+v %v", m, err) // 5.general.04
	}
	m, err := w.App.UpdateUser(ctx, administrator, id, wire.UserWrite{OrganizationID: idOf(w.Managed.ID)})
	if err != nil || m.OrganizationID != w.Managed.ID || m.OrganizationName != w.Managed.Name {
		t.Errorf("%+v %v", m, err)
	}
	_, err = w.App.Authenticate(ctx, token, "")
	refused(t, err, "organization_changed")
	if audits(t, w, w.Own.ID, "move", "user", id) != 1 || audits(t, w, w.Managed.ID, "move", "user", id) != 1 {
		t.Error("not audited on both sides")
	}
	actor := w.Actor("operator")
	if actor.OrganizationID != w.Managed.ID || actor.Reach(w.Own.ID) != access.None {
		t.Errorf("%+v", actor)
	}
}

// Nobody's mailbox is filled under our name: three invitations an hour to an address, whatever becomes of its user, and as many
// as the limit says from one sender.
func TestInvitationsAreLimited(t *testing.T) {
	w := testkit.New(t)
	ctx, administrator := t.Context(), w.Actor("administrator")
	add := func(email string) (string, error) {
		m, err := w.App.CreateUser(ctx, administrator, wire.UserCreate{FirstName: "A", LastName: "B", Email: email, RoleID: wire.ID(role(t, "viewer"))})
		return m.ID, err
	}
	id, err := add("victim@demo.example")
	must(t, err)
	_, err = w.App.InviteUser(ctx, administrator, id)
	must(t, err)
	must(t, w.App.DeleteUser(ctx, administrator, id))
	id, err = add("Victim@demo.example")
	must(t, err)
	_, err = w.App.InviteUser(ctx, administrator, id)
	if r := refused(t, err, "rate_limited"); r.RetryAfterS != 3600+1 {
		t.Errorf("come again after %d s", r.RetryAfterS)
	}
	_, err = w.App.InviteUser(ctx, w.Actor("super"), id) // the address counts, not who sends
	refused(t, err, "rate_limited")
	for i := 3; i < 50; i++ {
		if _, err := add(fmt.Sprintf("new%d@demo.example", i)); err != nil {
			t.Fatalf("%d: %v", i, err)
		}
	}
	before, err := store.CountUsers(ctx, w.App.Store.Reader())
	must(t, err)
	_, err = add("one.more@demo.example")
	refused(t, err, "rate_limited")
	if after, err := store.CountUsers(ctx, w.App.Store.Reader()); err != nil || after != before {
		t.Errorf("%d users, before %d: one who was not invited (%v)", after, before, err)
	}
	w.Clock.Advance(time.Hour + time.Second)
	_, err = w.App.InviteUser(ctx, w.Actor("administrator"), id)
	must(t, err)
}

func TestInvitationsAreSentAgain(t *testing.T) {
	w := testkit.New(t)
	ctx, administrator := t.Context(), w.Actor("administrator")
	m, err := w.App.CreateUser(ctx, administrator, wire.UserCreate{FirstName: "A", LastName: "B", Email: "ab@demo.example", RoleID: wire.ID(role(t, "viewer"))})
	must(t, err)
	w.Clock.Advance(time.Hour)
	_, err = w.App.InviteUser(ctx, administrator, m.ID)
	refused(t, err, "step_up_required")
	administrator = w.Actor("administrator")
	again, err := w.App.InviteUser(ctx, administrator, m.ID)
	if err != nil || again.InvitedAt != m.InvitedAt.Add(time.Hour) || audits(t, w, w.Own.ID, "invite", "user", m.ID) != 2 {
		t.Errorf("%+v %v", again, err)
	}
	_, err = w.App.InviteUser(ctx, administrator, w.Users["viewer"].ID) // has a password: it would be a way around the reset
	refused(t, err, "validation_failed")
	for _, id := range []string{"x", w.Users["outsider"].ID} {
		_, err = w.App.InviteUser(ctx, administrator, id)
		refused(t, err, "user_not_found")
	}
	_, err = w.App.InviteUser(ctx, w.Actor("manager"), m.ID)
	refused(t, err, "forbidden")
	_, err = w.App.UpdateUser(ctx, administrator, m.ID, wire.UserWrite{Suspended: new(true)})
	must(t, err)
	_, err = w.App.InviteUser(ctx, administrator, m.ID)
	refused(t, err, "validation_failed")
}
