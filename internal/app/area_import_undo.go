package app

import (
	"context"
	"encoding/json"
	"strconv"

	"lightbar/internal/access"
	"lightbar/internal/fleet"
	"lightbar/internal/wire"
)

// areaFiles are imports of areas.
var areaFiles = importKind{noun: "area_import", records: areas.Name, undo: []string{areas.Edits, areas.Deletes}, title: areasText,
	back: takeBack(areas, wayBack[fleet.Area]{
		name: func(x *fleet.Area) string { return x.Name },
		touched: func(x *fleet.Area, made *fleet.AuditRow, _ fleet.Instant) (string, error) {
			switch {
			case x.DeletedAt != 0:
				return wasDeleted, nil
			case x.Version != made.VersionMade():
				return wasChanged, nil
			}
			return "", nil
		},
		restore: func(a *App, x *fleet.Area, before json.RawMessage) error {
			var was wire.Area
			if err := json.Unmarshal(before, &was); err != nil {
				return err
			}
			return a.putBackArea(x, was)
		},
		remove: func(*fleet.Area, *undoing, fleet.Instant) {},
		docs:   docsOfAreaFile,
	})}

// areaImportNote is what the audit stores about an import of areas as a whole.
type areaImportNote struct {
	Areas int `json:"areas"` // to be created or changed
}

func areasText(note json.RawMessage) string {
	var said areaImportNote
	switch err := json.Unmarshal(note, &said); {
	case err != nil:
		return ""
	case said.Areas == 1:
		return "1 area"
	}
	return strconv.Itoa(said.Areas) + " areas"
}

// UndoAreaImport undoes an import of areas, for 24 hours. Areas that were changed or deleted since are left as they are and named
// in the answer. Requires EDIT_AREA, DELETE_AREA and full reach. Refusals: not_found, import_final, import_undone, rate_limited.
func (a *App) UndoAreaImport(ctx context.Context, actor *access.Actor, id string) (wire.AreaImportUndo, error) {
	return a.undoImportOf(ctx, actor, &areaFiles, id)
}
