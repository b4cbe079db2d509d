package app

import (
	"context"
	"errors"

	"lightbar/internal/access"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/wire"
)

// ThingQuery requests a page of assets.
type ThingQuery struct {
	OrganizationIDs []string
	Since           fleet.Instant // 0 = all; else rows changed at or after it, including deleted ones
	Page, PerPage   int           // from 1; 0 = defaults (1, 500)
}

// ListThings returns assets that the organizations may see, from the live picture. Total counts raw rows, with or without a
// position. Requires VIEW_THINGS.
func (a *App) ListThings(_ context.Context, actor *access.Actor, q ThingQuery) ([]wire.Thing, wire.ThingsMeta, error) {
	if err := actor.Must("VIEW_THINGS"); err != nil {
		return nil, wire.ThingsMeta{}, err
	}
	organizations, err := actor.Reachable(q.OrganizationIDs)
	if err != nil {
		return nil, wire.ThingsMeta{}, err
	}
	page, perPage := fleet.Page(q.Page, q.PerPage)
	found := a.Live.Things(live.Query{Organizations: organizations, Since: q.Since, Page: page, PerPage: perPage})
	for i, t := range found.Things {
		found.Things[i] = actor.VisibleThing(t)
	}
	return found.Things, wire.ThingsMeta{Meta: wire.Meta{Page: page, PerPage: perPage, Total: found.Total, AsOf: found.AsOf},
		IsLarge: found.IsLarge}, nil
}

// CountThings counts what ListThings would list. Requires VIEW_THINGS.
func (a *App) CountThings(_ context.Context, actor *access.Actor, organizationIDs []string) (int, error) {
	if err := actor.Must("VIEW_THINGS"); err != nil {
		return 0, err
	}
	organizations, err := actor.Reachable(organizationIDs)
	if err != nil {
		return 0, err
	}
	return a.Live.Count(organizations), nil
}

// Thing returns one asset, with the sources of its reports; 404 when it is out of reach. Requires VIEW_THINGS.
func (a *App) Thing(ctx context.Context, actor *access.Actor, id string) (wire.Thing, error) {
	if err := actor.Must("VIEW_THINGS"); err != nil {
		return wire.Thing{}, err
	}
	t, state, shown, ok := a.Live.Thing(id)
	if !ok || reachOfThing(actor, &t) == access.None {
		return wire.Thing{}, fleet.Refuse("not_found", "", "Asset not found")
	}
	var err error
	shown.Sources, err = a.sourcesOf(ctx, actor, &t, &state)
	return actor.VisibleThing(shown), err
}

// ThingsSnapshot returns live assets in columns: all (since 0), or what changed at or after an instant. Requires VIEW_THINGS.
func (a *App) ThingsSnapshot(_ context.Context, actor *access.Actor, organizationIDs []string,
	since fleet.Instant) (*wire.Snapshot, error) {
	if err := actor.Must("VIEW_THINGS"); err != nil {
		return nil, err
	}
	organizations, err := actor.Reachable(organizationIDs)
	if err != nil {
		return nil, err
	}
	return a.Live.Snapshot(live.Columns{Organizations: organizations, Since: since, VisibleRelations: actor.VisibleRelations}), nil
}

// reachOfThing is the most that an actor may do with an asset: through its owner, or through an organization that manages it (in
// full) or accesses it (read-only).
func reachOfThing(actor *access.Actor, t *fleet.Thing) access.Reach {
	reach := actor.Organizations[t.OrganizationID]
	for _, r := range t.Relations {
		by := actor.Organizations[r.OrganizationID]
		if r.Kind != fleet.RelationManager {
			by = min(by, access.Read)
		}
		reach = max(reach, by)
	}
	if reach < access.Full && actor.Super {
		return actor.Reach(t.OrganizationID) // by haas:manage alone: that is a look
	}
	return reach
}

// AgeDue applies the passage of time: statuses that change without a report, stays, incidents and hazards that expire. The server's
// own clock calls it every second.
func (a *App) AgeDue(ctx context.Context) error {
	return errors.Join(a.Live.Age(ctx, a.Bus.Publish), a.ageHazards(ctx))
}

// FlushStates writes the live states that wait for their rows (5 seconds) and that no commit of ingest wrote beside its reports.
// The server's own clock calls it every second.
func (a *App) FlushStates(ctx context.Context) error { return a.Live.FlushDue(ctx) }
