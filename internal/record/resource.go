package record

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

// Resource is a noun of organizations that changes when someone edits it, not when something moves: areas, zones, hazards,
// closures, subscriptions. It is stored in the database; lists read it there, and each change is published on the stream. A is the
// receiver of its Verbs, T the record, W its row on the wire, B its write shape.
type Resource[A Verbs, T, W, B any] struct {
	Name    string // in the audit and in sentences
	Missing string // the catalog's sentence where there is none
	// Requirements of catalog/permissions.json.
	Views, Adds, Edits, Deletes string
	// Law writes a body over e.Next, which must then be valid as a whole. Make is the law of a new record, which belongs to the
	// actor's organization unless the body names another; nil = Law.
	Make, Law func(e *Editing[A, T], in B) error
	// CheckEmpty checks an empty new record by the law, which notes what is wrong: that is what every new record needs.
	CheckEmpty func(wrong map[string]string)

	Message fleet.MessageType // empty: it is not streamed
	Rows    store.Records[T]
	Of      func(*T) Fields
	// Alike is Rows.Same for a record that is created again; it distinguishes what follows from the time of creation from what was
	// sent; nil = Rows.Same.
	Alike func(old, again *T) bool
	Row   func(a A, t *T) W
	// Part is the row for actors who may only read the organization, where it shows them less; nil = Row. Full and PartMessage are
	// then the message's two forms.
	Part              func(a A, t *T) W
	Full, PartMessage fleet.MessageType
	Gone              func(id string) W // the row of a deleted record; nil = wire.Gone
	// Fill completes rows of lists and reads with data that is not in the record itself; nil = nothing.
	Fill func(ctx context.Context, a A, actor *access.Actor, found []T, rows []W) error
	// Doc is the record as the audit stores it; nil = its row as it is stored.
	Doc func(t *T) any
	// Back writes an earlier document of the audit over e.Next, by the law of edits; deleted_at still reports whether the record
	// was deleted. Title is the name in a row.
	Back  func(e *Editing[A, T], doc json.RawMessage) error
	Title func(W) string
	// May refuses what a record's kind requires beyond the requirement; nil = nothing.
	May func(actor *access.Actor, t *T) error
	// MayRemove refuses a removal that May would let pass; nil = nothing.
	MayRemove func(actor *access.Actor, t *T) error
	// Ends sets what a removal leaves in e.Next besides deleted_at; nil = nothing.
	Ends func(e *Editing[A, T]) error
	// AfterCommit does what follows from an edit, an undo, or a removal and needs no transaction, after the commit; nil = nothing.
	AfterCommit func(ctx context.Context, a A, t *T) error
	// Pictured: the picture holds it and publishes its changes. Others are published as they were written.
	Pictured bool
	// Unshared: actors who may only read the organization do not see it.
	Unshared bool
	// Clash refuses what the other rows of the store forbid, such as a second one of the same name; nil = nothing.
	Clash func(ctx context.Context, tx *store.Tx, t *T) error
	// Most is how many an organization can have; nil = no limit of its own.
	Most *catalog.Settable
	// PutInPicture puts the record into the picture, where it affects assets or follows them, and updates it from them; nil = nowhere.
	PutInPicture func(c *live.Change, t *T) error
	// Lasting: records that have left the lists can still be read and edited by their id.
	Lasting bool

	door Noun[A, T, W]
}

// Fields gives access to the fields that every resource has.
type Fields struct {
	ID, Owner            *string // Owner is its organization
	Version              *int64
	UpdatedAt, DeletedAt *fleet.Instant
}

// Rows requests the rows of a noun.
type Rows struct {
	OrganizationIDs []string
	Since           fleet.Instant // changed at or after, deleted ones too; 0 = all that are there
	Page, PerPage   int
}

// NewResource completes a noun with its edit door.
func NewResource[A Verbs, T, W, B any](q Resource[A, T, W, B]) *Resource[A, T, W, B] {
	q.door = Noun[A, T, W]{
		Name: q.Name, Word: q.Name, Requires: q.Edits, Pictured: true, Same: q.Rows.Same,
		Load: func(e *Editing[A, T]) (T, error) { return q.Load(e, e.Tx, e.Actor, e.ID) },
		Of: func(t *T) Header {
			return Header{Owner: *q.Of(t).Owner, Version: q.Of(t).Version, UpdatedAt: q.Of(t).UpdatedAt}
		},
		Save: func(e *Editing[A, T]) (bool, error) {
			if err := q.clash(e, e.Tx, &e.Next); err != nil {
				return false, err
			}
			if owner := *q.Of(&e.Next).Owner; owner != *q.Of(&e.Old).Owner {
				if err := q.MustHaveRoom(e, e.Tx, owner, 1); err != nil {
					return false, err
				}
			}
			of := q.Of(&e.Next)
			if *of.UpdatedAt = e.StampOf(e.Picture); *of.DeletedAt != 0 {
				*of.DeletedAt = *of.UpdatedAt
			}
			return q.Rows.Update(e, e.Tx, &e.Next, *q.Of(&e.Old).Version)
		},
		Saved: func(e *Editing[A, T]) error {
			q.afterCommit(e)
			if *q.Of(&e.Old).Owner != *q.Of(&e.Next).Owner {
				q.PublishGone(e.Picture, &e.Old)
			}
			if err := q.putInPicture(e.Picture, &e.Next); err != nil {
				return err
			}
			q.Publish(e.By, e.Picture, &e.Next)
			return nil
		},
		Show: func(ctx context.Context, a A, actor *access.Actor, id string) (W, error) {
			return q.By(a).Read(ctx, actor, id)
		},
	}
	if q.Make == nil {
		q.Make = q.Law
	}
	if q.Gone == nil {
		q.Gone = wire.Gone[W]
	}
	if q.Alike == nil {
		q.Alike = q.Rows.Same
	}
	if q.door.Doc = q.Doc; q.Doc == nil {
		var stored A // nobody: the row as it is stored, not as lists show it now
		q.door.Doc = func(t *T) any { return q.Row(stored, t) }
	}
	return &q
}

// Door is the edit door of the noun, for edits that are not just a law.
func (q *Resource[A, T, W, B]) Door() *Noun[A, T, W] { return &q.door }

func (q *Resource[A, T, W, B]) refuse() error { return fleet.Refuse("not_found", "", q.Missing) }

// Load reads a record for a change: in full reach and not deleted, else as if there were none.
func (q *Resource[A, T, W, B]) Load(ctx context.Context, r store.Reader, actor *access.Actor, id string) (t T, err error) {
	if t, err = q.LoadAny(ctx, r, actor, id); err == nil && q.gone(&t) {
		err = q.refuse()
	}
	return t, err
}

// LoadAny is Load for deleted records, too.
func (q *Resource[A, T, W, B]) LoadAny(ctx context.Context, r store.Reader, actor *access.Actor, id string) (t T, err error) {
	t, err = q.Rows.ByID(ctx, r, id)
	if errors.Is(err, store.ErrNotFound) || err == nil && actor.Reach(*q.Of(&t).Owner) != access.Full {
		return t, q.refuse()
	}
	if err == nil && q.May != nil {
		err = q.May(actor, &t)
	}
	return t, err
}

func (q *Resource[A, T, W, B]) gone(t *T) bool { return !q.Lasting && *q.Of(t).DeletedAt != 0 }

// shown is the row as actors with a given reach see it.
func (q *Resource[A, T, W, B]) shown(a A, by access.Reach, t *T) W {
	if q.Part != nil && by != access.Full {
		return q.Part(a, t)
	}
	return q.Row(a, t)
}

// sees reports whether an actor sees the records of an organization.
func (q *Resource[A, T, W, B]) sees(actor *access.Actor, organizationID string) bool {
	reach := actor.Reach(organizationID)
	return reach == access.Full || reach == access.Read && !q.Unshared
}

// Seen reads a record that the actor may see. Refusals: not_found.
func (q *Resource[A, T, W, B]) Seen(ctx context.Context, a A, actor *access.Actor, id string) (t T, err error) {
	if err := actor.Must(q.Views); err != nil {
		return t, err
	}
	t, err = q.Rows.ByID(ctx, a.base().Store.Reader(), id)
	if errors.Is(err, store.ErrNotFound) || err == nil && (q.gone(&t) || !q.sees(actor, *q.Of(&t).Owner)) {
		return t, q.refuse()
	}
	return t, err
}

// Create makes a record by law (e.Next), in an organization of full reach. id is the caller's, empty = a new one: if the same
// record is sent again, nothing is created and its current state is returned (again); another record of that id is a conflict.
func (q *Resource[A, T, W, B]) Create(ctx context.Context, a A, actor *access.Actor, id string, law func(e *Editing[A, T]) error) (
	row W, again bool, err error) {
	e, err := begin[A, T](ctx, a, actor, q.Adds, "create")
	if err != nil {
		return row, false, err
	}
	*q.Of(&e.Next).Owner = actor.OrganizationID
	if e.ID = id; id == "" {
		e.ID = e.NewID()
	}
	err = e.through(true, func() (err error) {
		if err := q.Lawful(e, law); err != nil {
			return err
		}
		of := q.Of(&e.Next)
		*of.ID, *of.Version, *of.UpdatedAt = e.ID, 1, e.StampOf(e.Picture)
		again, err = q.createIn(e)
		return err
	})
	if err != nil {
		return row, false, err
	}
	return q.Row(a, &e.Next), again, nil
}

func (q *Resource[A, T, W, B]) createIn(e *Editing[A, T]) (again bool, err error) {
	owner := *q.Of(&e.Next).Owner
	if err := LockOrganizations(e, e.Tx, owner); err != nil {
		return false, err
	}
	if err := q.clash(e, e.Tx, &e.Next); err != nil {
		return false, err
	}
	stored, err := q.Rows.Insert(e, e.Tx, &e.Next)
	if err != nil {
		return false, err
	}
	if !stored {
		return true, q.again(e)
	}
	if err := q.MustHaveRoom(e, e.Tx, owner, 0); err != nil {
		return false, err
	}
	if err := q.putInPicture(e.Picture, &e.Next); err != nil {
		return false, err
	}
	q.Publish(e.By, e.Picture, &e.Next)
	return false, q.door.audit(e, q.door.Made(e.ID, &e.Next))
}

// MustHaveRoom refuses (row_limit) more records than an organization can have: the stored ones plus the given number.
func (q *Resource[A, T, W, B]) MustHaveRoom(ctx context.Context, r store.Reader, organizationID string, more int) error {
	if q.Most == nil {
		return nil
	}
	n, err := q.Rows.Count(ctx, r, organizationID)
	if most := q.Most.Int(); err == nil && n+more > most {
		err = fleet.Refuse("row_limit", "", fmt.Sprintf("An organization can have %d %ss. Delete those that nobody needs.", most, q.Name))
	}
	return err
}

// again sets e.Next to the existing record with its id if they are equal; else it refuses (conflict, with the existing one).
func (q *Resource[A, T, W, B]) again(e *Editing[A, T]) error {
	old, err := q.Rows.ByID(e, e.Tx, e.ID)
	if err != nil {
		return err
	}
	was := q.Of(&old)
	if *was.DeletedAt == 0 && *was.Owner == *q.Of(&e.Next).Owner && q.Alike(&old, &e.Next) {
		e.Next = old
		return nil
	}
	refusal := fleet.Refuse("conflict", "id", "There is another "+q.Name+" with this id.")
	if *was.DeletedAt == 0 && e.Actor.Reach(*was.Owner) != access.None {
		refusal.Current = q.Row(e.By, &old)
	}
	return refusal
}

// Edit changes a record that the caller saw in a version, 0 = any. Refusals: not_found, conflict, those of law.
func (q *Resource[A, T, W, B]) Edit(ctx context.Context, a A, actor *access.Actor, id string, seen int64,
	law func(e *Editing[A, T]) error) (W, error) {
	return Edit(ctx, a, actor, &q.door, id, VersionSeen(seen), func(e *Editing[A, T]) error { return q.Lawful(e, law) })
}

// Lawful runs law on e.Next, and checks that the actor may leave the result behind. For an organization out of reach, the refusals
// of law (about its assets, its flags) are not revealed.
func (q *Resource[A, T, W, B]) Lawful(e *Editing[A, T], law func(e *Editing[A, T]) error) error {
	err := law(e)
	owner := *q.Of(&e.Next).Owner
	if refusal := (*fleet.Refusal)(nil); err != nil && (!errors.As(err, &refusal) || owner == "") {
		return err
	}
	if reach := e.Actor.MustReachFully(owner); reach != nil {
		return reach
	}
	if err == nil && q.May != nil {
		err = q.May(e.Actor, &e.Next)
	}
	return err
}

// afterCommit registers what follows from an edit once it has been committed.
func (q *Resource[A, T, W, B]) afterCommit(e *Editing[A, T]) {
	if q.AfterCommit != nil {
		e.Afterwards(func() error { return q.AfterCommit(e, e.By, &e.Next) })
	}
}

// StampOf is the updated_at of the rows that a change writes to the store.
func (b *Base) StampOf(c *live.Change) fleet.Instant {
	if c == nil {
		return b.now()
	}
	return c.Stamp()
}

// Publish sends the new state of a record to its organization; on the command line nobody listens.
func (q *Resource[A, T, W, B]) Publish(a A, c *live.Change, t *T) {
	if c == nil || q.Pictured || q.Message == "" {
		return
	}
	full := wire.EncodeRow(q.Message, q.Row(a, t))
	if q.Part != nil {
		if part := wire.EncodeRow(q.Message, q.Part(a, t)); !bytes.Equal(full, part) {
			q.say(c, q.Full, t, full)
			q.say(c, q.PartMessage, t, part)
			return
		}
	}
	q.say(c, q.Message, t, full)
}

// PublishGone tells the organization of a record that it was deleted.
func (q *Resource[A, T, W, B]) PublishGone(c *live.Change, t *T) {
	if c != nil && q.Message != "" {
		q.say(c, q.Message, t, wire.EncodeRow(q.Message, q.Gone(*q.Of(t).ID)))
	}
}

// say sends a message about a record after the commit of the change, in the order of commits.
func (q *Resource[A, T, W, B]) say(c *live.Change, as fleet.MessageType, t *T, body []byte) {
	of := q.Of(t)
	c.Say(fleet.Message{Type: as, Key: *of.ID, Audience: []string{*of.Owner}, At: c.Now(), Body: body})
}

func (q *Resource[A, T, W, B]) putInPicture(c *live.Change, t *T) error {
	if q.PutInPicture == nil || c == nil {
		return nil
	}
	return q.PutInPicture(c, t)
}

func (q *Resource[A, T, W, B]) clash(ctx context.Context, tx *store.Tx, t *T) error {
	if q.Clash == nil {
		return nil
	}
	return q.Clash(ctx, tx, t)
}
