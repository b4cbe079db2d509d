package api

import (
	"context"

	"lightbar/internal/access"
	"lightbar/internal/wire"
)

func (s *server) retentionRoutes() {
	keep := group{s, "Retention"}
	const path = "/organization/legal_holds"
	read(keep, "getRetention", "/organizations/{id}/retention", "What of an organization's data goes when.", byID, s.app.Retention)
	list(keep, "listLegalHolds", path, "Legal holds of organizations: they keep data longer than its time.", byOrgs, s.app.LegalHolds)
	create(keep, "createLegalHold", path, "Place a legal hold.", written[wire.LegalHoldCreate], s.app.PlaceLegalHold)
	remove(keep, "deleteLegalHold", path+"/{id}", "Lift a legal hold. It stays in the list.", byID, s.app.LiftLegalHold)
	read(keep, "getStorage", "/storage", "What the data of this installation takes of its disk, and how fast it grows. Figures are estimates.",
		nothing, func(ctx context.Context, actor *access.Actor, _ noInput) (wire.Storage, error) {
			return s.app.Storage(ctx, actor)
		})
}
