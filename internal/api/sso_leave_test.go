package api_test

import (
	"net/url"
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/wire"

	"lightbar/internal/fleet"
	post "lightbar/internal/mail"
	"lightbar/internal/sso"
	"lightbar/internal/store"
	"lightbar/internal/testkit"
	"lightbar/internal/testkit/smtptest"
)

const bobsEmail = "bob@city.example"

// mailedCity is a city whose mails arrive at a real SMTP server.
func mailedCity(t *testing.T) (*city, *smtptest.Server) {
	t.Helper()
	c, server := newCity(t), smtptest.New(t, smtptest.Rules{})
	sender, err := post.NewSMTP(post.SMTPOptions{URL: "smtp://" + server.Addr, From: post.From{Address: "noreply@fleet.example"}, Helo: "fleet.example"})
	must(t, err)
	c.App.Post = sender
	return c, server
}

// user is the user of a subject.
func (c *city) user(t *testing.T, subject string) fleet.User {
	t.Helper()
	id, err := store.UserOfIdentity(t.Context(), c.App.Store.Reader(), c.mock.Issuer(), subject)
	must(t, err)
	u, err := store.UserByID(t.Context(), c.App.Store.Reader(), id)
	must(t, err)
	return u
}

// keyOf is an API key of a subject.
func (c *city) keyOf(t *testing.T, subject string) string {
	t.Helper()
	k, secret, err := c.App.CreateKey(t.Context(), c.Actor("administrator"), wire.KeyCreate{Description: "gateway"})
	must(t, err)
	must(t, c.App.Store.Write(t.Context(), func(tx *store.Tx) error {
		_, err := tx.ExecContext(t.Context(), `UPDATE api_key SET user_id = $1 WHERE id = $2`, c.user(t, subject).ID, k.ID)
		return err
	}))
	return secret
}

// reports reports whether an API key works.
func (c *city) reports(t *testing.T, secret string) bool {
	_, err := c.App.AuthenticateKey(t.Context(), secret, "192.0.2.1")
	return err == nil
}

// Who came by a provider cannot give themselves a password: a letter says so, and the answer is that of every account.
func TestPeopleOfAProviderMakeNoPasswordOfTheirOwn(t *testing.T) {
	c, server := mailedCity(t)
	c.enters(t, person("bob", bobsEmail, "chiefs"))
	for _, path := range []string{"/api/forgot_password", "/api/unlock_account"} {
		mine, others := c.Do(ask(path, bobsEmail)), c.Do(ask(path, "viewer@demo.example"))
		if mine.Status != others.Status || mine.Text != others.Text {
			t.Errorf("%s: %d %s, others %d %s", path, mine.Status, mine.Text, others.Status, others.Text)
		}
	}
	if n := mails(t, c.World, "no_password"); n != 2 {
		t.Errorf("%d letters that say how to sign in", n)
	}
	var links int
	must(t, c.App.Store.Reader().QueryRowContext(t.Context(), `SELECT COUNT(*) FROM one_time WHERE user_id = $1`, c.user(t, "bob").ID).Scan(&links))
	if links != 0 {
		t.Errorf("%d links were made", links)
	}
	must(t, c.App.RunMail(t.Context()))

	// Break-glass users may: they are there for the day on which the provider is not.
	must(t, c.App.SetBreakGlass(t.Context(), access.System(), bobsEmail, true))
	c.Do(ask("/api/forgot_password", bobsEmail))
	link := tokenOf(linkIn(t, c.World, server))
	must(t, c.App.SetBreakGlass(t.Context(), access.System(), bobsEmail, false)) // taken back before the link was used
	wants(t, c.Do(choose("/api/reset_password", link, chosen)), 401, "not_authorized_method", "")
	must(t, c.App.SetBreakGlass(t.Context(), access.System(), bobsEmail, true))
	if r := c.Do(choose("/api/reset_password", link, chosen)); r.Status != 200 {
		t.Errorf("%d %s", r.Status, r.Text)
	}
}

// An administrator may give somebody of a provider a password beside it; nobody gives themselves one.
func TestAnInvitationGivesPeopleOfAProviderAPassword(t *testing.T) {
	c, server := mailedCity(t)
	access := c.enters(t, person("bob", bobsEmail, "chiefs"))
	bob, err := c.App.Authenticate(t.Context(), access, "192.0.2.1")
	must(t, err)
	wants(t, c.Do(testkit.Request{Method: "POST", Path: "/api/users/" + bob.UserID + "/invitation", Token: access}), 422, "own_account", "")
	m, err := c.App.InviteUser(t.Context(), c.Actor("administrator"), bob.UserID)
	if err != nil || !m.NoPassword {
		t.Fatalf("%+v %v", m, err)
	}
	if r := c.Do(choose("/api/accept_invitation", tokenOf(linkIn(t, c.World, server)), chosen)); r.Status != 200 {
		t.Fatalf("%d %s", r.Status, r.Text)
	}
	if r := c.Do(signIn(bobsEmail, chosen)); r.Status != 200 {
		t.Errorf("%d %s", r.Status, r.Text)
	}
	c.Do(ask("/api/forgot_password", bobsEmail)) // they have one now, and may have forgotten it
	if r := c.Do(choose("/api/reset_password", tokenOf(linkIn(t, c.World, server)), "Another#Heron8 at dusk")); r.Status != 200 {
		t.Errorf("%d %s", r.Status, r.Text)
	}
}

// Who is in no group any more has lost everything that was open: session, password and keys, until a group lets them in again.
func TestLeavingAtTheProviderEndsAccess(t *testing.T) {
	c, _ := mailedCity(t)
	bob := person("bob", bobsEmail, "chiefs")
	c.enters(t, bob)
	secret := c.keyOf(t, "bob")
	must(t, c.App.SetUserPassword(t.Context(), access.System(), bobsEmail, chosen))
	token := c.enters(t, bob)
	if !c.reports(t, secret) {
		t.Fatal("the key does not work")
	}
	bob.Groups = []string{"staff"}
	for range 2 {
		c.refused(t, c.comeBack(c.leave(t, "", bob)), "sso_not_mapped")
	}
	wants(t, c.Get("/api/profile", token), 401, "invalid_token", "")
	wants(t, c.Do(signIn(bobsEmail, chosen)), 400, "user_suspended", "")
	if c.reports(t, secret) {
		t.Error("a key outlives the groups")
	}
	if n := mails(t, c.World, "suspended"); n != 1 || !hasAudit(t, c.World, c.Own.ID, "suspend") {
		t.Errorf("%d letters, or no audit", n)
	}
	bob.Groups = []string{"chiefs"}
	c.enters(t, bob)
	if !c.reports(t, secret) || !hasAudit(t, c.World, c.Own.ID, "restore") {
		t.Error("the provider lets in again, and the key does not work or no audit")
	}
}

// The provider lifts what it set, and nothing that a person here has set.
func TestTheProviderLiftsItsOwnSuspensionAlone(t *testing.T) {
	c, _ := mailedCity(t)
	bob := person("bob", bobsEmail, "chiefs")
	c.enters(t, bob)
	id := c.user(t, "bob").ID
	suspend := func(on bool) {
		t.Helper()
		_, err := c.App.UpdateUser(t.Context(), c.Actor("administrator"), id, wire.UserWrite{Suspended: &on})
		must(t, err)
	}
	bob.Groups = []string{"staff"}
	c.refused(t, c.comeBack(c.leave(t, "", bob)), "sso_not_mapped")
	suspend(false)
	if u := c.user(t, "bob"); u.Suspended || u.ShutOut {
		t.Errorf("an administrator reactivates: %+v", u)
	}
	suspend(true)
	bob.Groups = []string{"chiefs"}
	c.refused(t, c.comeBack(c.leave(t, "", bob)), "user_suspended")
	suspend(false)
	c.enters(t, bob)
}

// Two buttons may lead to one issuer: the one that does not map somebody's organization cannot shut them out.
func TestTheWrongButtonShutsNobodyOut(t *testing.T) {
	c, _ := mailedCity(t)
	other := &sso.Client{Provider: c.client.Provider, RedirectURL: c.App.PublicURL + "/api/sso/county/callback", Now: c.App.Now}
	other.ID, other.Mappings = "county", []sso.Mapping{{Group: "clerks", Organization: c.Foreign.ID, Role: "viewer"}}
	c.App.Providers = append(c.App.Providers, other)
	bob := person("bob", bobsEmail, "chiefs")
	access := c.enters(t, bob)
	r := c.Do(testkit.Request{Path: "/api/sso/county/start"})
	v := visit{cookie: cookieNamed(t, r, "lb_visit")}
	address, err := url.Parse(r.Header.Get("Location"))
	must(t, err)
	v.back = c.passes(t, address, bob)
	c.refused(t, c.comeBack(v), "sso_not_mapped")
	c.lives(t, access)
	if u := c.user(t, "bob"); u.Suspended {
		t.Error("suspended")
	}
}

// The password of a break-glass user goes on working on the day on which the provider has lost its groups.
func TestBreakGlassUsersAreNotSuspendedByTheProvider(t *testing.T) {
	c, _ := mailedCity(t)
	bob := person("bob", bobsEmail, "chiefs")
	token := c.enters(t, bob)
	must(t, c.App.SetUserPassword(t.Context(), access.System(), bobsEmail, chosen))
	must(t, c.App.SetBreakGlass(t.Context(), access.System(), bobsEmail, true))
	bob.Groups = []string{"staff"}
	c.refused(t, c.comeBack(c.leave(t, "", bob)), "sso_not_mapped")
	wants(t, c.Get("/api/profile", token), 401, "invalid_token", "")
	c.Clock.Advance(time.Second)
	if r := c.Do(signIn(bobsEmail, chosen)); r.Status != 200 {
		t.Errorf("%d %s", r.Status, r.Text)
	}
}
