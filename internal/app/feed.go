package app

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"sync"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/feed"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
)

// FeedDocument is a public document of closures.
type FeedDocument struct {
	Body            []byte // shared: must not be changed
	ETag, MediaType string
	// Policy is the Content-Security-Policy of a page, empty = the common one.
	Policy string
	// Fresh is how long a copy may be shown without asking again, 0 = not at all: only where anyone may read it, and never past the
	// next instant at which time alone changes it.
	Fresh time.Duration
	// License is the address of the terms under which it is published; empty = none were set.
	License string
	// IsOpen reports whether everyone may read it, including pages of other sites.
	IsOpen bool
	state  fleet.Instant // the newest change that it contains
	until  fleet.Instant // when time alone changes it; 0 = never
}

const (
	freshFor    = time.Minute      // of a copy of a public document
	deviceFresh = 10 * time.Second // devices move
)

var errNoFeed = fleet.Refuse("not_found", "", "Feed not found")

// isPublic reports whether everyone may read an organization's feeds.
func isPublic(of *fleet.Organization) bool { return publishes(of) && of.FeedsPublic }

func publishes(of *fleet.Organization) bool { return of.Publishes().WorkZones }

// alerts reports whether an organization has alerts to drivers.
func alerts(of *fleet.Organization) bool { return of.Publishes().Alerts }

// isOpen reports whether everyone may read a document of an organization.
func isOpen(of *fleet.Organization, path string) bool {
	if feed.IsAlerts(path) {
		return alerts(of) && of.AlertsPublic
	}
	return isPublic(of)
}

func (a *App) sourceOf(of *fleet.Organization) feed.Source {
	return feed.Source{ID: of.ID, Name: of.Name, Timezone: of.Timezone, Base: a.PublicURL, License: fleet.FeedLicenseURL(of.FeedLicense)}
}

// Feed returns a document of an organization's closures, devices or alerts, path as in feed.FormatAt. It contains nothing that is
// unpublished, and nothing that has ended as open: both are judged now. The actor is a key of the organization with the scope
// feeds; nil, or a key of another organization, reads what the organization opens to everyone. Alerts need the scope alerts, unless
// the organization made its alerts public. Reads by a key are recorded in the ledger. Refusals: not_found (also for an organization
// that publishes no work zones), forbidden, invalid_key (nobody, where a key is needed).
func (a *App) Feed(ctx context.Context, actor *access.Actor, organizationID, path string) (FeedDocument, error) {
	if path == feed.PagePath {
		return FeedDocument{}, errNoFeed
	}
	return a.feed(ctx, actor, organizationID, path)
}

// ClosuresPage returns the public page of an organization's closures.
// Refusals: not_found, also where the organization's feeds are not public.
func (a *App) ClosuresPage(ctx context.Context, organizationID string) (FeedDocument, error) {
	out, err := a.feed(ctx, nil, organizationID, feed.PagePath)
	if refusal := (*fleet.Refusal)(nil); errors.As(err, &refusal) {
		err = errNoFeed // there is no key to request
	}
	out.Policy = feed.PagePolicy
	return out, err
}

func (a *App) feed(ctx context.Context, actor *access.Actor, organizationID, path string) (out FeedDocument, err error) {
	own := actor != nil && actor.OrganizationID == organizationID && actor.KeyThingID == ""
	if own {
		must := actor.MustReadFeeds
		if feed.IsAlerts(path) {
			must = actor.MustReadAlerts
		}
		if err := must(); err != nil {
			return out, err
		}
	}
	var of fleet.Organization
	err = a.Store.Read(ctx, func(r store.Reader) error {
		of, err = store.OrganizationByID(ctx, r, organizationID)
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return err
		}
		if err := a.mayReadFeed(ctx, actor, own, &of, path); err != nil {
			return err
		}
		out, err = a.readFeed(ctx, r, &of, path)
		return err
	})
	switch {
	case err != nil:
		return FeedDocument{}, err
	case own && (path == feed.DevicesPath || feed.IsAlerts(path)):
		a.ledger.note(organizationID, actor.KeyID, path, 0, a.now()) // they contain nothing about closures
	case own:
		a.ledger.note(organizationID, actor.KeyID, path, out.state, a.now())
	}
	if own {
		a.ledger.read(organizationID, actor.KeyID, a.now())
	} else {
		a.ledger.read(organizationID, "", a.now())
	}
	out.IsOpen = actor == nil && isOpen(&of, path)
	if !feed.IsAlerts(path) {
		out.License = fleet.FeedLicenseURL(of.FeedLicense)
	}
	if !isPublic(&of) || actor != nil {
		out.Fresh = 0
	} else if out.until != 0 {
		out.Fresh = min(out.Fresh, out.until.Sub(a.now()))
	}
	return out, nil
}

// mayReadFeed refuses actors who may not read a document of an organization.
func (a *App) mayReadFeed(ctx context.Context, actor *access.Actor, own bool, of *fleet.Organization, path string) error {
	format, isAlerts, open := feed.FormatAt(path), feed.IsAlerts(path), isOpen(of, path)
	switch {
	case actor == nil && !open: // whether the organization exists is not revealed
		_, err := a.AuthenticateKey(ctx, "", "")
		return err
	case isAlerts && !alerts(of), !isAlerts && !publishes(of), format == nil && path != feed.DevicesPath && !isAlerts,
		!open && (!own || format != nil && format.ForPeople()):
		return errNoFeed
	}
	return nil
}

func (a *App) readFeed(ctx context.Context, r store.Reader, of *fleet.Organization, path string) (FeedDocument, error) {
	f, source, now := a.feeds.of(of.ID), a.sourceOf(of), a.now()
	switch path {
	case feed.AlertsPath:
		return a.alertDocument(source, now), nil
	case feed.WarningsPath:
		return a.warningDocument(ctx, r, source, now)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.refresh(ctx, r, &source, now); err != nil {
		return FeedDocument{}, err
	}
	if path == feed.DevicesPath {
		return f.deviceDocument(source, a.devicesOf(f, of.ID, now)), nil
	}
	format := feed.FormatAt(path)
	out := f.document(format, source, a.closureAt, now)
	if path == feed.PagePath {
		out.Body = feed.PageAsOf(out.Body, source, now)
		out.ETag = tagOf(out.Body)
	}
	if of.AlertsPublic && format.TellsVehicles() {
		alerts := a.vehicleAlerts(of.ID, nil, now)
		a.shown.publish(of.ID, alerts, now)
		if body := format.WithVehicles(out.Body, alerts); len(body) != len(out.Body) {
			out.Body, out.ETag, out.Fresh = body, tagOf(body), min(out.Fresh, deviceFresh)
		}
	}
	return out, nil
}

// feedCache holds the documents of organizations; the zero value works.
type feedCache struct {
	mu   sync.Mutex
	kept map[string]*organizationFeeds
}

// feedsKept is how many organizations' documents are cached.
const feedsKept = 64

func (c *feedCache) of(organizationID string) *organizationFeeds {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.kept[organizationID] == nil {
		if c.kept == nil || len(c.kept) >= feedsKept {
			c.kept = map[string]*organizationFeeds{}
		}
		c.kept[organizationID] = &organizationFeeds{}
	}
	return c.kept[organizationID]
}

// organizationFeeds are the requested documents of an organization, and the features that they are made from.
type organizationFeeds struct {
	mu        sync.Mutex
	state     store.ClosuresState
	settled   bool // every later change has a stamp later than state
	source    feed.Source
	closures  []*fleet.Closure                   // deleted ones too, by id
	features  map[string]map[string]builtFeature // by path and closure
	documents map[string]FeedDocument            // by path
	devices   deviceFeatures
}

// builtFeature is the bytes of a closure in one state.
type builtFeature struct {
	of    featureState
	bytes []byte
}

// featureState is everything that determines a closure's part of a document.
type featureState struct {
	version   int64
	updatedAt fleet.Instant
	phase     feed.Phase
	span      fleet.Span
	endedAt   fleet.Instant
	guessed   bool
}

// commitsWithin is longer than any change takes from its stamp to its commit: a call ends after 20 s. After that no other change
// can get an older stamp.
const commitsWithin = time.Minute

// looksEvery is how often an unchanged document gets a new date to show that it is up to date: consumers consider an old one stale,
// and each new date costs them a download.
const looksEvery = fleet.Instant(time.Hour / time.Millisecond)

// refresh reads the closures that have changed, and drops documents that no longer match the source; it sets the source's newest
// change.
func (f *organizationFeeds) refresh(ctx context.Context, r store.Reader, source *feed.Source, now fleet.Instant) error {
	if err := f.reread(ctx, r, source.ID, now); err != nil {
		return err
	}
	source.UpdatedAt, source.MadeAt = f.state.UpdatedAt, now-now%looksEvery
	if *source != f.source {
		f.source, f.documents = *source, nil
	}
	return nil
}

// reread reads the closures that have changed.
func (f *organizationFeeds) reread(ctx context.Context, r store.Reader, organizationID string, now fleet.Instant) error {
	newest, err := store.NewestClosure(ctx, r, organizationID)
	if err != nil || f.settled && newest == f.state.UpdatedAt {
		return err
	}
	return f.read(ctx, r, organizationID, now)
}

// standing returns the closures of an organization that have not been deleted; they must not be changed.
func (f *organizationFeeds) standing(ctx context.Context, r store.Reader, organizationID string,
	now fleet.Instant) (out []*fleet.Closure, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	err = f.reread(ctx, r, organizationID, now)
	for _, c := range f.closures {
		if c.DeletedAt == 0 {
			out = append(out, c)
		}
	}
	return out, err
}

// read compares the mark of the closures, and loads those that have changed: all of them if the changed ones do not explain the
// mark.
func (f *organizationFeeds) read(ctx context.Context, r store.Reader, organizationID string, now fleet.Instant) error {
	state, err := store.StateOfClosures(ctx, r, organizationID)
	if err != nil {
		return err
	}
	for since := f.state.UpdatedAt.Add(-commitsWithin); state != f.markOfClosures(); since = 0 {
		changed, err := store.ClosuresChanged(ctx, r, organizationID, max(since, 0))
		if err != nil {
			return err
		}
		if f.documents = nil; since <= 0 {
			f.closures = changed
			break
		}
		f.merge(changed)
	}
	f.state, f.settled = state, now.Sub(state.UpdatedAt) > commitsWithin
	return nil
}

// merge replaces old closures by newer ones; both are in the order of ids.
func (f *organizationFeeds) merge(changed []*fleet.Closure) {
	merged := make([]*fleet.Closure, 0, len(f.closures)+len(changed))
	for _, old := range f.closures {
		for len(changed) > 0 && changed[0].ID < old.ID {
			merged, changed = append(merged, changed[0]), changed[1:]
		}
		if len(changed) > 0 && changed[0].ID == old.ID {
			old, changed = changed[0], changed[1:]
		}
		merged = append(merged, old)
	}
	f.closures = append(merged, changed...)
}

func (f *organizationFeeds) markOfClosures() (s store.ClosuresState) {
	for _, c := range f.closures {
		s.Rows, s.Versions, s.UpdatedAt = s.Rows+1, s.Versions+c.Version, max(s.UpdatedAt, c.UpdatedAt)
	}
	return s
}

// document returns a document as it is; what the clock has changed is made again. at returns a closure's current state.
func (f *organizationFeeds) document(format *feed.Format, source feed.Source, at func(*fleet.Closure) *fleet.Closure,
	now fleet.Instant) FeedDocument {
	if out, ok := f.documents[format.Path]; ok && (out.until == 0 || now < out.until) {
		return out
	}
	out := FeedDocument{MediaType: format.MediaType, Fresh: freshFor, state: source.UpdatedAt}
	var entries []feed.Entry
	for _, stored := range f.closures {
		if stored.DeletedAt != 0 {
			continue
		}
		c := at(stored)
		if next := feed.NextPhase(c, now); next != 0 && (out.until == 0 || next < out.until) {
			out.until = next
		}
		out.state = max(out.state, feed.KnownSince(c, now))
		if phase := feed.PhaseOf(c, now); phase != feed.Absent {
			entries = append(entries, feed.Entry{Closure: c.At(now), Phase: phase, Since: feed.KnownSince(c, now)})
		}
	}
	source.MadeAt = max(source.MadeAt, out.state)
	if format.ForPeople() {
		out.Body = format.Render(source, entries)
	} else {
		out.Body = format.Document(source, f.featuresOf(format, entries))
	}
	out.ETag = tagOf(out.Body)
	if f.documents == nil {
		f.documents = map[string]FeedDocument{}
	}
	f.documents[format.Path] = out
	return out
}

// featuresOf makes again only the features whose closure, phase or time has changed.
func (f *organizationFeeds) featuresOf(format *feed.Format, entries []feed.Entry) [][]byte {
	was, is := f.features[format.Path], make(map[string]builtFeature, len(entries))
	parts := make([][]byte, len(entries))
	for i, e := range entries {
		c := e.Closure
		built, of := was[c.ID], featureState{c.Version, c.UpdatedAt, e.Phase, fleet.Span{From: c.StartAt, To: c.EndAt}, c.EndedAt, c.EndEstimated}
		if built.bytes == nil || built.of != of {
			built = builtFeature{of, format.Feature(c, e.Phase)}
		}
		is[c.ID], parts[i] = built, built.bytes
	}
	if f.features == nil {
		f.features = map[string]map[string]builtFeature{}
	}
	f.features[format.Path] = is
	return parts
}

func tagOf(body []byte) string {
	sum := sha256.Sum256(body)
	return `"` + hex.EncodeToString(sum[:16]) + `"`
}
