package store

import (
	"context"
	"strings"

	"lightbar/internal/fleet"
	"lightbar/internal/store/engine"
)

var covers = table[fleet.Cover]{name: "cover", columns: func(c *fleet.Cover) []column {
	return []column{
		{"user_id", &c.UserID, keyed}, {"area_id", &c.AreaID, keyed},
		{"thing_type_ids", asText{func() string { return strings.Join(c.TypeIDs, " ") }, func(text string) error {
			c.TypeIDs = strings.Fields(text)
			return nil
		}}, edit},
		{"after_minutes", &c.AfterMinutes, edit}, {"created_at", &c.CreatedAt, once},
	}
}}

var putCover = covers.upserts("")

// PutCover writes a user's request for notices about a station.
func (tx *Tx) PutCover(ctx context.Context, c *fleet.Cover) error {
	_, err := putCover.run(ctx, tx, c)
	return err
}

var (
	coverOf  = covers.selects("WHERE user_id = $1 AND area_id = $2")
	coversOf = covers.selects("WHERE user_id = $1 ORDER BY area_id")
)

// CoverOf finds a user's request for notices about a station. ErrNotFound when there is none.
func CoverOf(ctx context.Context, r Reader, userID, areaID string) (fleet.Cover, error) {
	return coverOf.one(ctx, r, userID, areaID)
}

// CoversOf reads all of a user's requests for notices about stations.
func CoversOf(ctx context.Context, r Reader, userID string) ([]fleet.Cover, error) {
	return coversOf.all(ctx, r, userID)
}

const deleteCover = `DELETE FROM cover WHERE user_id = $1 AND area_id = $2`

// DeleteCover deletes a user's request for notices about a station; false when there was none.
func (tx *Tx) DeleteCover(ctx context.Context, userID, areaID string) (bool, error) {
	return engine.Changed(tx.ExecContext(ctx, deleteCover, userID, areaID))
}
