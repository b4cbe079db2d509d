package app

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

var savedAreasMost = int(catalog.LimitInt("area", "savedPerUser"))

// SavedAreas returns the caller's bookmarked areas that are in reach. Requires VIEW_AREAS, of a user.
func (a *App) SavedAreas(ctx context.Context, actor *access.Actor) (wire.SavedAreas, error) {
	if err := mustSaveAreas(actor); err != nil {
		return wire.SavedAreas{}, err
	}
	saved, err := store.SavedAreas(ctx, a.Store.Reader(), actor.UserID)
	return wire.SavedAreas{AreaIDs: idsInReach(actor, saved)}, err
}

// SaveAreas replaces the caller's bookmarked areas. A bookmarked area that is gone now is dropped; any other id must be of an area
// in reach. Requires VIEW_AREAS, of a user. Refusals: area_not_found, validation_failed. It leaves no row in the audit: bookmarks
// are the user's own and contain nothing about the fleet.
func (a *App) SaveAreas(ctx context.Context, actor *access.Actor, in wire.SavedAreasWrite) (out wire.SavedAreas, err error) {
	if err := mustSaveAreas(actor); err != nil {
		return out, err
	}
	asked := []string{}
	for _, id := range in.AreaIDs {
		if !slices.Contains(asked, id.String()) {
			asked = append(asked, id.String())
		}
		if len(asked) > savedAreasMost {
			return out, fleet.RefuseFields(map[string]string{"area_ids": fmt.Sprintf("At most %d areas can be saved.", savedAreasMost)})
		}
	}
	err = a.Store.Write(ctx, func(tx *store.Tx) error {
		// Two lists sent at once are saved one after the other.
		if _, err := tx.LockUser(ctx, actor.UserID); err != nil {
			return err
		}
		out.AreaIDs, err = areasToSave(ctx, tx, actor, asked)
		if err != nil {
			return err
		}
		return tx.PutSavedAreas(ctx, actor.UserID, out.AreaIDs)
	})
	if err == nil {
		a.AccessChanged(actor.UserID, "") // the user's other pages load them again
	}
	return out, err
}

// mustSaveAreas admits users who can see areas; a key is nobody.
func mustSaveAreas(actor *access.Actor) error {
	if err := actor.Must("VIEW_AREAS"); err != nil {
		return err
	}
	if actor.UserID == "" {
		return fleet.Refuse("forbidden", "", "An API key has no saved areas.")
	}
	return nil
}

// areasToSave returns the ids that are in reach. An id that is not, and was not bookmarked either, refuses them all.
func areasToSave(ctx context.Context, tx *store.Tx, actor *access.Actor, asked []string) ([]string, error) {
	had, err := store.SavedAreaIDs(ctx, tx, actor.UserID)
	if err != nil {
		return nil, err
	}
	out := []string{}
	for _, id := range asked {
		x, err := store.Areas.ByID(ctx, tx, id)
		switch {
		case errors.Is(err, store.ErrUnreadable) && slices.Contains(had, id):
			out = append(out, id) // until it can be read again
		case err != nil && !errors.Is(err, store.ErrNotFound) && !errors.Is(err, store.ErrUnreadable):
			return nil, err
		case err == nil && x.DeletedAt == 0 && actor.Reach(x.OrganizationID) != access.None:
			out = append(out, id)
		case !slices.Contains(had, id):
			return nil, fleet.Refuse("area_not_found", "area_ids", areas.Missing)
		}
	}
	return out, nil
}

func idsInReach(actor *access.Actor, saved []fleet.Area) []string {
	out := []string{}
	for _, x := range saved {
		if actor.Reach(x.OrganizationID) != access.None {
			out = append(out, x.ID)
		}
	}
	return out
}
