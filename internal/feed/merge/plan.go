package merge

import (
	"lightbar/internal/feed/read"
	"lightbar/internal/fleet"
)

// Plan is what a fetch changes; make one with Compare.
type Plan struct {
	Closures []*fleet.Closure      // as they are to be stored: new ones without id, changed, confirmed and ended ones, and those to be deleted
	Hazards  []*fleet.HazardReport // that contain something new, and ends
	Held     bool                  // too much is missing to be believed
	Changed  int                   // closures and hazards whose content the feed changed

	fetch    *Fetch
	belief   fleet.FeedState // of the subscription, with the conclusions from this fetch
	accepted int             // how many missing ones were accepted when the fetch began
	// closures and hazards count the feed's active ones; closures also those to come.
	closures, hazards int
}

// Compare compares a fetch with the stored closures and hazards of the feed, and plans what is new, changed, confirmed and ended.
// What is no longer in the document ends only when all of it was read, and not at once when that is much. The closures, of the
// fetch and stored, are changed to what must be stored; the subscription stays as it is.
func Compare(s *fleet.FeedSubscription, f *Fetch, closures []*fleet.Closure, hazards []*fleet.Hazard) *Plan {
	p := &Plan{fetch: f, belief: s.State, accepted: s.State.Accepted}
	if f.Unchanged {
		return p
	}
	if !f.Usable {
		f.Closures, f.Hazards = nil, nil
	}
	f.keepIDs(closures, hazards)
	missing, standing := p.planClosures(s, closures), 0
	for _, c := range closures {
		if c.IsActiveOrScheduled(f.At) {
			standing++
		}
	}
	gone := p.planHazards(hazards)
	p.Held = f.Whole && !p.belief.Believe(standing+len(hazards), len(missing)+len(gone), f.At)
	if f.Whole && !p.Held {
		for _, c := range missing {
			c.Gone(f.At)
			p.Closures = append(p.Closures, c)
		}
		p.Hazards = append(p.Hazards, gone...)
		p.closures, p.hazards, p.Changed = p.closures-len(missing), p.hazards-len(gone), p.Changed+len(missing)+len(gone)
	}
	return p
}

// planClosures plans what is new and changed, and what ended long ago. It returns what is active and missing.
func (p *Plan) planClosures(s *fleet.FeedSubscription, stored []*fleet.Closure) (missing []*fleet.Closure) {
	known := make(map[string]*fleet.Closure, len(stored))
	for _, c := range stored {
		known[c.ExternalID] = c
	}
	now, room := p.fetch.At, MostClosures-len(stored)
	for _, c := range p.fetch.Closures {
		was := known[c.ExternalID]
		isNew, confirmed := c.TakeFeed(was, s, now)
		if was != nil {
			delete(known, c.ExternalID)
		} else if room--; room < 0 {
			p.fetch.Kept--
			p.fetch.refuse(read.TooMany)
			continue
		}
		p.closures++
		if isNew || confirmed {
			p.Closures = append(p.Closures, c)
		}
		if isNew {
			p.Changed++
		}
	}
	for _, c := range stored {
		switch {
		case known[c.ExternalID] == nil:
		case c.IsActiveOrScheduled(now):
			p.closures++
			missing = append(missing, c)
		case c.IsPast(now):
			c.Version++
			c.DeletedAt = now
			p.Closures = append(p.Closures, c)
		}
	}
	return missing
}

// planHazards plans what the document repeats, and returns ends for what is no longer in it.
func (p *Plan) planHazards(stored []*fleet.Hazard) (gone []*fleet.HazardReport) {
	known := make(map[string]*fleet.Hazard, len(stored))
	for _, h := range stored {
		known[h.ExternalID] = h
	}
	for i := range p.fetch.Hazards {
		r := &p.fetch.Hazards[i]
		h := known[r.ID]
		if delete(known, r.ID); h == nil || !h.IsUpToDate(r, p.fetch.At) {
			p.Hazards = append(p.Hazards, r)
		}
		p.hazards++
	}
	for _, h := range stored {
		if known[h.ExternalID] != nil {
			p.hazards++
			gone = append(gone, End(h, p.fetch.At))
		}
	}
	return gone
}

// End is the report that a feed no longer has a hazard.
func End(h *fleet.Hazard, now fleet.Instant) *fleet.HazardReport {
	return &fleet.HazardReport{MarkReport: fleet.MarkReport{ID: h.ExternalID, At: now, HasActive: true}}
}

// Took notes the results of the plan's hazards: accepted ones changed something, for refused ones there was no room.
func (p *Plan) Took(accepted, refused int) {
	p.Changed += accepted
	for range refused {
		p.fetch.Kept, p.hazards = p.fetch.Kept-1, p.hazards-1
		p.fetch.refuse(read.TooMany)
	}
}

// Note writes into the subscription, as it is stored by now, the result of the fetch, and when the next one is.
func (p *Plan) Note(is *fleet.FeedSubscription) {
	f, state := p.fetch, &is.State
	state.HeldSince, state.Missing = p.belief.HeldSince, p.belief.Missing
	isAccepted := p.Held && state.Accepted != p.accepted // while this fetch was under way
	if !isAccepted {
		state.Accepted = p.belief.Accepted
	}
	state.LastFetchedAt, state.Problem, state.Code = f.At, f.Problem, f.Code
	if p.Held {
		state.Problem = fleet.FeedShrunk
	}
	if f.Problem == "" {
		state.Failures = 0
	} else {
		state.Failures++
	}
	if f.Usable && !f.Unchanged {
		p.noteDocument(state)
	}
	if f.Problem == "" && !p.Held {
		if state.LastGoodAt = f.At; !f.Unchanged {
			state.ETag, state.LastModified, state.Digest, state.ReadAt = f.ETag, f.LastModified, f.Digest, f.At
		}
	}
	state.Note(fleet.FeedFetch{At: f.At, Outcome: p.outcome(), Code: f.Code, Kept: state.Kept, Refused: state.Refused,
		Ms: f.Took.Milliseconds()})
	if is.NextFetchAt = is.Next(f.At, f.RetryAfter); isAccepted {
		is.NextFetchAt = f.At
	}
}

// noteDocument notes what was read of a document that is not the one that was applied last.
func (p *Plan) noteDocument(state *fleet.FeedState) {
	f := p.fetch
	state.Kept, state.Refused, state.Reasons, state.Closures, state.Hazards = f.Kept, f.Refused, f.Reasons, p.closures, p.hazards
	state.Publisher, state.PublishedAt = f.Publisher, min(f.PublishedAt, f.At)
	state.ETag, state.LastModified, state.Digest = "", "", ""
	switch {
	case state.LastChangedAt == 0 && state.PublishedAt != 0: // what it had before it was read, nobody knows
		state.LastChangedAt = state.PublishedAt
	case p.Changed > 0 || state.LastChangedAt == 0:
		state.LastChangedAt = f.At
	}
}

// outcome is the result of the fetch in one word.
func (p *Plan) outcome() string {
	switch {
	case p.Held:
		return "held"
	case p.fetch.Problem != "":
		return p.fetch.Problem
	case p.fetch.Unchanged:
		return "unchanged"
	}
	return "good"
}
