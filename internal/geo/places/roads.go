package places

import (
	"cmp"
	"math"
	"slices"
	"sort"
	"strings"

	"lightbar/internal/geo"
	"lightbar/internal/geo/route"
)

// NamedRoad is a road that words may mean: names that differ in directions or
// abbreviations only are one ("East Main Street", "W Main St").
type NamedRoad struct {
	Name string   // the shortest of its names, as people write it: "I-95", "Kirkwood Highway"
	all  []uint32 // its names
	// IsBegun: the words only begin its name: "Dunc" for Duncan Road.
	IsBegun bool
}

// RoadExit is a place where traffic may leave a road.
type RoadExit struct {
	Ref, Name  string // "5B;5A"; the name is empty where the map has none
	HeadingDeg float64
	geo.LatLng
}

// Milepost is one of a road.
type Milepost struct {
	Number float64 // from its sign, in the unit of the signs there
	geo.LatLng
}

// RoadCorner is a place where a road meets another.
type RoadCorner struct {
	Other string // the other one
	Near  string // the town it lies in or near; empty when there is none
	geo.LatLng
	// Likeness is how far the name of the other one is from the request; 0 is the same.
	Likeness float64
	// IsBegun: the request only begins the name of the other one.
	IsBegun bool
	score   float64
}

const mostCorners = 200 // of one road with those that a text may mean

// RoadsNamed returns the roads that a text may mean by name or number, best first, at most limit. Where the map has exactly this
// name (directions may be left out), longer names are not meant, and names that the text only begins are meant where there is
// nothing else. near, when it is on Earth, ranks close results first.
func (p *Places) RoadsNamed(text string, near geo.LatLng, limit int) []NamedRoad {
	words := wordsOf(text)
	if len(words) == 0 || len(words) > maxWords || len(text) > maxQuery {
		return nil
	}
	f := placeSearch{p: p, near: near, isNear: near.Valid()}
	if out := f.roads(p.roadsLike(words, whole, maxNamesKept), limit); len(out) > 0 {
		return out
	}
	return f.roads(p.roadsLike(words, typing, maxNamesKept), limit)
}

// roads gives the roads of names.
func (f *placeSearch) roads(names []likeName, limit int) []NamedRoad {
	p := f.p
	type found struct {
		NamedRoad
		exact, score float64
	}
	var all []found
	for _, n := range names {
		name := &p.names[n.name]
		best := math.Inf(1)
		for _, s := range p.streets[name.streets.from:name.streets.to] {
			best = min(best, n.score+scoreClass*float64(s.class)-lengthBonus(s.meters)+f.away(geo.FixedLatLng(s.at)))
		}
		if name.streets.to > name.streets.from {
			all = append(all, found{NamedRoad{p.shown(n), []uint32{n.name}, n.isBegun}, n.score, best})
		}
	}
	isExact := func(x found) bool { return !x.IsBegun && x.exact <= scoreDirection }
	isSaid, isWhole := slices.ContainsFunc(all, isExact), slices.ContainsFunc(all, func(x found) bool { return !x.IsBegun })
	slices.SortStableFunc(all, func(a, b found) int { return cmp.Compare(a.score, b.score) })
	var out []NamedRoad
	place := map[string]int{}
	for _, x := range all {
		if isSaid && !isExact(x) || isWhole && x.IsBegun {
			continue
		}
		key := undirected(x.Name)
		if i, ok := place[key]; ok {
			if out[i].all = append(out[i].all, x.all...); len(x.Name) < len(out[i].Name) {
				out[i].Name = x.Name // "I-95" for "Interstate 95", "Main Street" for "East Main Street"
			}
		} else if len(out) < limit {
			place[key] = len(out)
			out = append(out, x.NamedRoad)
		}
	}
	return out
}

// undirected is a name as it is compared, without directions.
func undirected(name string) string {
	return strings.Join(slices.DeleteFunc(wordsOf(name), isDirection), " ")
}

// shown is a name as people write it.
func (p *Places) shown(n likeName) string { return route.RoadText(p.texts.At(p.names[n.name].name)) }

// NamesOf are all names of a road, as the map has them.
func (p *Places) NamesOf(road NamedRoad) (out []string) {
	for _, n := range road.all {
		out = append(out, p.texts.At(p.names[n].name))
	}
	return out
}

// ExitsOf are the exits of a road, of both carriageways.
func (p *Places) ExitsOf(road NamedRoad) (out []RoadExit) {
	for _, n := range road.all {
		exits := p.names[n].exits
		for _, e := range p.exits[exits.from:exits.to] {
			exit := RoadExit{p.texts.At(e.ref), p.texts.At(e.name), float64(e.heading), geo.FixedLatLng(e.at)}
			if !slices.Contains(out, exit) {
				out = append(out, exit)
			}
		}
	}
	return out
}

// MilepostsOf are the mapped mileposts of a road, by number.
func (p *Places) MilepostsOf(road NamedRoad) (out []Milepost) {
	for _, n := range road.all {
		from := sort.Search(len(p.miles), func(i int) bool { return p.miles[i].name >= n })
		for _, m := range p.miles[from:] {
			if m.name != n {
				break
			}
			out = append(out, Milepost{float64(m.hundredths) / 100, geo.FixedLatLng(m.at)})
		}
	}
	slices.SortStableFunc(out, func(a, b Milepost) int { return cmp.Compare(a.Number, b.Number) })
	return slices.Compact(out)
}

// StreetsAlong names streets that a road meets, those near a place first, at most limit.
func (p *Places) StreetsAlong(r *route.Roads, road NamedRoad, near geo.LatLng, limit int) (out []string) {
	var corners []geo.Point
	for _, n := range road.all {
		at := p.names[n].corners
		corners = append(corners, p.corners[at.from:at.to]...)
	}
	if near.Valid() {
		from := geo.Point{Lat: geo.ToFixed(near.Lat), Lng: geo.ToFixed(near.Lng)}
		slices.SortStableFunc(corners, func(a, b geo.Point) int { return cmp.Compare(geo.PointMeters(from, a), geo.PointMeters(from, b)) })
	}
	names := p.NamesOf(road)
	for _, at := range corners[:min(len(corners), mostCorners)] {
		street := r.Beside(geo.FixedLatLng(at), road.Name, samePointM)
		if street != "" && !slices.Contains(names, street) && !slices.Contains(out, street) && len(out) < limit {
			out = append(out, street)
		}
	}
	return out
}
