package app

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

var (
	coverAfter    = catalog.LimitInt("area", "coverAfterMinutes")
	coversPerUser = int(catalog.LimitInt("area", "coversPerUser"))
)

// CoverRequest is a user's request for notices about a station.
type CoverRequest struct {
	AreaID string
	wire.CoverWrite
}

// Covers returns the stations in reach about which the caller asked for notices, by name, and whether each has its units. Requires
// VIEW_AREAS.
func (a *App) Covers(ctx context.Context, actor *access.Actor) ([]wire.Cover, wire.Meta, error) {
	if err := mayAskCover(actor); err != nil {
		return nil, wire.Meta{}, err
	}
	asked, err := store.CoversOf(ctx, a.Store.Reader(), actor.UserID)
	if err != nil {
		return nil, wire.Meta{}, err
	}
	units := map[string][]live.Unit{} // by organization: read once for all of its stations
	out := []wire.Cover{}
	for i := range asked {
		area, err := areas.Seen(ctx, a, actor, asked[i].AreaID)
		if refusal := (*fleet.Refusal)(nil); errors.As(err, &refusal) || errors.Is(err, store.ErrUnreadable) {
			continue // deleted, out of reach now, or unreadable
		}
		if err != nil {
			return nil, wire.Meta{}, err
		}
		if units[area.OrganizationID] == nil {
			units[area.OrganizationID] = a.Live.UnitsAtStations(area.OrganizationID)
		}
		row, err := a.coverWire(ctx, &asked[i], &area, units[area.OrganizationID])
		if err != nil {
			return nil, wire.Meta{}, err
		}
		out = append(out, row)
	}
	slices.SortStableFunc(out, func(x, y wire.Cover) int {
		return strings.Compare(strings.ToLower(x.AreaName), strings.ToLower(y.AreaName))
	})
	return out, wire.SinglePage(len(out), a.now()), nil
}

// Cover returns the caller's request about a station, and whether the station has its units. Requires VIEW_AREAS. Refusals:
// not_found, no_cover.
func (a *App) Cover(ctx context.Context, actor *access.Actor, areaID string) (row wire.Cover, err error) {
	if err := mayAskCover(actor); err != nil {
		return row, err
	}
	area, err := areas.Seen(ctx, a, actor, areaID)
	if err != nil {
		return row, err
	}
	asked, err := store.CoverOf(ctx, a.Store.Reader(), actor.UserID, areaID)
	if errors.Is(err, store.ErrNotFound) {
		return row, refuseNoCover()
	}
	if err != nil {
		return row, err
	}
	return a.coverWire(ctx, &asked, &area, a.Live.UnitsAtStations(area.OrganizationID))
}

// SetCover requests notices when a station is without its units; it replaces the caller's earlier request. Requires VIEW_AREAS.
// Refusals: not_found, validation_failed (an unknown type; no station; more than 100 stations).
func (a *App) SetCover(ctx context.Context, actor *access.Actor, in CoverRequest) (row wire.Cover, err error) {
	if err := mayAskCover(actor); err != nil {
		return row, err
	}
	area, err := areas.Seen(ctx, a, actor, in.AreaID)
	if err != nil {
		return row, err
	}
	asked := fleet.Cover{UserID: actor.UserID, AreaID: area.ID, AfterMinutes: in.AfterMinutes, CreatedAt: a.now()}
	if err := lawOfCover(&asked, &area, in.ThingTypeIDs); err != nil {
		return row, err
	}
	err = a.Store.Write(ctx, func(tx *store.Tx) error {
		others, err := store.CoversOf(ctx, tx, actor.UserID)
		if err != nil {
			return err
		}
		if at := slices.IndexFunc(others, func(c fleet.Cover) bool { return c.AreaID == area.ID }); at >= 0 {
			asked.CreatedAt = others[at].CreatedAt
		} else if len(others) >= coversPerUser {
			if err := makeRoomForCover(ctx, tx, actor, others); err != nil {
				return err
			}
		}
		return tx.PutCover(ctx, &asked)
	})
	if err != nil {
		return row, err
	}
	a.AccessChanged(actor.UserID, "") // the user's other pages load again
	return a.coverWire(ctx, &asked, &area, a.Live.UnitsAtStations(area.OrganizationID))
}

// makeRoomForCover deletes a request that its user can no longer see and so cannot end: for a station that was deleted or is out of
// reach.
func makeRoomForCover(ctx context.Context, tx *store.Tx, actor *access.Actor, asked []fleet.Cover) error {
	for _, c := range asked {
		x, err := store.Areas.ByID(ctx, tx, c.AreaID)
		isUnread := errors.Is(err, store.ErrUnreadable)
		if err != nil && !isUnread {
			return err
		}
		if isUnread || x.DeletedAt != 0 || actor.Reach(x.OrganizationID) == access.None {
			_, err := tx.DeleteCover(ctx, actor.UserID, c.AreaID)
			return err
		}
	}
	return fleet.Refuse("validation_failed", "id",
		fmt.Sprintf("You can watch at most %d stations. Stop watching another one first.", coversPerUser))
}

// DeleteCover ends the caller's notices about a station. Requires VIEW_AREAS and
// the area in reach. Refusals: not_found, no_cover.
func (a *App) DeleteCover(ctx context.Context, actor *access.Actor, areaID string) error {
	if err := mayAskCover(actor); err != nil {
		return err
	}
	if _, err := areas.Seen(ctx, a, actor, areaID); err != nil {
		return err
	}
	err := a.Store.Write(ctx, func(tx *store.Tx) error {
		was, err := tx.DeleteCover(ctx, actor.UserID, areaID)
		if err == nil && !was {
			return refuseNoCover()
		}
		return err
	})
	if err == nil {
		a.AccessChanged(actor.UserID, "")
	}
	return err
}

// mayAskCover admits people who can see areas: a key has nobody to notify.
func mayAskCover(actor *access.Actor) error {
	if err := actor.Must("VIEW_AREAS"); err != nil {
		return err
	}
	if actor.UserID == "" {
		return fleet.Refuse("forbidden", "", "Only a user can watch a station.")
	}
	return nil
}

func refuseNoCover() error {
	return fleet.Refuse("no_cover", "", "You're not watching this station.")
}

func lawOfCover(c *fleet.Cover, area *fleet.Area, types []wire.ID) error {
	wrong := map[string]string{}
	if !area.IsStation {
		wrong["id"] = "Only stations can be watched."
	}
	if c.AfterMinutes < 0 || c.AfterMinutes > coverAfter {
		wrong["after_minutes"] = fmt.Sprintf("Must be a number from 0 to %d", coverAfter)
	}
	for _, id := range types {
		if thingTypeName(id.String()) == "" {
			wrong["thing_type_ids"] = "Unknown type"
		}
		c.TypeIDs = append(c.TypeIDs, id.String())
	}
	slices.Sort(c.TypeIDs)
	c.TypeIDs = slices.Compact(c.TypeIDs)
	if len(wrong) > 0 {
		return fleet.RefuseFields(wrong)
	}
	return nil
}

// coverWire judges a station's cover as of now; units are those at the stations of its organization.
func (a *App) coverWire(ctx context.Context, c *fleet.Cover, area *fleet.Area, units []live.Unit) (wire.Cover, error) {
	out := wire.Cover{AreaID: area.ID, AreaName: area.Name, ThingTypeIDs: append([]string{}, c.TypeIDs...), AfterMinutes: c.AfterMinutes}
	if err := readShape(area); err != nil || !area.IsMatched() {
		return out, err
	}
	left, err := store.LastLeft(ctx, a.Store.Reader(), area.ID, area.OrganizationID)
	if err != nil {
		return out, err
	}
	of := map[string]fleet.TypePresence{}
	for id, at := range left {
		of[id] = fleet.TypePresence{LeftAt: at}
	}
	for _, u := range units {
		if u.AreaID == area.ID {
			s := of[u.TypeID]
			of[u.TypeID] = fleet.TypePresence{Present: s.Present || u.Counts, LeftAt: max(s.LeftAt, u.OutSince)}
		}
	}
	judged := c.Judge(of, a.now())
	out.IsCovered, out.Since = &judged.Is, judged.Since
	if name := thingTypeName(judged.MissingTypeID); name != "" {
		out.MissingType = &name
	}
	return out, nil
}

func thingTypeName(id string) string {
	for _, t := range catalog.AllEnums().ThingTypes {
		if t.ID == id {
			return t.Name
		}
	}
	return ""
}
