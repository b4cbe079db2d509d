package live

import (
	"context"

	"lightbar/internal/fleet"
	"lightbar/internal/store"
)

// A follower is a part of the picture that follows the assets: stations and the assets at them, stopped traffic, alerting zones,
// automated closures. It holds its own data, and what the current change does to that until keep: there is one writer. A new one is
// a file with these methods and a line in New; it embeds idle for those that do not concern it.
type follower interface {
	// load reads the follower's rows, at startup, before assets and reports.
	load(ctx context.Context, r store.Reader) error
	// start corrects rows that do not match the assets when all reports are in.
	start(ctx context.Context, c *Change) error
	// begin drops what an earlier, aborted change did.
	begin()
	// reported follows a report that was taken into an asset's state.
	reported(c *Change, t *touched, was before)
	// stationed follows an asset to another station, or away from one (empty).
	stationed(c *Change, t *touched, left string, at fleet.Instant)
	// replaced follows an asset whose profile, owner or relations change; t is its next one.
	replaced(c *Change, t *fleet.Thing)
	// age applies the passage of time.
	age(c *Change)
	// gather touches the assets that are affected by other changes, before they are settled.
	gather(c *Change)
	// save writes what has changed in the caller's transaction.
	save(ctx context.Context, c *Change, tx *store.Tx) error
	// keep puts what has changed into the picture, after the commit; callers hold mu.
	keep(c *Change)
	// messages returns what has changed, after keep.
	messages(c *Change, at fleet.Instant) []fleet.Message
}

// before is what a report may change in an asset's liveness, before the report.
type before struct {
	heardAt fleet.Instant // the last sign of life
	staleAt fleet.Instant // when its position no longer counts
}

func beforeOf(s *fleet.State) before { return before{s.HeartbeatAt, fleet.StaleAt(s)} }

// idle follows nothing.
type idle struct{}

func (idle) load(context.Context, store.Reader) error           { return nil }
func (idle) start(context.Context, *Change) error               { return nil }
func (idle) begin()                                             {}
func (idle) reported(*Change, *touched, before)                 {}
func (idle) stationed(*Change, *touched, string, fleet.Instant) {}
func (idle) replaced(*Change, *fleet.Thing)                     {}
func (idle) age(*Change)                                        {}
func (idle) gather(*Change)                                     {}
func (idle) save(context.Context, *Change, *store.Tx) error     { return nil }
func (idle) keep(*Change)                                       {}
func (idle) messages(*Change, fleet.Instant) []fleet.Message    { return nil }

// startFollowing lets the followers correct their rows when all reports are in: one change for all.
func (p *Picture) startFollowing(ctx context.Context) error {
	c := p.Begin()
	defer c.Abort()
	for _, f := range p.followers {
		if err := f.start(ctx, c); err != nil {
			return err
		}
	}
	return c.commit(ctx, nil)
}

// commit saves a change that the picture makes by itself in a transaction of its own, and applies it; a change without effect
// writes nothing.
func (c *Change) commit(ctx context.Context, publish func([]fleet.Message)) error {
	if !c.followed && len(c.touched) == 0 && len(c.order) == 0 {
		return nil
	}
	if err := c.p.store.Write(ctx, func(tx *store.Tx) error { return c.Save(ctx, tx) }); err != nil {
		return err
	}
	c.Apply(publish)
	return nil
}
