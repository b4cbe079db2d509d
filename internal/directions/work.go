package directions

import (
	"context"

	"lightbar/internal/geo"
	"lightbar/internal/geo/route"
)

const (
	mostJunctions = 50_000 // that one description looks at: some 40 ms of a processor
	ofOneLine     = 25_000 // so that a line that cannot be does not take the work of one that can
)

// follow looks for a line along a road within the work of the description.
func (d *description) follow(ctx context.Context, names []string, from, to geo.LatLng) (route.Route, error) {
	part := d.work.Share(ofOneLine)
	defer d.work.Return(part)
	return d.Roads.Follow(ctx, names, from, to, part)
}
