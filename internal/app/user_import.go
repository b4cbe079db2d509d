package app

import (
	"context"
	"encoding/json"

	"lightbar/internal/access"
	"lightbar/internal/audit"
	"lightbar/internal/budget/call"
	"lightbar/internal/file"
	"lightbar/internal/people"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

// ImportUsers reads a CSV file of people to invite (file.ReadUserCSV), and previews or executes it as people.InviteUsers does.
// Requires what that does. Refusals: its own, too_large, validation_failed (csv).
func (a *App) ImportUsers(ctx context.Context, actor *access.Actor, in wire.UsersImport) (wire.UserImport, error) {
	if err := actor.Must("ADD_USER"); err != nil {
		return wire.UserImport{}, err
	}
	rows, err := file.ReadUserCSV(ctx, in.CSV)
	if err != nil {
		return wire.UserImport{}, err
	}
	if err := call.Take(ctx, int64(len(rows))*plannedThingBytes); err != nil {
		return wire.UserImport{}, err
	}
	batch := people.UserBatch{OrganizationID: in.OrganizationID.String(), Digest: in.Digest, Lines: make([]people.UserLine, len(rows))}
	for i, row := range rows {
		batch.Lines[i] = people.UserLine(row)
	}
	return a.InviteUsers(ctx, actor, batch)
}

// UndoUserImport removes the people whom a file invited, for 15 minutes, if they have not accepted yet; the others are named in the
// answer. Each is removed as by DeleteUser. Requires DELETE_USER, full reach, and a fresh proof. Refusals: not_found, import_final,
// import_undone, step_up_required, forbidden.
func (a *App) UndoUserImport(ctx context.Context, actor *access.Actor, importID string) (out wire.UserImportUndo, err error) {
	if err := actor.Must("DELETE_USER"); err != nil {
		return out, err
	}
	note, err := a.importNoted(ctx, actor, people.UserImportNoun, importID, people.ImportUndoLife, undoneTooLate)
	if err != nil {
		return out, err
	}
	r := a.Store.Reader()
	if err := mustNotBeUndone(ctx, r, note); err != nil {
		return out, err
	}
	if err := a.MustBeFresh(ctx, actor); err != nil {
		return out, err
	}
	var said people.UserImportNote
	if err := json.Unmarshal(note.After, &said); err != nil {
		return out, err
	}
	rows, err := store.AuditOfRequest(ctx, r, note.OrganizationID, said.BegunAt, note.At, note.RequestID, "user")
	if err != nil {
		return out, err
	}
	actor, out.Left = actor.AsOneRequest(a.NewID), []wire.UserImportLeft{}
	for _, row := range rows {
		if row.Verb != "create" {
			continue
		}
		switch left, err := a.Uninvite(ctx, actor, row.NounID); {
		case err != nil:
			return out, err
		case left != nil:
			out.Left = append(out.Left, *left)
		default:
			out.Deleted++
		}
	}
	return out, a.Store.Write(ctx, func(tx *store.Tx) error {
		if err := mustNotBeUndone(ctx, tx, note); err != nil {
			return err
		}
		return a.Audit.Write(ctx, tx, actor, audit.Row{Verb: "undo", Noun: people.UserImportNoun, NounID: importID,
			OrganizationID: note.OrganizationID, After: map[string]int{"deleted": out.Deleted, "left": len(out.Left)}})
	})
}
