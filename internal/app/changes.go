package app

import (
	"cmp"
	"context"
	"slices"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/record"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

var (
	changesMost   = int(catalog.LimitInt("lists", "changes"))
	changesWindow = catalog.LimitMs("lists", "changesWindowMs")
)

// ChangesQuery requests the changes of organizations at or after an instant.
type ChangesQuery struct {
	OrganizationIDs []string
	Since           fleet.Instant
}

// changing is a noun whose changes are reported: one line for each. Those of them that can be undone are in the list of undos.
type changing struct {
	noun, views string    // as the wire calls it, and who may see it
	undo        *undoable // nil = they cannot
	changes     func(ctx context.Context, a *App, organizations []string, since fleet.Instant) (
		newest []wire.Change, counts map[string]int, err error)
}

var changingNouns = []changing{
	{"thing", "VIEW_THINGS", nil, thingChanges},
	{"location", "VIEW_EVENTS", &undoableEvents, locationChanges},
	changingOf(areas, func(x *fleet.Area) string { return x.Name }),
	becoming(closures, closureBecame, lateClosures),
	becoming(zones, zoneBecame, nil),
	becoming(hazards, hazardBecame, nil),
}

// ChangingNouns are the nouns whose changes are reported, as the wire calls them.
func ChangingNouns() (out []string) {
	for _, n := range changingNouns {
		out = append(out, n.noun)
	}
	return out
}

// Changes returns what happened since an instant to the records that the actor can see: one row for each record and what it became,
// and counts. Requires VIEW_CHANGES, and for each noun its own requirement: others are left out. Refusals: validation_failed when
// Since is missing, lies ahead or more than 7 days back.
func (a *App) Changes(ctx context.Context, actor *access.Actor, q ChangesQuery) (out wire.Changes, err error) {
	if err := actor.Must("VIEW_CHANGES"); err != nil {
		return out, err
	}
	organizations, err := actor.Reachable(q.OrganizationIDs)
	if err != nil {
		return out, err
	}
	asOf, _ := a.Live.AsOfStored(q.Since)
	switch {
	case q.Since == 0:
		return out, fleet.Refuse("validation_failed", "since", "Required")
	case q.Since > asOf:
		return out, fleet.Refuse("validation_failed", "since", "The time is in the future.")
	case a.now().Sub(q.Since) > changesWindow:
		return out, fleet.Refuse("validation_failed", "since", "Changes are listed for 7 days.")
	}
	out = wire.Changes{Data: []wire.Change{}, Meta: wire.Meta{Page: 1, PerPage: changesMost, AsOf: asOf}, Counts: map[string]map[string]int{}}
	for _, n := range changingNouns {
		if !actor.Meets(n.views) {
			continue
		}
		rows, counts, err := n.changes(ctx, a, organizations, q.Since)
		if err != nil {
			return out, err
		}
		for _, count := range counts {
			out.Meta.Total += count
		}
		if len(counts) > 0 {
			out.Counts[n.noun] = counts
		}
		out.Data = append(out.Data, rows...)
	}
	out.Data = newestChanges(out.Data)
	return out, a.nameChangers(ctx, actor, out.Data, q.Since)
}

func newestChanges(rows []wire.Change) []wire.Change {
	slices.SortFunc(rows, func(x, y wire.Change) int {
		return cmp.Or(cmp.Compare(y.At, x.At), cmp.Compare(x.Noun, y.Noun), cmp.Compare(x.ID, y.ID), cmp.Compare(x.What, y.What))
	})
	return rows[:min(len(rows), changesMost)]
}

func thingChanges(_ context.Context, a *App, organizations []string, since fleet.Instant) (
	[]wire.Change, map[string]int, error) {
	news, counts := a.Live.ThingNews(organizations, since, changesMost)
	return newsOf("thing", news), counts, nil
}

func locationChanges(_ context.Context, a *App, organizations []string, since fleet.Instant) (
	[]wire.Change, map[string]int, error) {
	news, counts := a.Live.LocationNews(organizations, since, changesMost)
	return newsOf("location", news), counts, nil
}

func newsOf(noun string, news []live.News) []wire.Change {
	out := make([]wire.Change, len(news))
	for i, n := range news {
		out[i] = wire.Change{At: n.At, Noun: noun, ID: n.ID, Name: n.Name, What: n.What}
	}
	return out
}

// changingOf makes the line of a resource; name is what people call a record.
func changingOf[T, W, B any](q *resource[T, W, B], name func(*T) string) changing {
	return changing{q.Name, q.Views, undoableOf(q), func(ctx context.Context, a *App, organizations []string, since fleet.Instant) (
		out []wire.Change, all map[string]int, err error) {
		all = map[string]int{}
		err = a.Store.Read(ctx, func(r store.Reader) error {
			for _, organization := range organizations {
				rows, counts, err := q.Rows.Latest(ctx, r, organization, q.Name, since, changesMost)
				if err != nil {
					return err
				}
				for what, n := range counts {
					all[what] += n
				}
				for i := range rows {
					out = append(out, changeOf(q, &rows[i], name))
				}
			}
			return nil
		})
		return newestChanges(out), all, err
	}}
}

func changeOf[T, W, B any](q *resource[T, W, B], t *T, name func(*T) string) wire.Change {
	of := q.Of(t)
	out := wire.Change{At: *of.UpdatedAt, Noun: q.Name, ID: *of.ID, Name: name(t), What: changed}
	if *of.DeletedAt != 0 {
		out.What = live.Deleted
	}
	return out
}

const changed = "changed"

// byHand is what people do to records.
var byHand = []string{changed, published, live.Created, live.Deleted}

// nameChangers adds who made the changes, and which records were created in the meantime, from the audit rows of each.
func (a *App) nameChangers(ctx context.Context, actor *access.Actor, rows []wire.Change, since fleet.Instant) error {
	return a.Store.Read(ctx, func(r store.Reader) error {
		names := map[[2]string]string{}
		for i := range rows {
			row := &rows[i]
			if !slices.Contains(byHand, row.What) {
				continue // nobody did it
			}
			versions, err := store.VersionsSince(ctx, r, row.Noun, row.ID, since)
			if err != nil {
				return err
			}
			if len(versions) == 0 {
				continue // a key registered it together with others
			}
			by := versions[0]
			if at := slices.IndexFunc(versions, func(v fleet.AuditRow) bool { return v.Verb == "create" }); at >= 0 && row.What != live.Deleted {
				row.What, by = live.Created, versions[at]
			}
			who := [2]string{by.ActorUserID, by.ActorKeyID}
			name, known := names[who]
			if !known {
				if name, err = record.NameOfActor(ctx, a, r, actor, by); err != nil {
					return err
				}
				names[who] = name
			}
			if name != "" {
				row.By = &name
			}
		}
		return nil
	})
}
