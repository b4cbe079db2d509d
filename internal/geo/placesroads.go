package geo

import (
	"cmp"
	"math"
	"slices"
	"sort"
	"strings"
)

// NamedRoad is a road that words may mean: names that differ in directions or
// abbreviations only are one ("East Main Street", "W Main St").
type NamedRoad struct {
	Name string   // the shortest of its names, as the map has it: "I 95", "Kirkwood Highway"
	all  []uint32 // its names
}

// RoadExit is a place where traffic may leave a road.
type RoadExit struct {
	Ref, Name  string // "5B;5A"; the name is empty where the map has none
	HeadingDeg float64
	LatLng
}

// Milepost is one of a road.
type Milepost struct {
	Number float64 // what its sign says, in the unit of the signs there
	LatLng
}

// RoadCorner is a place where a road meets another.
type RoadCorner struct {
	Other string // the other one
	Near  string // the town it lies in or near; empty when there is none
	LatLng
	// Likeness is how far the name of the other one is from what was asked for; 0 is the same.
	Likeness float64
	score    float64
}

const mostCorners = 200 // of one road with those that a text may mean

// RoadsNamed gives the roads that a text may mean by name or number, best first,
// at most limit. Where the map has the name as it was said (directions may be
// left out), longer names are not meant. near, when it is on Earth, puts what is close first.
func (p *Places) RoadsNamed(text string, near LatLng, limit int) []NamedRoad {
	words := wordsOf(text)
	if len(words) == 0 || len(words) > maxWords || len(text) > maxQuery {
		return nil
	}
	f := placeSearch{p: p, near: near, isNear: near.valid()}
	type found struct {
		NamedRoad
		exact, score float64
	}
	var all []found
	for _, n := range p.roadsLike(words) {
		name := &p.names[n.name]
		best := math.Inf(1)
		for _, s := range p.streets[name.streets.from:name.streets.to] {
			best = min(best, n.score+scoreClass*float64(s.class)-lengthBonus(s.meters)+f.away(fixedLatLng(s.at)))
		}
		if name.streets.to > name.streets.from {
			all = append(all, found{NamedRoad{p.texts.at(name.name), []uint32{n.name}}, n.score, best})
		}
	}
	isSaid := slices.ContainsFunc(all, func(x found) bool { return x.exact <= scoreDirection })
	slices.SortStableFunc(all, func(a, b found) int { return cmp.Compare(a.score, b.score) })
	var out []NamedRoad
	place := map[string]int{}
	for _, x := range all {
		if isSaid && x.exact > scoreDirection {
			continue
		}
		key := undirected(x.Name)
		if i, ok := place[key]; ok {
			if out[i].all = append(out[i].all, x.all...); len(x.Name) < len(out[i].Name) {
				out[i].Name = x.Name // "I 95" for "Interstate 95", "Main Street" for "East Main Street"
			}
		} else if len(out) < limit {
			place[key] = len(out)
			out = append(out, x.NamedRoad)
		}
	}
	return out
}

// roadsLike are the names that words may mean as a road's: numbers are whole
// ("Route 1" is not 113), and what people say for "US" or the state's letters is theirs.
func (p *Places) roadsLike(words []string) (out []likeName) {
	number := words[len(words)-1]
	generic, isRoute := routeWords[strings.Join(words[:len(words)-1], " ")]
	isRoute = isRoute && isHouse(number)
	for _, n := range p.namesLike(words, maxNamesKept) {
		key := strings.Split(p.texts.at(p.names[n.name].key), " ")
		isOther := slices.ContainsFunc(words, func(w string) bool { return isHouse(w) && !slices.Contains(key, w) })
		if !isOther {
			out = append(out, n)
		}
	}
	if !isRoute {
		return out
	}
	for _, n := range p.namesLike([]string{number}, maxNamesKept) {
		letters, rest, _ := strings.Cut(p.texts.at(p.names[n.name].key), " ")
		isHighway := letters == "us" || letters == "i"
		if rest == number && len(letters) <= 2 && (generic == "" || generic == letters || generic == "state" && !isHighway) {
			out = append(out, likeName{n.name, 0})
		}
	}
	return out
}

// routeWords are what people say before a number, and which kind of road they mean: "" for any.
var routeWords = map[string]string{"rt": "", "hwy": "", "us rt": "us", "us hwy": "us", "u s": "us", "sr": "state", "sh": "state",
	"st rt": "state",
	"st rd": "state", "state rt": "state", "state rd": "state", "state hwy": "state", "st hwy": "state", "i hwy": "i"}

// undirected is a name as it is compared, without directions.
func undirected(name string) string {
	return strings.Join(slices.DeleteFunc(wordsOf(name), isDirection), " ")
}

// NamesOf are all names of a road.
func (p *Places) NamesOf(road NamedRoad) (out []string) {
	for _, n := range road.all {
		out = append(out, p.texts.at(p.names[n].name))
	}
	return out
}

// ExitsOf are the exits of a road, of both carriageways.
func (p *Places) ExitsOf(road NamedRoad) (out []RoadExit) {
	for _, n := range road.all {
		exits := p.names[n].exits
		for _, e := range p.exits[exits.from:exits.to] {
			exit := RoadExit{p.texts.at(e.ref), p.texts.at(e.name), float64(e.heading), fixedLatLng(e.at)}
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
			out = append(out, Milepost{float64(m.hundredths) / 100, fixedLatLng(m.at)})
		}
	}
	slices.SortStableFunc(out, func(a, b Milepost) int { return cmp.Compare(a.Number, b.Number) })
	return slices.Compact(out)
}

// StreetsAlong names streets that a road meets, those near a place first, at most limit.
func (p *Places) StreetsAlong(r *Roads, road NamedRoad, near LatLng, limit int) (out []string) {
	var corners []point
	for _, n := range road.all {
		at := p.names[n].corners
		corners = append(corners, p.corners[at.from:at.to]...)
	}
	if near.valid() {
		from := point{toFixed(near.Lat), toFixed(near.Lng)}
		slices.SortStableFunc(corners, func(a, b point) int { return cmp.Compare(pointMeters(from, a), pointMeters(from, b)) })
	}
	names := p.NamesOf(road)
	for _, at := range corners[:min(len(corners), mostCorners)] {
		street := r.Beside(fixedLatLng(at), road.Name, samePointM)
		if street != "" && !slices.Contains(names, street) && !slices.Contains(out, street) && len(out) < limit {
			out = append(out, street)
		}
	}
	return out
}

// CornersOf are the places where a road meets one that a text may mean, best
// first; a divided road is met once.
func (p *Places) CornersOf(road NamedRoad, other string, near LatLng) []RoadCorner {
	words := wordsOf(other)
	if len(words) == 0 || len(words) > maxWords || len(other) > maxQuery {
		return nil
	}
	f := placeSearch{p: p, near: near, isNear: near.valid()}
	var as []nameCorner
	for _, n := range road.all {
		corners := p.names[n].corners
		for _, at := range p.corners[corners.from:corners.to] {
			as = append(as, nameCorner{at, likeName{name: n}})
		}
	}
	slices.SortStableFunc(as, func(a, b nameCorner) int { return comparePoints(a.at, b.at) })
	var met []RoadCorner
	f.meet(as, f.corners(words), func(a, b nameCorner, m float64) bool {
		if slices.Contains(road.all, b.name.name) {
			return true
		}
		at := fixedLatLng(a.at)
		other := p.texts.at(p.names[b.name.name].name)
		met = append(met, RoadCorner{Other: other, LatLng: at, Likeness: b.name.score, score: b.name.score + m/10 + f.away(at)})
		return len(met) < 10*mostCorners
	})
	slices.SortStableFunc(met, func(a, b RoadCorner) int { return cmp.Compare(a.score, b.score) })
	var out []RoadCorner
	for _, c := range met {
		isTwice := slices.ContainsFunc(out, func(o RoadCorner) bool {
			d := DistanceM(o.LatLng, c.LatLng)
			return d < sameCornerM && o.Other == c.Other || d < samePointM
		})
		if !isTwice && len(out) < mostCorners {
			c.Near = p.texts.at(p.grid.near(point{toFixed(c.Lat), toFixed(c.Lng)}))
			out = append(out, c)
		}
	}
	return out
}
