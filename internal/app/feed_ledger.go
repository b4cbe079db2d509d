package app

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sort"
	"sync"
	"time"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/feed"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

// ledger records who read which document of closures, and when. Requests note it in memory; FlushFeedLedger writes it in batches.
// The zero value works.
type ledger struct {
	mu sync.Mutex
	// pending waits for the next batch, writing is in it.
	pending, writing map[fetchKey]*store.FeedFetch
	known            map[string]map[string][]knowledge // by organization and key, for those that were requested
	reads            map[readKey]int64                 // that are not written yet
}

// readKey is a reader of an organization's feeds in a quarter of an hour: from that, the day follows in every time zone. An empty
// key stands for readers without a key of the organization.
type readKey struct {
	organization, key string
	quarter           int64
}

const readsEvery = 15 * time.Minute

// read counts a reader of a feed.
func (l *ledger) read(organization, key string, now fleet.Instant) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.reads == nil {
		l.reads = map[readKey]int64{}
	}
	l.reads[readKey{organization, key, int64(now) / readsEvery.Milliseconds()}]++
}

// flushReads writes who read feeds since the last call, by the days of their organizations.
func (a *App) flushReads(ctx context.Context) error {
	l := &a.ledger
	l.mu.Lock()
	reads := l.reads
	l.reads = nil
	l.mu.Unlock()
	if len(reads) == 0 {
		return nil
	}
	var rows []store.FeedRead
	zones := map[string]*time.Location{}
	for k, n := range reads {
		zone := zones[k.organization]
		if zone == nil {
			of, err := store.OrganizationByID(ctx, a.Store.Reader(), k.organization)
			if err != nil {
				l.again(reads)
				return err
			}
			zone = zoneOf(of.Timezone)
			zones[k.organization] = zone
		}
		at := fleet.Instant(k.quarter * readsEvery.Milliseconds())
		rows = append(rows, store.FeedRead{OrganizationID: k.organization, KeyID: k.key,
			Date: at.Time().In(zone).Format(time.DateOnly), Requests: n})
	}
	err := a.Store.Write(ctx, func(tx *store.Tx) error { return tx.AddFeedReads(ctx, rows) })
	if err != nil {
		l.again(reads)
	}
	return err
}

// again puts back reads that could not be written.
func (l *ledger) again(reads map[readKey]int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for k, n := range l.reads {
		reads[k] += n
	}
	l.reads = reads
}

type fetchKey struct {
	organization, key, document string
	state                       fleet.Instant
	day                         int64
}

// knowledge is the instant since when a key has known a state of the documents; slices are in the order of states.
type knowledge struct{ state, at fleet.Instant }

var (
	consumerQuiet = catalog.LimitMs("closure", "consumerSilentAfterMs")
)

// dayOf returns a day in UTC, counted from the epoch.
func dayOf(at fleet.Instant) int64 { return int64(at) / (24 * time.Hour).Milliseconds() }

// note records that a key read a document that contains all changes up to state.
func (l *ledger) note(organization, key, document string, state, now fleet.Instant) {
	l.mu.Lock()
	defer l.mu.Unlock()
	k := fetchKey{organization, key, document, state, dayOf(now)}
	row := l.pending[k]
	if row == nil {
		row = &store.FeedFetch{OrganizationID: organization, KeyID: key, Document: document, StateAt: state, Day: k.day, FirstAt: now}
		if l.pending == nil {
			l.pending = map[fetchKey]*store.FeedFetch{}
		}
		l.pending[k] = row
	}
	row.LastAt = now
	row.Fetches++
	if of := l.known[organization]; of != nil {
		of[key] = learn(of[key], knowledge{state, now})
	}
}

// learn adds what a key knows now; what it knew before stays.
func learn(list []knowledge, k knowledge) []knowledge {
	at := sort.Search(len(list), func(i int) bool { return list[i].state >= k.state })
	if at < len(list) && list[at].state == k.state {
		list[at].at = min(list[at].at, k.at)
		return list
	}
	return slices.Insert(list, at, k)
}

// of returns what the keys of an organization know; it is read from the store once, then held.
func (l *ledger) of(ctx context.Context, r store.Reader, organization string) (map[string][]knowledge, error) {
	if of := l.known[organization]; of != nil {
		return of, nil
	}
	rows, err := store.FeedStates(ctx, r, organization)
	if err != nil {
		return nil, err
	}
	of := map[string][]knowledge{}
	for _, row := range rows {
		of[row.KeyID] = append(of[row.KeyID], knowledge{row.StateAt, row.FirstAt})
	}
	for _, waits := range []map[fetchKey]*store.FeedFetch{l.writing, l.pending} {
		for _, row := range waits {
			if row.OrganizationID == organization {
				of[row.KeyID] = learn(of[row.KeyID], knowledge{row.StateAt, row.FirstAt})
			}
		}
	}
	if l.known == nil || len(l.known) >= feedsKept {
		l.known = map[string]map[string][]knowledge{}
	}
	l.known[organization] = of
	return of, nil
}

// knownAt returns since when each of an organization's keys has known something that is unchanged since an instant; 0 = the key
// does not know it.
func (l *ledger) knownAt(ctx context.Context, r store.Reader, organization string, keys []store.KeyRow, since []fleet.Instant) (
	[][]fleet.Instant, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	of, err := l.of(ctx, r, organization)
	if err != nil {
		return nil, err
	}
	out := make([][]fleet.Instant, len(since))
	for i := range since {
		out[i] = make([]fleet.Instant, len(keys))
		for j := range keys {
			list := of[keys[j].ID]
			if at := sort.Search(len(list), func(n int) bool { return list[n].state >= since[i] }); at < len(list) {
				out[i][j] = list[at].at
			}
		}
	}
	return out, nil
}

// FlushFeedLedger writes who read documents of closures since the last call.
func (a *App) FlushFeedLedger(ctx context.Context) error {
	return errors.Join(a.flushReads(ctx), a.flushFetches(ctx))
}

func (a *App) flushFetches(ctx context.Context) error {
	l := &a.ledger
	l.mu.Lock()
	l.writing, l.pending = l.pending, nil
	rows := make([]store.FeedFetch, 0, len(l.writing))
	for _, row := range l.writing {
		rows = append(rows, *row)
	}
	l.mu.Unlock()
	if len(rows) == 0 {
		return nil
	}
	err := a.Store.Write(ctx, func(tx *store.Tx) error { return tx.AddFeedFetches(ctx, rows) })
	l.mu.Lock()
	defer l.mu.Unlock()
	if err != nil { // what could not be written waits again
		for k, row := range l.writing {
			if later := l.pending[k]; later != nil {
				row.LastAt, row.Fetches = later.LastAt, row.Fetches+later.Fetches
			}
			if l.pending == nil {
				l.pending = map[fetchKey]*store.FeedFetch{}
			}
			l.pending[k] = row
		}
	}
	l.writing = nil
	return err
}

// PurgeMonthlyCounts deletes the counts of months whose reports are all made.
func (a *App) PurgeMonthlyCounts(ctx context.Context) error {
	counted := fleet.LastMonth(a.now(), time.UTC).Back(monthsBack + 1).Start
	return a.Store.Write(ctx, func(tx *store.Tx) error {
		return errors.Join(tx.PurgeFeedReads(ctx, counted.Time().Format(time.DateOnly)), tx.PurgeRefused(ctx, counted),
			tx.PurgeDriverHours(ctx, counted))
	})
}

// feedKeys returns the valid keys of an organization that have one of the scopes.
func (a *App) feedKeys(ctx context.Context, r store.Reader, organization string, scopes ...string) ([]store.KeyRow, error) {
	now := a.now()
	keys, err := store.KeysOf(ctx, r, organization, now)
	return slices.DeleteFunc(keys, func(k store.KeyRow) bool {
		return k.RevokedAt != 0 || k.ExpiresAt != 0 && k.ExpiresAt <= now ||
			!slices.ContainsFunc(scopes, func(scope string) bool { return slices.Contains(k.Scopes, scope) })
	}), err
}

// fillConsumers adds to the rows that an actor may see in full the consumers that know the current state of each: with one query
// for the keys of each organization.
func fillConsumers(ctx context.Context, a *App, actor *access.Actor, found []fleet.Closure, rows []wire.Closure) error {
	now, of := a.now(), map[string][]int{}
	for i := range found {
		c := &found[i]
		if actor.Reach(c.OrganizationID) == access.Full && feed.PhaseOf(c, now) != feed.Absent {
			of[c.OrganizationID] = append(of[c.OrganizationID], i)
		}
	}
	for _, organization := range slices.Sorted(maps.Keys(of)) {
		keys, err := a.feedKeys(ctx, a.Store.Reader(), organization, access.ScopeFeeds)
		if err != nil {
			return err
		}
		since := make([]fleet.Instant, 0, len(of[organization]))
		for _, i := range of[organization] {
			since = append(since, feed.KnownSince(&found[i], now))
		}
		known, err := a.ledger.knownAt(ctx, a.Store.Reader(), organization, keys, since)
		if err != nil {
			return err
		}
		for n, i := range of[organization] {
			for j := range keys {
				rows[i].Consumers = append(rows[i].Consumers, wire.Consumer{Name: keyName(&keys[j]), KnownAt: known[n][j]})
			}
		}
	}
	return nil
}

// keyName is the name of a key in the list of consumers.
func keyName(k *store.KeyRow) string {
	if k.Description != "" {
		return k.Description
	}
	return k.Prefix
}

// Feeds returns the addresses of an organization's feeds, and who reads them, at most 10 s late. Requires VIEW_CLOSURES and full
// reach. Refusals: not_found.
func (a *App) Feeds(ctx context.Context, actor *access.Actor, organizationID string) (out wire.Feeds, err error) {
	if err := actor.Must("VIEW_CLOSURES"); err != nil {
		return out, err
	}
	if actor.Reach(organizationID) != access.Full {
		return out, fleet.Refuse("not_found", "", "Organization not found")
	}
	now := a.now()
	err = a.Store.Read(ctx, func(r store.Reader) error {
		of, err := store.OrganizationByID(ctx, r, organizationID)
		if err != nil {
			return err
		}
		source := a.sourceOf(&of)
		out = wire.Feeds{IsPublishing: of.WZDx, IsPublic: isPublic(&of), PageURL: source.Page(), Documents: documentsOf(source),
			Consumers: []wire.FeedConsumer{}}
		keys, err := a.feedKeys(ctx, r, organizationID, access.ScopeFeeds, access.ScopeAlerts)
		if err != nil {
			return err
		}
		readers, err := store.FeedReaders(ctx, r, organizationID, dayOf(now))
		if err != nil {
			return err
		}
		for i := range keys {
			row := wire.FeedConsumer{ID: keys[i].ID, Name: keyName(&keys[i]), Status: "never"}
			at := slices.IndexFunc(readers, func(f store.FeedFetch) bool { return f.KeyID == row.ID })
			if at >= 0 {
				row.LastFetchedAt, row.FetchesToday, row.Status = readers[at].LastAt, readers[at].Fetches, "reading"
				if now.Sub(row.LastFetchedAt) > consumerQuiet {
					row.Status = "silent"
				}
			}
			out.Consumers = append(out.Consumers, row)
		}
		return nil
	})
	return out, err
}

func documentsOf(source feed.Source) []wire.FeedDocument {
	out := []wire.FeedDocument{}
	for _, f := range feed.Formats() {
		out = append(out, wire.FeedDocument{Name: f.Path, URL: source.Address(f.Path), Scope: access.ScopeFeeds, IsPublicOnly: f.ForPeople()})
	}
	return append(out, wire.FeedDocument{Name: feed.DevicesPath, URL: source.Address(feed.DevicesPath), Scope: access.ScopeFeeds},
		wire.FeedDocument{Name: feed.AlertsPath, URL: source.Address(feed.AlertsPath), Scope: access.ScopeAlerts},
		wire.FeedDocument{Name: feed.WarningsPath, URL: source.Address(feed.WarningsPath), Scope: access.ScopeAlerts},
		wire.FeedDocument{Name: feed.AlertStreamPath, URL: source.Address(feed.AlertStreamPath), Scope: access.ScopeAlerts})
}
