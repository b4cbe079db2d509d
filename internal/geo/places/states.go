package places

import (
	"math"
	"regexp"
	"slices"
	"strings"

	"lightbar/catalog"
	"lightbar/internal/geo"
)

// stateRoads are the names of roads by the letters of the state that numbers them ("DE 1"): only from these a search index knows
// where states are.
type stateRoads map[string][]uint32

// stateRoadsOf finds such names; none where most roads do not contain their state ("SR 5").
func (p *Places) stateRoadsOf() stateRoads {
	out, lettered, others := stateRoads{}, 0, 0
	for i := range p.names {
		letters, number, _ := strings.Cut(p.texts.At(p.names[i].key), " ")
		if len(letters) != 2 || !isHouse(number) {
			continue
		}
		switch {
		case stateCodes[letters] != "":
			lettered++
			out[letters] = append(out[letters], uint32(i))
		case routeWords[letters] == stateRoute:
			others++
		}
	}
	if others > lettered {
		return nil
	}
	return out
}

// liesIn reports whether a place is in one of the states; true where nobody
// knows. Roads that run along a border are of both sides.
func (p *Places) liesIn(states []string, at geo.LatLng) bool {
	if len(p.states) == 0 {
		return true
	}
	here := geo.Point{Lat: geo.ToFixed(at.Lat), Lng: geo.ToFixed(at.Lng)}
	inside, outside := math.Inf(1), math.Inf(1)
	for letters, names := range p.states {
		nearest := &outside
		if slices.Contains(states, letters) {
			nearest = &inside
		}
		for _, n := range names {
			corners := p.names[n].corners
			for _, c := range p.corners[corners.from:corners.to] {
				if math.Abs(geo.FromFixed(c.Lat-here.Lat))*geo.MetersPerDegree < *nearest {
					*nearest = min(*nearest, geo.PointMeters(here, c))
				}
			}
		}
	}
	const alongM = 1000
	return !math.IsInf(inside, 1) && inside <= max(alongM, 2*outside)
}

// tail is what people write behind a town: its state, postal code and country.
type tail struct {
	text   string   // all of it
	states []string // letters; nil when none was given
	// isApart: a comma is before it. isBegun: the name of the state continues.
	isApart, isBegun bool
}

var (
	postalCode = regexp.MustCompile(`(?i)^(\d{5}(-\d{4})?|[a-z]\d[a-z]-?\d[a-z]\d)$`)
	countries  = map[string]string{"us": "US", "usa": "US", "u s": "US", "u s a": "US", "united states": "US",
		"united states of america": "US", "canada": "CA"}
)

// splitTail removes state, postal code and country from the end of a text; false when there are none. The rest may be empty.
func splitTail(query string) (rest string, t tail, ok bool) {
	all := strings.Fields(strings.ReplaceAll(query, ",", " , "))
	left := trimCommas(all)
	for {
		n := t.take(left)
		if n == 0 {
			break
		}
		left, ok = trimCommas(left[:len(left)-n]), true
	}
	if behind := all[len(left):]; ok {
		t.isApart = behind[0] == ","
		t.text = strings.Join(trimCommas(behind), " ")
	}
	return strings.ReplaceAll(strings.Join(left, " "), " ,", ","), t, ok
}

func trimCommas(fields []string) []string {
	for n := len(fields); n > 0 && fields[n-1] == ","; n = len(fields) {
		fields = fields[:n-1]
	}
	return fields
}

// take reads the last words as a part of a tail; n is how many they are.
func (t *tail) take(fields []string) (n int) {
	for n := min(4, len(fields)); n > 0; n-- {
		words := fields[len(fields)-n:]
		if slices.Contains(words, ",") {
			continue
		}
		said := keyOf(strings.Join(words, " "))
		country, isCountry := countries[said]
		code, isState := stateCodes[said]
		switch {
		case isState:
			t.states = []string{code}
			return n
		case isCountry && t.states == nil:
			for _, s := range catalog.AllEnums().States[country] {
				t.states = append(t.states, strings.ToLower(s.Code))
			}
			return n
		case n == 1 && len(fields) > 1 && postalCode.MatchString(words[0]):
			return n
		}
	}
	if n := len(fields); n > 1 && t.states == nil && fields[n-2] == "," {
		if code := begunState(keyOf(fields[n-1])); code != "" {
			t.states, t.isBegun = []string{code}, true
			return 1
		}
	}
	return 0
}

// begunState gives the only state whose name begins so: "Del.".
func begunState(said string) (code string) {
	const fewest = 3
	for name, of := range stateCodes {
		if len(said) < fewest || !strings.HasPrefix(name, said) {
			continue
		}
		if code != "" {
			return ""
		}
		code = of
	}
	return code
}

// inTail runs a search that finds only results in a tail's state or country.
func (f *placeSearch) inTail(t tail, search func()) {
	before := len(f.found)
	search()
	kept := f.found[:before]
	for _, x := range f.found[before:] {
		if t.states == nil || f.p.liesIn(t.states, x.LatLng) {
			kept = append(kept, x)
		}
	}
	f.found = kept
}

var ofTown = regexp.MustCompile(`^(city|town|village|borough|township) of `)

// townsCalled gives the towns of a name.
func (p *Places) townsCalled(name string) (towns []placeTown) {
	key := keyOf(name)
	for _, key := range []string{key, ofTown.ReplaceAllString(key, "")} {
		for _, k := range p.having(key) {
			if n := &p.names[k.name]; k.at == 0 && key != "" && p.texts.At(n.key) == key {
				towns = append(towns, p.towns[n.towns.from:n.towns.to]...)
			}
		}
		if len(towns) > 0 {
			return towns
		}
	}
	return nil
}

// addTowns finds towns of a name.
func (f *placeSearch) addTowns(towns []placeTown) {
	for _, t := range towns {
		f.add(PlaceTown, f.p.texts.At(t.name), 0, t.at, float64(t.rank))
	}
}

// NamesState reports whether a text ends with a state or a country, and has something before it.
func NamesState(text string) bool {
	rest, t, ok := splitTail(text)
	return ok && rest != "" && t.states != nil
}

// splitTail is splitTail, but what a town here is called is no state: "Main Street, Washington".
func (p *Places) splitTail(query string) (rest string, t tail, ok bool) {
	if rest, t, ok = splitTail(query); ok && len(p.townsCalled(t.text)) > 0 {
		return query, tail{}, false
	}
	return rest, t, ok
}

// Town is the town that a text names, with its state, postal code and country if
// they are there; the nearest, when it is one of several. False for none.
func (p *Places) Town(text string, near geo.LatLng) (Place, bool) {
	if len(text) > maxQuery {
		return Place{}, false
	}
	f := placeSearch{p: p, near: near, isNear: near.Valid()}
	rest, t, _ := splitTail(text)
	f.inTail(t, func() { f.addTowns(p.townsCalled(rest)) })
	if len(f.found) == 0 {
		f.addTowns(p.townsCalled(text))
	}
	found := f.best(1)
	if len(found) == 0 {
		return Place{}, false
	}
	return found[0], true
}

// IsIn reports whether a place in or near a town is in where: the whole of the town's name or its beginning, and a state behind it
// or alone, in which it lies.
func (p *Places) IsIn(town string, at geo.LatLng, said string) bool {
	rest, t, ok := splitTail(said)
	if !ok || len(p.townsCalled(said)) > 0 {
		rest, t.states = said, nil
	}
	return strings.HasPrefix(keyOf(town), keyOf(rest)) && (t.states == nil || p.liesIn(t.states, at))
}

// NotThere explains that a state has no such town, where a text names one after words for which nothing was found; empty where it
// names none.
func (p *Places) NotThere(query string) string {
	rest, t, ok := p.splitTail(query)
	if !ok || t.states == nil || len(query) > maxQuery || len(p.states) == 0 {
		return ""
	}
	head, town, isBehind := strings.Cut(rest, ",")
	if !isBehind {
		town = head
	}
	kind, town := "place", strings.Trim(town, ", ")
	towns, isHere := p.townsIn(t, town)
	if isHere || town == "" {
		return "" // the town is there, and what is looked for in it is not
	}
	if len(towns) > 0 {
		town = p.texts.At(towns[0].name)
	}
	if isBehind || len(towns) > 0 {
		kind = "town"
	}
	return "No " + kind + " called " + town + " in " + t.name() + " is known."
}

// townsIn returns the towns of a name, and whether one of them is in a tail's state or country.
func (p *Places) townsIn(t tail, name string) (towns []placeTown, isHere bool) {
	towns = p.townsCalled(name)
	return towns, slices.ContainsFunc(towns, func(x placeTown) bool { return t.states == nil || p.liesIn(t.states, geo.FixedLatLng(x.at)) })
}

// name is the given state or country.
func (t tail) name() string {
	for country, states := range catalog.AllEnums().States {
		for _, s := range states {
			if strings.EqualFold(s.Code, t.states[0]) && len(t.states) == 1 {
				return strings.Replace(s.Name, "District", "the District", 1)
			} else if strings.EqualFold(s.Code, t.states[0]) {
				return map[string]string{"US": "the United States", "CA": "Canada"}[country]
			}
		}
	}
	return t.text
}
