package directions

import (
	"cmp"
	"context"
	"fmt"
	"slices"

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

const mostTried = 24

// laid lays the options' lines and leaves out what is no line, or is there already.
func (d *description) laid(ctx context.Context, all []option) (out []option, err error) {
	shorter := func(a, b option) int { return cmp.Compare(d.distance(a), d.distance(b)) }
	slices.SortStableFunc(all, shorter)
	for _, o := range all[:min(len(all), mostTried)] {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if len(o.route.Points) == 0 {
			names := d.Places.NamesOf(o.road)
			o.route, err = d.follow(ctx, names, o.from.LatLng, o.to.LatLng)
			if err != nil && d.said.Way < 0 && !d.said.IsBetween {
				o = o.turned() // a one-way street that runs the other way
				o.route, err = d.follow(ctx, names, o.from.LatLng, o.to.LatLng)
			}
		}
		if len(o.route.Points) < 2 {
			continue
		}
		o.name = d.called(o)
		if !slices.ContainsFunc(out, func(p option) bool { return d.isTwice(p, o) }) {
			out = append(out, o)
		}
	}
	if len(out) == 0 && d.work.Junctions <= 0 {
		return nil, unclear(fmt.Sprintf("%s and its limits may be too many places. Write more of the names, add the town, or click the map.",
			all[0].road.Name))
	}
	if len(out) == 0 {
		o := all[0]
		return nil, unclear(fmt.Sprintf("%s does not lead from %s to %s without leaving it. Turn the direction round, or click the map.",
			roadAnd(o.road.Name, d.said.Way), o.from.label, o.to.label))
	}
	return out, nil
}

// distance brings an option forward: short lines, near to what is looked at.
func (d *description) distance(o option) float64 {
	m := 0.0
	if o.to.label != "" {
		m = geo.DistanceM(o.from.LatLng, o.to.LatLng)
	}
	if away := geo.DistanceM(d.near, o.from.LatLng); away >= 0 { // not for a place that is none
		m += away
	}
	return m
}

// isTwice tells of lines that nobody tells apart: a divided road is met twice, and an interchange has several bridges.
func (d *description) isTwice(a, b option) bool {
	const bridgesM = 500
	begins, ends := geo.DistanceM(a.route.Points[0], b.route.Points[0]), geo.DistanceM(last(a.route.Points), last(b.route.Points))
	return begins < apartM && ends < apartM || d.label(a) == d.label(b) && begins < bridgesM && ends < bridgesM
}

func last(line []geo.LatLng) geo.LatLng { return line[len(line)-1] }
