package api_test

import (
	"strings"
	"testing"

	"lightbar/internal/access"
	"lightbar/internal/fleet"
	"lightbar/internal/sso"
	"lightbar/internal/store"
)

// A name is its administrators' to change, so that it leads nowhere: neither when another tenant takes it, nor when it is given up.
func TestNamesOfOrganizationsPlaceNobody(t *testing.T) {
	c := newCity(t)
	ann := person("ann", "ann@city.example", "tow")
	access := c.enters(t, ann)
	c.client.Mappings = []sso.Mapping{{Group: "tow", Organization: c.Managed.Name, Role: "administrator"}}
	c.rename(t, c.Foreign.ID, strings.ToUpper(c.Managed.Name))
	c.refused(t, c.comeBack(c.leave(t, "", ann)), "sso_misconfigured")
	c.refused(t, c.comeBack(c.leave(t, "", person("bob", "bob@city.example", "tow"))), "sso_misconfigured")
	c.rename(t, c.Managed.ID, "Managed Towing & Recovery") // the name now means the other alone
	c.refused(t, c.comeBack(c.leave(t, "", ann)), "sso_misconfigured")
	c.lives(t, access)
	c.isIn(t, "ann", c.Managed.ID)
}

// What is wrong with the configuration keeps people out, and ends nothing that is open; "no group any more" does.
func TestFaultsOfTheConfigurationEndNoSessions(t *testing.T) {
	c := newCity(t)
	ann := person("ann", "ann@city.example", "tow")
	token := c.enters(t, ann)
	for _, fault := range []sso.Mapping{{Group: "tow", Organization: c.Managed.ID, Role: "chief"}, {Group: "tow", Organization: c.Managed.ID, Role: "super"},
		{Group: "tow", Organization: c.App.NewID(), Role: "operator"}} {
		c.client.Mappings = []sso.Mapping{fault}
		c.refused(t, c.comeBack(c.leave(t, "", ann)), "sso_misconfigured")
		c.lives(t, token)
	}
	removed, err := c.App.CreateOrganization(t.Context(), access.System(), fleet.Organization{Name: "Closed"})
	must(t, err)
	must(t, c.App.DeleteOrganization(t.Context(), access.System(), removed.ID))
	c.client.Mappings = []sso.Mapping{{Group: "tow", Organization: removed.ID, Role: "operator"}}
	c.refused(t, c.comeBack(c.leave(t, "", ann)), "sso_misconfigured")
	c.lives(t, token)
	c.client.Mappings = []sso.Mapping{{Group: "tow", Organization: c.Managed.ID, Role: "operator"}}
	ann.Groups = []string{"staff"}
	c.refused(t, c.comeBack(c.leave(t, "", ann)), "sso_not_mapped")
	wants(t, c.Get("/api/profile", token), 401, "invalid_token", "")
}

// Only among the organizations that the operator has given to a provider are people moved by it; the administrators are told.
func TestMovesByTheProvider(t *testing.T) {
	c := newCity(t)
	ann := person("ann", "ann@city.example", "tow")
	access := c.enters(t, ann)
	c.AddUser("chief@towing.example", c.Managed.ID, "administrator")
	chiefs := sso.Mapping{Group: "chiefs", Organization: c.Own.ID, Role: "administrator"}

	c.client.Mappings, ann.Groups = []sso.Mapping{chiefs}, []string{"chiefs"} // Managed Towing is not this provider's
	for range 3 {
		c.refused(t, c.comeBack(c.leave(t, "", ann)), "sso_other_organization")
	}
	c.isIn(t, "ann", c.Managed.ID)
	c.lives(t, access)
	if n := mails(t, c.World, "move_refused"); n != 1 { // to its one administrator, once an hour
		t.Errorf("%d letters about a refused move", n)
	}
	if n := mails(t, c.World, "moved_by_provider"); n != 0 {
		t.Errorf("%d letters about a move that was not", n)
	}

	c.client.Mappings = []sso.Mapping{chiefs, {Group: "tow", Organization: c.Managed.ID, Role: "operator"}}
	access = c.enters(t, ann)
	c.isIn(t, "ann", c.Own.ID)
	if !hasAudit(t, c.World, c.Own.ID, "place") || !hasAudit(t, c.World, c.Managed.ID, "place") {
		t.Error("both organizations are not told in the audit")
	}
	moved := mails(t, c.World, "moved_by_provider")
	if moved < 2 {
		t.Errorf("%d letters about a move", moved)
	}
	c.enters(t, ann)
	c.lives(t, access)
	if n := mails(t, c.World, "moved_by_provider"); n != moved {
		t.Errorf("%d letters after a sign-in that moved nobody, before %d", n, moved)
	}
}

// Another role by the provider's word ends what was open under the one before.
func TestAnotherRoleByTheProviderEndsOpenSessions(t *testing.T) {
	c := newCity(t)
	c.client.Mappings = []sso.Mapping{{Group: "chiefs", Organization: c.Own.ID, Role: "administrator"}, {Group: "crew", Organization: c.Own.ID, Role: "viewer"}}
	before := c.enters(t, person("ann", "ann@city.example", "chiefs"))
	after := c.enters(t, person("ann", "ann@city.example", "crew"))
	wants(t, c.Get("/api/profile", before), 401, "invalid_token", "")
	wants(t, c.Get("/api/audit", after), 403, "forbidden", "")
	third := c.enters(t, person("ann", "ann@city.example", "crew")) // nothing changed: both live on
	for _, token := range []string{after, third} {
		if r := c.Get("/api/profile", token); r.Status != 200 {
			t.Errorf("%d %s", r.Status, r.Text)
		}
	}
}

func (c *city) rename(t *testing.T, organizationID, name string) {
	t.Helper()
	must(t, c.App.Store.Write(t.Context(), func(tx *store.Tx) error {
		_, err := tx.ExecContext(t.Context(), `UPDATE organization SET name = $1 WHERE id = $2`, name, organizationID)
		return err
	}))
}

func (c *city) lives(t *testing.T, access string) {
	t.Helper()
	if r := c.Get("/api/profile", access); r.Status != 200 {
		t.Errorf("a session ends: %d %s", r.Status, r.Text)
	}
}

// isIn compares where the user of a subject belongs.
func (c *city) isIn(t *testing.T, subject, organizationID string) {
	t.Helper()
	id, err := store.UserOfIdentity(t.Context(), c.App.Store.Reader(), c.mock.Issuer(), subject)
	must(t, err)
	u, err := store.UserByID(t.Context(), c.App.Store.Reader(), id)
	must(t, err)
	if u.OrganizationID != organizationID {
		t.Errorf("%s is in %s, want %s", subject, u.OrganizationID, organizationID)
	}
}
