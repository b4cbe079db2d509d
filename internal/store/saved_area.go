package store

import (
	"context"

	"lightbar/internal/fleet"
	"lightbar/internal/store/engine"
)

var savedAreas = areas.joined("a", "saved_area s JOIN area a ON a.id = s.area_id").
	selects("WHERE s.user_id = $1 AND a.deleted_at = 0 ORDER BY s.place")

// SavedAreas reads the areas that a user has bookmarked and that are still there, in the user's order.
func SavedAreas(ctx context.Context, r Reader, userID string) ([]fleet.Area, error) {
	return savedAreas.all(ctx, r, userID)
}

const savedAreaIDs = `SELECT area_id FROM saved_area WHERE user_id = $1 ORDER BY place`

// SavedAreaIDs reads all of a user's bookmarks, also those of areas that have gone.
func SavedAreaIDs(ctx context.Context, r Reader, userID string) ([]string, error) {
	return engine.List(ctx, r, engine.Text, savedAreaIDs, userID)
}

const (
	deleteSavedAreas = `DELETE FROM saved_area WHERE user_id = $1`
	insertSavedArea  = `INSERT INTO saved_area (user_id, area_id, place) VALUES ($1, $2, $3)`
)

// PutSavedAreas replaces a user's bookmarks; each id is there once.
func (tx *Tx) PutSavedAreas(ctx context.Context, userID string, areaIDs []string) error {
	if _, err := tx.ExecContext(ctx, deleteSavedAreas, userID); err != nil {
		return err
	}
	for place, id := range areaIDs {
		if _, err := tx.ExecContext(ctx, insertSavedArea, userID, id, place); err != nil {
			return err
		}
	}
	return nil
}
