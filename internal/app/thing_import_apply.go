package app

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"

	"lightbar/internal/access"
	"lightbar/internal/audit"
	"lightbar/internal/file"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

// importPiece is how many assets of a file are created or changed in one transaction; everybody's reports wait for it.
const importPiece = 50

// importing is an import of assets under way.
type importing struct {
	*App
	actor *access.Actor
	in    ThingImport
	rows  []file.AssetRow
	plan  importPlan
	done  int // rows that are stored
}

// applyImport does what the preview showed.
func (a *App) applyImport(ctx context.Context, actor *access.Actor, in ThingImport, rows []file.AssetRow) (wire.ImportResult, error) {
	actor = actor.AsOneRequest(a.NewID)
	plan, err := a.planImport(actor, in, rows, a.now())
	if err != nil {
		return wire.ImportResult{}, err
	}
	if plan.Digest != in.Digest {
		return wire.ImportResult{}, fleet.Refuse("import_changed", "",
			"The assets or the file changed after the preview. Review the new preview.")
	}
	if plan.Refused > 0 {
		return wire.ImportResult{}, fleet.Refuse("import_refused", "csv", "Some rows have errors. Fix the file and upload it again.")
	}
	if err := a.MustBeFresh(ctx, actor); err != nil {
		return wire.ImportResult{}, err
	}
	i := &importing{App: a, actor: actor, in: in, rows: rows, plan: plan}
	err = inPieces(ctx, a, in.OrganizationID, i.pieces(), func(c *live.Change, tx *store.Tx, piece []int) error {
		return i.write(ctx, c, tx, piece)
	})
	if err != nil {
		return wire.ImportResult{}, i.cutShort(err)
	}
	i.plan.Applied = true
	return i.plan.ImportResult, nil
}

// pieces returns the rows that change something, a few at a time. Where one asset gives a name to another, all assets that get
// another name are the first piece: so no name is given twice in between.
func (i *importing) pieces() iter.Seq[[]int] {
	var all, renamed, others []int
	passedOn := false
	for n, p := range i.plan.things {
		if i.plan.Rows[n].Action == "unchanged" {
			continue
		}
		all = append(all, n)
		if p.old != nil && p.old.ExternalID != p.next.ExternalID {
			renamed = append(renamed, n)
		} else {
			others = append(others, n)
		}
		passedOn = passedOn || len(i.namedNow(p.next, nil)) > 0
	}
	if !passedOn {
		renamed, others = nil, all
	}
	return func(yield func([]int) bool) {
		if len(renamed) > 0 {
			if !yield(renamed) {
				return
			}
			i.done += len(renamed) // a caller that requests the next piece has stored this one
		}
		for piece := range slices.Chunk(others, importPiece) {
			if !yield(piece) {
				return
			}
			i.done += len(piece)
		}
	}
}

// write creates and changes the assets of some rows, if they still are what the preview showed.
func (i *importing) write(ctx context.Context, c *live.Change, tx *store.Tx, piece []int) error {
	if i.done == 0 {
		if err := i.noteImport(ctx, tx, i.actor, i.in, &i.plan, c.Now()); err != nil {
			return err
		}
	}
	rows := make([]file.AssetRow, len(piece))
	for n, at := range piece {
		rows[n] = i.rows[at]
	}
	things, more := i.planRows(i.actor, i.in, rows, c.Now()), map[string]int{}
	for n, at := range piece {
		if len(rows[n].Errors) > 0 || !things[n].isAs(&i.plan.things[at]) {
			return importChanged()
		}
		if things[n].old == nil {
			more[things[n].next.OrganizationID]++
		}
	}
	for org, count := range more {
		if err := i.mustHaveRoom(org, count); err != nil {
			return err
		}
	}
	for n := range things {
		if err := i.importThing(ctx, c, tx, i.actor, &things[n]); err != nil {
			return err
		}
	}
	return nil
}

// isAs reports whether a row is about the same version of the same asset as in the preview.
func (p *plannedThing) isAs(shown *plannedThing) bool {
	if p.next == nil || p.old == nil || shown.old == nil {
		return p.next != nil && p.old == shown.old
	}
	return p.old.ID == shown.old.ID && p.old.Version == shown.old.Version
}

func importChanged() error {
	return fleet.Refuse("import_changed", "", "The assets changed after the preview. Review the new preview.")
}

// cutShort reports how far an import got that ended between two pieces.
func (i *importing) cutShort(err error) error {
	var refusal *fleet.Refusal
	if i.done == 0 || !errors.As(err, &refusal) {
		return err
	}
	said := *refusal
	said.Message = fmt.Sprintf("The import stopped after %d of %d changes. %s", i.done, i.plan.Create+i.plan.Update, refusal.Message)
	return &said
}

func (a *App) importThing(ctx context.Context, c *live.Change, tx *store.Tx, actor *access.Actor, p *plannedThing) error {
	if p.old == nil {
		if err := a.insertNew(ctx, tx, actor, p.next); err != nil {
			return err
		}
		a.putNew(c, p.next)
		return nil
	}
	p.next.Version, p.next.UpdatedAt = p.old.Version+1, c.Now()
	if err := tx.UpdateImported(ctx, p.next); errors.Is(err, store.ErrNotFound) {
		return importChanged()
	} else if err != nil {
		return err
	}
	sayThing(c, p.old, p.next, a.Live.Describe(p.next))
	c.Put(p.next)
	return a.Audit.Write(ctx, tx, actor, audit.Row{Verb: "update", Noun: "thing", NounID: p.next.ID, OrganizationID: p.next.OrganizationID,
		Before: thingDoc(p.old), After: thingDoc(p.next)})
}
