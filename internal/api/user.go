package api

import (
	"context"
	"net/http"
	"strings"

	"lightbar/internal/access"
	"lightbar/internal/people"
	"lightbar/internal/wire"
)

type membersInput struct {
	OrganizationFilter
	PageFilter
}

func (in *membersInput) query() (people.MemberQuery, error) {
	return people.MemberQuery{OrganizationIDs: texts(in.OrgIDs), Page: in.Page, PerPage: in.PerPage}, nil
}

const usersImportPath = "/users/import"

func (s *server) userRoutes() {
	users := group{s, "Users"}
	list(users, "listRoles", "/roles", "The assignable roles, by order", nothing, s.listRoles)
	list(users, "listAssignableOrganizations", "/organization/assignable", "Organizations that users and assets can be assigned to",
		nothing, actorOnlyList(s.app.AssignableOrganizations))
	list(users, "listMembers", "/organization/users",
		"A page of users. With those of managing (relation manager) and accessing (relation accessor) organizations.",
		(*membersInput).query, s.app.ListMembers)
	read(users, "getUser", "/users/{id}", "One user.", byID, s.app.Member)
	create(users, "createUser", "/users", "Add a user and email the invitation", written, s.app.CreateUser)
	update(users, "updateUser", "/users/{id}", "Edit a user's profile, role, or status", s.updateUser)
	remove(users, "deleteUser", "/users/{id}", "Remove a user", byID, s.app.DeleteUser)
	do(users, http.MethodPost, "copyInvitation", "/users/{id}/invitation/link",
		"Make a new invitation link to hand over in another way than by email.", byID, s.app.CopyInvitation)
	do(users, http.MethodPost, "importUsers", usersImportPath, "Preview or apply a CSV file of people to invite. "+
		"Without a digest nothing is written. With the digest of the preview, those whom it showed are invited; rows with errors are left out.",
		written, s.app.ImportUsers, http.StatusConflict)
	do(users, http.MethodPost, "undoUserImport", usersImportPath+"/{id}/undo",
		"Remove whom a file invited. Possible once, within 15 minutes. Who has accepted the invitation stays.",
		byID, s.app.UndoUserImport, http.StatusConflict)
	do(users, http.MethodPost, "inviteUser", "/users/{id}/invitation", "Email the invitation again.", byID, s.app.InviteUser)
}

// copiesInvitation tells the call whose answer is an invitation's link.
func copiesInvitation(path string) bool {
	return strings.HasPrefix(path, "/api/users/") && strings.HasSuffix(strings.TrimSuffix(path, "/"), "/invitation/link")
}

func (s *server) listRoles(context.Context, *access.Actor, noInput) ([]wire.Role, wire.Meta, error) {
	roles, meta := s.app.Roles()
	return roles, meta, nil
}

func (s *server) updateUser(ctx context.Context, actor *access.Actor, id string, seen int64, b wire.UserWrite) (wire.Member, error) {
	b.IfMatch = seen
	return s.app.UpdateUser(ctx, actor, id, b)
}
