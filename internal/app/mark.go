package app

import (
	"context"
	"slices"

	"lightbar/internal/access"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/store"
)

// marksPerCommit is the number of events or hazards after which the writer is released: reports of positions do not wait for a long
// list.
const marksPerCommit = 100

// mark is a report of something on the map that its sender identifies: an event or a hazard.
type mark[R any] interface {
	*R
	Mark() *fleet.MarkReport
	Check(now fleet.Instant) *fleet.Refusal
}

// markGroup holds the marks of one transaction, and their results.
type markGroup[P any] struct {
	reports              []P
	accepted, duplicates int
	refused              map[int]*fleet.Refusal // by their place in the group
}

// recordMarks stores the marks of a batch for the key's organization, in transactions of their own: they are few, and a shape takes
// longer than a thousand points. Invalid marks are refused one by one. After an error the sender sends the batch again; marks that
// were stored are duplicates then. ofOne refuses them to the key of one asset.
func recordMarks[R any, P mark[R]](ctx context.Context, a *App, actor *access.Actor, ofOne *fleet.Refusal, reports []R,
	result *ReportResult, take func(c *live.Change, tx *store.Tx, g *markGroup[P]) error) error {
	refuse := func(r P, why *fleet.Refusal) {
		result.Refused = append(result.Refused, RefusedReport{Index: r.Mark().Index, Error: why.Code, Field: why.Field, Message: why.Message})
	}
	now := a.now()
	var judged []P
	for i := range reports {
		r := P(&reports[i])
		if actor.KeyThingID != "" {
			refuse(r, ofOne)
		} else if why := r.Check(now); why != nil {
			refuse(r, why)
		} else {
			judged = append(judged, r)
			result.ignore(r.Mark().Ignored)
		}
	}
	for reports := range slices.Chunk(judged, marksPerCommit) {
		var g markGroup[P]
		err := a.Change(ctx, func(c *live.Change, tx *store.Tx) error {
			g = markGroup[P]{reports: reports, refused: map[int]*fleet.Refusal{}}
			return take(c, tx, &g)
		})
		if err != nil {
			if refusal := StorageRefusal(err); refusal != nil {
				return refusal
			}
			return err
		}
		result.Accepted, result.Duplicates = result.Accepted+g.accepted, result.Duplicates+g.duplicates
		for i, why := range g.refused {
			refuse(g.reports[i], why)
		}
	}
	return nil
}
