package app

import (
	"context"
	"errors"
	"slices"

	"lightbar/internal/access"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/store"
)

// eventsPerCommit is after how many events the writer is given back: reports
// of positions do not wait for a long list.
const eventsPerCommit = 100

// recordEvents takes the events of a batch into the key's organization, in
// transactions of their own: they are few, and a shape takes longer than a
// thousand points. Those that cannot be taken are refused one by one. After an
// error the sender sends the batch again; what was taken is a duplicate then.
func (a *App) recordEvents(ctx context.Context, actor *access.Actor, reports []fleet.EventReport, result *ReportResult) error {
	refuse := func(r *fleet.EventReport, why *fleet.Refusal) {
		result.Refused = append(result.Refused, RefusedReport{Index: r.Index, Error: why.Code, Field: why.Field, Message: why.Message})
	}
	now := a.now()
	var judged []*fleet.EventReport
	for i := range reports {
		r := &reports[i]
		if actor.KeyThingID != "" {
			refuse(r, fleet.Refuse("event_key", "type", "This key reports for one asset: events need a key of the organization."))
		} else if why := r.Check(now); why != nil {
			refuse(r, why)
		} else {
			judged = append(judged, r)
		}
	}
	for group := range slices.Chunk(judged, eventsPerCommit) {
		var out eventGroup
		err := a.Change(ctx, func(c *live.Change, tx *store.Tx) error { return out.take(ctx, tx, c, actor.OrganizationID, group) })
		if err != nil {
			if refusal := StorageRefusal(err); refusal != nil {
				return refusal
			}
			return err
		}
		result.Accepted, result.Duplicates = result.Accepted+out.accepted, result.Duplicates+out.duplicates
		for i, why := range out.refused {
			refuse(group[i], why)
		}
	}
	return nil
}

// eventGroup is what became of the events of one transaction.
type eventGroup struct {
	accepted, duplicates int
	refused              map[int]*fleet.Refusal // by their place in the group
}

func (g *eventGroup) take(ctx context.Context, tx *store.Tx, c *live.Change, organizationID string, reports []*fleet.EventReport) error {
	g.refused = map[int]*fleet.Refusal{}
	events := c.Events(organizationID)
	var quota fleet.EventQuota
	for _, l := range events {
		quota.Count(l, 1)
	}
	for i, r := range reports {
		old := events[r.ID]
		if old == nil { // of a time that the picture does not hold any more, or new
			var err error
			if old, err = store.EventByExternalID(ctx, tx, organizationID, r.ID); err != nil && !errors.Is(err, store.ErrNotFound) {
				return err
			}
		}
		next, why := nextEvent(old, r, c, organizationID)
		switch {
		case why == nil && next == nil:
			g.duplicates++
			continue
		case why == nil:
			counted := quota
			counted.Count(events[r.ID], -1)
			counted.Count(next, 1)
			if why = counted.Exceeded(); why == nil || !grows(events[r.ID], next) {
				quota, why = counted, nil
			}
		}
		if why != nil {
			g.refused[i] = why
			continue
		}
		g.accepted++
		events[r.ID] = next
		c.PutLocation(next)
	}
	return c.Save(ctx, tx)
}

// nextEvent is the event as a report leaves it, nil where it says nothing new.
func nextEvent(old *fleet.Location, r *fleet.EventReport, c *live.Change, organizationID string) (*fleet.Location, *fleet.Refusal) {
	if old == nil {
		if !r.HasLat {
			return nil, fleet.Refuse("lat_missing", "lat", "lat and lng are required: the event is not known yet")
		}
		l := fleet.NewEvent(c.NewID(), organizationID, r, c.Now())
		l.Report(r, c.Now())
		return l, nil
	}
	l := old.Clone()
	if !l.Report(r, c.Now()) {
		return nil, nil
	}
	l.Version++
	return l, nil
}

// grows tells whether an event takes more of the allowance than before: what
// ends or shrinks one is always taken.
func grows(old, next *fleet.Location) bool {
	return old == nil || next.IsActive && !old.IsActive || next.Weight() > old.Weight()
}
