package api

import (
	"context"
	"net/http"

	"lightbar/internal/access"
	"lightbar/internal/wire"
)

const (
	hazardsPath      = "/organization/hazards"
	hazardImportPath = hazardsPath + "/import"
)

func (s *server) hazardRoutes() {
	hazards := s.noun("Hazards", "Dangers on roads, from people, devices, feeds, and files.")
	resource(hazards, "Hazard", "Hazards", hazardsPath, "hazard", s.app.Hazards)
	do(hazards, http.MethodPost, "confirmHazard", hazardsPath+"/{id}/confirm", "Confirm that a hazard is still there. "+
		"It lasts at least another hour. One that ended within the last 24 hours becomes active again.", byID, s.app.ConfirmHazard)
	do(hazards, http.MethodPost, "clearHazard", hazardsPath+"/{id}/clear", "Clear a hazard that is gone. One that has ended stays as it "+
		"is.", byID, s.app.ClearHazard)
	do(hazards, http.MethodPost, "importHazards", hazardImportPath, "Import hazards from a file. Requires organization:update. "+
		"Rows are accepted or rejected one by one. The same file again changes nothing. With preview nothing is written.",
		written, s.importHazards)
	do(hazards, http.MethodPost, "undoHazardImport", hazardImportPath+"/{id}/undo", "Undo an import of hazards, for 24 hours. "+
		"Hazards that were confirmed, cleared, withdrawn, or changed since then are kept and listed with the reason.",
		byID, s.app.UndoHazardImport, http.StatusConflict)
}

func (s *server) importHazards(ctx context.Context, actor *access.Actor, b wire.HazardImport) (wire.HazardImported, error) {
	return s.app.ImportHazards(ctx, actor, b)
}
