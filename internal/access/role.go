package access

import (
	"slices"
	"strings"

	"lightbar/catalog"
	"lightbar/internal/fleet"
)

// SuperRole is the id of the role that holds haas:manage.
var SuperRole = RoleID("super")

// RoleID is the id of a role by its name in the catalog.
func RoleID(name string) string {
	r, ok := catalog.RoleByName(name)
	if !ok {
		panic("catalog: no role " + name)
	}
	return r.ID
}

// System is who the command line and the first start act as: the owner of
// the data folder. Nothing on the network can become it. Its permissions are
// looked up each time, so that no caller can change another's.
func System() *Actor {
	return &Actor{Permissions: PermissionsOf(SuperRole), Organizations: map[string]Reach{}, Super: true, Network: "local"}
}

// Of makes the actor of a signed-in user: own and managed organizations
// in full, accessed ones for reading, every one for haas:manage.
func Of(u fleet.User, sessionID string, relations []fleet.OrganizationRelation) *Actor {
	actor := &Actor{UserID: u.ID, SessionID: sessionID, OrganizationID: u.OrganizationID, RoleID: u.RoleID,
		Permissions: PermissionsOf(u.RoleID), Organizations: map[string]Reach{u.OrganizationID: Full}}
	actor.Super = actor.Permissions["haas:manage"]
	for _, rel := range relations {
		switch {
		case rel.OtherID != u.OrganizationID:
		case rel.Kind == fleet.RelationManager:
			actor.Organizations[rel.OrganizationID] = Full
		default:
			actor.Organizations[rel.OrganizationID] = Read
		}
	}
	return actor
}

// PermissionsOf expands a role: manage grants read, create, update and delete
// of its resource, as far as the catalog knows them (requirements 6.string).
func PermissionsOf(roleID string) map[string]bool {
	out := map[string]bool{}
	role, ok := catalog.RoleByID(roleID)
	if !ok {
		return out
	}
	for _, p := range catalog.Granted(role) {
		out[p] = true
		if resource, ok := strings.CutSuffix(p, ":manage"); ok {
			for _, action := range []string{"read", "create", "update", "delete"} {
				if q := resource + ":" + action; slices.Contains(catalog.AllPermissions().Permissions, q) {
					out[q] = true
				}
			}
		}
	}
	return out
}

// Dashboard lists the sections a set of permissions opens, in order
// (requirements 6.list).
func Dashboard(permissions map[string]bool) []string {
	actor := Actor{UserID: "-", Permissions: permissions}
	out := []string{}
	for _, s := range catalog.AllPermissions().Sections {
		if actor.Meets(s.Requirement) {
			out = append(out, s.ID)
		}
	}
	return out
}
