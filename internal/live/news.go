package live

import (
	"cmp"
	"slices"

	"lightbar/internal/fleet"
)

// What can happen to an asset or an incident (GET /organization/changes).
const (
	Opened  = "opened"
	Ended   = "ended"
	Silent  = "silent"
	Heard   = "heard"
	Created = "created"
	Deleted = "deleted"
)

// News is what happened to an asset or an incident at an instant.
type News struct {
	At             fleet.Instant
	ID, Name, What string
	by             int32 // slot of an asset
}

// digest holds the newest news, adds names only at the end, and counts all: when a whole fleet goes silent, there are a hundred
// thousand.
type digest struct {
	most   int
	list   []News
	from   fleet.Instant // anything older is not among the newest
	counts map[string]int
}

func (d *digest) add(n News) {
	d.counts[n.What]++
	if n.At < d.from {
		return
	}
	if d.list = append(d.list, n); len(d.list) == 2*d.most {
		d.cut()
		d.from = d.list[len(d.list)-1].At
	}
}

func (d *digest) cut() {
	slices.SortFunc(d.list, func(x, y News) int {
		return cmp.Or(cmp.Compare(y.At, x.At), cmp.Compare(x.by, y.by), cmp.Compare(x.ID, y.ID), cmp.Compare(x.What, y.What))
	})
	d.list = d.list[:min(d.most, len(d.list))]
}

// newest returns the newest, with the counts of all.
func (d *digest) newest() ([]News, map[string]int) {
	d.cut()
	return d.list, d.counts
}

// LocationNews returns which of the incidents that organizations see were found to have begun or ended at or after an instant, at
// most locationsKept back: the newest, and a count of all. One that did both in the meantime counts as ended.
func (p *Picture) LocationNews(organizations []string, since fleet.Instant, most int) ([]News, map[string]int) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	d := digest{most: most, counts: map[string]int{}}
	for _, l := range p.locations {
		n := News{At: l.LearnedAt, ID: l.ID, What: Opened, Name: cmp.Or(l.Street, l.ExternalID)}
		if !l.IsActive {
			n.At, n.What = l.LearnedEndAt, Ended
		}
		if n.At >= since && p.seesLocation(organizations, l) {
			d.add(n)
		}
	}
	return d.newest()
}

// ThingNews returns which of the assets that organizations see were registered, removed, went silent or reported again at or after
// an instant: the newest, and a count of all. Silence is what lists show: no sign of life for 10 minutes. Of several silences the
// last counts, and the ends of those before the server's start are not known.
func (p *Picture) ThingNews(organizations []string, since fleet.Instant, most int) ([]News, map[string]int) {
	now := fleet.InstantOf(p.now())
	p.mu.RLock()
	defer p.mu.RUnlock()
	d := digest{most: most, counts: map[string]int{}}
	p.each(organizations, func(slot int32) {
		e := p.entries[slot]
		if e.thing.CreatedAt >= since {
			d.add(News{At: e.thing.CreatedAt, What: Created, by: slot})
		}
		if at, is := fleet.SilentAt(&e.state, now); is {
			if at >= since {
				d.add(News{At: at, What: Silent, by: slot})
			}
		} else if e.heardAt >= since {
			d.add(News{At: e.heardAt, What: Heard, by: slot})
		}
	})
	p.removedNews(&d, organizations, since)
	list, counts := d.newest()
	for i := range list {
		if list[i].ID == "" {
			t := p.entries[list[i].by].thing
			list[i].ID, list[i].Name = t.ID, nameOf(t)
		}
	}
	return list, counts
}

// removedNews adds assets that were removed while one of the organizations saw them. Callers hold mu.
func (p *Picture) removedNews(d *digest, organizations []string, since fleet.Instant) {
	for id, list := range p.pastOwners {
		slot, known := p.byID[id]
		if known && p.entries[slot].live {
			continue // it went to another owner
		}
		last := list[len(list)-1]
		if last.Doc == nil || last.Until < since || last.Doc.CreatedAt >= since {
			continue // for the last one: it neither existed before nor does it now
		}
		if slices.ContainsFunc(Audience(last.Doc), func(org string) bool { return slices.Contains(organizations, org) }) {
			d.add(News{At: last.Until, ID: id, Name: nameOf(last.Doc), What: Deleted, by: slot})
		}
	}
}

// nameOf is what people call an asset.
func nameOf(t *fleet.Thing) string { return cmp.Or(t.Nickname, t.SystemName) }

// ZoneBegunAt is when an alerting zone became active; 0 = it is not active.
func (p *Picture) ZoneBegunAt(id string) fleet.Instant {
	p.mu.RLock()
	defer p.mu.RUnlock()
	if z := p.zones.byID[id]; z != nil {
		return z.BeganAt
	}
	return 0
}
