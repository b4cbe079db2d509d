// Package feeds holds the verbs about feeds of others: which ones organizations
// read, when they are fetched, and what becomes of the closures and hazards that
// they bring. What a fetch changes is decided in feed/merge.
package feeds

import (
	"context"

	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/outbound"
	"lightbar/internal/people"
	"lightbar/internal/record"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

// Incoming holds the verbs about feeds of others; make one with New.
type Incoming struct {
	*people.Accounts
	Subscriptions record.Collection[*Incoming, fleet.FeedSubscription, wire.FeedSubscription, wire.FeedSubscriptionWrite]

	fleet Fleet

	// Outbound fetches the feeds; the zero value reaches public addresses only.
	Outbound outbound.Client
	// FeedFolder is where a document lies while it is read; "" = where the system has such files.
	FeedFolder string
	fetching   fetching // which of them now
}

// Fleet is what feeds need of the verbs about the fleet.
type Fleet struct {
	// TellClosure publishes a closure that the change has written.
	TellClosure func(c *live.Change, x *fleet.Closure)
	// TakeHazards takes reports into their hazards. It answers how many of them
	// changed something, and for how many there was no room.
	TakeHazards func(ctx context.Context, tx *store.Tx, c *live.Change, by fleet.HazardHand, reports []*fleet.HazardReport) (
		accepted, refused int, err error)
}

// New makes the verbs over those about people.
func New(accounts *people.Accounts, f Fleet) *Incoming {
	a := &Incoming{Accounts: accounts, fleet: f}
	a.Subscriptions = subscriptions.By(a)
	return a
}

// now is the current instant.
func (a *Incoming) now() fleet.Instant { return fleet.InstantOf(a.Now()) }
