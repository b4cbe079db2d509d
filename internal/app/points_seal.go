package app

import (
	"context"
	"errors"
	"time"

	"lightbar/catalog"
	"lightbar/internal/store"
	"lightbar/internal/store/points"
)

var restAfter = catalog.Setting("point", "restAfterMs")

// SealPoints packs the points of hours that ended long enough ago. Points that a restart might still replay are not among them:
// those are read from their table.
func (a *App) SealPoints(ctx context.Context) error {
	saved, err := store.SavedTo(ctx, a.Store.Reader())
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = a.Store.Seal(ctx, min(a.now().Add(-restAfter.Duration()), saved.Add(-time.Hour)))
	a.nameDamaged(ctx, points.DamagedOf(err))
	return err
}
