package fleet

import (
	"cmp"
	"slices"

	"lightbar/catalog"
)

var watchOver = catalog.Setting("watchdog", "overMs")

// FindingKey names what is so: of one asset, or of an account as a whole.
type FindingKey struct{ Rule, OrganizationID, ThingID, AboutID string }

// Key names what a finding found.
func (f *Finding) Key() FindingKey {
	return FindingKey{f.Rule, f.OrganizationID, f.ThingID, f.About.ID}
}

// Watchbook makes findings of what is seen from pass to pass: what has been true for long enough becomes one, and what has not been
// true for a while ends, so that a single report does not end and begin it.
type Watchbook struct {
	open map[FindingKey]*Finding
	over map[FindingKey]Instant // open ones that were not true, since
	// seen are those that were true in the last passes and are not findings yet.
	seen, next map[FindingKey]Seen
	things     map[string]int  // how many open ones an asset has
	doubtful   map[string]bool // assets of which this look learned nothing
	now        Instant
}

// Seen is something that is true and not yet, or just, a finding.
type Seen struct {
	Key   FindingKey
	Since Instant // from when it counts
	Began Instant // since when it is so
	About FindingAbout
}

// OpenWatchbook begins with the open findings.
func OpenWatchbook(open []Finding) *Watchbook {
	b := &Watchbook{open: map[FindingKey]*Finding{}, over: map[FindingKey]Instant{}, seen: map[FindingKey]Seen{}, things: map[string]int{}}
	for i := range open {
		b.put(&open[i])
	}
	return b
}

func (b *Watchbook) put(f *Finding) {
	b.open[f.Key()] = f
	b.things[f.ThingID]++
}

// Begin starts a look.
func (b *Watchbook) Begin(now Instant) {
	b.now, b.next, b.doubtful = now, map[FindingKey]Seen{}, map[string]bool{}
}

// Saw notes that something is true.
func (b *Watchbook) Saw(organizationID, thingID string, s Sight) {
	k := FindingKey{s.Rule, organizationID, thingID, s.About.ID}
	since := s.Since
	if before, was := b.seen[k]; since == 0 && was {
		since = before.Since
	}
	if since == 0 || since > b.now {
		since = b.now
	}
	began := since
	if s.Began != 0 {
		began = min(s.Began, since)
	}
	b.next[k] = Seen{k, since, began, s.About}
}

// Doubt notes that an asset did not report for a while: what was true of it may still be.
func (b *Watchbook) Doubt(thingID string) {
	if b.things[thingID] > 0 {
		b.doubtful[thingID] = true
	}
}

// End ends a pass. It returns what has been true for long enough and is no finding yet, the longest first, and the findings that
// are over, with the instant since when.
func (b *Watchbook) End() (due []Seen, over []Finding) {
	for k, s := range b.next {
		if b.open[k] == nil && b.now.Sub(s.Since) >= WatchHold(k.Rule, k.ThingID != "") {
			due = append(due, s)
		}
	}
	for k, f := range b.open {
		if _, is := b.next[k]; is || b.doubtful[k.ThingID] && k.Rule != RuleProviderSilent {
			delete(b.over, k)
			continue
		}
		since, was := b.over[k]
		if !was {
			since, b.over[k] = b.now, b.now
		}
		if b.now.Sub(since) >= watchOver.Duration() {
			ended := *f
			ended.EndedAt, ended.Held = max(since, f.FoundAt), false
			over = append(over, ended)
		}
	}
	b.seen, b.next = b.next, nil
	slices.SortFunc(due, func(x, y Seen) int {
		return cmp.Or(cmp.Compare(x.Since, y.Since), cmp.Compare(x.Key.ThingID, y.Key.ThingID), cmp.Compare(x.Key.Rule, y.Key.Rule))
	})
	slices.SortFunc(over, func(x, y Finding) int { return cmp.Compare(x.ID, y.ID) })
	return due, over
}

// Open visits what is open.
func (b *Watchbook) Open(visit func(*Finding)) {
	for _, f := range b.open {
		visit(f)
	}
}

// Put takes in a finding as it was stored.
func (b *Watchbook) Put(f Finding) {
	k := f.Key()
	if b.open[k] != nil {
		if b.things[k.ThingID]--; b.things[k.ThingID] == 0 {
			delete(b.things, k.ThingID)
		}
		delete(b.open, k)
	}
	if delete(b.over, k); f.EndedAt == 0 {
		b.put(&f)
	}
}
