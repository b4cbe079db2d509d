package places

import (
	"slices"
	"strings"

	"lightbar/internal/geo"
	"lightbar/internal/geo/route"
)

// Search is Find, with roads that cross without a junction. If nothing has all of the request, it returns results that have a part
// of it, marked as such. r may be nil.
func (p *Places) Search(r *route.Roads, query string, near geo.LatLng, limit int) []Place {
	if found := p.Find(query, near, limit); len(found) > 0 {
		return found
	}
	if r != nil {
		if bridges := p.FindBridges(r, query, near, limit); len(bridges) > 0 {
			return bridges
		}
	}
	return p.partly(query, near, limit)
}

// partly leaves out one part of a query after another, the least significant first, until something is found. The rest must match
// completely: names that only begin with it are too far from the request. A state is never left out: a person who searches for
// Newark, New Jersey, is not helped by another one.
func (p *Places) partly(query string, near geo.LatLng, limit int) []Place {
	if len(query) > maxQuery || len(wordsOf(query)) > maxWords {
		return nil
	}
	f := placeSearch{p: p, near: near, isNear: near.Valid(), isWhole: true}
	rest, t, isTailed := p.splitTail(query)
	head, town, hasTown := strings.Cut(rest, ",")
	if towns, isHere := p.townsIn(t, town); hasTown && len(towns) > 0 && !isHere {
		return nil // nor by a street of another town
	}
	f.inTail(t, func() {
		if isTailed {
			f.addTowns(p.townsBegun(rest))
		}
		if isTailed && len(f.found) == 0 && rest != "" {
			f.plain(rest)
		}
	})
	names := lessThan(head)
	if hasTown {
		names = append([]string{head}, names...)
	}
	for _, words := range names {
		if len(f.found) == 0 {
			f.inTail(t, func() { f.find(words, nil) })
		}
	}
	if len(f.found) == 0 && hasTown {
		f.inTail(t, func() { f.addTowns(p.townsCalled(town)) })
	}
	for i := range f.found {
		f.found[i].IsPartial = true
	}
	return f.best(limit)
}

// lessThan gives what is left of a text without one of its parts: the road of an
// exit, one road of a crossing, a name without one or two of its words.
func lessThan(text string) (out []string) {
	words := wordsOf(text)
	if at := slices.Index(words, "exit"); at > 0 {
		return []string{strings.Join(words[:at], " ")}
	}
	if pairs := crossingIn(text); len(pairs) > 0 {
		for _, side := range pairs[0] {
			out = append(out, strings.Join(side, " "))
		}
		return out
	}
	const fewest = 2 // one word is too little: "Street" of "Elm Street"
	for cut := 1; cut <= 2 && len(words)-cut >= fewest; cut++ {
		out = append(out, strings.Join(words[:len(words)-cut], " "))
	}
	for i := len(words) - 2; i >= 0 && len(words)-1 >= fewest; i-- {
		out = append(out, strings.Join(slices.Delete(slices.Clone(words), i, i+1), " "))
	}
	return out
}

// townsBegun gives the towns whose names go on from a text: Dewey Beach for Dewey.
func (p *Places) townsBegun(text string) (towns []placeTown) {
	key := keyOf(text)
	if key == "" {
		return nil
	}
	for _, k := range p.having(key) {
		if n := &p.names[k.name]; k.at == 0 {
			towns = append(towns, p.towns[n.towns.from:n.towns.to]...)
		}
	}
	return towns
}
