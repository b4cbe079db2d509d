package app

import (
	"cmp"
	"context"
	"errors"

	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/store"
)

// verbs are those that an edit may call: of people, or all of them.
type verbs interface{ base() *Accounts }

func (a *Accounts) base() *Accounts { return a }

// noun is what the edit door must know of a kind of record. T is the record, W its wire shape.
type noun[A verbs, T, W any] struct {
	name     string // in the audit
	word     string // in sentences
	verb     string // in the audit; empty = update
	requires string // of catalog/permissions.json
	pictured bool   // it stands in the live picture, too
	unnamed  bool   // its conflicts say what stands now, not who made it

	// load reads it for a change and refuses what is out of reach as if it did not exist.
	load func(e *editing[A, T]) (T, error)
	of   func(*T) record
	same func(x, y *T) bool
	// save stores e.next; false or store.ErrNotFound when somebody was faster.
	save func(e *editing[A, T]) (bool, error)
	// saved does, in the transaction, what else follows from e.old having become e.next.
	saved func(e *editing[A, T]) error
	doc   func(*T) any // what the audit keeps of it
	// show is what the verb answers.
	show func(ctx context.Context, a A, actor *Actor, id string) (W, error)
}

// record is where a noun keeps what every noun has.
type record struct {
	owner     string // its organization
	version   *int64
	updatedAt *fleet.Instant
}

// editing is one edit on its way through the door.
type editing[A verbs, T any] struct {
	context.Context
	*Accounts
	by        A
	actor     *Actor
	id        string
	tx        *store.Tx
	picture   *live.Change // of the picture; nil for nouns that do not stand in it
	at        fleet.Instant
	old, next T
	verb      string
	rows      []audited // of the audit; none = one by verb for each organization that has or had it
	then      []func() error
}

// afterwards notes what is to be done once the edit has been committed.
func (e *editing[A, T]) afterwards(do func() error) { e.then = append(e.then, do) }

// edit is the one door for changes of a record: permission, then in one
// transaction load, reach, version, law, save, audit, and after the commit its
// effects. seen is the version that the actor saw, nil = not said. law changes
// e.next and refuses what may not be; where that leaves the record as it was,
// nothing is written. The answer is the record as it stands then. Refusals:
// forbidden, those of load and law, conflict (409, Current).
func edit[A verbs, T, W any](ctx context.Context, a A, actor *Actor, n *noun[A, T, W], id string, seen *int64, law func(e *editing[A, T]) error) (W, error) {
	var none W
	if err := actor.Must(n.requires); err != nil {
		return none, err
	}
	e := &editing[A, T]{Context: ctx, Accounts: a.base(), by: a, actor: actor, id: id, verb: cmp.Or(n.verb, "update")}
	do := func(c *live.Change, tx *store.Tx) error {
		e.tx, e.picture, e.at = tx, c, e.Accounts.now()
		if c != nil {
			e.at = c.Now()
		}
		return n.editIn(e, seen, law)
	}
	var err error
	if n.pictured {
		err = e.Accounts.change(ctx, do)
	} else {
		err = e.Store.Write(ctx, func(tx *store.Tx) error { return do(nil, tx) })
	}
	if err != nil {
		return none, withCurrent(err, func() (W, error) { return n.show(ctx, a, actor, id) })
	}
	for _, do := range e.then {
		if err := do(); err != nil {
			return none, err
		}
	}
	return n.show(ctx, a, actor, id)
}

func (n *noun[A, T, W]) editIn(e *editing[A, T], seen *int64, law func(e *editing[A, T]) error) (err error) {
	if e.old, err = n.load(e); err != nil {
		return err
	}
	was := n.of(&e.old)
	if seen != nil && *seen != *was.version {
		return n.conflict(e, was)
	}
	e.next = e.old
	if err := law(e); err != nil || n.same(&e.old, &e.next) {
		return err
	}
	is := n.of(&e.next)
	*is.version, *is.updatedAt = *was.version+1, e.at
	if stored, err := n.save(e); errors.Is(err, store.ErrNotFound) || (err == nil && !stored) {
		return fleet.Refuse("conflict", "", n.faster())
	} else if err != nil {
		return err
	}
	if err := n.saved(e); err != nil {
		return err
	}
	return n.audit(e, was, is)
}

// audit leaves the rows of an edit: one in the organization whose record it was, and one where it went.
func (n *noun[A, T, W]) audit(e *editing[A, T], was, is record) error {
	if len(e.rows) == 0 {
		row := audited{Verb: e.verb, OrganizationID: was.owner, After: n.doc(&e.next)}
		if *was.version > 0 {
			row.Before = n.doc(&e.old)
		}
		e.rows = append(e.rows, row)
		if is.owner != was.owner {
			row.OrganizationID = is.owner
			e.rows = append(e.rows, row)
		}
	}
	for _, row := range e.rows {
		row.Noun, row.NounID = n.name, e.id
		if err := e.Audit.Write(e, e.tx, e.actor, row); err != nil {
			return err
		}
	}
	return nil
}

func (n *noun[A, T, W]) faster() string {
	return "Someone else changed this " + n.word + " while you were editing."
}

// conflict refuses an edit of an older version; what stands now is put into it after the transaction.
func (n *noun[A, T, W]) conflict(e *editing[A, T], was record) error {
	if n.unnamed {
		return fleet.Refuse("conflict", "", n.faster())
	}
	return e.conflictOf(e, e.tx, e.actor, changedNoun{n.name, e.id, was.owner, *was.version, *was.updatedAt}, n.faster(), nil)
}

// versionSeen is a version of a header, where 0 means that none was said.
func versionSeen(version int64) *int64 {
	if version == 0 {
		return nil
	}
	return &version
}
