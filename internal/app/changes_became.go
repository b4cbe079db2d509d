package app

import (
	"context"

	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

// What becomes of records that begin and end, beside what people do to them.
const (
	activated = "activated"
	published = "published"
	confirmed = "confirmed"
)

// became is what a record became since an instant: nothing, or a word and when that was.
type became struct {
	what string
	at   fleet.Instant
}

// asked is what is known besides the record: since when, as of when, and what people did to it since.
type asked struct {
	a          *App
	since, now fleet.Instant
	by         store.Touched
	isTouched  bool
}

// edited is the result for a record that people changed and that neither began nor ended.
func (q asked) edited(at fleet.Instant) became {
	switch {
	case q.by.Made:
		return became{live.Created, at}
	case q.isTouched && q.by.Published:
		return became{published, at}
	case q.isTouched:
		return became{changed, at}
	}
	return became{}
}

// becoming makes the line of a resource whose records also begin and end by the clock or by what senders report. Its law decides
// what each record became, so that a row which was only rewritten is not reported. late reads the records that became something
// before their rows were written; nil = there are none.
func becoming[T, W, B any](q *resource[T, W, B], law func(x *T, name *string, q asked) became, late latecomers[T]) changing {
	return changing{q.Name, q.Views, undoableOf(q), func(ctx context.Context, a *App, organizations []string, since fleet.Instant) (
		out []wire.Change, all map[string]int, err error) {
		all = map[string]int{}
		err = a.Store.Read(ctx, func(r store.Reader) error {
			for _, organization := range organizations {
				touched, err := store.TouchedSince(ctx, r, organization, q.Name, since)
				if err != nil {
					return err
				}
				found, err := changedSince(ctx, r, q, organization, since)
				if err != nil {
					return err
				}
				if late != nil {
					more, err := late(ctx, r, organization, since, a.now())
					if err != nil {
						return err
					}
					found = append(found, more...)
				}
				for i := range found {
					of := q.Of(&found[i])
					by, isTouched := touched[*of.ID]
					name := ""
					is := law(&found[i], &name, asked{a: a, since: since, now: a.now(), by: by, isTouched: isTouched})
					if *of.DeletedAt != 0 && !q.Lasting {
						if is = (became{live.Deleted, *of.DeletedAt}); by.Made {
							continue // created and deleted in the meantime: nobody missed anything
						}
					}
					if is.what != "" {
						all[is.what]++
						out = append(out, wire.Change{At: max(is.at, since), Noun: q.Name, ID: *of.ID, Name: name, What: is.what})
					}
				}
				out = newestChanges(out)
			}
			return nil
		})
		return out, all, err
	}}
}

// latecomers reads records of an organization that time has changed since an instant and that were not written since.
type latecomers[T any] func(ctx context.Context, r store.Reader, organization string, since, now fleet.Instant) ([]T, error)

// lateClosures returns the closures that began or ended by the clock and have not been written since.
func lateClosures(ctx context.Context, r store.Reader, organization string, since, now fleet.Instant) (out []fleet.Closure, err error) {
	found, err := store.ClosuresOfTheClock(ctx, r, now, fleet.ClosureSilent())
	for _, x := range found {
		if x.OrganizationID == organization && x.UpdatedAt < since && isUntold(x, now) {
			out = append(out, *x)
		}
	}
	return out, err
}

// changesPage is how many records are read at once.
const changesPage = 1000

// changedSince reads all records of an organization that were written at or after an instant, deleted ones too.
func changedSince[T, W, B any](ctx context.Context, r store.Reader, q *resource[T, W, B], organization string, since fleet.Instant) (
	all []T, err error) {
	for page := 1; ; page++ {
		found, total, err := q.Rows.Page(ctx, r, []string{organization}, since, page, changesPage)
		if all = append(all, found...); err != nil || len(found) == 0 || len(all) >= total {
			return all, err
		}
	}
}

// closureBecame checks first whether the closure is active, because that affects traffic.
func closureBecame(x *fleet.Closure, name *string, q asked) became {
	*name = x.Description
	is := x.SpanAt(q.now)
	switch {
	case is.IsActive && is.Last.From >= q.since:
		return became{activated, is.Last.From}
	case !is.IsActive && is.EndedAt >= q.since && is.EndedAt != 0:
		return became{live.Ended, is.EndedAt}
	case x.Kind == fleet.ClosureOfFeed && x.Version == 1: // feeds leave no row for each in the audit
		return became{live.Created, x.UpdatedAt}
	}
	return q.edited(x.UpdatedAt)
}

func zoneBecame(x *fleet.Zone, name *string, q asked) became {
	*name = x.Description
	begun, until := q.a.Live.ZoneBegunAt(x.ID), x.ActiveUntil()
	switch {
	case x.Active && begun >= q.since && begun != 0:
		return became{activated, begun}
	case !x.Active && until >= q.since && until <= q.now:
		return became{live.Ended, until}
	}
	return q.edited(x.UpdatedAt)
}

// hazardBecame ignores repeated reports: a sender that repeats what it sees reports nothing new.
func hazardBecame(x *fleet.Hazard, name *string, q asked) became {
	*name = x.Description
	if x.Street != "" {
		*name = x.Street
	}
	h := x.At(q.now)
	switch {
	case h.EndedAt != 0 && h.DeletedAt != 0 && h.EndedAt < q.since: // it left the lists
		return became{}
	case h.EndedAt != 0:
		return became{hazardEnded(h.EndReason), h.EndedAt}
	case h.StartAt >= q.since || x.Version == 1:
		return became{live.Opened, h.StartAt}
	case h.ConfirmedAt >= q.since:
		return became{confirmed, h.ConfirmedAt}
	}
	return became{}
}

// hazardEnded is the word for why a hazard ended; an end that its sender reported is simply an end.
func hazardEnded(reason string) string {
	if reason == fleet.HazardOver {
		return live.Ended
	}
	return reason
}
