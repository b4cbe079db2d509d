package api

import (
	"context"
	"net/http"

	"lightbar/internal/access"
	"lightbar/internal/wire"
)

func (s *server) integrationRoutes() {
	accounts := s.noun("Integrations", "Accounts at fleet-telematics providers, and which of their vehicles are which assets.")
	const path = "/organization/integrations"
	resource(accounts, "Integration", "Integrations", path, "integration", s.app.Integrations)
	do(accounts, http.MethodPost, "checkIntegration", path+"/{id}/check", "Dry run: ask the provider which vehicles the account has, "+
		"and which assets they seem to be. Nothing is changed.", byID, s.checkIntegration)
	do(accounts, http.MethodPut, "linkIntegration", path+"/{id}/vehicles", "Say which vehicles are which assets. The assets get the "+
		"vehicles' identifiers, and what the vehicles report is theirs from then on. Vehicles that are left out don't change.",
		whole, s.linkIntegration)
	do(accounts, http.MethodPost, "fetchIntegration", path+"/{id}/fetch",
		"Ask the provider soon. The answer doesn't wait for it; watch last_fetched_at.", byID, s.app.FetchIntegration)
	undo(accounts, "Integration", path, "an integration. A deleted one comes back with its secret; undoing that deletes it again",
		s.app.Integrations.Undo)
}

type linksOf struct {
	At
	Once
	Body wire.IntegrationLinks
}

func (s *server) linkIntegration(ctx context.Context, actor *access.Actor, in *linksOf) (wire.IntegrationLinks, error) {
	return s.app.LinkVehicles(ctx, actor, in.ID.String(), in.Body)
}

// checkIntegration asks providers no more often than feeds may be checked: each time a server of somebody else is asked.
func (s *server) checkIntegration(ctx context.Context, actor *access.Actor, id string) (wire.IntegrationCheck, error) {
	if ok, wait := s.checks.allow(actor.UserID+actor.KeyID, 1, s.app.Now()); !ok {
		return wire.IntegrationCheck{}, tooOften(wait)
	}
	return s.app.CheckIntegration(ctx, actor, id)
}
