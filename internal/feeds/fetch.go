package feeds

import (
	"context"
	"errors"
	"net/url"
	"sync"
	"time"

	"lightbar/internal/feed/merge"
	"lightbar/internal/feed/read"
	"lightbar/internal/fleet"
	"lightbar/internal/outbound"
	"lightbar/internal/people"
	"lightbar/internal/store"
)

const (
	// looked is how many that are due are compared: far more than wait for slow servers, so that no other is past the end of the list.
	looked = 10_000
	// rests is for how long a feed rests that our own store refused.
	rests = time.Minute
)

// fetching are the feeds that are being fetched; the zero value works.
type fetching struct {
	places outbound.Places
	mu     sync.Mutex
	rests  map[string]fleet.Instant // until when
}

// take chooses one of the feeds that are due; nil = none may be fetched now.
func (f *fetching) take(ctx context.Context, due []store.DueFeed, now fleet.Instant) (context.Context, *outbound.Place) {
	f.mu.Lock()
	visits := make([]outbound.Visit, 0, len(due))
	for _, d := range due {
		if now < f.rests[d.ID] {
			continue
		}
		v := outbound.Visit{Key: d.ID, Tenant: d.OrganizationID}
		if at, err := url.Parse(d.URL); err == nil {
			v.Server = at.Host
		}
		visits = append(visits, v)
	}
	f.mu.Unlock()
	return f.places.Take(ctx, visits, now.Time())
}

func (f *fetching) done(p *outbound.Place, failed bool, now fleet.Instant) {
	p.Done(now.Time())
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.rests == nil {
		f.rests = map[string]fleet.Instant{}
	}
	if delete(f.rests, p.Key); failed {
		f.rests[p.Key] = now.Add(rests)
	}
}

// FetchFeeds fetches the feeds that are due one after the other, organizations
// in turn, until none is; it may run several times at once. What a server
// answers is never an error: the subscription says it.
func (a *Incoming) FetchFeeds(ctx context.Context) error {
	past := a.endPast(ctx) // told at the end: others do not wait for one that can't be ended
	for {
		now := a.now()
		due, err := store.FeedsDue(ctx, a.Store.Reader(), now, looked)
		if err != nil {
			return err
		}
		waiting, place := a.fetching.take(ctx, due, now)
		if place == nil {
			return past
		}
		err = a.fetchFeed(ctx, waiting, place.Key, now)
		if a.fetching.done(place, err != nil, a.now()); err != nil {
			return err
		}
	}
}

// OverdueFeeds counts the feeds of all organizations that have been due for longer than they may.
func (a *Incoming) OverdueFeeds(ctx context.Context) (int, error) {
	return store.CountFeedsOverdue(ctx, a.Store.Reader(), fleet.FeedOverdueSince(a.now()))
}

// fetchFeed fetches a feed that is still due: another fetch may have ended since
// the list of those was read. What is put off while it waits for the publisher stays due.
func (a *Incoming) fetchFeed(ctx, waiting context.Context, id string, now fleet.Instant) error {
	s, err := subscriptions.Rows.ByID(ctx, a.Store.Reader(), id)
	if err != nil || !s.IsActive || s.DeletedAt != 0 || s.NextFetchAt > now {
		return err
	}
	f, err := a.readFeedOf(waiting, &s)
	if errors.Is(context.Cause(waiting), outbound.ErrPutOff) {
		return nil
	}
	if err != nil {
		return err
	}
	f.Took = a.now().Sub(f.At)
	return a.applyFetched(ctx, &s, f)
}

// readFeedOf fetches the document of a subscription and reads it; nothing is written. One that is the last one byte by
// byte is not read again, but for when all that it lists is to be confirmed. The error is of our own disk.
func (a *Incoming) readFeedOf(ctx context.Context, s *fleet.FeedSubscription) (*merge.Fetch, error) {
	out := merge.Begin(a.now())
	address, err := a.ServerKey.Open(people.FeedAddressPurpose, s.ID, s.Address)
	if err != nil {
		out.Fail("address_sealed")
		return out, nil
	}
	request := outbound.Request{URL: string(address)}
	isRefresh := s.IsRefreshDue(out.At)
	if !isRefresh {
		request.ETag, request.LastModified = s.State.ETag, s.State.LastModified
	}
	document, err := a.Outbound.Get(ctx, request)
	if err != nil {
		return failBecause(out, err), nil
	}
	defer func() { _ = document.Body.Close() }()
	if document.Unchanged {
		out.Unchanged = true
		return out, nil
	}
	body, err := a.spool(document.Body)
	if errors.Is(err, errSpool) {
		return nil, err
	} else if err != nil {
		return failBecause(out, err), nil
	}
	defer func() { _ = body.Close() }()
	out.ETag, out.LastModified, out.Digest = document.ETag, document.LastModified, body.digest
	if out.Digest == s.State.Digest && !isRefresh && !body.isCut {
		out.Unchanged = true
		return out, nil
	}
	if err := out.Read(ctx, body, s, a.zoneOfFeed(ctx, s)); err != nil {
		return failBecause(out, err), nil
	}
	if body.isCut {
		out.Cut()
	}
	out.Count()
	return out, nil
}

// zoneOfFeed is the time zone of instants without an offset.
func (a *Incoming) zoneOfFeed(ctx context.Context, s *fleet.FeedSubscription) *time.Location {
	name := s.Timezone
	if name == "" {
		of, err := store.OrganizationByID(ctx, a.Store.Reader(), s.OrganizationID)
		if err != nil {
			return time.UTC
		}
		name = of.Timezone
	}
	at, err := time.LoadLocation(name)
	if err != nil {
		return time.UTC
	}
	return at
}

// failBecause puts a failure into a word of the catalog.
func failBecause(f *merge.Fetch, err error) *merge.Fetch {
	var fetch *outbound.Error
	var text *read.Unreadable
	var refusal *fleet.Refusal
	problem := outbound.Unreachable
	switch {
	case errors.As(err, &fetch):
		f.Code, f.RetryAfter, problem = fetch.Code, fetch.RetryAfter, fetch.Reason
	case errors.As(err, &text):
		problem = text.Reason
	case errors.As(err, &refusal):
		problem = "columns_missing"
	}
	f.Fail(problem)
	return f
}
