package app

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"hash"
	"io"
	"sync"
	"time"

	"lightbar/catalog"
	"lightbar/internal/feed/read"
	"lightbar/internal/file"
	"lightbar/internal/fleet"
	"lightbar/internal/outbound"
	"lightbar/internal/people"
	"lightbar/internal/store"
)

const (
	feedsLooked = 200 // how many that are due are compared
	feedsAtOnce = 2   // of one organization
	// feedRests is for how long a feed rests that our own store refused.
	feedRests = time.Minute
)

var (
	feedClosures = int(catalog.LimitInt("subscription", "closures"))
	feedPoints   = int(catalog.LimitInt("subscription", "points"))
	feedHazards  = int(catalog.LimitInt("hazard", "active"))
	// feedHazardText is how much of a text a hazard may have: others write more, and lose no hazard by it.
	feedHazardText = int(catalog.LimitInt("text", "description"))
)

// fetching are the feeds that are being fetched; the zero value works.
type fetching struct {
	mu      sync.Mutex
	feeds   map[string]bool
	tenants map[string]int
	rests   map[string]fleet.Instant // until when
}

// take chooses of feeds that are due the first one of an organization for which
// the fewest are being fetched; nil = none.
func (f *fetching) take(due []fleet.FeedSubscription, now fleet.Instant) (s *fleet.FeedSubscription) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.feeds == nil {
		f.feeds, f.tenants, f.rests = map[string]bool{}, map[string]int{}, map[string]fleet.Instant{}
	}
	for i := range due {
		d := &due[i]
		switch n := f.tenants[d.OrganizationID]; {
		case f.feeds[d.ID], n >= feedsAtOnce, now < f.rests[d.ID]:
		case s == nil || n < f.tenants[s.OrganizationID]:
			s = d
		}
	}
	if s != nil {
		f.feeds[s.ID] = true
		f.tenants[s.OrganizationID]++
	}
	return s
}

func (f *fetching) done(s *fleet.FeedSubscription, failed bool, now fleet.Instant) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.feeds, s.ID)
	if f.tenants[s.OrganizationID]--; f.tenants[s.OrganizationID] == 0 {
		delete(f.tenants, s.OrganizationID)
	}
	if delete(f.rests, s.ID); failed {
		f.rests[s.ID] = now.Add(feedRests)
	}
}

// FetchFeeds fetches the feeds that are due one after the other, organizations
// in turn, until none is; it may run several times at once. What a server
// answers is never an error: the subscription says it.
func (a *App) FetchFeeds(ctx context.Context) error {
	if err := a.endPastFeeds(ctx); err != nil {
		return err
	}
	for {
		now := a.now()
		due, err := store.FeedsDue(ctx, a.Store.Reader(), now, feedsLooked)
		if err != nil {
			return err
		}
		s := a.fetching.take(due, now)
		if s == nil {
			return nil
		}
		err = a.fetchFeed(ctx, s.ID, now)
		if a.fetching.done(s, err != nil, now); err != nil {
			return err
		}
	}
}

// fetchFeed fetches a feed that is still due: another fetch may have ended since the list of those was read.
func (a *App) fetchFeed(ctx context.Context, id string, now fleet.Instant) error {
	s, err := subscriptions.Rows.ByID(ctx, a.Store.Reader(), id)
	if err != nil || !s.IsActive || s.DeletedAt != 0 || s.NextFetchAt > now {
		return err
	}
	f := a.readFeedOf(ctx, &s)
	f.took = a.now().Sub(f.at)
	return a.applyFetched(ctx, &s, f)
}

// fetched is what came of a fetch.
type fetched struct {
	at             fleet.Instant
	took           time.Duration // to fetch and to read
	unchanged      bool
	whole          bool // all of it was read, and nothing of it was too much
	usable         bool // what was read counts
	problem        string
	code           int
	retryAfter     time.Duration
	kept, refused  int
	reasons        map[string]int
	publisher      string
	saidAt         fleet.Instant
	etag, modified string
	digest         string
	closures       []*fleet.Closure
	hazards        []fleet.HazardReport
	points         int
	hasMore        bool // there were more than are taken
	zone           *time.Location
}

// refuse counts a feature that is not taken.
func (f *fetched) refuse(reason string) {
	f.refused++
	f.reasons[fleet.FeedReason(reason)]++
	f.hasMore = f.hasMore || reason == read.TooMany
}

// fail notes why nothing of the document counts.
func (f *fetched) fail(problem string) *fetched {
	f.problem, f.usable, f.whole = fleet.FeedProblem(problem), false, false
	return f
}

// readFeedOf fetches the document of a subscription and reads it; nothing is written.
func (a *App) readFeedOf(ctx context.Context, s *fleet.FeedSubscription) *fetched {
	out := &fetched{at: a.now(), reasons: map[string]int{}}
	address, err := a.ServerKey.Open(people.FeedAddressPurpose, s.ID, s.Address)
	if err != nil {
		return out.fail("address_sealed")
	}
	request := outbound.Request{URL: string(address)}
	isRefresh := s.IsRefreshDue(out.at)
	if !isRefresh {
		request.ETag, request.LastModified = s.State.ETag, s.State.LastModified
	}
	document, err := a.Outbound.Get(ctx, request)
	if err != nil {
		return out.failBecause(err)
	}
	defer func() { _ = document.Body.Close() }()
	if document.Unchanged {
		out.unchanged = true
		return out
	}
	out.etag, out.modified, out.zone = document.ETag, document.LastModified, a.zoneOfFeed(ctx, s)
	body := &digested{in: document.Body, sum: sha256.New()}
	if err := out.read(ctx, body, s); err != nil {
		return out.failBecause(err)
	}
	if body.isCut {
		out.problem, out.whole = read.Truncated, false
	}
	if out.digest = base64.RawStdEncoding.EncodeToString(body.sum.Sum(nil)); out.digest == s.State.Digest && !isRefresh {
		out.unchanged = true
	}
	out.kept = len(out.closures) + len(out.hazards)
	readable := out.kept
	for _, reason := range []string{overAlready, noClosure, notBegun, read.Cancelled} { // what these are refused for was read
		readable += out.reasons[reason]
	}
	if readable == 0 && out.refused > 0 {
		out.problem, out.whole = "all_refused", false
	}
	return out
}

// zoneOfFeed is the time zone of instants without an offset.
func (a *App) zoneOfFeed(ctx context.Context, s *fleet.FeedSubscription) *time.Location {
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
func (f *fetched) failBecause(err error) *fetched {
	var fetch *outbound.Error
	var text *read.Unreadable
	var refusal *fleet.Refusal
	switch {
	case errors.As(err, &fetch):
		f.code, f.retryAfter = fetch.Code, fetch.RetryAfter
		return f.fail(fetch.Reason)
	case errors.As(err, &text):
		return f.fail(text.Reason)
	case errors.As(err, &refusal):
		return f.fail("columns_missing")
	}
	return f.fail(outbound.Unreachable)
}

// digested notes what passes, and where the line was cut.
type digested struct {
	in    io.Reader
	sum   hash.Hash
	isCut bool
}

func (d *digested) Read(p []byte) (int, error) {
	n, err := d.in.Read(p)
	_, _ = d.sum.Write(p[:n])
	if errors.Is(err, io.ErrUnexpectedEOF) {
		d.isCut, err = true, io.EOF
	}
	return n, err
}

const (
	overAlready = "over"          // its end lies behind us
	noClosure   = "not_a_closure" // nor a hazard: a detour
	notBegun    = "not_begun"     // its start has come, and it says that it has not begun
)

// read takes the features of a document, by the format that was said.
func (f *fetched) read(ctx context.Context, body io.Reader, s *fleet.FeedSubscription) error {
	rows := func(row *file.HazardRow) {
		if row.Reason != "" {
			f.refuse(row.Reason)
		} else {
			f.takeHazard(row.Report)
		}
	}
	how := file.HazardFile{Format: "csv", Columns: s.Columns, Types: s.Types, Zone: f.zone, TimeFormat: s.TimeFormat, Standing: true}
	if s.Format == "csv" {
		err := read.Hazards(ctx, body, how, f.at, rows)
		f.usable, f.whole = err == nil, err == nil && !f.hasMore
		return err
	}
	points := func([]byte) error { return nil }
	if s.Format == read.GeoJSON {
		var err error
		if points, err = file.HazardFeatures(ctx, how, f.at, rows); err != nil {
			return err
		}
	}
	reading := read.NewReading(read.Limits{}, f.timesOf(s))
	outline, err := read.Walk(ctx, body, read.Limits{}, func(p read.Part) {
		if s.Format == read.GeoJSON && p.Key == "features" && p.Reason == "" && isPoint(p.JSON) {
			_ = points(p.JSON) // an error is that of ctx, which ends the walk too
			return
		}
		zone, reason := reading.Take(p)
		if reason != "" {
			f.refuse(reason)
		} else if zone != nil {
			f.takeZone(zone)
		}
	})
	if err != nil {
		return err
	}
	result := reading.Done(outline)
	f.publisher, f.saidAt = result.Info.Publisher, result.Info.UpdatedAt
	f.usable, f.whole = true, outline.Broken == "" && !f.hasMore
	if outline.Broken != "" {
		f.problem = fleet.FeedProblem(outline.Broken)
	}
	return nil
}

// timesOf says how a feed writes instants. Those of WZDx and CWZ are UTC by their standard where the subscription names no zone.
func (f *fetched) timesOf(s *fleet.FeedSubscription) read.Times {
	times := read.Times{Zone: f.zone, Format: s.TimeFormat}
	if s.Timezone == "" && (s.Format == read.WZDx || s.Format == read.CWZ) {
		times.Zone = time.UTC
	}
	return times
}

// isPoint reports whether a feature of GeoJSON is a point: those are hazards.
func isPoint(feature []byte) bool {
	var of struct{ Geometry struct{ Type string } }
	return json.Unmarshal(feature, &of) == nil && of.Geometry.Type == "Point"
}

// takeZone takes a work zone as a closure, or an incident as a hazard.
func (f *fetched) takeZone(z *read.WorkZone) {
	bounds := fleet.Span{From: max(z.StartAt, 1), To: z.EndAt} // without a start it holds already
	switch {
	case z.EndAt != 0 && z.EndAt <= f.at, z.Over, z.Schedule != nil && z.Schedule.EndsBy(f.at, bounds):
		f.refuse(overAlready)
	case z.Pending && z.StartAt <= f.at:
		f.refuse(notBegun)
	case z.IsClosure():
		if f.points += len(z.Route); len(f.closures) >= feedClosures || f.points > feedPoints {
			f.refuse(read.TooMany)
			return
		}
		c := z.Closure()
		f.closures = append(f.closures, &c)
	default:
		f.takeIncident(z, bounds)
	}
}

func (f *fetched) takeIncident(z *read.WorkZone, bounds fleet.Span) {
	r := fleet.HazardReport{MarkReport: fleet.MarkReport{ID: z.ID, At: f.at, Lat: z.Route[0].Lat, Lng: z.Route[0].Lng, HasLat: true,
		HasLng: true}, HasKind: true, Kind: z.HazardKind(), HasDescription: true, Description: z.TextUpTo(feedHazardText), StartAt: z.StartAt}
	ends := z.EndAt
	if z.Schedule != nil {
		ends = z.Schedule.At(f.at, bounds).To
	}
	switch {
	case r.Kind == "":
		f.refuse(noClosure)
	case z.StartAt > f.at, z.Schedule != nil && ends == 0: // it is announced, and no danger now
		f.refuse(noClosure)
	case r.Check(f.at) != nil:
		f.refuse(read.Invalid)
	default:
		if ends != 0 {
			r.ExpiresAt = min(ends, r.LatestEnd(f.at))
		}
		f.takeHazard(r)
	}
}

func (f *fetched) takeHazard(r fleet.HazardReport) {
	if len(f.hazards) >= feedHazards {
		f.refuse(read.TooMany)
		return
	}
	f.hazards = append(f.hazards, r)
}
