package app

import (
	"context"
	"encoding/json"
	"slices"

	"lightbar/internal/access"
	"lightbar/internal/audit"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/people"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

// undoneTooLate is said once people.ImportUndoLife is over.
const undoneTooLate = "Imports can only be undone for 15 minutes."

// importNote is what the audit keeps of an import as a whole; what it did to
// each asset stands in rows of the same request.
type importNote struct {
	Create          int           `json:"create"`
	Update          int           `json:"update"`
	Unchanged       int           `json:"unchanged"`
	BegunAt         fleet.Instant `json:"begun_at"`
	OrganizationIDs []string      `json:"organization_ids"` // of the assets that were changed
}

// noteImport leaves the audit row of an import as a whole and says how to take
// it back; an import that changes nothing leaves none.
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

// undoneThing is an asset that an undo takes back: next is what becomes of it.
type undoneThing struct {
	old, next fleet.Thing
	deletes   bool
	at        fleet.Instant // end of the ownership, of deleted ones
}

// UndoImport takes back what an import did, for 15 minutes: assets it has
// registered are deleted while they have never reported and nobody has changed
// them since, assets it has changed become what they were before while nobody
// has changed them since. Everything else is left as it is and named with the
// reason. All of it happens in one transaction, read from the audit rows of the
// import, and is audited asset by asset. Requires MANAGE_THINGS, full reach of
// the import's organization and, as it deletes, a fresh proof. Refusals:
// not_found, import_final, import_undone, step_up_required, rate_limited.
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
	rows, err := a.rowsOfImport(ctx, actor, note)
	if err != nil {
		return wire.ImportUndo{}, err
	}
	var out wire.ImportUndo
	err = a.turns.alone(ctx, note.OrganizationID, func() (err error) {
		out, err = a.undoImport(ctx, actor.AsOneRequest(a.NewID), note, rows)
		return err
	})
	return out, err
}

// undoImport takes back what the audit rows of an import say.
func (a *App) undoImport(ctx context.Context, actor *access.Actor, note fleet.AuditRow, rows []fleet.AuditRow) (wire.ImportUndo, error) {
	var out wire.ImportUndo
	var things []undoneThing
	judge := func(c *live.Change) error {
		equipped, err := store.ThingsEquipped(ctx, a.Store.Reader())
		if err != nil {
			return err
		}
		if out, things, err = a.planUndo(actor, rows, equipped, c.Now()); err != nil {
			return err
		}
		for i := range things {
			if things[i].deletes {
				things[i].at = c.Release(things[i].old.ID)
			}
		}
		return nil
	}
	var keys []fleet.Key
	err := a.ChangeAfter(ctx, judge, func(c *live.Change, tx *store.Tx) (err error) {
		if err := mustNotBeUndone(ctx, tx, note); err != nil || len(things) == 0 {
			return err
		}
		if keys, err = a.undoImportIn(ctx, tx, c, actor, things); err != nil {
			return err
		}
		a.tellUndone(c, things)
		return a.Audit.Write(ctx, tx, actor, audit.Row{Verb: "undo", Noun: "import", NounID: note.ID, OrganizationID: note.OrganizationID,
			After: map[string]int{"deleted": out.Deleted, "restored": out.Restored, "left": len(out.Left)}})
	})
	if err != nil {
		return wire.ImportUndo{}, err
	}
	a.forgetKeys(keys)
	return out, nil
}

// mustNotBeUndone refuses the undo of an import that was undone.
func mustNotBeUndone(ctx context.Context, r store.Reader, note fleet.AuditRow) error {
	standing, err := standingImports(ctx, r, note.Noun, note.OrganizationID, note.ID, note.At)
	if err == nil && len(standing) == 0 {
		err = importUndone()
	}
	return err
}

// rowsOfImport reads what an import did to each asset of organizations that are still in full reach.
func (a *App) rowsOfImport(ctx context.Context, actor *access.Actor, note fleet.AuditRow) ([]fleet.AuditRow, error) {
	var said importNote
	if err := json.Unmarshal(note.After, &said); err != nil {
		return nil, err
	}
	var out []fleet.AuditRow
	for _, id := range said.OrganizationIDs {
		if actor.Reach(id) != access.Full {
			continue
		}
		rows, err := store.AuditOfRequest(ctx, a.Store.Reader(), id, said.BegunAt, note.At, note.RequestID, "thing")
		if err != nil {
			return nil, err
		}
		out = append(out, rows...)
	}
	return out, nil
}

// planUndo judges every asset of an import by the present picture.
func (a *App) planUndo(actor *access.Actor, rows []fleet.AuditRow, equipped map[string]bool,
	now fleet.Instant) (wire.ImportUndo, []undoneThing, error) {
	out := wire.ImportUndo{Left: []wire.ImportLeft{}}
	var things []undoneThing
	imported := map[string]bool{} // their names go back together
	for _, row := range rows {
		imported[row.NounID] = true
	}
	for _, row := range rows {
		var before, after thingDocument
		if err := json.Unmarshal(row.After, &after); err != nil {
			return out, nil, err
		}
		if len(row.Before) > 0 {
			if err := json.Unmarshal(row.Before, &before); err != nil {
				return out, nil, err
			}
		}
		old, state, _, there := a.Live.Thing(row.NounID)
		u := undoneThing{old: old, next: old, deletes: row.Verb == "create"}
		reason := ""
		switch {
		case !there:
			reason = "It was deleted in the meantime."
		case old.OrganizationID != row.OrganizationID:
			reason = "It belongs to another organization now."
		case old.Version != after.Version:
			reason = "It was changed in the meantime."
		case u.deletes && state.HeartbeatAt != 0:
			reason = "It has reported in the meantime."
		case u.deletes && equipped[old.ID]:
			reason = "It has an API key or a device configuration."
		}
		if reason == "" && !u.deletes {
			was := old
			was.ExternalID = before.ExternalID
			if wrong := a.namedNow(&was, imported); len(wrong) > 0 && was.ExternalID != old.ExternalID {
				reason = "Its external ID is in use by another asset now."
			}
		}
		if reason != "" {
			out.Left = append(out.Left, wire.ImportLeft{ThingID: row.NounID, HaasID: after.SystemName, Reason: reason})
			continue
		}
		u.next.Version, u.next.UpdatedAt = old.Version+1, now
		u.next.Relations, u.next.Integrations = slices.Clone(old.Relations), slices.Clone(old.Integrations)
		if u.deletes {
			u.next.Relations, u.next.Integrations, u.next.DeletedAt = nil, nil, now
			out.Deleted++
		} else {
			restoreImported(&u.next, &before, now)
			out.Restored++
		}
		things = append(things, u)
	}
	return out, things, nil
}

// restoreImported gives an asset back what an import may change of it.
func restoreImported(t *fleet.Thing, b *thingDocument, now fleet.Instant) {
	var was fleet.Thing
	wire.Same(&was, b)
	said := wire.SaidOf[wire.ThingWrite](&was)
	wire.Take(t, &said)
	setType(t, was.TypeID)
	t.ExternalID, t.SubtypeID = was.ExternalID, was.SubtypeID
	t.PutInService(was.InService, now)
}

// undoImportIn writes what becomes of the assets, and answers the keys that ended with deleted ones.
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

// tellUndone puts the assets into the picture and tells everybody who sees them.
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
