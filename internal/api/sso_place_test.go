package api_test

import (
	"testing"

	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/sso"
)

// A name that two organizations have leads into neither.
func TestAMappingToTwoOrganizationsIsNoWayIn(t *testing.T) {
	c := newCity(t)
	c.client.Mappings = []sso.Mapping{{Group: "tow", Organization: "managed towing", Role: "operator"}}
	c.enters(t, person("ann", "ann@city.example", "tow"))
	_, err := c.App.CreateOrganization(t.Context(), app.SystemActor(), fleet.Organization{Name: "Managed Towing"})
	must(t, err)
	c.refused(t, c.comeBack(c.leave(t, "", person("bob", "bob@city.example", "tow"))), "sso_not_mapped")
	c.refused(t, c.comeBack(c.leave(t, "", person("ann", "ann@city.example", "tow"))), "sso_not_mapped")
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
