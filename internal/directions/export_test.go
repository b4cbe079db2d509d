package directions

import (
	"context"

	"lightbar/internal/geo"
	"lightbar/internal/geo/route"
)

// MostJunctions is what one description may look at.
const MostJunctions = mostJunctions

// WorkOf counts the junctions that a description looks at, by those that were left of its bound.
func (f *Finder) WorkOf(ctx context.Context, text string, near geo.LatLng) (junctions int, err error) {
	work := &route.Work{Junctions: mostJunctions, Pieces: route.MostPieces}
	_, err = f.describe(ctx, text, near, 0, work)
	return mostJunctions - work.Junctions, err
}
