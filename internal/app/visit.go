package app

import (
	"context"

	"lightbar/internal/access"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

// VisitQuery requests the visits at a station.
type VisitQuery struct {
	AreaID        string
	Since         fleet.Instant // stays that lasted until then or later; 0 = all that are stored
	Page, PerPage int
}

// Visits returns the visits at a station while its organization owned it, newest arrivals first. Requires VIEW_AREAS and the area
// in reach: who reaches its organization sees all of that one's assets. Refusals: not_found.
func (a *App) Visits(ctx context.Context, actor *access.Actor, q VisitQuery) ([]wire.Visit, wire.Meta, error) {
	area, err := areas.Seen(ctx, a, actor, q.AreaID)
	if err != nil {
		return nil, wire.Meta{}, err
	}
	now := a.now()
	page, perPage := fleet.Page(q.Page, q.PerPage)
	meta := wire.Meta{Page: page, PerPage: perPage, AsOf: now}
	var found []fleet.Visit
	err = a.Store.Read(ctx, func(r store.Reader) (err error) {
		found, meta.Total, err = store.VisitsOf(ctx, r, area.ID, area.OrganizationID, q.Since, page, perPage)
		return err
	})
	rows := make([]wire.Visit, 0, len(found))
	for _, v := range found {
		row := wire.Visit{ThingID: v.ThingID, ArrivedAt: v.ArrivedAt, LeftAt: v.LeftAt, Dwell: int64(v.Dwell(now)) / 1000}
		if t, ok := a.Live.ThingOf(area.OrganizationID, v.ThingID); ok {
			row.ExternalID, row.HaasID, row.Nickname = t.ExternalID, t.SystemName, t.Nickname
		}
		rows = append(rows, row)
	}
	return rows, meta, err
}
