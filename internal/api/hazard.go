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
	hazards := group{s, "Hazards"}
	list(hazards, "listHazards", hazardsPath, "The hazards of organizations. Those that ended within the last 24 hours too.",
		(*rowsInput).rows, s.app.ListHazards)
	read(hazards, "getHazard", hazardsPath+"/{id}", "One hazard, also one that has left the lists until it is forgotten. Ours.",
		byID, s.app.Hazard)
	do(hazards, http.MethodPost, "confirmHazard", hazardsPath+"/{id}/confirm", "Say that a hazard is still there. It lives for another "+
		"hour at least; one that ended within the last 24 hours is there again. Ours.", byID, s.app.ConfirmHazard)
	do(hazards, http.MethodPost, "clearHazard", hazardsPath+"/{id}/clear", "Say that a hazard is gone. One that has ended stays as it "+
		"is. Ours.", byID, s.app.ClearHazard)
	do(hazards, http.MethodPost, "importHazards", hazardImportPath, "Import hazards from a file. Ours; organization:update. "+
		"Rows are taken or refused one by one; the same file again changes nothing. With preview nothing is written.",
		written, s.importHazards)
}

func (s *server) importHazards(ctx context.Context, actor *access.Actor, b wire.HazardImport) (wire.HazardImported, error) {
	return s.app.ImportHazards(ctx, actor, b)
}
