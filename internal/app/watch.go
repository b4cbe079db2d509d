package app

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"lightbar/catalog"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/store"
)

// watchRows is how many findings begin or end in one pass at most; the others follow in the next one.
var watchRows = int(catalog.LimitInt("watchdog", "passRows"))

// watch is what the watchdog holds in memory. The zero value works.
type watch struct {
	running sync.Mutex // one pass at a time
	book    *fleet.Watchbook
	memory  []fleet.WatchMemory          // by the assets' places in the picture
	sites   map[string]*fleet.SiteMemory // by closure
	good    map[string]fleet.Instant     // since when accounts have been readable
	took    atomic.Int64                 // duration of the last pass over the picture, nanoseconds
}

// watchPass is one pass of the watchdog.
type watchPass struct {
	*App
	now      fleet.Instant
	asked    map[string]*fleet.Watchdog // by organization
	feeds    map[string][]fleet.Feed
	accounts map[string]*fleet.Integration
	drawn    []*fleet.Closure // that may be active now
}

// Watch checks all assets once, writes new findings and ends those that are over, publishes them to everyone who sees the assets,
// and mails the people who requested it. Open findings are read from the store at the start, so that nothing is found or sent
// twice. The server's own clock calls it every 15 seconds.
func (a *App) Watch(ctx context.Context) error {
	w := &a.watching
	if !w.running.TryLock() {
		return nil
	}
	defer w.running.Unlock()
	pass := &watchPass{App: a, now: a.now()}
	if err := pass.read(ctx); err != nil {
		return err
	}
	began := time.Now()
	pass.look()
	w.took.Store(int64(time.Since(began)))
	due, over := w.book.End()
	err := pass.settle(ctx, due, over)
	if err != nil {
		w.book = nil // it is not known whether it was stored: the store is read again
	}
	return err
}

// read loads what the pass needs from the store.
func (p *watchPass) read(ctx context.Context) error {
	w := &p.watching
	return p.Store.Read(ctx, func(r store.Reader) error {
		if w.book == nil {
			open, err := store.OpenFindings(ctx, r)
			if err != nil {
				return err
			}
			w.book, w.sites = fleet.OpenWatchbook(open), map[string]*fleet.SiteMemory{}
			for i := range open {
				if open[i].Rule == fleet.RuleClosureLeft {
					w.sites[open[i].About.ID] = fleet.Recall(&open[i])
				}
			}
		}
		asked, err := store.Watchdogs(ctx, r)
		if err != nil {
			return err
		}
		p.asked = map[string]*fleet.Watchdog{}
		for i := range asked {
			p.asked[asked[i].OrganizationID] = &asked[i]
		}
		if p.drawn, err = store.DrawnClosures(ctx, r, p.now); err != nil {
			return err
		}
		accounts, err := store.ActiveIntegrations(ctx, r)
		if err == nil {
			p.readFeeds(accounts)
		}
		return err
	})
}

// readFeeds notes which accounts can be read, and since when.
func (p *watchPass) readFeeds(accounts []fleet.Integration) {
	w, good := &p.watching, map[string]fleet.Instant{}
	p.feeds, p.accounts = map[string][]fleet.Feed{}, map[string]*fleet.Integration{}
	for i := range accounts {
		x := &accounts[i]
		p.accounts[x.ID] = x
		if x.Health() != fleet.IntegrationGood {
			continue
		}
		since := w.good[x.ID]
		if since == 0 {
			since = p.now
		}
		good[x.ID] = since
		isOnly := true
		for j := range accounts {
			isOnly = isOnly && (i == j || accounts[j].OrganizationID != x.OrganizationID || accounts[j].Provider != x.Provider)
		}
		p.feeds[x.OrganizationID] = append(p.feeds[x.OrganizationID], fleet.Feed{Account: x, IsOnly: isOnly, Since: since})
	}
	w.good = good
}

// of returns an organization's settings of the watchdog.
func (p *watchPass) of(organizationID string) *fleet.Watchdog {
	w := p.asked[organizationID]
	if w == nil {
		usual := fleet.NewWatchdog(organizationID)
		w = &usual
		p.asked[organizationID] = w
	}
	return w
}

// look enters the current state in the book.
func (p *watchPass) look() {
	w := &p.watching
	w.book.Begin(p.now)
	spots, stations := p.Live.Spots(), map[string]func(lat, lng float64) string{}
	watched, sites := fleet.Watched{Now: p.now}, p.sites()
	see := func(s fleet.Sight) {
		if p.of(watched.Thing.OrganizationID).Mode(s.Rule) != fleet.WatchOff {
			w.book.Saw(watched.Thing.OrganizationID, watched.Thing.ID, s)
		}
	}
	p.Live.Watch(p.now, func(slot int, t *fleet.Thing, s *fleet.State, closure string) {
		if slot >= len(w.memory) {
			w.memory = append(w.memory, make([]fleet.WatchMemory, slot+1-len(w.memory))...)
		}
		station, known := stations[t.OrganizationID]
		if !known {
			station = p.Live.StationsOf(t.OrganizationID)
			stations[t.OrganizationID] = station
		}
		watched.Thing, watched.State, watched.Closure, watched.Station = t, s, closure, station
		watched.Incidents, watched.Feeds, watched.Memory = spots[t.OrganizationID], p.feeds[t.OrganizationID], &w.memory[slot]
		if watched.IsDoubtful() {
			w.book.Doubt(t.ID)
		}
		watched.Look(see)
		sites.Look(&watched)
	})
	sites.End(p.now, func(c *fleet.Closure, s fleet.Sight) { w.book.Saw(c.OrganizationID, "", s) })
	for _, x := range p.accounts {
		if x.State.FailingSince != 0 && p.of(x.OrganizationID).Mode(fleet.RuleProviderSilent) != fleet.WatchOff {
			w.book.Saw(x.OrganizationID, "", fleet.Sight{Rule: fleet.RuleProviderSilent, Since: x.State.FailingSince,
				About: fleet.FindingAbout{Type: fleet.AboutIntegration, ID: x.ID}})
		}
	}
}

// sites returns the closures that people drew, of organizations that watch them. What is remembered of others is dropped.
func (p *watchPass) sites() *fleet.Sites {
	w, kept := &p.watching, map[string]*fleet.SiteMemory{}
	p.drawn = slices.DeleteFunc(p.drawn, func(c *fleet.Closure) bool {
		return p.of(c.OrganizationID).Mode(fleet.RuleClosureLeft) == fleet.WatchOff
	})
	sites := fleet.NewSites(p.drawn, p.now, func(c *fleet.Closure) *fleet.SiteMemory {
		m := w.sites[c.ID]
		if m == nil {
			m = &fleet.SiteMemory{}
		}
		kept[c.ID] = m
		return m
	})
	w.sites = kept
	return sites
}

// settle creates the findings that are due, ends those that are over, and mails; in one short transaction, or none when there is
// nothing to do.
func (p *watchPass) settle(ctx context.Context, due []fleet.Seen, over []fleet.Finding) error {
	changed := over[:min(len(over), watchRows)]
	for _, seen := range due[:min(len(due), watchRows)] {
		changed = append(changed, p.found(&seen))
	}
	letters, told, err := p.letters(ctx, changed)
	if err != nil || len(told) == 0 {
		return err
	}
	names := mailedNames{}
	err = p.Change(ctx, func(c *live.Change, tx *store.Tx) error {
		for i := range letters {
			if err := p.send(ctx, tx, &letters[i]); err != nil {
				return err
			}
		}
		for i := range told {
			if err := tx.PutFinding(ctx, &told[i]); err != nil {
				return err
			}
			if err := p.tellFinding(ctx, tx, c, &told[i], names); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		for _, f := range told {
			p.watching.book.Put(f)
		}
	}
	return err
}

// WatchStats counts open findings, by rule.
type WatchStats struct{ Open, Trial map[string]int64 }

// WatchStats counts open findings of all organizations; those on trial separately.
func (a *App) WatchStats(ctx context.Context) (WatchStats, error) {
	out := WatchStats{Open: map[string]int64{}, Trial: map[string]int64{}}
	counts, err := store.CountOpenFindings(ctx, a.Store.Reader())
	for _, c := range counts {
		if c.Trial {
			out.Trial[c.Rule] += c.N
		} else {
			out.Open[c.Rule] += c.N
		}
	}
	return out, err
}

// WatchTook is how long the last pass over all assets took.
func (a *App) WatchTook() time.Duration { return time.Duration(a.watching.took.Load()) }

// found makes a finding from what was seen for long enough.
func (p *watchPass) found(seen *fleet.Seen) fleet.Finding {
	f := fleet.Finding{ID: p.NewID(), Rule: seen.Key.Rule, ThingID: seen.Key.ThingID, OrganizationID: seen.Key.OrganizationID,
		About: seen.About, BeganAt: seen.Began, FoundAt: p.now, Trial: p.of(seen.Key.OrganizationID).Mode(seen.Key.Rule) != fleet.WatchOn,
		Mailed: []fleet.FindingMail{}}
	if x := p.accounts[f.About.ID]; x != nil {
		f.About.Name = x.Name
	} else if i := slices.IndexFunc(p.drawn, func(c *fleet.Closure) bool { return c.ID == f.About.ID }); i >= 0 {
		f.About.Name = p.drawn[i].Description
	} else {
		f.About.Name = p.Live.NameOf(f.About)
	}
	return f
}
