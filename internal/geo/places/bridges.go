package places

import (
	"cmp"
	"slices"
	"strings"

	"lightbar/internal/geo"
	"lightbar/internal/geo/route"
)

// CrossingsOf returns the places where a road meets, or goes over or under, one that a text may mean; best first. A road with
// exactly that name comes before longer names, wherever the two cross; names that the text only begins are returned, marked as
// such, where there is nothing else. r may be nil: then bridges are not known. Nor are they when the limit of work is reached.
func (p *Places) CrossingsOf(r *route.Roads, road NamedRoad, other string, near geo.LatLng, work *route.Work) []RoadCorner {
	words := wordsOf(other)
	if len(words) == 0 || len(words) > maxWords || len(other) > maxQuery {
		return nil
	}
	f := placeSearch{p: p, near: near, isNear: near.Valid()}
	isBegun := func(n likeName) bool { return n.isBegun }
	asWritten := p.roadsLike(words, whole, maxNamesKept)
	for _, names := range [][]likeName{
		those(asWritten, isExact),
		those(asWritten, func(n likeName) bool { return !n.isBegun }),
		those(asWritten, isBegun),
		those(p.roadsLike(words, typing, maxNamesKept), isBegun),
	} {
		out := f.cornersWith(road, names[:min(len(names), maxCornersOf)])
		if len(out) == 0 && r != nil {
			out = f.bridgesWith(r, road, names, work)
		}
		if len(out) > 0 {
			return out
		}
	}
	return nil
}

const (
	fewNames    = 3     // whose bridges are looked for
	sameBridgeM = 150.0 // the bridges of one crossing
)

// isExact reports whether the words are the whole name, except for directions.
func isExact(n likeName) bool { return !n.isBegun && n.score <= scoreDirection }

func those(names []likeName, are func(likeName) bool) (out []likeName) {
	for _, n := range names {
		if are(n) {
			out = append(out, n)
		}
	}
	return out
}

// cornersWith are the places where a road meets those of the names; a divided road is met once.
func (f *placeSearch) cornersWith(road NamedRoad, names []likeName) (out []RoadCorner) {
	p := f.p
	var own []likeName
	for _, n := range road.all {
		own = append(own, likeName{name: n})
	}
	var met []RoadCorner
	f.meet(f.cornersOf(own), f.cornersOf(names), func(a, b nameCorner, m float64) bool {
		if slices.Contains(road.all, b.name.name) {
			return true
		}
		at := geo.FixedLatLng(a.at)
		other := p.shown(b.name)
		met = append(met, RoadCorner{Other: other, LatLng: at, Likeness: b.name.score, IsBegun: b.name.isBegun,
			score: b.name.score + m/10 + f.away(at)})
		return len(met) < 10*mostCorners
	})
	slices.SortStableFunc(met, func(a, b RoadCorner) int { return cmp.Compare(a.score, b.score) })
	for _, c := range met {
		isTwice := slices.ContainsFunc(out, func(o RoadCorner) bool {
			d := geo.DistanceM(o.LatLng, c.LatLng)
			return d < sameCornerM && o.Other == c.Other || d < samePointM
		})
		if !isTwice && len(out) < mostCorners {
			c.Near = p.TownAt(c.LatLng)
			out = append(out, c)
		}
	}
	return out
}

// bridgesWith are the places where a road goes over or under those of the names:
// where no junction joins them, as at most interchanges.
func (f *placeSearch) bridgesWith(r *route.Roads, road NamedRoad, names []likeName, work *route.Work) (out []RoadCorner) {
	p := f.p
	roads := slices.DeleteFunc(f.roads(names, fewNames), func(o NamedRoad) bool {
		return slices.ContainsFunc(o.all, func(n uint32) bool { return slices.Contains(road.all, n) })
	})
	others := make([][]string, len(roads))
	for i, other := range roads {
		others[i] = p.NamesOf(other)
	}
	r.Overlaps(p.NamesOf(road), others, work, func(i int, at geo.LatLng) bool {
		other := roads[i]
		isTwice := slices.ContainsFunc(out, func(c RoadCorner) bool { return c.Other == other.Name && geo.DistanceM(c.LatLng, at) < sameBridgeM })
		if !isTwice {
			out = append(out, RoadCorner{Other: other.Name, Near: p.TownAt(at), LatLng: at, Likeness: float64(i), IsBegun: other.IsBegun})
		}
		return len(out) < mostCorners
	})
	slices.SortStableFunc(out, func(a, b RoadCorner) int { return cmp.Compare(a.Likeness, b.Likeness) })
	return out
}

// FindBridges gives the places where two roads that a text names ("DE 141 & DE 2")
// go over each other without a junction, nearest first, at most limit.
func (p *Places) FindBridges(r *route.Roads, query string, near geo.LatLng, limit int) (out []Place) {
	if len(query) > maxQuery {
		return nil
	}
	rest, t, _ := p.splitTail(query)
	head, town, _ := strings.Cut(rest, ",")
	f := placeSearch{p: p, near: near, isNear: near.Valid()}
	exactly := func(words []string) []likeName {
		if len(words) > maxWords {
			return nil
		}
		return those(p.roadsLike(words, whole, maxNamesKept), isExact)
	}
	work := &route.Work{Pieces: route.MostPieces}
	for _, pair := range crossingIn(head) {
		other := exactly(pair[1])
		for _, road := range f.roads(exactly(pair[0]), fewNames) {
			for _, c := range f.bridgesWith(r, road, other, work) {
				if p.IsIn(c.Near, c.LatLng, town) && (t.states == nil || p.liesIn(t.states, c.LatLng)) {
					out = append(out, Place{Kind: PlaceCrossing, Label: road.Name + " & " + c.Other, Near: c.Near, LatLng: c.LatLng})
				}
			}
		}
	}
	slices.SortStableFunc(out, func(a, b Place) int { return cmp.Compare(f.away(a.LatLng), f.away(b.LatLng)) })
	return out[:min(limit, len(out))]
}
