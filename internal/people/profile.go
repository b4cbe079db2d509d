package people

import (
	"context"
	"errors"
	"sort"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

// Profile returns the signed-in user, with the organizations in reach (requirements 7.user), all as of one instant. It needs no
// permission.
func (a *Accounts) Profile(ctx context.Context, actor *access.Actor) (out wire.Profile, err error) {
	if actor.UserID == "" {
		return out, actor.Must("VIEW_THINGS") // keys have no profile
	}
	err = a.Store.Read(ctx, func(r store.Reader) error {
		out, err = a.profileIn(ctx, r, actor)
		return err
	})
	return out, err
}

// profileIn reads a profile with as many statements as there are tables, however many organizations are in reach.
func (a *Accounts) profileIn(ctx context.Context, r store.Reader, actor *access.Actor) (wire.Profile, error) {
	u, err := store.UserByID(ctx, r, actor.UserID)
	if errors.Is(err, store.ErrNotFound) {
		return wire.Profile{}, refuseToken()
	}
	if err != nil {
		return wire.Profile{}, err
	}
	if u.OrganizationID != actor.OrganizationID {
		return wire.Profile{}, fleet.Refuse("organization_changed", "", "Organization was changed, please log back in.")
	}
	organizations, err := a.organizationsInReach(ctx, r, actor)
	if err != nil {
		return wire.Profile{}, err
	}
	related, err := store.RelationsByOrganization(ctx, r)
	if err != nil {
		return wire.Profile{}, err
	}
	shown := func(o fleet.Organization) wire.Organization {
		return a.shownOrganization(actor, o, actor.VisibleOrganizationRelations(o.ID, related[o.ID]), organizations.byID)
	}
	own := organizations.byID[u.OrganizationID]
	out := wire.Profile{User: userWire(u, own, actor), Organization: shown(own), ManagedOrganizations: []wire.Organization{},
		AccessedOrganizations: []wire.Organization{}}
	if err := a.profileSession(ctx, r, actor, &out, u, own); err != nil {
		return wire.Profile{}, err
	}
	for _, o := range organizations.ordered {
		switch {
		case o.ID == own.ID:
		case actor.Reach(o.ID) == access.Full:
			out.ManagedOrganizations = append(out.ManagedOrganizations, shown(o))
		default:
			out.AccessedOrganizations = append(out.AccessedOrganizations, shown(o))
		}
	}
	return out, nil
}

// profileSession adds to a profile how its user signed in, and until when.
func (a *Accounts) profileSession(ctx context.Context, r store.Reader, actor *access.Actor, out *wire.Profile, u fleet.User,
	own fleet.Organization) error {
	session, err := store.SessionByID(ctx, r, actor.SessionID)
	if errors.Is(err, store.ErrNotFound) {
		return refuseToken()
	}
	if err != nil {
		return err
	}
	out.User.HasAPIKeys, out.User.PasswordExpiresAt = actor.Meets("ADD_KEY"), a.passwordExpiresAt(u)
	if out.User.SecondFactor, err = store.HasFactor(ctx, r, u.ID); err != nil {
		return err
	}
	due := secondFactorDue(session, own, out.User.SecondFactor)
	session = endingAt(lawful(session, u, own), due)
	if out.Session = sessionWire(session); due != 0 {
		out.User.SecondFactorDue = session.AbsoluteAt
	}
	p, err := a.stepUpProvider(ctx, r, u.ID)
	if err == nil && p != nil {
		out.Session.StepUpProvider = &wire.ProviderName{ID: p.ID, Title: p.Title}
	}
	return err
}

type reachable struct {
	byID    map[string]fleet.Organization
	ordered []fleet.Organization
}

// organizationsInReach reads the organizations of the actor, by name; byID
// also names organizations that are only related.
func (a *Accounts) organizationsInReach(ctx context.Context, r store.Reader, actor *access.Actor) (reachable, error) {
	all, err := store.ListOrganizations(ctx, r)
	if err != nil {
		return reachable{}, err
	}
	out := reachable{byID: map[string]fleet.Organization{}}
	for _, o := range all {
		out.byID[o.ID] = o
		if actor.Super || actor.Organizations[o.ID] != access.None { // no look yet: code that shows one calls Reach
			out.ordered = append(out.ordered, o)
		}
	}
	return out, nil
}

func userWire(u fleet.User, o fleet.Organization, actor *access.Actor) wire.User {
	permissions := make([]string, 0, len(actor.Permissions))
	for p := range actor.Permissions {
		permissions = append(permissions, p)
	}
	sort.Strings(permissions)
	may := map[string]wire.Access{}
	for resource, actions := range catalog.AllPermissions().Resources {
		holds := func(action string) bool {
			for _, p := range actions[action] {
				if actor.Permissions[p] {
					return true
				}
			}
			return false
		}
		may[resource] = wire.Access{CanCreate: holds("create"), CanRead: holds("read"), CanUpdate: holds("update"), CanDelete: holds("delete")}
	}
	return wire.User{ID: u.ID, Email: u.Email, FirstName: u.FirstName, LastName: u.LastName, Phone: u.Phone, Address1: u.Address1,
		Address2: u.Address2, City: u.City, State: u.State, PostalCode: u.PostalCode, CountryCode: u.CountryCode, RoleID: u.RoleID,
		OrganizationID: u.OrganizationID, UserOrg: wire.OrganizationRef{ID: o.ID, Name: o.Name, Type: o.TypeName}, Permissions: permissions,
		DashboardAccess: access.Dashboard(actor.Permissions), Access: may,
		ACS: o.ACS, HasAwarenessModeAccess: u.Awareness && o.InfiniteTimeout, SignInCount: u.SignInCount, LastSignInAt: u.LastSignInAt,
		Version: u.Version}
}

// sessionWire is the current session in the profile.
func sessionWire(s fleet.Session) wire.ProfileSession {
	return wire.ProfileSession{ID: s.ID, CreatedAt: s.CreatedAt, EndsAt: s.AbsoluteAt, AwarenessMode: s.Awareness, Method: s.Method,
		VerifiedAt: s.VerifiedAt}
}

// billed leaves out what requires access to billing in the actor's own and managed organizations: reading an organization's assets
// reveals nothing about who pays for them.
func billed(actor *access.Actor, o wire.Organization) wire.Organization {
	if !actor.Meets("VIEW_BILLING") || actor.Reach(o.ID) != access.Full {
		o.BillingID = ""
	}
	return o
}

// OrganizationWire makes the wire shape; names of related organizations come from byID.
func OrganizationWire(o fleet.Organization, relations []fleet.OrganizationRelation, byID map[string]fleet.Organization) wire.Organization {
	out := wire.Organization{OrganizationType: organizationTypeWire(o), ShowInfiniteTimeoutOption: o.InfiniteTimeout,
		OrganizationManagers: []wire.NamedRef{}, OrganizationAccessors: []wire.NamedRef{},
		IsWZDxOrg: o.WZDx, IsLargeOrg: o.Large != nil && *o.Large, PhoneNumber: o.Phone, CellPhoneNumber: o.CellPhone}
	wire.Same(&out, &o)
	if o.HasPosition {
		lat, lng := o.Lat, o.Lng
		out.Lat, out.Lng = &lat, &lng
	}
	for _, rel := range relations {
		if rel.OrganizationID != o.ID {
			continue
		}
		ref := wire.NamedRef{ID: rel.OtherID, Name: byID[rel.OtherID].Name}
		if rel.OtherID == "" {
			ref.Name = wire.AnotherOrganization
		}
		if rel.Kind == "manager" {
			out.OrganizationManagers = append(out.OrganizationManagers, ref)
		} else {
			out.OrganizationAccessors = append(out.OrganizationAccessors, ref)
		}
	}
	return out
}
