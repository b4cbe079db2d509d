package people

import (
	"context"

	"lightbar/internal/live"
	"lightbar/internal/store"
)

// Change makes one change of the database and of the live picture, so that both
// hold it or neither does. The picture is held for writing from before do looks
// at it until the commit is answered: versions cannot race. What do writes to tx
// and says to c becomes true together with the commit; only then are the
// listeners told. After an error, an unknown outcome among them, the picture
// shows nothing of it. The command line has no picture: c is nil there.
//
// The group commit of reports (points_commit.go) measures itself and does the same by hand.
func (a *Accounts) Change(ctx context.Context, do func(c *live.Change, tx *store.Tx) error) error {
	return a.ChangeAfter(ctx, func(*live.Change) error { return nil }, do)
}

// ChangeAfter is change with what takes long and needs no transaction, while the picture is held already.
func (a *Accounts) ChangeAfter(ctx context.Context, plan func(c *live.Change) error, do func(c *live.Change, tx *store.Tx) error) error {
	var c *live.Change
	if a.Live != nil {
		c = a.Live.Begin()
		defer c.Abort()
	}
	if err := plan(c); err != nil {
		return err
	}
	if err := a.Store.Write(ctx, func(tx *store.Tx) error { return do(c, tx) }); err != nil {
		return err
	}
	if c != nil {
		c.Apply(a.Bus.Publish)
	}
	return nil
}
