package people

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"lightbar/internal/access"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

// MemberQuery requests a page of users.
type MemberQuery struct {
	OrganizationIDs []string
	Page, PerPage   int // from 1; 0 = defaults (1, 500)
}

// The relations of a user's organization to the requested one; the last two are the badges MANAGER and ACCESS (requirements
// 3.role).
const (
	memberOwn      = "own"
	memberManager  = fleet.RelationManager
	memberAccessor = fleet.RelationAccessor
)

// memberRank is the order of a list: own users first.
var memberRank = map[string]int{memberOwn: 0, memberManager: 1, memberAccessor: 2}

// ListMembers returns the users of organizations. Where the actor has full reach it adds the users of the organizations that manage
// or access them; of those, and of organizations that the actor may only read, it shows only names, addresses and roles. Every user
// appears once, under the closest relation. Requires VIEW_USERS. Refusals: not_found.
func (a *Accounts) ListMembers(ctx context.Context, actor *access.Actor, q MemberQuery) ([]wire.Member, wire.Meta, error) {
	if err := actor.Must("VIEW_USERS"); err != nil {
		return nil, wire.Meta{}, err
	}
	organizations, err := actor.Reachable(q.OrganizationIDs)
	if err != nil {
		return nil, wire.Meta{}, err
	}
	page, perPage := fleet.Page(q.Page, q.PerPage)
	var all []wire.Member
	err = a.Store.Read(ctx, func(r store.Reader) error {
		relations, err := relationsToAsked(ctx, r, actor, organizations)
		if err != nil {
			return err
		}
		view := a.memberView(actor)
		for id, relation := range relations {
			members, err := store.MembersOf(ctx, r, id, a.now())
			if err != nil {
				return err
			}
			for _, m := range members {
				all = append(all, view.wire(m, relation))
			}
		}
		return nil
	})
	if err != nil {
		return nil, wire.Meta{}, err
	}
	slices.SortFunc(all, byRelationAndName)
	meta := wire.Meta{Page: page, PerPage: perPage, Total: len(all), AsOf: a.now()}
	from := min((page-1)*perPage, len(all))
	return all[from:min(from+perPage, len(all))], meta, nil
}

func byRelationAndName(x, y wire.Member) int {
	return cmp.Or(cmp.Compare(memberRank[x.Relation], memberRank[y.Relation]),
		cmp.Compare(strings.ToLower(x.LastName), strings.ToLower(y.LastName)),
		cmp.Compare(strings.ToLower(x.FirstName), strings.ToLower(y.FirstName)), cmp.Compare(x.ID, y.ID))
}

// relationsToAsked returns how close the requested organizations are, and those that manage or access one of them. Partners of an
// organization that the actor may only read are left out.
func relationsToAsked(ctx context.Context, r store.Reader, actor *access.Actor, asked []string) (map[string]string, error) {
	out := map[string]string{}
	for _, id := range asked {
		out[id] = memberOwn
	}
	for _, id := range asked {
		if actor.Reach(id) != access.Full {
			continue
		}
		related, err := store.RelationsOf(ctx, r, id)
		if err != nil {
			return nil, err
		}
		for _, rel := range related {
			if rel.OrganizationID != id {
				continue
			}
			if known, ok := out[rel.OtherID]; !ok || memberRank[rel.Kind] < memberRank[known] {
				out[rel.OtherID] = rel.Kind
			}
		}
	}
	return out, nil
}

// Member returns one user of an organization in reach. Requires VIEW_USERS. Refusals: not_found.
func (a *Accounts) Member(ctx context.Context, actor *access.Actor, id string) (wire.Member, error) {
	if err := actor.Must("VIEW_USERS"); err != nil {
		return wire.Member{}, err
	}
	return a.memberNow(ctx, actor, id)
}

func refuseNoUser() error {
	return fleet.Refuse("not_found", "", "Couldn't find the selected user.")
}

// memberNow is the current user, for verbs that have already checked access.
func (a *Accounts) memberNow(ctx context.Context, actor *access.Actor, id string) (wire.Member, error) {
	m, err := store.MemberByID(ctx, a.Store.Reader(), id, a.now())
	if errors.Is(err, store.ErrNotFound) || (err == nil && actor.Reach(m.OrganizationID) == access.None) {
		return wire.Member{}, refuseNoUser()
	}
	if err != nil {
		return wire.Member{}, err
	}
	return a.memberView(actor).wire(m, memberOwn), nil
}

// memberView shows users to one actor; the permissions of a role are looked up once.
type memberView struct {
	app   *Accounts
	actor *access.Actor
	more  map[string]bool // roles that hold more than the actor
	keys  map[string]bool // roles that may have API keys
}

func (a *Accounts) memberView(actor *access.Actor) memberView {
	return memberView{app: a, actor: actor, more: map[string]bool{}, keys: map[string]bool{}}
}

func (v memberView) wire(m store.Member, relation string) wire.Member {
	if _, known := v.more[m.RoleID]; !known {
		v.more[m.RoleID] = holdsMore(v.actor, m.RoleID)
		v.keys[m.RoleID] = mayHaveKeys(m.RoleID)
	}
	out := wire.Member{ID: m.ID, Email: m.Email, FirstName: m.FirstName, LastName: m.LastName, RoleID: m.RoleID,
		OrganizationID:   m.OrganizationID,
		OrganizationName: m.OrganizationName, Relation: relation, Version: m.Version}
	if v.actor.Reach(m.OrganizationID) != access.Full {
		return out
	}
	out.CanEdit = v.actor.Meets("EDIT_USER") && (m.ID == v.actor.UserID || !v.more[m.RoleID])
	out.Phone, out.Address1, out.Address2, out.City, out.State = m.Phone, m.Address1, m.Address2, m.City, m.State
	out.PostalCode, out.CountryCode = m.PostalCode, m.CountryCode
	out.Suspended, out.AwarenessModeAccess = m.Suspended, m.Awareness
	out.InvitedAt, out.InvitationOpen = m.InvitedAt, m.InvitedAt != 0 && !m.HasEntered
	if m.PasswordHash == "" {
		out.InvitationMail = m.InvitationMail
	}
	out.NoPassword = m.HasEntered && m.PasswordHash == ""
	out.SignInCount, out.LastSignInAt, out.SecondFactor = m.SignInCount, m.LastSignInAt, m.SecondFactor
	out.HasAPIKeys, out.APIKeys = v.keys[m.RoleID], m.Keys
	if m.PasswordHash != "" {
		out.PasswordExpiresAt = v.app.passwordExpiresAt(m.User)
	}
	return out
}

// mayHaveKeys reports whether a role is allowed to make API keys.
func mayHaveKeys(roleID string) bool {
	return (&access.Actor{UserID: "-", Permissions: access.PermissionsOf(roleID)}).Meets("ADD_KEY")
}
