package app

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/google/uuid"

	"lightbar/internal/access"
	"lightbar/internal/audit"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/people"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

// areaImportNoun is an import of areas as a whole, in the audit and among what can be undone.
const areaImportNoun = "area_import"

// areaImportNote is what the audit keeps of an import as a whole, from its first
// piece on; what it did to each area stands in rows of the same request. It
// belongs to the file: an import that was cut off and sent again has two.
type areaImportNote struct {
	Areas int `json:"areas"` // to be made or changed
}

func (i *areaImport) note(ctx context.Context, tx *store.Tx, actor *access.Actor, count int) error {
	return i.Audit.Write(ctx, tx, actor, audit.Row{Verb: "import", Noun: areaImportNoun, NounID: i.file.String(),
		OrganizationID: i.organization, After: areaImportNote{Areas: count}})
}

// notesOfFile are the imports of a file that stand and can still be undone, newest first.
func (a *App) notesOfFile(ctx context.Context, organization, file string) ([]fleet.AuditRow, error) {
	rows, err := store.SearchAudit(ctx, a.Store.Reader(), store.AuditQuery{OrganizationID: organization, From: a.now().Add(-people.UndoLife),
		To: math.MaxInt64, Noun: areaImportNoun, NounID: file, Limit: undoMost})
	if undone := slices.IndexFunc(rows, func(r fleet.AuditRow) bool { return r.Verb == "undo" }); undone >= 0 {
		rows = rows[:undone]
	}
	return rows, err
}

// offerAreaUndo says how to take back what a file has done, however often it was sent.
func (a *App) offerAreaUndo(ctx context.Context, organization string, file uuid.UUID, out *wire.AreaImportResult) error {
	notes, err := a.notesOfFile(ctx, organization, file.String())
	if err == nil && len(notes) > 0 {
		out.ImportID, out.UndoUntil = notes[0].ID, notes[0].At.Add(people.UndoLife)
	}
	return err
}

// importedArea is what the imports of a file did to an area: before is what it
// was, none = it was not there; made is the version that they have left.
type importedArea struct {
	id     string
	before json.RawMessage
	made   int64
}

// UndoAreaImport takes back what a file has done, for 24 hours, also one that was
// sent more than once: areas that it has made are deleted, areas that it has
// changed become what they were before. Areas that somebody has changed or
// deleted since are left and named. It is done in pieces; one that fails in
// between may be sent again. Requires EDIT_AREA, DELETE_AREA and full reach.
// Refusals: not_found, import_final, import_undone, rate_limited.
func (a *App) UndoAreaImport(ctx context.Context, actor *access.Actor, id string) (wire.AreaImportUndo, error) {
	out := wire.AreaImportUndo{Reasons: []wire.AreaLeft{}}
	for _, requirement := range []string{areas.Edits, areas.Deletes} {
		if err := actor.Must(requirement); err != nil {
			return out, err
		}
	}
	said, err := store.AuditByID(ctx, a.Store.Reader(), id)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return out, err
	}
	if err != nil || said.Noun != areaImportNoun || said.Verb != "import" || actor.Reach(said.OrganizationID) != access.Full {
		return out, fleet.Refuse("not_found", "", "Import not found")
	}
	if a.now().Sub(said.At) > people.UndoLife {
		return out, fleet.Refuse("import_final", "", "This import can only be undone for 24 hours.")
	}
	notes, err := a.notesOfFile(ctx, said.OrganizationID, said.NounID)
	if err != nil {
		return out, err
	}
	if len(notes) == 0 {
		return out, fleet.Refuse("import_undone", "", "This import was already undone.")
	}
	done, err := a.areasOfImports(ctx, notes)
	if err != nil {
		return out, err
	}
	leave, err := a.turns.join(said.OrganizationID)
	if err != nil {
		return out, err
	}
	defer leave()
	actor = actor.AsOneRequest(a.NewID)
	for piece := range slices.Chunk(done, areasPerCommit) {
		began := time.Now()
		err := a.turns.take(ctx, said.OrganizationID, func() error {
			return a.Change(ctx, func(c *live.Change, tx *store.Tx) error { return a.undoAreas(ctx, c, tx, actor, piece, &out) })
		})
		if err != nil {
			return out, err
		}
		giveWay(ctx, time.Since(began))
	}
	err = a.Change(ctx, func(_ *live.Change, tx *store.Tx) error {
		return a.Audit.Write(ctx, tx, actor, audit.Row{Verb: "undo", Noun: areaImportNoun, NounID: said.NounID,
			OrganizationID: said.OrganizationID, After: map[string]int{"deleted": out.Deleted, "restored": out.Restored, "left": out.Left}})
	})
	return out, err
}

// areasOfImports reads what imports of a file, newest first, did to each area.
func (a *App) areasOfImports(ctx context.Context, notes []fleet.AuditRow) (out []importedArea, err error) {
	at := map[string]int{}
	for _, note := range slices.Backward(notes) {
		rows, err := store.AuditOfRequest(ctx, a.Store.Reader(), note.OrganizationID, note.At, a.now(), note.RequestID, areas.Name)
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			n, known := at[row.NounID]
			if !known {
				n, at[row.NounID] = len(out), len(out)
				out = append(out, importedArea{id: row.NounID, before: row.Before})
			}
			out[n].made = row.VersionMade()
		}
	}
	return out, nil
}

// undoAreas takes some of them back, and counts what became of them once they are.
func (a *App) undoAreas(ctx context.Context, c *live.Change, tx *store.Tx, actor *access.Actor, piece []importedArea,
	out *wire.AreaImportUndo) error {
	var count wire.AreaImportUndo
	for _, done := range piece {
		name, reason, err := a.undoArea(ctx, c, tx, actor, &done)
		switch {
		case err != nil:
			return err
		case reason != "":
			count.Left++
			count.Reasons = append(count.Reasons, wire.AreaLeft{ID: done.id, Name: name, Reason: reason})
		case len(done.before) == 0:
			count.Deleted++
		default:
			count.Restored++
		}
	}
	out.Deleted, out.Restored, out.Left = out.Deleted+count.Deleted, out.Restored+count.Restored, out.Left+count.Left
	out.Reasons = append(out.Reasons, count.Reasons[:min(len(count.Reasons), areaProblemsMost-len(out.Reasons))]...)
	return nil
}

// undoArea takes one back; reason is why it stays as it is.
func (a *App) undoArea(ctx context.Context, c *live.Change, tx *store.Tx, actor *access.Actor, done *importedArea) (
	name, reason string, err error) {
	old, err := store.Areas.ByID(ctx, tx, done.id)
	if err != nil {
		return "", "", err
	}
	switch again, err := a.undoneBefore(ctx, tx, &old, done); {
	case err != nil || again:
		return old.Name, "", err
	case old.Version == done.made && old.DeletedAt == 0:
	case old.DeletedAt != 0:
		return old.Name, "It was deleted in the meantime.", nil
	default:
		return old.Name, "It was changed in the meantime.", nil
	}
	if refusal := (*fleet.Refusal)(nil); errors.As(areas.May(actor, &old), &refusal) {
		return old.Name, refusal.Message, nil
	}
	next := old
	row := audit.Row{Verb: "undo", Noun: areas.Name, NounID: old.ID, OrganizationID: old.OrganizationID, Before: areas.Door().Doc(&old)}
	next.Version, next.UpdatedAt = old.Version+1, a.StampOf(c)
	if len(done.before) == 0 {
		next.DeletedAt = next.UpdatedAt
	} else {
		var was wire.Area
		if err := json.Unmarshal(done.before, &was); err != nil {
			return "", "", err
		}
		if refusal := (*fleet.Refusal)(nil); errors.As(a.putBackArea(&next, was), &refusal) {
			return old.Name, refusal.Message, nil
		}
		row.After = areas.Door().Doc(&next)
	}
	stored, err := store.Areas.Update(ctx, tx, &next, old.Version)
	if err != nil || !stored {
		return old.Name, "It was changed in the meantime.", err
	}
	if next.DeletedAt != 0 {
		areas.TellGone(c, &next)
	} else {
		areas.Tell(a, c, &next)
	}
	if err := areas.Keep(c, &next); err != nil {
		return "", "", err
	}
	return old.Name, "", a.Audit.Write(ctx, tx, actor, row)
}

// undoneBefore tells whether an undo that was cut off has taken an area back already.
func (a *App) undoneBefore(ctx context.Context, r store.Reader, old *fleet.Area, done *importedArea) (bool, error) {
	if old.Version != done.made+1 || (old.DeletedAt != 0) != (len(done.before) == 0) {
		return false, nil
	}
	last, err := store.LastVersion(ctx, r, areas.Name, old.ID)
	if errors.Is(err, store.ErrNotFound) {
		return false, nil
	}
	return last.Verb == "undo", err
}

// undoOfImports lists the imports of areas that can be undone, one entry for each
// file, and the requests that did them: what they did to each area is not listed besides.
func (a *App) undoOfImports(ctx context.Context, actor *access.Actor, organization string) (
	out []wire.Undoable, requests map[string]bool, err error) {
	requests = map[string]bool{}
	if !actor.Meets(areas.Edits) || !actor.Meets(areas.Deletes) {
		return nil, requests, nil
	}
	r := a.Store.Reader()
	rows, err := store.SearchAudit(ctx, r, store.AuditQuery{OrganizationID: organization, From: a.now().Add(-people.UndoLife),
		To: math.MaxInt64, Noun: areaImportNoun, Limit: undoMost})
	if err != nil {
		return nil, requests, err
	}
	newest := map[string]int{} // entries by file; -1 = undone
	for _, row := range rows {
		n, known := newest[row.NounID]
		switch {
		case known && n < 0:
			continue
		case row.Verb == "undo":
			if !known {
				newest[row.NounID] = -1
			}
			continue
		}
		requests[row.RequestID] = true
		if known {
			continue
		}
		var note areaImportNote
		if err := json.Unmarshal(row.After, &note); err != nil {
			return nil, requests, err
		}
		next := wire.Undoable{Noun: areaImportNoun, ID: row.ID, OrganizationID: organization, Name: areasText(note.Areas), Verb: "import",
			At: row.At, Version: 1}
		if next.By, err = people.NameOfActor(ctx, a, r, actor, row); err != nil {
			return nil, requests, err
		}
		newest[row.NounID] = len(out)
		out = append(out, next)
	}
	return out, requests, nil
}

func areasText(count int) string {
	if count == 1 {
		return "1 area"
	}
	return strconv.Itoa(count) + " areas"
}
