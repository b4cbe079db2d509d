package people

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

// verbs is the receiver of an edit: the verbs about people, or all of them.
type verbs interface{ base() *Accounts }

func (a *Accounts) base() *Accounts { return a }

// Noun is what Edit must know about a kind of record. T is the record, W its
// wire shape.
type Noun[A verbs, T, W any] struct {
	Name     string // in the audit
	Word     string // in sentences
	Verb     string // in the audit; empty = update
	Requires string // of catalog/permissions.json
	Pictured bool   // it is also in the live picture
	Unnamed  bool   // its conflicts show the current record, but not who changed it

	// Load reads it for a change; out of reach is refused as if it did not exist.
	Load func(e *Editing[A, T]) (T, error)
	Of   func(*T) Record
	Same func(x, y *T) bool
	// Save stores e.Next; false or store.ErrNotFound when somebody was faster.
	Save func(e *Editing[A, T]) (bool, error)
	// Saved makes the other changes that follow from the edit, in the same transaction.
	Saved func(e *Editing[A, T]) error
	Doc   func(*T) any // what the audit keeps of it
	// Show is what the verb answers.
	Show func(ctx context.Context, a A, actor *access.Actor, id string) (W, error)
}

// Record is where a noun keeps what every noun has.
type Record struct {
	Owner     string // its organization
	Version   *int64
	UpdatedAt *fleet.Instant // of the version that an edit is checked against
	// Edited is the version that the last edit made (0 = none), of a noun whose
	// Version other things raise, too: those are no conflict. nil = every version is an edit's.
	Edited *int64
}

// standing is the version that the last edit made.
func (r Record) standing() int64 {
	if r.Edited != nil {
		return *r.Edited
	}
	return *r.Version
}

// Editing is one edit in progress.
type Editing[A verbs, T any] struct {
	context.Context
	*Accounts
	By        A // the verbs that the edit is one of
	Actor     *access.Actor
	ID        string
	Tx        *store.Tx
	Picture   *live.Change // nil for nouns that are not in the picture
	At        fleet.Instant
	Old, Next T
	Verb      string
	Rows      []audit.Row // of the audit; none = one by verb for each organization that has or had it
	then      []func() error
}

// Afterwards registers what to do once the edit has been committed.
func (e *Editing[A, T]) Afterwards(do func() error) { e.then = append(e.then, do) }

// Edit is the only way to change a record: permission; then in one transaction
// load, reach, version, law, save, audit; after the commit its effects. seen is
// the version that the actor saw, nil if none was sent. law changes e.Next and
// refuses what is not allowed; if it leaves the record as it was, nothing is
// written. The answer is the record after the edit. Refusals: forbidden, those
// of load and law, conflict (409, Current).
func Edit[A verbs, T, W any](ctx context.Context, a A, actor *access.Actor, n *Noun[A, T, W], id string, seen *int64,
	law func(e *Editing[A, T]) error) (W, error) {
	var none W
	if err := actor.Must(n.Requires); err != nil {
		return none, err
	}
	e := &Editing[A, T]{Context: ctx, Accounts: a.base(), By: a, Actor: actor, ID: id, Verb: cmp.Or(n.Verb, "update")}
	do := func(c *live.Change, tx *store.Tx) error {
		e.Tx, e.Picture, e.At = tx, c, e.Accounts.now()
		if c != nil {
			e.At = c.Now()
		}
		return n.editIn(e, seen, law)
	}
	var err error
	if n.Pictured {
		err = e.Accounts.Change(ctx, do)
	} else {
		err = e.Store.Write(ctx, func(tx *store.Tx) error { return do(nil, tx) })
	}
	if err != nil {
		return none, withCurrent(err, func() (W, error) { return n.Show(ctx, a, actor, id) })
	}
	for _, do := range e.then {
		if err := do(); err != nil {
			return none, err
		}
	}
	return n.Show(ctx, a, actor, id)
}

func (n *Noun[A, T, W]) editIn(e *Editing[A, T], seen *int64, law func(e *Editing[A, T]) error) (err error) {
	if e.Old, err = n.Load(e); err != nil {
		return err
	}
	was := n.Of(&e.Old)
	if seen != nil && (*seen < was.standing() || *seen > *was.Version) {
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
	return n.audit(e, was, is)
}

// audit leaves the rows of an edit: one in the organization whose record it was, and one where it went.
func (n *Noun[A, T, W]) audit(e *Editing[A, T], was, is Record) error {
	if len(e.Rows) == 0 {
		row := audit.Row{Verb: e.Verb, OrganizationID: was.Owner, After: n.Doc(&e.Next)}
		if *was.Version > 0 {
			row.Before = n.Doc(&e.Old)
		}
		e.Rows = append(e.Rows, row)
		if is.Owner != was.Owner {
			row.OrganizationID = is.Owner
			e.Rows = append(e.Rows, row)
		}
	}
	for _, row := range e.Rows {
		row.Noun, row.NounID = n.Name, e.ID
		if err := e.Audit.Write(e, e.Tx, e.Actor, row); err != nil {
			return err
		}
	}
	return nil
}

func (n *Noun[A, T, W]) faster() string {
	return "Someone else changed this " + n.Word + " while you were editing."
}

// conflict refuses an edit of an older version; Edit adds the current record
// after the transaction.
func (n *Noun[A, T, W]) conflict(e *Editing[A, T], was Record) error {
	if n.Unnamed {
		return fleet.Refuse("conflict", "", n.faster())
	}
	return e.conflictOf(e, e.Tx, e.Actor, changedNoun{n.Name, e.ID, was.Owner, was.standing(), *was.UpdatedAt}, n.faster(), nil)
}

// VersionSeen converts a version from a header, where 0 means that none was
// sent.
func VersionSeen(version int64) *int64 {
	if version == 0 {
		return nil
	}
	return &version
}
