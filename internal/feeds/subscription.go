package feeds

import (
	"context"
	"errors"
	"net/url"
	"strconv"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/audit"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/people"
	"lightbar/internal/record"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

var mostFeeds = int(catalog.LimitInt("subscription", "perOrganization"))

// subscriptions are feeds of others that organizations read.
var subscriptions = record.NewResource(record.Resource[*Incoming, fleet.FeedSubscription, wire.FeedSubscription,
	wire.FeedSubscriptionWrite]{
	Name: "feed subscription", Missing: "Feed not found", Views: "VIEW_FEED_SUBSCRIPTIONS",
	Adds: "EDIT_ORGANIZATION", Edits: "EDIT_ORGANIZATION", Deletes: "EDIT_ORGANIZATION",
	Rows: store.FeedSubscriptions, Row: (*Incoming).feedWire, Part: (*Incoming).feedPart, Gone: wire.GoneFeedSubscription,
	Of: func(x *fleet.FeedSubscription) record.Fields {
		return record.Fields{ID: &x.ID, Owner: &x.OrganizationID, Version: &x.Version, UpdatedAt: &x.UpdatedAt, DeletedAt: &x.DeletedAt}
	},
	Make: newFeed, Law: editFeed, Back: record.BackTo((*Incoming).putBackFeed),
	CheckEmpty: func(wrong map[string]string) { new(fleet.FeedSubscription).Check(wrong) },
	// One that is paused or deleted ends what it brought; the next fetch brings it back.
	AfterCommit: func(ctx context.Context, a *Incoming, x *fleet.FeedSubscription) error {
		if x.IsActive && x.DeletedAt == 0 {
			return nil
		}
		return a.endPast(ctx)
	},
	Clash: func(ctx context.Context, tx *store.Tx, x *fleet.FeedSubscription) error {
		n, err := store.CountFeedSubscriptions(ctx, tx, x.OrganizationID, x.ID)
		if err == nil && n >= mostFeeds {
			err = fleet.RefuseFields(map[string]string{"url": "An organization can have at most " + strconv.Itoa(mostFeeds) + " feeds"})
		}
		return err
	},
})

// newFeed is the law of a new subscription, which is fetched soon.
func newFeed(e *record.Editing[*Incoming, fleet.FeedSubscription], in wire.FeedSubscriptionWrite) error {
	x := &e.Next
	x.ID, x.IsActive, x.NextFetchAt = e.ID, true, e.At
	in.OrganizationID.ApplyTo(&x.OrganizationID)
	before, err := store.FeedSubscriptions.ByID(e, e.Tx, e.ID)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return err
	}
	return e.By.applyFeed(x, in, before.Address)
}

// editFeed is the law of edits.
func editFeed(e *record.Editing[*Incoming, fleet.FeedSubscription], in wire.FeedSubscriptionWrite) error {
	x, old := &e.Next, e.Old
	if in.OrganizationID.IsSent() && in.OrganizationID.String() != x.OrganizationID {
		return fleet.RefuseFields(map[string]string{"organization_id": "A feed can't be moved to another organization"})
	}
	if err := e.By.applyFeed(x, in, x.Address); err != nil {
		return err
	}
	x.AddressBefore = old.Address
	e.By.beginAnew(x, &old)
	return nil
}

// beginAnew lets a subscription be read again when it is another one than before.
func (a *Incoming) beginAnew(x, old *fleet.FeedSubscription) {
	if !x.ReadsLike(old) || x.IsActive && (!old.IsActive || old.DeletedAt != 0) {
		x.Begin(a.now())
	}
	if x.Name != old.Name { // its closures are to say so, too
		x.State.ReadAt, x.NextFetchAt = 0, a.now()
	}
}

// putBackFeed makes a subscription what a row says. The audit does not have its
// address: one that comes back kept it, and one that was edited has the one before.
func (a *Incoming) putBackFeed(x *fleet.FeedSubscription, was wire.FeedSubscription, said wire.FeedSubscriptionWrite) error {
	old := *x
	said.URL = nil // the row has it without its secrets
	if err := a.applyFeed(x, said, x.Address); err != nil {
		return err
	}
	if old.DeletedAt == 0 && (x.AddressBefore != "" || x.URL != was.URL) {
		whole, err := a.ServerKey.Open(people.FeedAddressPurpose, x.ID, x.AddressBefore)
		if _, shown, _ := fleet.CheckFeedURL(string(whole)); err != nil || shown != was.URL {
			return fleet.RefuseFields(map[string]string{"url": "The previous address is no longer known. Enter it again"})
		}
		x.URL, x.Address, x.AddressBefore = was.URL, x.AddressBefore, old.Address
	}
	a.beginAnew(x, &old)
	return nil
}

// FetchFeedSubscription lets a feed be fetched soon, 10 s after the last time at
// the earliest. Requires EDIT_ORGANIZATION and full reach. Refusals: not_found,
// validation_failed when it is paused.
func (a *Incoming) FetchFeedSubscription(ctx context.Context, actor *access.Actor, id string) (wire.FeedSubscription, error) {
	return a.pressFeed(ctx, actor, id, "fetch", func(x *fleet.FeedSubscription) error {
		if !x.IsActive {
			return fleet.RefuseFields(map[string]string{"is_active": "The feed is paused"})
		}
		x.Press(a.now())
		return nil
	})
}

// AcceptFeedSubscription believes now that what a held feed no longer has is
// gone: the feed is fetched at once, and what is missing then ends. in says how
// much was seen to be missing; more than that is held again. Requires
// EDIT_ORGANIZATION and full reach. Refusals: not_found, feed_not_held, conflict
// when another number is missing by now.
func (a *Incoming) AcceptFeedSubscription(ctx context.Context, actor *access.Actor, id string, in wire.FeedAccept) (
	wire.FeedSubscription, error) {
	return a.pressFeed(ctx, actor, id, "accept", func(x *fleet.FeedSubscription) error {
		if !x.IsHeld() {
			return fleet.Refuse("feed_not_held", "", "This feed has nothing to accept anymore.")
		}
		if in.Missing != x.State.Missing {
			refusal := fleet.Refuse("conflict", "missing", "The feed has changed again: "+strconv.Itoa(x.State.Missing)+" are missing now.")
			refusal.Current = a.feedWire(x)
			return refusal
		}
		x.Accept(a.now())
		return nil
	})
}

// pressFeed changes when a feed is fetched, and what is believed of it. It is no edit: its version stays.
func (a *Incoming) pressFeed(ctx context.Context, actor *access.Actor, id, verb string, press func(*fleet.FeedSubscription) error) (
	wire.FeedSubscription, error) {
	if err := actor.Must("EDIT_ORGANIZATION"); err != nil {
		return wire.FeedSubscription{}, err
	}
	var next fleet.FeedSubscription
	err := a.Change(ctx, func(c *live.Change, tx *store.Tx) (err error) {
		if next, err = subscriptions.Load(ctx, tx, actor, id); err != nil {
			return err
		}
		if err := press(&next); err != nil {
			return err
		}
		next.UpdatedAt = a.StampOf(c)
		if err := tx.SaveFeedState(ctx, &next); err != nil {
			return err
		}
		row := audit.Row{Verb: verb, Noun: subscriptions.Name, NounID: id, OrganizationID: next.OrganizationID}
		if verb == "accept" {
			row.After = map[string]any{"missing": next.State.Accepted}
		}
		return a.Audit.Write(ctx, tx, actor, row)
	})
	if err != nil {
		return wire.FeedSubscription{}, err
	}
	return a.feedWire(&next), nil
}

// applyFeed is the law of subscriptions: what is said is put over one, and then
// it must hold as a whole. sealed is the address that it has.
func (a *Incoming) applyFeed(x *fleet.FeedSubscription, in wire.FeedSubscriptionWrite, sealed string) error {
	wrong := map[string]string{}
	wire.Texts(wrong, x, &in)
	for at, said := range map[*string]*string{&x.Format: in.Format, &x.Timezone: in.Timezone, &x.TimeFormat: in.TimeFormat} {
		if said != nil {
			*at = *said
		}
	}
	if in.IsActive != nil {
		x.IsActive = *in.IsActive
	}
	if in.Columns != nil {
		x.Columns = fleet.HazardColumns(*in.Columns)
	}
	if in.Types != nil {
		x.Types = *in.Types
	}
	if in.URL != nil && (*in.URL != x.URL || x.URL == "") {
		if err := a.sealFeed(wrong, x, *in.URL, sealed); err != nil {
			return err
		}
	}
	if x.Check(wrong); len(wrong) > 0 {
		return fleet.RefuseFields(wrong)
	}
	return nil
}

// sealFeed gives a subscription its address. The same one stays sealed as it was: then nothing has changed.
func (a *Incoming) sealFeed(wrong map[string]string, x *fleet.FeedSubscription, said, sealed string) (err error) {
	whole, shown, sentence := fleet.CheckFeedURL(said)
	if sentence != "" {
		wrong["url"] = sentence
		return nil
	}
	x.URL, x.Address = shown, sealed
	if before, err := a.ServerKey.Open(people.FeedAddressPurpose, x.ID, sealed); err == nil && string(before) == whole {
		return nil
	}
	x.Address, err = a.ServerKey.Seal(people.FeedAddressPurpose, x.ID, []byte(whole))
	return err
}

// feedWire is a subscription as lists show it now; for the audit (a nil) without what its fetches said.
func (a *Incoming) feedWire(x *fleet.FeedSubscription) (out wire.FeedSubscription) {
	wire.Same(&out, x)
	out.Columns, out.Status = wire.HazardColumns(x.Columns), fleet.FeedOff
	if out.Types, out.Reasons, out.Fetches = x.Types, map[string]int{}, []wire.FeedFetch{}; out.Types == nil {
		out.Types = map[string]string{}
	}
	if a == nil {
		out.NextFetchAt = 0
		return out
	}
	s := &x.State
	wire.Same(&out, s)
	if out.Reasons == nil {
		out.Reasons = map[string]int{}
	}
	if out.Fetches, out.Status, out.HeldUntil = s.Fetches, x.HealthAt(a.now()), s.HeldUntil(); out.Fetches == nil {
		out.Fetches = []wire.FeedFetch{}
	}
	if out.Problem, out.HTTPCode = nil, nil; s.Problem != "" {
		out.Problem = &s.Problem
	}
	if s.Code != 0 {
		out.HTTPCode = &s.Code
	}
	if !x.IsActive {
		out.NextFetchAt = 0
	}
	return out
}

// feedPart is a subscription for those who may only read its organization: of the address they learn the host.
func (a *Incoming) feedPart(x *fleet.FeedSubscription) wire.FeedSubscription {
	out := a.feedWire(x)
	if at, err := url.Parse(x.URL); err == nil {
		out.URL = at.Scheme + "://" + at.Host
	}
	return out
}
