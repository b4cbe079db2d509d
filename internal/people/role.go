package people

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

// Roles lists the assignable roles by their order: the same for everybody
// (requirements 3.role and 7.user).
func (a *Accounts) Roles() ([]wire.Role, wire.Meta) {
	out := []wire.Role{}
	for _, r := range catalog.AllPermissions().Roles {
		if r.Order != nil {
			out = append(out, wire.Role{ID: r.ID, Order: *r.Order, Label: r.Label})
		}
	}
	slices.SortFunc(out, func(a, b wire.Role) int { return cmp.Compare(a.Order, b.Order) })
	return out, wire.SinglePage(len(out), a.now())
}

// AssignableOrganizations lists the organizations in full reach, by name: where
// users and assets can be put (requirements 7.org). Requires VIEW_ACCOUNTS.
func (a *Accounts) AssignableOrganizations(ctx context.Context, actor *access.Actor) ([]wire.AssignableOrganization, wire.Meta, error) {
	if err := actor.Must("VIEW_ACCOUNTS"); err != nil {
		return nil, wire.Meta{}, err
	}
	reach, err := a.organizationsInReach(ctx, a.Store.Reader(), actor)
	if err != nil {
		return nil, wire.Meta{}, err
	}
	out := []wire.AssignableOrganization{}
	for _, o := range reach.ordered {
		if actor.Reach(o.ID) == access.Full {
			out = append(out, wire.AssignableOrganization{ID: o.ID, Name: o.Name, OrganizationType: organizationTypeWire(o)})
		}
	}
	slices.SortStableFunc(out, func(a, b wire.AssignableOrganization) int {
		return cmp.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name))
	})
	return out, wire.SinglePage(len(out), a.now()), nil
}

// mayGrant refuses roles that do not exist and roles that hold more than the actor has.
func mayGrant(actor *access.Actor, id string) error {
	role, ok := catalog.RoleByID(id)
	if !ok || (role.Order == nil && !actor.Super) {
		return fleet.Refuse("role_not_found", "role_id", "Unknown role.")
	}
	if holdsMore(actor, id) {
		return fleet.Refuse("forbidden", "role_id", "You can't assign a role with more access than your own.")
	}
	return nil
}

// mayTouch refuses to change people who hold more than the actor does.
func mayTouch(actor *access.Actor, u fleet.User) error {
	if u.ID != actor.UserID && holdsMore(actor, u.RoleID) {
		return fleet.Refuse("forbidden", "", "You can't change a user with more access than you.")
	}
	return nil
}

// holdsMore reports whether a role has a permission that the actor lacks.
func holdsMore(actor *access.Actor, roleID string) bool {
	if actor.Super {
		return false
	}
	for p := range access.PermissionsOf(roleID) {
		if !actor.Permissions[p] {
			return true
		}
	}
	return false
}

// Administers reports whether a role administers its organization: by its permissions, not by its name (requirements 6.model).
// Roles that cannot be assigned belong to the installation and keep no organization alive.
func Administers(roleID string) bool {
	role, ok := catalog.RoleByID(roleID)
	return ok && role.Order != nil && access.PermissionsOf(roleID)["user:admin:manage"]
}

// mustKeepAdministrator refuses a change that would leave an organization without an administrator. leaves means that the user is
// being removed: the last user of an organization without other users and assets may be, or the organization could never be closed.
// An organization that already has no administrator passes. The transaction must have locked the organization.
func mustKeepAdministrator(ctx context.Context, tx *store.Tx, u fleet.User, leaves bool) error {
	others, err := store.RolesBeside(ctx, tx, u.OrganizationID, u.ID)
	if err != nil || slices.ContainsFunc(others, Administers) {
		return err
	}
	all, err := store.RolesBeside(ctx, tx, u.OrganizationID, "")
	if err != nil || !slices.ContainsFunc(all, Administers) {
		return err
	}
	users, things, err := store.CountBelonging(ctx, tx, u.OrganizationID)
	if err != nil || (leaves && users == 1 && things == 0) {
		return err
	}
	return fleet.Refuse("last_administrator", "", "An organization needs at least one administrator.")
}
