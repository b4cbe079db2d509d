package api

import (
	"context"
	"net/http"

	"lightbar/internal/access"
	"lightbar/internal/wire"
)

type (
	ownEdit struct {
		Seen
		Once
		Body wire.OrganizationWrite
	}
	relateInput struct {
		At
		Once
		Body wire.OrganizationRelationWrite
	}
)

// OneRelationOutcome says what became of an offer.
type OneRelationOutcome struct {
	Relation wire.RelationOutcome `json:"relation"`
}

func (s *server) organizationRoutes() {
	organizations := group{s, "Organizations"}
	list(organizations, "listOrganizations", "/organizations", "The organizations in reach.",
		nothing, actorOnlyList(s.app.ListOrganizations))
	read(organizations, "getOrganization", "/organization/{id}", "One organization.", byID, s.app.Organization)
	do(organizations, http.MethodPut, "updateOwnOrganization", "/organization", "Edit the caller's organization",
		whole, s.updateOwnOrganization)
	update(organizations, "updateOrganization", "/organization/{id}", "Edit an organization", s.updateOrganization)
	remove(organizations, "deleteOrganization", "/organization/{id}", "Remove an organization without users and assets",
		byID, s.app.DeleteOrganization)
	unwrapped(organizations, http.MethodPut, "relateOrganizations", "/organizations/{id}/relations",
		"Which organization manages or accesses this one. "+
			"An organization out of reach is asked and has 30 days to accept. delete also ends access through single assets.",
		whole, s.relateOrganizations)
	read(organizations, "listRelations", "/organizations/{id}/relations",
		"Who manages or accesses an organization or its single assets, and open offers.", byID, s.app.Relations)
	unwrapped(organizations, http.MethodPost, "acceptOffer", "/organizations/offers/{id}/accept",
		"Accept to manage or access another organization. Needs a fresh proof.", byID, s.acceptOffer)
	remove(organizations, "endOffer", "/organizations/offers/{id}", "Decline an offer, or withdraw the caller's own.", byID, s.app.EndOffer)
}

func (s *server) updateOwnOrganization(ctx context.Context, actor *access.Actor, in *ownEdit) (o wire.OrganizationRow, err error) {
	seen, err := parseIfMatch(in.IfMatch)
	if err != nil {
		return o, err
	}
	return s.updateOrganization(ctx, actor, actor.OrganizationID, seen, in.Body)
}

func (s *server) updateOrganization(ctx context.Context, actor *access.Actor, id string, seen int64,
	b wire.OrganizationWrite) (wire.OrganizationRow, error) {
	b.IfMatch = seen
	return s.app.UpdateOrganization(ctx, actor, id, b)
}

func (s *server) relateOrganizations(ctx context.Context, actor *access.Actor, in *relateInput) (wire.RelatedOrganization, error) {
	return s.app.SetOrganizationRelation(ctx, actor, in.ID.String(), in.Body.OrganizationID.String(), in.Body.RelationshipType)
}

func (s *server) acceptOffer(ctx context.Context, actor *access.Actor, id string) (OneRelationOutcome, error) {
	outcome, err := s.app.AcceptOffer(ctx, actor, id)
	return OneRelationOutcome{Relation: outcome}, err
}
