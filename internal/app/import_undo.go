package app

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"slices"
	"time"

	"github.com/google/uuid"

	"lightbar/internal/access"
	"lightbar/internal/audit"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/record"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

// importKind is a kind of file whose import is undone as a whole. An import writes a note to the audit with its first piece; what
// it did to each record is in rows of the same request. Notes belong to the file: an import that was interrupted and sent again has
// two.
type importKind struct {
	noun    string   // the noun of a whole import: in the audit and in the list of what can be undone
	records string   // the noun of the records that it creates
	undo    []string // what undoing one requires
	// title is the name that a note gives its import.
	title func(note json.RawMessage) string
	// back restores one record; reason is why the record was left as it is.
	back func(ctx context.Context, a *App, by *undoing, done *importedRecord) (name, reason string, err error)
}

// importKinds are listed beside undoables.
var importKinds = []*importKind{&areaFiles, &hazardFiles}

// importedRecord is what the imports of a file did to a record. before is the record before, empty if it did not exist; made is the
// version that the imports left; at is when they began.
type importedRecord struct {
	id     string
	before json.RawMessage
	made   int64
	at     fleet.Instant
}

// undoing is a transaction that restores records, and for whom.
type undoing struct {
	c     *live.Change
	tx    *store.Tx
	actor *access.Actor
	name  string // of the actor
}

// fileID is the id of a file for an organization, together with the way of reading it, which is how.
func fileID(organization, format, how, content string) uuid.UUID {
	sum := sha256.New()
	for _, part := range []string{organization, format, how, content} {
		fmt.Fprintf(sum, "%d:", len(part))
		_, _ = io.WriteString(sum, part) // a digest accepts everything
	}
	return uuid.NewSHA1(uuid.NameSpaceOID, sum.Sum(nil))
}

// note writes the audit row of an import as a whole.
func (k *importKind) note(ctx context.Context, a *App, tx *store.Tx, actor *access.Actor, organization string, file uuid.UUID,
	note any) error {
	return a.Audit.Write(ctx, tx, actor, audit.Row{Verb: "import", Noun: k.noun, NounID: file.String(), OrganizationID: organization,
		After: note})
}

// standingImports returns the notes of a file whose imports were not undone, newest first.
func standingImports(ctx context.Context, r store.Reader, noun, organization, file string, since fleet.Instant) ([]fleet.AuditRow, error) {
	rows, err := store.ImportsOf(ctx, r, organization, noun, file, since, undoMost)
	if undone := slices.IndexFunc(rows, func(row fleet.AuditRow) bool { return row.Verb == "undo" }); undone >= 0 {
		rows = rows[:undone]
	}
	return rows, err
}

// notes returns the imports of a file that were not undone and still can be, newest first.
func (k *importKind) notes(ctx context.Context, a *App, organization, file string) ([]fleet.AuditRow, error) {
	return standingImports(ctx, a.Store.Reader(), k.noun, organization, file, a.now().Add(-record.UndoLife))
}

// offer returns how to undo what a file has done, however often it was sent; empty = it has done nothing.
func (k *importKind) offer(ctx context.Context, a *App, organization string, file uuid.UUID) (id string, until fleet.Instant, err error) {
	notes, err := k.notes(ctx, a, organization, file.String())
	if err == nil && len(notes) > 0 {
		id, until = notes[0].ID, notes[0].At.Add(record.UndoLife)
	}
	return id, until, err
}

// importNoted finds the note of an import that is in full reach and younger than life. Refusals: not_found, import_final (with the
// sentence final).
func (a *App) importNoted(ctx context.Context, actor *access.Actor, noun, id string, life time.Duration, final string) (
	fleet.AuditRow, error) {
	row, err := store.AuditByID(ctx, a.Store.Reader(), id)
	switch {
	case err != nil && !errors.Is(err, store.ErrNotFound):
		return row, err
	case err != nil || row.Noun != noun || row.Verb != "import" || actor.Reach(row.OrganizationID) != access.Full:
		return row, fleet.Refuse("not_found", "", "Import not found")
	case a.now().Sub(row.At) > life:
		return row, fleet.Refuse("import_final", "", final)
	}
	return row, nil
}

func importUndone() error {
	return fleet.Refuse("import_undone", "", "This import was already undone.")
}

// undoImportOf undoes what a file has done, for 24 hours, also a file that was sent more than once: records that it created are
// deleted, and records that it changed become what they were before. Records that somebody has changed since are left as they are
// and named in the answer. The work is done in pieces; after a failure the request may be sent again. Requires what the kind says,
// and full reach. Refusals: not_found, import_final, import_undone, rate_limited.
func (a *App) undoImportOf(ctx context.Context, actor *access.Actor, k *importKind, id string) (wire.AreaImportUndo, error) {
	out := wire.AreaImportUndo{Reasons: []wire.AreaLeft{}}
	for _, requirement := range k.undo {
		if err := actor.Must(requirement); err != nil {
			return out, err
		}
	}
	said, err := a.importNoted(ctx, actor, k.noun, id, record.UndoLife, "This import can only be undone for 24 hours.")
	if err != nil {
		return out, err
	}
	notes, err := k.notes(ctx, a, said.OrganizationID, said.NounID)
	if err != nil {
		return out, err
	}
	if len(notes) == 0 {
		return out, importUndone()
	}
	done, err := k.recordsOf(ctx, a, notes)
	if err != nil {
		return out, err
	}
	name, err := store.ActorName(ctx, a.Store.Reader(), actor.UserID, actor.KeyID)
	if err != nil {
		return out, err
	}
	actor = actor.AsOneRequest(a.NewID)
	pieces := slices.Chunk(done, recordsPerCommit)
	err = inPieces(ctx, a, said.OrganizationID, pieces, func(c *live.Change, tx *store.Tx, piece []importedRecord) error {
		return k.undoPiece(ctx, a, &undoing{c, tx, actor, name}, piece, &out)
	})
	if err != nil {
		return out, err
	}
	err = a.Change(ctx, func(_ *live.Change, tx *store.Tx) error {
		return a.Audit.Write(ctx, tx, actor, audit.Row{Verb: "undo", Noun: k.noun, NounID: said.NounID,
			OrganizationID: said.OrganizationID, After: map[string]int{"deleted": out.Deleted, "restored": out.Restored, "left": out.Left}})
	})
	return out, err
}

// inPieces does long work in transactions of a few rows each, in the tenant's turns: after each piece it releases the writer, and
// others get their turn. Refusals: rate_limited.
func inPieces[T any](ctx context.Context, a *App, organization string, pieces iter.Seq[[]T],
	piece func(c *live.Change, tx *store.Tx, rows []T) error) error {
	leave, err := a.turns.join(organization)
	if err != nil {
		return err
	}
	defer leave()
	for some := range pieces {
		began := time.Now()
		err := a.turns.take(ctx, organization, func() error {
			return a.Change(ctx, func(c *live.Change, tx *store.Tx) error { return piece(c, tx, some) })
		})
		if err != nil {
			return err
		}
		giveWay(ctx, time.Since(began))
	}
	return nil
}

// recordsOf reads what the imports of a file, newest first, did to each record.
func (k *importKind) recordsOf(ctx context.Context, a *App, notes []fleet.AuditRow) (out []importedRecord, err error) {
	at := map[string]int{}
	for _, note := range slices.Backward(notes) {
		rows, err := store.AuditOfRequest(ctx, a.Store.Reader(), note.OrganizationID, note.At, a.now(), note.RequestID, k.records)
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			n, known := at[row.NounID]
			if !known {
				n, at[row.NounID] = len(out), len(out)
				out = append(out, importedRecord{id: row.NounID, before: row.Before, at: row.At})
			}
			out[n].made = row.VersionMade()
		}
	}
	return out, nil
}

// undoPiece restores some records, and counts the results afterward.
func (k *importKind) undoPiece(ctx context.Context, a *App, by *undoing, piece []importedRecord, out *wire.AreaImportUndo) error {
	var count wire.AreaImportUndo
	for _, done := range piece {
		name, reason, err := k.back(ctx, a, by, &done)
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

// undoOf lists the imports that can be undone, one entry for each file, and the requests that did them: what they did to each
// record is not listed separately.
func (k *importKind) undoOf(ctx context.Context, a *App, actor *access.Actor, organization string, requests map[string]bool) (
	out []wire.Undoable, err error) {
	if slices.ContainsFunc(k.undo, func(requirement string) bool { return !actor.Meets(requirement) }) {
		return nil, nil
	}
	r := a.Store.Reader()
	rows, err := store.SearchAudit(ctx, r, store.AuditQuery{OrganizationID: organization, From: a.now().Add(-record.UndoLife),
		To: math.MaxInt64, Noun: k.noun, Limit: undoMost})
	if err != nil {
		return nil, err
	}
	ended, entry := map[string]bool{}, map[string]int{} // by file; an entry counts from 1
	for _, row := range rows {
		n := entry[row.NounID]
		if row.Verb == "undo" {
			ended[row.NounID] = true
		} else if n != 0 {
			requests[row.RequestID] = true
		}
		if ended[row.NounID] {
			continue
		}
		if n != 0 { // the first note has the extent of the whole import
			out[n-1].Name = k.title(row.After)
			continue
		}
		requests[row.RequestID], entry[row.NounID] = true, len(out)+1
		next := wire.Undoable{Noun: k.noun, ID: row.ID, OrganizationID: organization, Name: k.title(row.After), Verb: "import",
			At: row.At, Version: 1}
		if next.By, err = record.NameOfActor(ctx, a, r, actor, row); err != nil {
			return nil, err
		}
		out = append(out, next)
	}
	return out, nil
}

// wayBack is how a record of a resource is restored.
type wayBack[T any] struct {
	name func(t *T) string
	// touched returns why a record is no longer as an import left it, according to an audit row; empty = it still is.
	touched func(t *T, made *fleet.AuditRow, now fleet.Instant) (reason string, err error)
	// restore sets the record to what a document contains; if it is refused, the record is left as it is.
	restore func(a *App, t *T, before json.RawMessage) error
	remove  func(t *T, by *undoing, at fleet.Instant)
	// docs returns what the audit stores about it.
	docs func(old, next *T) (before, after any)
}

const (
	wasChanged = "It was changed in the meantime."
	wasDeleted = "It was deleted in the meantime."
	isUnread   = "It is damaged and can't be read."
)

// takeBack undoes what an import did to one record.
func takeBack[T, W, B any](q *resource[T, W, B], way wayBack[T]) func(ctx context.Context, a *App, by *undoing, done *importedRecord) (
	name, reason string, err error) {
	return func(ctx context.Context, a *App, by *undoing, done *importedRecord) (name, reason string, err error) {
		old, err := q.Rows.ByID(ctx, by.tx, done.id)
		if errors.Is(err, store.ErrNotFound) {
			return "", wasDeleted, nil
		} else if errors.Is(err, store.ErrUnreadable) {
			return "", isUnread, nil
		} else if err != nil {
			return "", "", err
		}
		name = way.name(&old)
		rows, err := store.VersionsSince(ctx, by.tx, q.Name, done.id, done.at)
		if err != nil {
			return name, "", err
		}
		switch made := slices.IndexFunc(rows, func(row fleet.AuditRow) bool { return row.VersionMade() == done.made }); {
		case made < 0:
			return name, wasChanged, nil
		case made == 1 && rows[0].Verb == "undo": // by an undo that was interrupted
			return name, "", nil
		default:
			if reason, err := way.touched(&old, &rows[made], a.StampOf(by.c)); err != nil || reason != "" {
				return name, reason, err
			}
		}
		next := old
		of := q.Of(&next)
		*of.Version, *of.UpdatedAt = *q.Of(&old).Version+1, a.StampOf(by.c)
		refusal := (*fleet.Refusal)(nil)
		if q.May != nil && errors.As(q.May(by.actor, &old), &refusal) {
			return name, refusal.Message, nil
		}
		row := audit.Row{Verb: "undo", Noun: q.Name, NounID: done.id, OrganizationID: *of.Owner}
		if len(done.before) == 0 {
			*of.DeletedAt = *of.UpdatedAt
			way.remove(&next, by, *of.UpdatedAt)
		} else {
			if err := way.restore(a, &next, done.before); errors.As(err, &refusal) {
				return name, refusal.Message, nil
			} else if err != nil {
				return name, "", err
			}
		}
		if row.Before, row.After = way.docs(&old, &next); len(done.before) == 0 {
			row.After = nil
		}
		stored, err := q.Rows.Update(ctx, by.tx, &next, *q.Of(&old).Version)
		if err != nil || !stored {
			return name, wasChanged, err
		}
		if *of.DeletedAt != 0 {
			q.PublishGone(by.c, &next)
		} else {
			q.Publish(a, by.c, &next)
		}
		if err := q.PutInPicture(by.c, &next); err != nil {
			return name, "", err
		}
		return name, "", a.Audit.Write(ctx, by.tx, by.actor, row)
	}
}
