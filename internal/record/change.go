package record

import (
	"context"
	"time"

	"lightbar/internal/live"
	"lightbar/internal/store"
)

// Change makes one change to both the database and the live picture, or to neither. The picture's writer is held from before do
// runs until the result of the commit is known, so versions cannot race. Everything that do writes to tx and to c takes effect
// together with the commit, and so does what follows from it (live.Change.Save); listeners are notified after it. After an error,
// including an unknown outcome, the picture is unchanged. On the command line there is no picture: c is nil.
//
// The group commit of reports (points_commit.go) measures its own time and does the same by hand.
func (b *Base) Change(ctx context.Context, do func(c *live.Change, tx *store.Tx) error) error {
	return b.ChangeAfter(ctx, func(*live.Change) error { return nil }, do)
}

// ChangeAfter is Change with a first step that takes long and needs no transaction; the picture's writer is already held during
// plan.
func (b *Base) ChangeAfter(ctx context.Context, plan func(c *live.Change) error, do func(c *live.Change, tx *store.Tx) error) error {
	var c *live.Change
	if b.Live != nil {
		asked := time.Now()
		c = b.Live.Begin()
		defer c.Abort()
		if err := store.WaitedTooLong(ctx, asked); err != nil {
			return err
		}
	}
	if err := plan(c); err != nil {
		return err
	}
	err := b.Store.Write(ctx, func(tx *store.Tx) error {
		if err := do(c, tx); err != nil || c == nil {
			return err
		}
		return c.Save(ctx, tx)
	})
	if err != nil {
		return err
	}
	if c != nil {
		for _, id := range c.Apply(b.Bus.Publish) {
			b.Renamed(id) // the names of events depend on an organization's assets
		}
	}
	return nil
}
