package app

import (
	"context"
	"strconv"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/wire"
)

// LocationQuery asks for events.
type LocationQuery struct {
	OrganizationIDs []string
	Start           fleet.Instant // 0 = 7 days back
	Since           fleet.Instant
	Page, PerPage   int
}

// locationHistory bounds what one list may read of the database.
var locationHistory = catalog.LimitMs("lists", "locationHistoryMs")

var locationWindow = catalog.LimitMs("lists", "locationWindowMs")

// ListLocations answers events that are active or ended in a window, active
// ones first; with Since those changed at or after it. Requires VIEW_EVENTS.
// Refusals: validation_failed when Start lies more than 31 days back.
func (a *App) ListLocations(ctx context.Context, actor *access.Actor, q LocationQuery) ([]wire.Location, wire.Meta, error) {
	if err := actor.Must("VIEW_EVENTS"); err != nil {
		return nil, wire.Meta{}, err
	}
	organizations, err := actor.Reachable(q.OrganizationIDs)
	if err != nil {
		return nil, wire.Meta{}, err
	}
	page, perPage := fleet.Page(q.Page, q.PerPage)
	if q.Start == 0 {
		q.Start = a.now().Add(-locationWindow)
	}
	if q.Start < a.now().Add(-locationHistory) {
		return nil, wire.Meta{}, fleet.Refuse("validation_failed", "start_date", "Events are listed for at most 31 days back.")
	}
	rows, total, asOf, err := a.Live.Locations(ctx, live.LocationQuery{Organizations: organizations, Start: q.Start, Since: q.Since,
		Page: page, PerPage: perPage})
	return rows, wire.Meta{Page: page, PerPage: perPage, Total: total, AsOf: asOf}, err
}

// ActiveLocations answers active events. Requires VIEW_EVENTS.
func (a *App) ActiveLocations(ctx context.Context, actor *access.Actor, organizationIDs []string) ([]wire.Location, wire.Meta, error) {
	if err := actor.Must("VIEW_EVENTS"); err != nil {
		return nil, wire.Meta{}, err
	}
	organizations, err := actor.Reachable(organizationIDs)
	if err != nil {
		return nil, wire.Meta{}, err
	}
	rows, total, asOf, err := a.Live.Locations(ctx, live.LocationQuery{Organizations: organizations, ActiveOnly: true})
	return rows, wire.Meta{Page: 1, PerPage: max(total, 1), Total: total, AsOf: asOf}, err
}

func itoa(n int) string { return strconv.Itoa(n) }
