package app

import (
	"context"
	"encoding/json"
	"iter"
	"slices"

	"lightbar/internal/access"
	"lightbar/internal/audit"
	"lightbar/internal/file"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/people"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

// undoneTooLate is the message once people.ImportUndoLife is over.
const undoneTooLate = "Imports can only be undone for 15 minutes."

// importNote is what the audit stores about an import as a whole; what it did to each asset is in rows of the same request.
type importNote struct {
	Create          int           `json:"create"`
	Update          int           `json:"update"`
	Unchanged       int           `json:"unchanged"`
	BegunAt         fleet.Instant `json:"begun_at"`
	OrganizationIDs []string      `json:"organization_ids"` // of the assets that were changed
}

// noteImport writes the audit row of an import as a whole and returns how to undo it; an import that changes nothing leaves none.
func (a *App) noteImport(ctx context.Context, tx *store.Tx, actor *access.Actor, in ThingImport, plan *importPlan,
	begun fleet.Instant) error {
	note := importNote{Create: plan.Create, Update: plan.Update, Unchanged: plan.Unchanged, BegunAt: begun}
	if note.Create+note.Update == 0 {
		return nil
	}
	for i, p := range plan.things {
		if plan.Rows[i].Action != "unchanged" && !slices.Contains(note.OrganizationIDs, p.next.OrganizationID) {
			note.OrganizationIDs = append(note.OrganizationIDs, p.next.OrganizationID)
		}
	}
	plan.ImportID, plan.UndoUntil = a.NewID(), a.now().Add(people.ImportUndoLife)
	return a.Audit.Write(ctx, tx, actor, audit.Row{ID: plan.ImportID, Verb: "import", Noun: "import", NounID: plan.ImportID,
		OrganizationID: in.OrganizationID, After: note})
}

// undoneThing is an asset that an undo restores: next is its new state.
type undoneThing struct {
	old, next fleet.Thing
	deletes   bool
	at        fleet.Instant // end of the ownership, of deleted ones
}

// UndoImport undoes an import, for 15 minutes: assets that it registered are deleted if they have never reported and nobody has
// changed them since; assets that it changed become what they were before if nobody has changed them since. Everything else is left
// as it is and named with the reason. The undo reads the audit rows of the import, works in pieces, and is audited asset by asset;
// after a failure the request may be sent again. Requires MANAGE_THINGS, full reach of the import's organization and, as it
// deletes, a fresh proof. Refusals: not_found, import_final, import_undone, step_up_required, rate_limited.
func (a *App) UndoImport(ctx context.Context, actor *access.Actor, importID string) (wire.ImportUndo, error) {
	if err := actor.Must("MANAGE_THINGS"); err != nil {
		return wire.ImportUndo{}, err
	}
	note, err := a.importNoted(ctx, actor, "import", importID, people.ImportUndoLife, undoneTooLate)
	if err != nil {
		return wire.ImportUndo{}, err
	}
	if err := mustNotBeUndone(ctx, a.Store.Reader(), note); err != nil {
		return wire.ImportUndo{}, err
	}
	if err := a.MustBeFresh(ctx, actor); err != nil {
		return wire.ImportUndo{}, err
	}
	did, err := a.rowsOfImport(ctx, actor, note)
	if err != nil {
		return wire.ImportUndo{}, err
	}
	return a.undoImport(ctx, actor.AsOneRequest(a.NewID), note, did)
}

// undoImport undoes an import. An asset that gets a key while this runs is deleted with it.
func (a *App) undoImport(ctx context.Context, actor *access.Actor, note fleet.AuditRow, did []importedThing) (wire.ImportUndo, error) {
	out := wire.ImportUndo{Left: []wire.ImportLeft{}}
	if _, another := a.undos.LoadOrStore(note.ID, true); another {
		return out, fleet.Refuse("import_undone", "", "This import is already being undone.")
	}
	defer a.undos.Delete(note.ID)
	equipped, err := store.ThingsEquipped(ctx, a.Store.Reader())
	if err != nil {
		return out, err
	}
	var keys []fleet.Key
	defer func() { a.forgetKeys(keys) }()
	err = inPieces(ctx, a, note.OrganizationID, undoPieces(did), func(c *live.Change, tx *store.Tx, piece []importedThing) error {
		if err := mustNotBeUndone(ctx, tx, note); err != nil {
			return err
		}
		things := a.planUndo(piece, equipped, c.Now(), &out)
		for i := range things {
			if things[i].deletes {
				things[i].at = c.Release(things[i].old.ID)
			}
		}
		ended, err := a.undoImportIn(ctx, tx, c, actor, things)
		if err != nil {
			return err
		}
		keys = append(keys, ended...)
		a.tellUndone(c, things)
		return nil
	})
	if err != nil {
		return wire.ImportUndo{}, err
	}
	if out.Deleted+out.Restored == 0 { // nothing was undone: it may be requested again
		return out, nil
	}
	err = a.Change(ctx, func(_ *live.Change, tx *store.Tx) error {
		if err := mustNotBeUndone(ctx, tx, note); err != nil {
			return err
		}
		return a.Audit.Write(ctx, tx, actor, audit.Row{Verb: "undo", Noun: "import", NounID: note.ID, OrganizationID: note.OrganizationID,
			After: map[string]int{"deleted": out.Deleted, "restored": out.Restored, "left": len(out.Left)}})
	})
	return out, err
}

// importedThing is what an import did to an asset: before is its earlier state, unless the import created it.
type importedThing struct {
	id, organizationID string
	created            bool
	before, after      thingDocument
}

// undoPieces returns what an import did, a few assets at a time, in the order in which names become free: created assets are
// deleted first, and assets that get an earlier name back are one piece, since they may pass names on to each other.
func undoPieces(did []importedThing) iter.Seq[[]importedThing] {
	var created, renamed, others []importedThing
	for _, d := range did {
		switch {
		case d.created:
			created = append(created, d)
		case d.before.ExternalID != d.after.ExternalID:
			renamed = append(renamed, d)
		default:
			others = append(others, d)
		}
	}
	return func(yield func([]importedThing) bool) {
		for piece := range slices.Chunk(created, importPiece) {
			if !yield(piece) {
				return
			}
		}
		if len(renamed) > 0 && !yield(renamed) {
			return
		}
		for piece := range slices.Chunk(others, importPiece) {
			if !yield(piece) {
				return
			}
		}
	}
}

// mustNotBeUndone refuses the undo of an import that was already undone.
func mustNotBeUndone(ctx context.Context, r store.Reader, note fleet.AuditRow) error {
	standing, err := standingImports(ctx, r, note.Noun, note.OrganizationID, note.ID, note.At)
	if err == nil && len(standing) == 0 {
		err = importUndone()
	}
	return err
}

// rowsOfImport reads what an import did to each asset of organizations that are still in full reach.
func (a *App) rowsOfImport(ctx context.Context, actor *access.Actor, note fleet.AuditRow) ([]importedThing, error) {
	var said importNote
	if err := json.Unmarshal(note.After, &said); err != nil {
		return nil, err
	}
	var out []importedThing
	for _, id := range said.OrganizationIDs {
		if actor.Reach(id) != access.Full {
			continue
		}
		rows, err := store.AuditOfRequest(ctx, a.Store.Reader(), id, said.BegunAt, a.now(), note.RequestID, "thing")
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			d := importedThing{id: row.NounID, organizationID: row.OrganizationID, created: row.Verb == "create"}
			if err := json.Unmarshal(row.After, &d.after); err != nil {
				return nil, err
			}
			if !d.created {
				if err := json.Unmarshal(row.Before, &d.before); err != nil {
					return nil, err
				}
			}
			out = append(out, d)
		}
	}
	return out, nil
}

// planUndo judges some assets of an import by the present picture, and counts the results in out.
func (a *App) planUndo(did []importedThing, equipped map[string]bool, now fleet.Instant,
	out *wire.ImportUndo) (things []undoneThing) {
	together := map[string]bool{} // their names go back together
	for i := range did {
		together[did[i].id] = true
	}
	for i := range did {
		d := &did[i]
		old, state, _, there := a.Live.Thing(d.id)
		u := undoneThing{old: old, next: old, deletes: d.created}
		if there && !d.created && old.Version != d.after.Version && isBack(old, &d.before, now) { // by an undo that was interrupted
			out.Restored++
			continue
		}
		reason := ""
		switch {
		case !there:
			reason = "It was deleted in the meantime."
		case old.OrganizationID != d.organizationID:
			reason = "It belongs to another organization now."
		case old.Version != d.after.Version:
			reason = "It was changed in the meantime."
		case u.deletes && state.HeartbeatAt != 0:
			reason = "It has reported in the meantime."
		case u.deletes && equipped[old.ID]:
			reason = "It has an API key or a device configuration."
		}
		if reason == "" && !u.deletes {
			was := old
			was.ExternalID = d.before.ExternalID
			if wrong := a.namedNow(&was, together); len(wrong) > 0 && was.ExternalID != old.ExternalID {
				reason = "Its external ID is in use by another asset now."
			}
		}
		if reason != "" {
			out.Left = append(out.Left, wire.ImportLeft{ThingID: d.id, HaasID: d.after.SystemName, Reason: reason})
			continue
		}
		u.next.Version, u.next.UpdatedAt = old.Version+1, now
		u.next.Relations, u.next.Integrations = slices.Clone(old.Relations), slices.Clone(old.Integrations)
		if u.deletes {
			u.next.Relations, u.next.Integrations, u.next.DeletedAt = nil, nil, now
			out.Deleted++
		} else {
			restoreImported(&u.next, &d.before, now)
			out.Restored++
		}
		things = append(things, u)
	}
	return things
}

// isBack reports whether an asset is what it was before an import.
func isBack(t fleet.Thing, before *thingDocument, now fleet.Instant) bool {
	was := t
	restoreImported(&was, before, now)
	is, back := rowOfThing(&t), rowOfThing(&was)
	return !slices.ContainsFunc(file.AssetColumns, func(column string) bool { return is.Value(column) != back.Value(column) })
}

// restoreImported restores in an asset the fields that an import may change.
func restoreImported(t *fleet.Thing, b *thingDocument, now fleet.Instant) {
	var was fleet.Thing
	wire.Same(&was, b)
	said := wire.AllTextsOf[wire.ThingWrite](&was)
	wire.Take(t, &said)
	setType(t, was.TypeID)
	t.ExternalID, t.SubtypeID = was.ExternalID, was.SubtypeID
	t.PutInService(was.InService, now)
}

// undoImportIn writes the new states of the assets, and returns the keys that ended with deleted ones.
func (a *App) undoImportIn(ctx context.Context, tx *store.Tx, change *live.Change, actor *access.Actor,
	things []undoneThing) ([]fleet.Key, error) {
	var ended []fleet.Key
	for i := range things {
		u := &things[i]
		row := audit.Row{Verb: "update", Noun: "thing", NounID: u.old.ID, OrganizationID: u.old.OrganizationID, Before: thingDoc(&u.old)}
		if u.deletes {
			keys, err := a.endOwnership(ctx, tx, change, actor, &u.old, &u.next, u.at)
			if err != nil {
				return nil, err
			}
			ended = append(ended, keys...)
			for _, org := range live.Audience(&u.old) {
				if err := tx.PutGone(ctx, org, u.old.ID, change.Now()); err != nil {
					return nil, err
				}
				change.Lost(org, u.old.ID)
			}
			row.Verb = "delete"
		} else {
			if err := tx.UpdateImported(ctx, &u.next); err != nil {
				return nil, err
			}
			row.After = thingDoc(&u.next)
		}
		if err := a.Audit.Write(ctx, tx, actor, row); err != nil {
			return nil, err
		}
	}
	return ended, nil
}

// tellUndone puts the assets into the picture and publishes them to everybody who sees them.
func (a *App) tellUndone(change *live.Change, things []undoneThing) {
	for i := range things {
		u := &things[i]
		if u.deletes {
			tellRemoved(change, u.old.ID, live.Audience(&u.old))
		} else {
			sayThing(change, &u.old, &u.next, a.Live.Describe(&u.next))
		}
		change.Put(&u.next)
	}
}
