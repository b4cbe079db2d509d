package record

import (
	"cmp"
	"context"
	"errors"

	"lightbar/internal/access"
	"lightbar/internal/audit"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/store"
)

// Noun is what Edit, Create and Remove need to know about a kind of record. T is the record, W its wire shape.
type Noun[A Verbs, T, W any] struct {
	Name     string // in the audit
	Word     string // in sentences
	Verb     string // in the audit; empty = update
	Requires string // to edit one, of catalog/permissions.json
	Adds     string // to create one, likewise
	Removes  string // to remove one, likewise
	Proved   bool   // creating one gives access: it needs a fresh proof, as every removal does
	Pictured bool   // it is also in the live picture
	Since    string // the message of a conflict; empty = that somebody else changed it in the meantime
	Unnamed  bool   // its conflicts show the current record, but not who changed it

	// Load reads it for a change; out of reach is refused as if it did not exist. Same, Save, Saved and Show are only for edits.
	Load func(e *Editing[A, T]) (T, error)
	Of   func(*T) Header
	Same func(x, y *T) bool
	// Save stores e.Next; false or store.ErrNotFound when another request was faster.
	Save func(e *Editing[A, T]) (bool, error)
	// Saved makes the other changes that follow from the edit, in the same transaction.
	Saved func(e *Editing[A, T]) error
	Doc   func(*T) any // what the audit stores about it
	// Show returns the answer of the verb.
	Show func(ctx context.Context, a A, actor *access.Actor, id string) (W, error)
}

// Header gives access to the fields that every noun has.
type Header struct {
	Owner     string // its organization
	Version   *int64
	UpdatedAt *fleet.Instant // of the version that an edit is checked against
	// Edited is the version that the last edit made (0 = none), for a noun whose Version is also raised by other things, which are
	// no conflict. nil = every version is an edit's.
	Edited *int64
}

// editVersion is the version that the last edit made.
func (r Header) editVersion() int64 {
	if r.Edited != nil {
		return *r.Edited
	}
	return *r.Version
}

// Editing is one change in progress. A new record has no Old, a removed one no Next.
type Editing[A Verbs, T any] struct {
	context.Context
	*Base
	By        A // the verbs to which the edit belongs
	Actor     *access.Actor
	ID        string
	Tx        *store.Tx
	Picture   *live.Change // nil for nouns that are not in the picture
	At        fleet.Instant
	Old, Next T
	Verb      string
	Rows      []audit.Row // of the audit; nil = one by verb for each organization that has or had it, empty = none
	follow    []func() error
	then      []func() error
	held      []func()
	proved    bool
}

// Trial is an edit of nothing that is stored, for verbs that return what a law would decide: e.Next is the result.
func Trial[A Verbs, T any](ctx context.Context, a A, actor *access.Actor) *Editing[A, T] {
	b := a.base()
	return &Editing[A, T]{Context: ctx, Base: b, By: a, Actor: actor, At: b.now()}
}

// Reader reads in the transaction of the edit; a trial has none.
func (e *Editing[A, T]) Reader() store.Reader {
	if e.Tx == nil {
		return e.Store.Reader()
	}
	return e.Tx
}

// Afterwards registers what to do once the edit has been committed.
func (e *Editing[A, T]) Afterwards(do func() error) { e.then = append(e.then, do) }

// Edit is the only way to change a record: permission; then in one transaction
// load, reach, version, law, save, audit; after the commit its effects. seen is
// the version that the actor saw, nil if none was sent. law changes e.Next and
// refuses what is not allowed; if it leaves the record as it was, nothing is
// written. The answer is the record after the edit. Refusals: forbidden, those
// of load and law, conflict (409, Current).
func Edit[A Verbs, T, W any](ctx context.Context, a A, actor *access.Actor, n *Noun[A, T, W], id string, seen *int64,
	law func(e *Editing[A, T]) error) (W, error) {
	var none W
	e, err := begin[A, T](ctx, a, actor, n.Requires, cmp.Or(n.Verb, "update"))
	if err != nil {
		return none, err
	}
	e.ID = id
	defer e.release()
	if err := e.through(n.Pictured, func() error { return n.editIn(e, seen, law) }); err != nil {
		return none, withCurrent(err, func() (W, error) { return n.Show(ctx, a, actor, id) })
	}
	return n.Show(ctx, a, actor, id)
}

func (n *Noun[A, T, W]) editIn(e *Editing[A, T], seen *int64, law func(e *Editing[A, T]) error) (err error) {
	if e.Old, err = n.Load(e); err != nil {
		return err
	}
	was := n.Of(&e.Old)
	if seen != nil && (*seen < was.editVersion() || *seen > *was.Version) {
		return n.conflict(e, was)
	}
	e.Next = e.Old
	if err := law(e); err != nil || n.Same(&e.Old, &e.Next) {
		return err
	}
	is := n.Of(&e.Next)
	*is.Version, *is.UpdatedAt = *was.Version+1, e.At
	if is.Edited != nil {
		*is.Edited = *is.Version
	}
	if stored, err := n.Save(e); errors.Is(err, store.ErrNotFound) || (err == nil && !stored) {
		return fleet.Refuse("conflict", "", n.faster())
	} else if err != nil {
		return err
	}
	if err := n.Saved(e); err != nil {
		return err
	}
	row := audit.Row{Verb: e.Verb, OrganizationID: was.Owner, After: n.Doc(&e.Next)}
	if *was.Version > 0 {
		row.Before = n.Doc(&e.Old)
	}
	rows := []audit.Row{row}
	if is.Owner != was.Owner { // the new owner reads it, too
		row.OrganizationID = is.Owner
		rows = append(rows, row)
	}
	return n.audit(e, rows...)
}

func (n *Noun[A, T, W]) faster() string {
	if n.Since != "" {
		return n.Since
	}
	return "Someone else changed this " + n.Word + " while you were editing."
}

// conflict refuses an edit of an older version; Edit adds the current record
// after the transaction.
func (n *Noun[A, T, W]) conflict(e *Editing[A, T], was Header) error {
	if n.Unnamed {
		return fleet.Refuse("conflict", "", n.faster())
	}
	return e.conflictOf(e, e.Tx, e.Actor, changedNoun{n.Name, e.ID, was.Owner, was.editVersion(), *was.UpdatedAt}, n.faster(), nil)
}

// VersionSeen converts a version from a header, where 0 means that none was
// sent.
func VersionSeen(version int64) *int64 {
	if version == 0 {
		return nil
	}
	return &version
}
