package fleet

import (
	"cmp"
	"reflect"
	"slices"

	"lightbar/catalog"
)

// ClosureOfFeed is the kind of closure that comes from another publisher's feed: the feed defines it, and nobody edits it here.
const ClosureOfFeed = "feed"

// endedByGone: it is no longer in its feed.
const endedByGone = "gone"

var (
	feedConfirm = catalog.LimitMs("subscription", "confirmMs")
	endedStays  = catalog.LimitMs("closure", "endedStaysMs")
)

// confirmed ends the time of a feed's closure with the silence of the feed: what it has not confirmed for 8 hours is no longer
// active. Without an end of its own it is believed to be active for that long.
func (c *Closure) confirmed(t closureTime, now Instant) closureTime {
	unheard := c.VerifiedAt.Add(closureSilent)
	switch {
	case t.From == 0:
		return t
	case t.To == 0:
		t.To, t.isGuessed = unheard, true
	case now >= unheard && unheard < t.To:
		t.To = unheard
	}
	if t.isSilent = t.To == unheard && now >= unheard; t.From >= t.To {
		return closureTime{} // nobody knows whether it will begin
	}
	return t
}

// TakeFeed updates the closure from its feed, and reports whether anything changed; an unchanged one is confirmed now and then. was
// is the stored closure, nil = it is new.
func (c *Closure) TakeFeed(was *Closure, s *FeedSubscription, now Instant) (isNew, confirmed bool) {
	c.Kind, c.OrganizationID, c.FeedSubscriptionID, c.Source = ClosureOfFeed, s.OrganizationID, s.ID, s.Name
	c.Description = c.FeedText()
	c.lawfulLanes()
	c.UserRoute = thinned(c.UserRoute)
	c.Verify(Verifier{Kind: "feed", ID: s.ID, Name: s.Name}, now)
	if was == nil {
		return true, false
	}
	c.ID, c.Version, c.UpdatedAt, c.LastStartAt, c.NextChangeAt = was.ID, was.Version, was.UpdatedAt, was.LastStartAt, was.NextChangeAt
	like := *was
	like.VerifiedAt, like.VerifiedBy = c.VerifiedAt, c.VerifiedBy
	if !reflect.DeepEqual(&like, c) {
		c.Version++
		return true, false
	}
	return false, now.Sub(was.VerifiedAt) >= feedConfirm
}

// FeedText is the description of a feed's closure: never none.
func (c *Closure) FeedText() string { return cmp.Or(c.Description, c.RoadName, "Work zone") }

// lawfulLanes leaves of the lanes those that a closure may have.
func (c *Closure) lawfulLanes() {
	if c.TotalLanes < 0 || c.TotalLanes > closureLanes {
		c.TotalLanes = 0
	}
	most := cmp.Or(c.TotalLanes, closureLanes)
	c.ImpactedLanes = slices.DeleteFunc(c.ImpactedLanes, func(lane int) bool { return lane < 1 || lane > most })
	slices.Sort(c.ImpactedLanes)
	if c.ImpactedLanes = slices.Compact(c.ImpactedLanes); len(c.ImpactedLanes) == 0 {
		c.ImpactedLanes = nil
	}
}

// thinned is a line with as many points as one may have; its ends stay.
func thinned(line []LatLng) []LatLng {
	if len(line) <= routePoints {
		return line
	}
	out := make([]LatLng, 0, routePoints)
	for i := range routePoints {
		out = append(out, line[i*(len(line)-1)/(routePoints-1)])
	}
	return out
}

// Gone ends a closure that is no longer in its feed.
func (c *Closure) Gone(now Instant) {
	if c.Weekly != nil { // of its times only the last that has begun is over
		last := c.SpanAt(now).Last
		c.StartAt, c.Weekly = last.From, nil
	}
	begun := c.StartAt != 0 && c.StartAt <= now
	c.finish(now, endedByGone)
	if c.Version++; !begun {
		c.LastStartAt = 0
	}
}

// IsPast reports that a feed's closure ended, and has been shown as ended for long enough.
func (c *Closure) IsPast(now Instant) bool {
	is := c.SpanAt(now)
	if is.IsActive || is.From > now || c.StartAt > now && now < c.VerifiedAt.Add(closureSilent) {
		return false
	}
	return now.Sub(cmp.Or(is.EndedAt, c.EndedAt, c.VerifiedAt)) >= endedStays
}

// IsActiveOrScheduled reports whether the closure is active at an instant or will be.
func (c *Closure) IsActiveOrScheduled(now Instant) bool { return c.SpanAt(now).To > now }

var (
	shrunkLeast = int(catalog.LimitInt("subscription", "shrunkLeast"))
	shrunkShare = catalog.Limit("subscription", "shrunkShare")
	feedHeld    = catalog.Setting("subscription", "heldMs")
)

// Believe reports whether what is missing in a whole document may end: all of it
// at once, or half of it, only when the feed has been so small for an hour, or
// when someone has accepted that so much is missing.
func (s *FeedState) Believe(standing, missing int, now Instant) bool {
	isAll, accepted := missing == standing, s.Accepted
	s.Accepted = 0
	isMuch := missing > 0 && (isAll || missing >= shrunkLeast && float64(missing) >= shrunkShare*float64(standing))
	if s.HeldSince == 0 {
		s.HeldSince = now
	}
	if !isMuch || missing <= accepted || now.Sub(s.HeldSince) >= feedHeld.Duration() {
		s.HeldSince, s.Missing = 0, 0
		return true
	}
	s.Missing = missing
	return false
}

// IsHeld reports whether something that is missing in the feed is still active.
func (s *FeedSubscription) IsHeld() bool { return s.IsActive && s.State.Missing > 0 }

// Accept believes what is missing: the feed is fetched now, and what is then
// missing ends, unless that is more.
func (s *FeedSubscription) Accept(now Instant) {
	s.State.Accepted, s.NextFetchAt = s.State.Missing, now
}

// HeldUntil is when what is missing is believed to be gone, if the feed goes on without it; 0 = nothing is held.
func (s *FeedState) HeldUntil() Instant {
	if s.Missing == 0 || s.HeldSince == 0 {
		return 0
	}
	return s.HeldSince.Add(feedHeld.Duration())
}

// FeedHand is the feed as who reports and ends hazards.
func (s *FeedSubscription) FeedHand() HazardHand {
	return HazardHand{Kind: "feed", ID: s.ID, Name: s.Name, OrganizationID: s.OrganizationID}
}

// IsUpToDate reports whether a feed's hazard is already as in its feed: nothing must be written. When half of its life is over, it is
// prolonged; if a person has ended it, it begins again only when the feed reports something new about it.
func (h *Hazard) IsUpToDate(r *HazardReport, now Instant) bool {
	is := h.At(now)
	switch {
	case !is.says(r):
		return false
	case is.EndedAt != 0:
		return is.EndReason == HazardCleared || is.EndReason == HazardWithdrawn
	case r.ExpiresAt != 0:
		return is.ExpiresAt == r.ExpiresAt
	}
	return is.ExpiresAt.Sub(now) >= hazardLife/2
}
