package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"lightbar/internal/app"
	"lightbar/internal/wire"
)

type (
	ownOrganizationInput struct {
		IfMatch string `header:"If-Match" doc:"the version that was seen; another one answers 409 with the present state"`
		Once    string `header:"Idempotency-Key" doc:"the same key gets the same answer again"`
		Body    wire.OrganizationWrite
	}
	organizationWriteInput struct {
		ID      ID     `path:"id" format:"uuid"`
		IfMatch string `header:"If-Match" doc:"the version that was seen; another one answers 409 with the present state"`
		Once    string `header:"Idempotency-Key" doc:"the same key gets the same answer again"`
		Body    wire.OrganizationWrite
	}
	organizationRelationInput struct {
		ID   ID     `path:"id" format:"uuid"`
		Once string `header:"Idempotency-Key" doc:"the same key gets the same answer again"`
		Body wire.OrganizationRelationWrite
	}
	relatedOrganizationOutput struct{ Body wire.RelatedOrganization }
	relationOutcomeOutput     struct{ Body wire.OneRelationOutcome }
)

func (s *server) organizationRoutes() {
	tags := []string{"Organizations"}
	signedIn(s, huma.Operation{OperationID: "listOrganizations", Method: http.MethodGet, Path: "/organizations", Tags: tags,
		Summary: "The organizations in reach", Description: "Ours."}, s.listOrganizations)
	signedIn(s, huma.Operation{OperationID: "getOrganization", Method: http.MethodGet, Path: "/organization/{id}", Tags: tags,
		Summary: "One organization", Description: "Ours."}, s.getOrganization)
	signedIn(s, huma.Operation{OperationID: "updateOwnOrganization", Method: http.MethodPut, Path: "/organization", Tags: tags,
		Summary: "Edit the own organization"}, s.updateOwnOrganization)
	signedIn(s, huma.Operation{OperationID: "updateOrganization", Method: http.MethodPut, Path: "/organization/{id}", Tags: tags,
		Summary: "Edit an organization"}, s.updateOrganization)
	signedIn(s, huma.Operation{OperationID: "deleteOrganization", Method: http.MethodDelete, Path: "/organization/{id}", Tags: tags,
		Summary: "Remove an organization without users and assets"}, s.deleteOrganization)
	signedIn(s, huma.Operation{OperationID: "relateOrganizations", Method: http.MethodPut, Path: "/organizations/{id}/relations", Tags: tags,
		Summary:     "Which organization manages or accesses this one",
		Description: "Ours. An organization out of reach is asked: it has 30 days to accept. delete also ends what single assets gave to it."}, s.relateOrganizations)
	signedIn(s, huma.Operation{OperationID: "listRelations", Method: http.MethodGet, Path: "/organizations/{id}/relations", Tags: tags,
		Summary: "Who manages or accesses an organization or single assets of it, and open offers", Description: "Ours."}, s.listRelations)
	signedIn(s, huma.Operation{OperationID: "acceptOffer", Method: http.MethodPost, Path: "/organizations/offers/{id}/accept", Tags: tags,
		Summary: "Accept to manage or access another organization", Description: "Ours; needs a fresh proof."}, s.acceptOffer)
	signedIn(s, huma.Operation{OperationID: "endOffer", Method: http.MethodDelete, Path: "/organizations/offers/{id}", Tags: tags,
		Summary: "Decline an offer, or withdraw the own one", Description: "Ours."}, s.endOffer)
}

func (s *server) listOrganizations(ctx context.Context, actor *app.Actor, _ *noInput) (*listOf[wire.OrganizationRow], error) {
	return many(s.app.ListOrganizations(ctx, actor))
}

func (s *server) getOrganization(ctx context.Context, actor *app.Actor, in *idInput) (*versionedOf[wire.OrganizationRow], error) {
	o, err := s.app.Organization(ctx, actor, in.ID.String())
	if err != nil {
		return nil, err
	}
	return oneOrganization(o), nil
}

func oneOrganization(o wire.OrganizationRow) *versionedOf[wire.OrganizationRow] {
	return versioned(o, o.Version)
}

func (s *server) updateOwnOrganization(ctx context.Context, actor *app.Actor, in *ownOrganizationInput) (*versionedOf[wire.OrganizationRow], error) {
	return s.editOrganization(ctx, actor, actor.OrganizationID, in.IfMatch, in.Body)
}

func (s *server) updateOrganization(ctx context.Context, actor *app.Actor, in *organizationWriteInput) (*versionedOf[wire.OrganizationRow], error) {
	return s.editOrganization(ctx, actor, in.ID.String(), in.IfMatch, in.Body)
}

func (s *server) editOrganization(ctx context.Context, actor *app.Actor, id, ifMatch string, b wire.OrganizationWrite) (*versionedOf[wire.OrganizationRow], error) {
	var err error
	if b.IfMatch, err = parseIfMatch(ifMatch); err != nil {
		return nil, err
	}
	o, err := s.app.UpdateOrganization(ctx, actor, id, b)
	if err != nil {
		return nil, err
	}
	return oneOrganization(o), nil
}

func (s *server) deleteOrganization(ctx context.Context, actor *app.Actor, in *idInput) (*doneOutput, error) {
	return &doneOutput{}, s.app.DeleteOrganization(ctx, actor, in.ID.String())
}

func (s *server) relateOrganizations(ctx context.Context, actor *app.Actor, in *organizationRelationInput) (*relatedOrganizationOutput, error) {
	o, err := s.app.SetOrganizationRelation(ctx, actor, in.ID.String(), in.Body.OrganizationID.String(), in.Body.RelationshipType)
	if err != nil {
		return nil, err
	}
	return &relatedOrganizationOutput{Body: o}, nil
}

func (s *server) listRelations(ctx context.Context, actor *app.Actor, in *idInput) (*oneOf[wire.Relations], error) {
	return one(s.app.Relations(ctx, actor, in.ID.String()))
}

func (s *server) acceptOffer(ctx context.Context, actor *app.Actor, in *idInput) (*relationOutcomeOutput, error) {
	outcome, err := s.app.AcceptOffer(ctx, actor, in.ID.String())
	if err != nil {
		return nil, err
	}
	return &relationOutcomeOutput{Body: wire.OneRelationOutcome{Relation: outcome}}, nil
}

func (s *server) endOffer(ctx context.Context, actor *app.Actor, in *idInput) (*doneOutput, error) {
	return &doneOutput{}, s.app.EndOffer(ctx, actor, in.ID.String())
}
