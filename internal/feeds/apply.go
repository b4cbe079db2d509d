package feeds

import (
	"context"
	"errors"
	"slices"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/audit"
	"lightbar/internal/feed/merge"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/record"
	"lightbar/internal/store"
)

const (
	// perCommit is after how many closures or hazards the writer is given back.
	perCommit = 100
	// forgottenAfter is for how long lists tell that a feed's closure has gone.
	forgottenAfter = 24 * time.Hour
)

// errFeedChanged: someone has edited, paused or deleted the subscription since it was read.
var errFeedChanged = errors.New("feeds: the subscription has changed")

// applying is a fetch that is being written, and the subscription as it was read.
type applying struct {
	s *fleet.FeedSubscription
	f *merge.Fetch
	*merge.Plan
}

// applyFetched writes what a fetch says: closures and hazards page by page, then
// what is to be known of the fetch.
func (a *Incoming) applyFetched(ctx context.Context, s *fleet.FeedSubscription, f *merge.Fetch) error {
	if ctx.Err() != nil { // the server stops: nothing was found out
		return ctx.Err()
	}
	plan, err := a.plan(ctx, s, f)
	if err != nil {
		return err
	}
	p := &applying{s, f, plan}
	err = a.writeFeed(ctx, p)
	if err == nil {
		err = a.Change(ctx, func(c *live.Change, tx *store.Tx) error { return a.noteFetch(ctx, c, tx, p) })
	}
	if errors.Is(err, errFeedChanged) {
		return nil // it is fetched again
	}
	return err
}

// plan compares a fetch with what is stored.
func (a *Incoming) plan(ctx context.Context, s *fleet.FeedSubscription, f *merge.Fetch) (*merge.Plan, error) {
	if f.Unchanged {
		return merge.Compare(s, f, nil, nil), nil
	}
	var closures []*fleet.Closure
	var hazards []*fleet.Hazard
	err := a.Store.Read(ctx, func(r store.Reader) (err error) {
		if closures, err = store.ClosuresOfFeed(ctx, r, s.ID, 2*merge.MostClosures); err != nil {
			return err
		}
		hazards, err = store.HazardsOfFeed(ctx, r, s.ID)
		return err
	})
	if err != nil {
		return nil, err
	}
	return merge.Compare(s, f, closures, hazards), nil
}

// writeFeed writes closures and hazards, so many in a transaction: reports of positions do not wait for a long feed.
func (a *Incoming) writeFeed(ctx context.Context, p *applying) error {
	for page := range slices.Chunk(p.Closures, perCommit) {
		if err := a.Change(ctx, func(c *live.Change, tx *store.Tx) error {
			if err := a.beginPage(ctx, c, tx, p); err != nil {
				return err
			}
			for _, x := range page {
				if err := a.saveClosure(ctx, c, tx, x); err != nil {
					return err
				}
			}
			return nil
		}); err != nil {
			return err
		}
	}
	for page := range slices.Chunk(p.Hazards, perCommit) {
		accepted, refused := 0, 0
		if err := a.Change(ctx, func(c *live.Change, tx *store.Tx) error {
			accepted, refused = 0, 0
			if err := a.beginPage(ctx, c, tx, p); err != nil {
				return err
			}
			reports, err := a.newHazards(ctx, tx, p, page)
			if err != nil || len(reports) == 0 {
				return err
			}
			accepted, refused, err = a.fleet.TakeHazards(ctx, tx, c, p.s.FeedHand(), reports)
			return err
		}); err != nil {
			return err
		}
		p.Took(accepted, refused)
	}
	return nil
}

// newHazards leaves of reports those that say something new of a hazard that has ended.
func (a *Incoming) newHazards(ctx context.Context, tx *store.Tx, p *applying, page []*fleet.HazardReport) (
	out []*fleet.HazardReport, err error) {
	for _, r := range page {
		h, err := store.HazardByExternalID(ctx, tx, p.s.OrganizationID, p.s.ID, r.ID)
		if err != nil && !errors.Is(err, store.ErrNotFound) && !errors.Is(err, store.ErrUnreadable) {
			return nil, err
		}
		if err == nil && r.HasLat && h.IsUpToDate(r, p.f.At) {
			continue
		}
		out = append(out, r)
	}
	return out, nil
}

// beginPage begins a page: the subscription must stand as it was read, and says from now on that something of it may stand.
func (a *Incoming) beginPage(ctx context.Context, c *live.Change, tx *store.Tx, p *applying) error {
	if err := record.LockOrganizations(ctx, tx, p.s.OrganizationID); err != nil {
		return err
	}
	is, err := a.feedAsRead(ctx, tx, p)
	if err != nil || is.Brings {
		return err
	}
	is.Brings, is.UpdatedAt = true, c.Stamp()
	return tx.SaveFeedState(ctx, &is)
}

func (a *Incoming) feedAsRead(ctx context.Context, tx *store.Tx, p *applying) (fleet.FeedSubscription, error) {
	is, err := subscriptions.Rows.ByID(ctx, tx, p.s.ID)
	if err == nil && (is.DeletedAt != 0 || !is.IsActive || !is.ReadsLike(p.s)) {
		err = errFeedChanged
	}
	return is, err
}

// saveClosure writes a closure of a feed, and tells of it. One that comes back is the one that it was.
func (a *Incoming) saveClosure(ctx context.Context, c *live.Change, tx *store.Tx, x *fleet.Closure) error {
	next := *x
	if next.Touch(c.Stamp()); next.DeletedAt != 0 {
		next.DeletedAt = next.UpdatedAt
	}
	if next.ID == "" {
		was, err := store.GoneClosureOfFeed(ctx, tx, next.FeedSubscriptionID, next.ExternalID)
		switch {
		case errors.Is(err, store.ErrNotFound), errors.Is(err, store.ErrUnreadable):
			if err := tx.ClosureAside(ctx, next.FeedSubscriptionID, next.ExternalID, next.UpdatedAt); err != nil {
				return err
			}
			next.ID, next.Version = a.NewID(), 1
			stored, err := store.Closures.Insert(ctx, tx, &next)
			if stored {
				a.fleet.TellClosure(c, &next)
			}
			return err
		case err != nil:
			return err
		}
		next.ID, next.Version, next.LastStartAt = was.ID, was.Version+1, was.LastStartAt
	}
	if err := tx.SaveFeedClosure(ctx, &next); err != nil {
		return err
	}
	a.fleet.TellClosure(c, &next)
	return nil
}

// noteFetch writes what is to be known of a fetch, and when the next one is.
func (a *Incoming) noteFetch(ctx context.Context, c *live.Change, tx *store.Tx, p *applying) error {
	is, err := a.feedAsRead(ctx, tx, p)
	if err != nil {
		return err
	}
	p.Note(&is)
	is.UpdatedAt = c.Stamp()
	if err := tx.SaveFeedState(ctx, &is); err != nil {
		return err
	}
	if err := tx.ForgetClosuresOfFeed(ctx, is.ID, p.f.At.Add(-forgottenAfter), a.now()); err != nil || p.Changed == 0 {
		return err
	}
	return a.Audit.Write(ctx, tx, access.System(), audit.Row{Verb: "read", Noun: subscriptions.Name, NounID: is.ID,
		OrganizationID: is.OrganizationID, After: map[string]any{"changed": p.Changed, "kept": p.f.Kept, "refused": p.f.Refused}})
}

// endPast ends what feeds brought that were paused or deleted.
func (a *Incoming) endPast(ctx context.Context) error {
	for {
		past, err := store.FeedsPast(ctx, a.Store.Reader(), pastAtOnce)
		if err != nil || len(past) == 0 {
			return err
		}
		err = store.EachOf(ctx, past, func(s fleet.FeedSubscription) error {
			return a.Change(ctx, func(c *live.Change, tx *store.Tx) error { return a.endFeed(ctx, c, tx, s.ID) })
		})
		if err != nil {
			return err
		}
	}
}

// pastAtOnce is how many feeds are looked at that were paused or deleted.
const pastAtOnce = 100

// endFeed ends a page of what a feed brought.
func (a *Incoming) endFeed(ctx context.Context, c *live.Change, tx *store.Tx, id string) error {
	s, err := store.FeedSubscriptions.ByID(ctx, tx, id)
	if err != nil || !s.Brings || s.IsActive && s.DeletedAt == 0 {
		return err
	}
	page, err := store.ClosuresOfFeed(ctx, tx, id, perCommit)
	if err != nil {
		return err
	}
	for _, x := range page {
		x.Version++
		x.DeletedAt = c.Now()
		if err := a.saveClosure(ctx, c, tx, x); err != nil {
			return err
		}
	}
	if len(page) > 0 {
		return nil // perhaps not all: a row that cannot be read takes its place in a page
	}
	found, err := store.HazardsOfFeed(ctx, tx, id)
	if err != nil {
		return err
	}
	over := make([]*fleet.HazardReport, len(found))
	for i, h := range found {
		over[i] = merge.End(h, max(c.Now(), h.ReportedAt))
	}
	if _, _, err := a.fleet.TakeHazards(ctx, tx, c, s.FeedHand(), over); err != nil {
		return err
	}
	s.Brings, s.State.Closures, s.State.Hazards, s.UpdatedAt = false, 0, 0, c.Stamp()
	return tx.SaveFeedState(ctx, &s)
}
