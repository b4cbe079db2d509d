package record

import (
	"context"
	"errors"
	"strings"

	"lightbar/internal/access"
	"lightbar/internal/audit"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/store"
)

// Create is the one door for new records. The order of its steps: permission (n.Adds), law, a fresh proof where creating one gives
// access (n.Proved); then in one transaction insert and the audit's row; after the commit the effects. law checks reach and fields
// and sets e.Next and e.ID from what was sent, before anything is locked. insert locks what it must, stores e.Next and does what
// follows from it. The answer is the record as it was stored. Refusals: forbidden, those of law and insert, step_up_required.
func Create[A Verbs, T, W any](ctx context.Context, a A, actor *access.Actor, n *Noun[A, T, W],
	law, insert func(e *Editing[A, T]) error) (T, error) {
	var none T
	e, err := begin[A, T](ctx, a, actor, n.Adds, "create")
	if err != nil {
		return none, err
	}
	defer e.release()
	if err := law(e); err != nil {
		return none, err
	}
	if n.Proved {
		if err := e.Prove(); err != nil {
			return none, err
		}
	}
	err = e.through(n.Pictured, func() error {
		if err := insert(e); err != nil {
			return err
		}
		return n.audit(e, n.Made(e.ID, &e.Next))
	})
	return e.Next, err
}

// Remove is the one door for the end of a record. The order of its steps: permission (n.Removes), may, a fresh proof; then in one
// transaction load and reach (n.Load), end, and the audit's row; after the commit the effects. may checks what does not depend on
// the record; nil = nothing. end locks what else it must, judges e.Old, removes it and ends what ends with it. Refusals: forbidden,
// those of may and end, step_up_required, not_found.
func Remove[A Verbs, T, W any](ctx context.Context, a A, actor *access.Actor, n *Noun[A, T, W], id string,
	may, end func(e *Editing[A, T]) error) error {
	e, err := begin[A, T](ctx, a, actor, n.Removes, "delete")
	if err != nil {
		return err
	}
	e.ID = id
	defer e.release()
	if may != nil {
		if err := may(e); err != nil {
			return err
		}
	}
	if err := e.Prove(); err != nil {
		return err
	}
	return e.through(n.Pictured, func() (err error) {
		if e.Old, err = n.Load(e); err != nil {
			return asMissing(err)
		}
		if err := end(e); err != nil {
			return err
		}
		return n.audit(e, audit.Row{Verb: e.Verb, OrganizationID: n.Of(&e.Old).Owner, Before: n.Doc(&e.Old)})
	})
}

// begin is the first step of every door.
func begin[A Verbs, T any](ctx context.Context, a A, actor *access.Actor, requires, verb string) (*Editing[A, T], error) {
	if err := actor.Must(requires); err != nil {
		return nil, err
	}
	return &Editing[A, T]{Context: ctx, Base: a.base(), By: a, Actor: actor, Verb: verb}, nil
}

// through runs a change in one transaction, with or without the picture, and after the commit its effects.
func (e *Editing[A, T]) through(pictured bool, change func() error) (err error) {
	do := func(c *live.Change, tx *store.Tx) error {
		e.Tx, e.Picture, e.At = tx, c, e.Base.now()
		if c != nil {
			e.At = c.Now()
		}
		if err := change(); err != nil {
			return err
		}
		return inTurn(e.follow)
	}
	if pictured {
		err = e.Base.Change(e.Context, do)
	} else {
		err = e.Store.Write(e.Context, func(tx *store.Tx) error { return do(nil, tx) })
	}
	if err != nil {
		return err
	}
	return inTurn(e.then)
}

func inTurn(steps []func() error) error {
	for _, do := range steps {
		if err := do(); err != nil {
			return err
		}
	}
	return nil
}

// Follow registers what the transaction does after the audit's row of the change has been written.
func (e *Editing[A, T]) Follow(do func() error) { e.follow = append(e.follow, do) }

// Prove refuses an actor who has not recently proved their identity (MustBeFresh). A law calls it where that must come before a
// lookup.
func (e *Editing[A, T]) Prove() (err error) {
	if e.proved {
		return nil
	}
	err = e.Fresh(e.Context, e.Reader(), e.Actor)
	e.proved = err == nil
	return err
}

// Hold keeps a lock until the door closes; unlock releases it.
func (e *Editing[A, T]) Hold(unlock func()) { e.held = append(e.held, unlock) }

func (e *Editing[A, T]) release() {
	for _, unlock := range e.held {
		unlock()
	}
}

// Made is the audit's row of a new record.
func (n *Noun[A, T, W]) Made(id string, next *T) audit.Row {
	return audit.Row{Verb: "create", Noun: n.Name, NounID: id, OrganizationID: n.Of(next).Owner, After: n.Doc(next)}
}

// audit writes the rows of a change: those that it noted, else these.
func (n *Noun[A, T, W]) audit(e *Editing[A, T], rows ...audit.Row) error {
	if e.Rows != nil {
		rows = e.Rows
	}
	for _, row := range rows {
		row.Noun, row.NounID = n.Name, e.ID
		if err := e.Audit.Write(e.Context, e.Tx, e.Actor, row); err != nil {
			return err
		}
	}
	return nil
}

// asMissing turns a missing record into the answer of a removal (404); edits answer with the noun's own code (422).
func asMissing(err error) error {
	var refusal *fleet.Refusal
	if errors.As(err, &refusal) && strings.HasSuffix(refusal.Code, "_not_found") {
		return fleet.Refuse("not_found", "", refusal.Message)
	}
	return err
}
