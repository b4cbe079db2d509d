package app

import (
	"context"
	"errors"
	"slices"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/audit"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/people"
	"lightbar/internal/store"
)

const (
	// fedPerCommit is after how many closures or hazards the writer is given back.
	fedPerCommit = 100
	// forgottenAfter is for how long lists tell that a feed's closure has gone.
	forgottenAfter = 24 * time.Hour
)

// errFeedChanged: someone has edited, paused or deleted the subscription since it was read.
var errFeedChanged = errors.New("app: the subscription has changed")

// applyFetched writes what a fetch says: closures and hazards page by page, then
// what is to be known of the fetch. What the document does not have any more ends
// only when all of it was read, and not at once when that is much.
func (a *App) applyFetched(ctx context.Context, s *fleet.FeedSubscription, f *fetched) error {
	if ctx.Err() != nil { // the server stops: nothing was found out
		return ctx.Err()
	}
	p := &feedPlan{s: s, f: f, by: s.FeedHand(), accepted: s.State.Accepted}
	if err := a.planFeed(ctx, p); err != nil {
		return err
	}
	err := a.writeFeed(ctx, p)
	if err == nil {
		err = a.Change(ctx, func(c *live.Change, tx *store.Tx) error { return a.noteFetch(ctx, c, tx, p) })
	}
	if errors.Is(err, errFeedChanged) {
		return nil // it is fetched again
	}
	return err
}

// feedPlan is what a fetch changes.
type feedPlan struct {
	s        *fleet.FeedSubscription
	f        *fetched
	by       fleet.HazardHand
	closures []*fleet.Closure      // new ones without id, changed ones, ended ones and those to be deleted
	hazards  []*fleet.HazardReport // that say something new, and ends
	held     bool
	accepted int // how much was accepted to be missing when the fetch began
	changed  int // closures and hazards whose content the feed changed
	stand    int // closures that stand or will
	ill      int // hazards that stand
}

// planFeed compares a document with what stands.
func (a *App) planFeed(ctx context.Context, p *feedPlan) error {
	if p.f.unchanged {
		return nil
	}
	var closures []*fleet.Closure
	var hazards []*fleet.Hazard
	err := a.Store.Read(ctx, func(r store.Reader) (err error) {
		if closures, err = store.ClosuresOfFeed(ctx, r, p.s.ID, 2*feedClosures); err != nil {
			return err
		}
		hazards, err = store.HazardsOfFeed(ctx, r, p.s.ID)
		return err
	})
	if err != nil {
		return err
	}
	if !p.f.usable {
		p.f.closures, p.f.hazards = nil, nil
	}
	missing, standing := p.planClosures(closures), 0
	for _, c := range closures {
		if c.StandsOrWill(p.f.at) {
			standing++
		}
	}
	gone := p.planHazards(hazards)
	p.held = p.f.whole && !p.s.State.Believe(standing+len(hazards), len(missing)+len(gone), p.f.at)
	if p.f.whole && !p.held {
		for _, c := range missing {
			c.Gone(p.f.at)
			p.closures = append(p.closures, c)
		}
		p.hazards = append(p.hazards, gone...)
		p.stand, p.ill, p.changed = p.stand-len(missing), p.ill-len(gone), p.changed+len(missing)+len(gone)
	}
	return nil
}

// planClosures plans what is new and changed, and what has ended for long. It answers what stands and is missing.
func (p *feedPlan) planClosures(stored []*fleet.Closure) (missing []*fleet.Closure) {
	known := make(map[string]*fleet.Closure, len(stored))
	for _, c := range stored {
		known[c.ExternalID] = c
	}
	room := feedClosures - len(stored)
	for _, c := range p.f.closures {
		was := known[c.ExternalID]
		isNew, confirmed := c.TakeFeed(was, p.s, p.f.at)
		if was != nil {
			delete(known, c.ExternalID)
		} else if room--; room < 0 {
			p.f.kept--
			p.f.refuse("too_many")
			continue
		}
		p.stand++
		if isNew || confirmed {
			p.closures = append(p.closures, c)
		}
		if isNew {
			p.changed++
		}
	}
	for _, c := range stored {
		switch {
		case known[c.ExternalID] == nil:
		case c.StandsOrWill(p.f.at):
			p.stand++
			missing = append(missing, c)
		case c.IsPast(p.f.at):
			c.Version++
			c.DeletedAt = p.f.at
			p.closures = append(p.closures, c)
		}
	}
	return missing
}

// planHazards plans what the document says again, and answers ends of what it does not have anymore.
func (p *feedPlan) planHazards(stored []*fleet.Hazard) (gone []*fleet.HazardReport) {
	known := make(map[string]*fleet.Hazard, len(stored))
	for _, h := range stored {
		known[h.ExternalID] = h
	}
	for i := range p.f.hazards {
		r := &p.f.hazards[i]
		h := known[r.ID]
		if delete(known, r.ID); h == nil || !h.StandsAs(r, p.f.at) {
			p.hazards = append(p.hazards, r)
		}
		p.ill++
	}
	for _, h := range stored {
		if known[h.ExternalID] != nil {
			p.ill++
			gone = append(gone, &fleet.HazardReport{MarkReport: fleet.MarkReport{ID: h.ExternalID, At: p.f.at, HasActive: true}})
		}
	}
	return gone
}

// writeFeed writes closures and hazards, so many in a transaction: reports of positions do not wait for a long feed.
func (a *App) writeFeed(ctx context.Context, p *feedPlan) error {
	for page := range slices.Chunk(p.closures, fedPerCommit) {
		if err := a.Change(ctx, func(c *live.Change, tx *store.Tx) error {
			if err := a.beginFed(ctx, c, tx, p); err != nil {
				return err
			}
			for _, x := range page {
				if err := a.saveFed(ctx, c, tx, x); err != nil {
					return err
				}
			}
			return nil
		}); err != nil {
			return err
		}
	}
	for page := range slices.Chunk(p.hazards, fedPerCommit) {
		g := &markGroup[*fleet.HazardReport]{refused: map[int]*fleet.Refusal{}}
		if err := a.Change(ctx, func(c *live.Change, tx *store.Tx) error {
			if err := a.beginFed(ctx, c, tx, p); err != nil {
				return err
			}
			var err error
			*g = markGroup[*fleet.HazardReport]{refused: map[int]*fleet.Refusal{}}
			if g.reports, err = a.newOfFeed(ctx, tx, p, page); err != nil || len(g.reports) == 0 {
				return err
			}
			return a.takeHazards(ctx, tx, c, p.by, g)
		}); err != nil {
			return err
		}
		p.changed += g.accepted
		for range g.refused {
			p.f.kept, p.ill = p.f.kept-1, p.ill-1
			p.f.refuse("too_many")
		}
	}
	return nil
}

// newOfFeed leaves of reports those that say something new of a hazard that has ended.
func (a *App) newOfFeed(ctx context.Context, tx *store.Tx, p *feedPlan, page []*fleet.HazardReport) (out []*fleet.HazardReport, err error) {
	for _, r := range page {
		h, err := store.HazardByExternalID(ctx, tx, p.s.OrganizationID, p.s.ID, r.ID)
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return nil, err
		}
		if err == nil && r.HasLat && h.StandsAs(r, p.f.at) {
			continue
		}
		out = append(out, r)
	}
	return out, nil
}

// beginFed begins a page: the subscription must stand as it was read, and says from now on that something of it may stand.
func (a *App) beginFed(ctx context.Context, c *live.Change, tx *store.Tx, p *feedPlan) error {
	if err := people.LockOrganizations(ctx, tx, p.s.OrganizationID); err != nil {
		return err
	}
	is, err := a.feedAsRead(ctx, tx, p)
	if err != nil || is.Brings {
		return err
	}
	is.Brings, is.UpdatedAt = true, c.Stamp()
	return tx.SaveFeedState(ctx, &is)
}

func (a *App) feedAsRead(ctx context.Context, tx *store.Tx, p *feedPlan) (fleet.FeedSubscription, error) {
	is, err := subscriptions.Rows.ByID(ctx, tx, p.s.ID)
	if err == nil && (is.DeletedAt != 0 || !is.IsActive || !is.ReadsLike(p.s)) {
		err = errFeedChanged
	}
	return is, err
}

// saveFed writes a closure of a feed, and tells of it. One that comes back is the one that it was.
func (a *App) saveFed(ctx context.Context, c *live.Change, tx *store.Tx, x *fleet.Closure) error {
	next := *x
	if next.Told(c.Stamp()); next.DeletedAt != 0 {
		next.DeletedAt = next.UpdatedAt
	}
	if next.ID == "" {
		was, err := store.GoneClosureOfFeed(ctx, tx, next.FeedSubscriptionID, next.ExternalID)
		switch {
		case errors.Is(err, store.ErrNotFound):
			next.ID, next.Version = a.NewID(), 1
			stored, err := closures.Rows.Insert(ctx, tx, &next)
			if stored {
				closures.tell(a, c, &next)
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
	if next.DeletedAt != 0 {
		closures.tellGone(c, &next)
	} else {
		closures.tell(a, c, &next)
	}
	return nil
}

// noteFetch writes what is to be known of a fetch, and when the next one is.
func (a *App) noteFetch(ctx context.Context, c *live.Change, tx *store.Tx, p *feedPlan) error {
	is, err := a.feedAsRead(ctx, tx, p)
	if err != nil {
		return err
	}
	f, state := p.f, &is.State
	state.HeldSince, state.Missing = p.s.State.HeldSince, p.s.State.Missing
	isAccepted := p.held && state.Accepted != p.accepted // while this fetch was under way
	if !isAccepted {
		state.Accepted = p.s.State.Accepted
	}
	state.LastFetchedAt, state.Problem, state.Code = f.at, f.problem, f.code
	outcome := "good"
	switch {
	case p.held:
		state.Problem, outcome = fleet.FeedShrunk, "held"
	case f.problem != "":
		outcome = f.problem
	case f.unchanged:
		outcome = "unchanged"
	}
	if f.problem == "" {
		state.Failures = 0
	} else {
		state.Failures++
	}
	if f.usable && !f.unchanged {
		state.Kept, state.Refused, state.Reasons, state.Closures, state.Hazards = f.kept, f.refused, f.reasons, p.stand, p.ill
		state.Publisher, state.SaidAt = f.publisher, min(f.saidAt, f.at)
		state.ETag, state.LastModified, state.Digest = "", "", ""
		switch {
		case state.LastChangedAt == 0 && state.SaidAt != 0: // what it had before it was read, nobody knows
			state.LastChangedAt = state.SaidAt
		case p.changed > 0 || state.LastChangedAt == 0:
			state.LastChangedAt = f.at
		}
	}
	if f.problem == "" && !p.held {
		if state.LastGoodAt = f.at; !f.unchanged {
			state.ETag, state.LastModified, state.Digest, state.ReadAt = f.etag, f.modified, f.digest, f.at
		}
	}
	state.Note(fleet.FeedFetch{At: f.at, Outcome: outcome, Code: f.code, Kept: state.Kept, Refused: state.Refused, Ms: f.took.Milliseconds()})
	if is.NextFetchAt, is.UpdatedAt = is.Next(f.at, f.retryAfter), c.Stamp(); isAccepted {
		is.NextFetchAt = f.at
	}
	if err := tx.SaveFeedState(ctx, &is); err != nil {
		return err
	}
	if err := tx.ForgetClosuresOfFeed(ctx, is.ID, f.at.Add(-forgottenAfter)); err != nil || p.changed == 0 {
		return err
	}
	return a.Audit.Write(ctx, tx, access.System(), audit.Row{Verb: "read", Noun: subscriptions.Name, NounID: is.ID,
		OrganizationID: is.OrganizationID, After: map[string]any{"changed": p.changed, "kept": f.kept, "refused": f.refused}})
}

// endPastFeeds ends what feeds brought that were paused or deleted.
func (a *App) endPastFeeds(ctx context.Context) error {
	for {
		past, err := store.FeedsPast(ctx, a.Store.Reader(), 1)
		if err != nil || len(past) == 0 {
			return err
		}
		if err := a.Change(ctx, func(c *live.Change, tx *store.Tx) error { return a.endFeed(ctx, c, tx, past[0].ID) }); err != nil {
			return err
		}
	}
}

// endFeed ends a page of what a feed brought.
func (a *App) endFeed(ctx context.Context, c *live.Change, tx *store.Tx, id string) error {
	s, err := subscriptions.Rows.ByID(ctx, tx, id)
	if err != nil || !s.Brings || s.IsActive && s.DeletedAt == 0 {
		return err
	}
	page, err := store.ClosuresOfFeed(ctx, tx, id, fedPerCommit)
	if err != nil {
		return err
	}
	for _, x := range page {
		x.Version++
		x.DeletedAt = c.Now()
		if err := a.saveFed(ctx, c, tx, x); err != nil {
			return err
		}
	}
	if len(page) == fedPerCommit {
		return nil
	}
	found, err := store.HazardsOfFeed(ctx, tx, id)
	if err != nil {
		return err
	}
	g := &markGroup[*fleet.HazardReport]{refused: map[int]*fleet.Refusal{}}
	for _, h := range found {
		over := fleet.MarkReport{ID: h.ExternalID, At: max(c.Now(), h.SaidAt), HasActive: true}
		g.reports = append(g.reports, &fleet.HazardReport{MarkReport: over})
	}
	if err := a.takeHazards(ctx, tx, c, s.FeedHand(), g); err != nil {
		return err
	}
	s.Brings, s.State.Closures, s.State.Hazards, s.UpdatedAt = false, 0, 0, c.Stamp()
	return tx.SaveFeedState(ctx, &s)
}
