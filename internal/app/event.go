package app

import (
	"context"
	"errors"

	"lightbar/internal/access"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/store"
)

// recordEvents stores the events of a batch for the key's organization.
func (a *App) recordEvents(ctx context.Context, actor *access.Actor, reports []fleet.EventReport, result *ReportResult) error {
	ofOne := fleet.Refuse("event_key", "type", "This key reports for a single asset. Events require an organization key.")
	return recordMarks(ctx, a, actor, ofOne, reports, result, func(c *live.Change, tx *store.Tx, g *markGroup[*fleet.EventReport]) error {
		return takeEvents(ctx, tx, c, actor.OrganizationID, g)
	})
}

func takeEvents(ctx context.Context, tx *store.Tx, c *live.Change, organizationID string, g *markGroup[*fleet.EventReport]) error {
	events := c.Events(organizationID)
	var quota fleet.EventQuota
	for _, l := range events {
		quota.Count(l, 1)
	}
	for i, r := range g.reports {
		old := events[r.ID]
		if old == nil { // from a time that the picture no longer holds, or new
			var err error
			unread := store.UnreadRow{}
			switch old, err = store.EventByExternalID(ctx, tx, organizationID, r.ID); {
			case errors.As(err, &unread) && r.HasLat: // else the event is not created again, and stays where it is
				if err := tx.EventAside(ctx, unread.Key, c.Now()); err != nil {
					return err
				}
			case err != nil && !errors.Is(err, store.ErrNotFound) && !errors.Is(err, store.ErrUnreadable):
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
	return nil
}

// nextEvent is the event after a report; nil if the report changes nothing.
func nextEvent(old *fleet.Location, r *fleet.EventReport, c *live.Change, organizationID string) (*fleet.Location, *fleet.Refusal) {
	if old == nil {
		if !r.HasLat {
			return nil, fleet.Refuse("lat_missing", "lat", "lat and lng are required for a new event")
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

// grows reports whether an event takes more of the allowance than before: reports that end or shrink one are always accepted.
func grows(old, next *fleet.Location) bool {
	return old == nil || next.IsActive && !old.IsActive || next.Weight() > old.Weight()
}
