package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"lightbar/internal/app"
	"lightbar/internal/wire"
)

type (
	membersInput struct {
		OrganizationFilter
		PageFilter
	}
	userCreateInput struct {
		Once string `header:"Idempotency-Key" doc:"the same key gets the same answer again"`
		Body wire.UserCreate
	}
	userWriteInput struct {
		ID      ID     `path:"id" format:"uuid"`
		IfMatch string `header:"If-Match" doc:"the version that was seen; another one answers 409 with the present state"`
		Once    string `header:"Idempotency-Key" doc:"the same key gets the same answer again"`
		Body    wire.UserWrite
	}
)

func (s *server) userRoutes() {
	tags := []string{"Users"}
	signedIn(s, huma.Operation{OperationID: "listRoles", Method: http.MethodGet, Path: "/roles", Tags: tags, Summary: "The assignable roles, by order"}, s.listRoles)
	signedIn(s, huma.Operation{OperationID: "listAssignableOrganizations", Method: http.MethodGet, Path: "/organization/assignable", Tags: tags,
		Summary: "Organizations that users and assets can be put into"}, s.assignableOrganizations)
	signedIn(s, huma.Operation{OperationID: "listMembers", Method: http.MethodGet, Path: "/organization/users", Tags: tags,
		Summary: "A page of users", Description: "With those of managing (relation manager) and accessing (relation accessor) organizations."}, s.listMembers)
	signedIn(s, huma.Operation{OperationID: "getUser", Method: http.MethodGet, Path: "/users/{id}", Tags: tags, Summary: "One user", Description: "Ours."}, s.getUser)
	signedIn(s, huma.Operation{OperationID: "createUser", Method: http.MethodPost, Path: "/users", Tags: tags, DefaultStatus: http.StatusCreated,
		Summary: "Add a user and mail the invitation"}, s.createUser)
	signedIn(s, huma.Operation{OperationID: "updateUser", Method: http.MethodPut, Path: "/users/{id}", Tags: tags,
		Summary: "Edit a user's profile, role or standing"}, s.updateUser)
	signedIn(s, huma.Operation{OperationID: "deleteUser", Method: http.MethodDelete, Path: "/users/{id}", Tags: tags, Summary: "Remove a user"}, s.deleteUser)
	signedIn(s, huma.Operation{OperationID: "inviteUser", Method: http.MethodPost, Path: "/users/{id}/invitation", Tags: tags,
		Summary: "Mail the invitation again", Description: "Ours."}, s.inviteUser)
}

func (s *server) listRoles(context.Context, *app.Actor, *noInput) (*listOf[wire.Role], error) {
	roles, meta := s.app.Roles()
	return many(roles, meta, nil)
}

func (s *server) assignableOrganizations(ctx context.Context, actor *app.Actor, _ *noInput) (*listOf[wire.AssignableOrganization], error) {
	return many(s.app.AssignableOrganizations(ctx, actor))
}

func (s *server) listMembers(ctx context.Context, actor *app.Actor, in *membersInput) (*listOf[wire.Member], error) {
	return many(s.app.ListMembers(ctx, actor, app.MemberQuery{OrganizationIDs: texts(in.OrgIDs), Page: in.Page, PerPage: in.PerPage}))
}

func (s *server) getUser(ctx context.Context, actor *app.Actor, in *idInput) (*versionedOf[wire.Member], error) {
	m, err := s.app.Member(ctx, actor, in.ID.String())
	if err != nil {
		return nil, err
	}
	return oneMember(m), nil
}

func oneMember(m wire.Member) *versionedOf[wire.Member] {
	return versioned(m, m.Version)
}

func (s *server) createUser(ctx context.Context, actor *app.Actor, in *userCreateInput) (*versionedOf[wire.Member], error) {
	m, err := s.app.AddUser(ctx, actor, app.NewUser{OrganizationID: in.Body.OrganizationID.String(), Email: in.Body.Email,
		FirstName: in.Body.FirstName, LastName: in.Body.LastName, RoleID: in.Body.RoleID.String()})
	if err != nil {
		return nil, err
	}
	return oneMember(m), nil
}

func (s *server) updateUser(ctx context.Context, actor *app.Actor, in *userWriteInput) (*versionedOf[wire.Member], error) {
	var err error
	if in.Body.IfMatch, err = parseIfMatch(in.IfMatch); err != nil {
		return nil, err
	}
	m, err := s.app.UpdateUser(ctx, actor, in.ID.String(), in.Body)
	if err != nil {
		return nil, err
	}
	return oneMember(m), nil
}

func (s *server) deleteUser(ctx context.Context, actor *app.Actor, in *idInput) (*doneOutput, error) {
	return &doneOutput{}, s.app.DeleteUser(ctx, actor, in.ID.String())
}

func (s *server) inviteUser(ctx context.Context, actor *app.Actor, in *idInput) (*versionedOf[wire.Member], error) {
	m, err := s.app.InviteUser(ctx, actor, in.ID.String())
	if err != nil {
		return nil, err
	}
	return oneMember(m), nil
}
