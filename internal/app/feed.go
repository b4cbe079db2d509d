package app

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"sync"

	"lightbar/internal/access"
	"lightbar/internal/feed"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
)

// FeedDocument is a public document of closures.
type FeedDocument struct {
	Body            []byte // shared: nobody changes it
	ETag, MediaType string
}

// Feed answers a document of an organization's closures, path as in
// feed.FormatAt. Nothing that is not published appears in it, and nothing that
// has ended appears as open: both are judged now. The actor is a key of the
// organization with the scope feeds. Refusals: not_found (also for an
// organization that publishes no work zones), forbidden.
func (a *App) Feed(ctx context.Context, actor *access.Actor, organizationID, path string) (FeedDocument, error) {
	missing := fleet.Refuse("not_found", "", "There is no such feed.")
	if actor.OrganizationID != organizationID || actor.KeyThingID != "" {
		return FeedDocument{}, missing
	}
	if err := actor.MustReadFeeds(); err != nil {
		return FeedDocument{}, err
	}
	format := feed.FormatAt(path)
	if format == nil {
		return FeedDocument{}, missing
	}
	var out FeedDocument
	err := a.Store.Read(ctx, func(r store.Reader) error {
		of, err := store.OrganizationByID(ctx, r, organizationID)
		if errors.Is(err, store.ErrNotFound) || err == nil && !of.WZDx {
			return missing
		}
		if err != nil {
			return err
		}
		out, err = a.feeds.of(organizationID).document(ctx, r, format, feed.Source{ID: of.ID, Name: of.Name}, a.closureAt, a.now())
		return err
	})
	return out, err
}

// feedCache keeps the documents of organizations; the zero value works.
type feedCache struct {
	mu   sync.Mutex
	kept map[string]*organizationFeeds
}

// feedsKept is how many organizations' documents are kept.
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

// organizationFeeds are the documents of an organization as far as somebody
// asked for them, and the features that they are made of.
type organizationFeeds struct {
	mu        sync.Mutex
	state     store.ClosuresState
	name      string
	until     fleet.Instant // then the clock changes something
	read      bool
	closures  []*fleet.Closure
	features  map[string]map[string]builtFeature // by path and closure
	documents map[string]FeedDocument            // by path
}

// builtFeature is the bytes of a closure in a version and a phase.
type builtFeature struct {
	version int64
	phase   feed.Phase
	changed fleet.Instant // an asset changes its closure without a new version
	end     fleet.Instant // its silence, without writing it
	bytes   []byte
}

// made tells whether the bytes are those of a closure in a phase.
func (b *builtFeature) made(c *fleet.Closure, phase feed.Phase) bool {
	return b.bytes != nil && b.version == c.Version && b.phase == phase && b.changed == c.UpdatedAt && b.end == c.EndAt
}

func (f *organizationFeeds) document(ctx context.Context, r store.Reader, format *feed.Format, source feed.Source,
	at func(*fleet.Closure) *fleet.Closure, now fleet.Instant) (out FeedDocument, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	state, err := store.StateOfClosures(ctx, r, source.ID)
	if err != nil {
		return out, err
	}
	if !f.read || state != f.state {
		if f.closures, err = store.ClosuresOf(ctx, r, source.ID); err != nil {
			return out, err
		}
		f.read, f.state, f.documents = true, state, nil
	}
	if f.until != 0 && now >= f.until || source.Name != f.name {
		f.documents = nil
	}
	if out, ok := f.documents[format.Path]; ok {
		return out, nil
	}
	source.UpdatedAt, f.name = state.UpdatedAt, source.Name
	return f.build(format, source, at, now), nil
}

// build makes a document, anew only the features whose closure or phase has
// changed. at tells what a closure is by now.
func (f *organizationFeeds) build(format *feed.Format, source feed.Source, at func(*fleet.Closure) *fleet.Closure,
	now fleet.Instant) FeedDocument {
	was, is := f.features[format.Path], map[string]builtFeature{}
	var parts [][]byte
	f.until = 0
	for _, stored := range f.closures {
		c := at(stored)
		if next := feed.NextPhase(c, now); next != 0 && (f.until == 0 || next < f.until) {
			f.until = next
		}
		phase := feed.PhaseOf(c, now)
		if phase == feed.Absent {
			continue
		}
		built := was[c.ID]
		if !built.made(c, phase) {
			built = builtFeature{c.Version, phase, c.UpdatedAt, c.EndAt, format.Feature(c, phase)}
		}
		is[c.ID] = built
		parts = append(parts, built.bytes)
	}
	body := format.Document(source, parts)
	sum := sha256.Sum256(body)
	out := FeedDocument{Body: body, ETag: `"` + hex.EncodeToString(sum[:16]) + `"`, MediaType: format.MediaType}
	if f.features == nil {
		f.features = map[string]map[string]builtFeature{}
	}
	if f.documents == nil {
		f.documents = map[string]FeedDocument{}
	}
	f.features[format.Path], f.documents[format.Path] = is, out
	return out
}
