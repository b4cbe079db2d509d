package places

import (
	"slices"
	"strings"

	"lightbar/catalog"
)

// numbered is a road by its number, as people write it or as the map has it.
type numbered struct {
	kind   string // "us", "i", "state", "county" or the letters before the number; "" for a route of any kind
	number string
	branch string // "bus" of US 13 Business, which is another road
}

const (
	anyRoute    = ""
	stateRoute  = "state"
	countyRoute = "county"
)

// routeWords are the words before a number, and which kind of road they mean.
var routeWords = map[string]string{
	"rt": anyRoute, "hwy": anyRoute,
	"us": "us", "u s": "us", "us rt": "us", "us hwy": "us", "u s rt": "us", "u s hwy": "us", "federal hwy": "us", "federal rt": "us",
	"i": "i", "ih": "i", "i hwy": "i", "i rt": "i",
	"sr": stateRoute, "sh": stateRoute, "st rt": stateRoute, "st rd": stateRoute, "st hwy": stateRoute, "state": stateRoute,
	"state rt": stateRoute, "state rd": stateRoute, "state hwy": stateRoute, "state rt hwy": stateRoute,
	"cr": countyRoute, "co": countyRoute, "co rd": countyRoute, "co rt": countyRoute, "co hwy": countyRoute, "county": countyRoute,
	"county rd": countyRoute, "county rt": countyRoute, "county hwy": countyRoute,
}

// stateCodes are the states and provinces that the catalog lists: their letters by their names and by themselves, as compared.
var stateCodes = func() map[string]string {
	out := map[string]string{}
	for _, list := range catalog.AllEnums().States {
		for _, s := range list {
			code := strings.ToLower(s.Code)
			out[keyOf(s.Name)], out[code] = code, code
		}
	}
	return out
}()

// numberedOf reads words as a road with a number; false for what is none.
func numberedOf(words []string) (numbered, bool) {
	var branch []string
	words = slices.DeleteFunc(slices.Clone(words), func(w string) bool {
		isBranch := slices.Contains(qualifiers, w)
		if isBranch {
			branch = append(branch, w)
		}
		return isBranch
	})
	if n := len(words); n > 2 && isDirection(words[n-1]) {
		words = words[:n-1] // "DE 141 North"
	}
	if len(words) > 2 && isDirection(words[0]) {
		words = words[1:]
	}
	if len(words) < 2 || !isHouse(words[len(words)-1]) {
		return numbered{}, false
	}
	head, number := words[:len(words)-1], words[len(words)-1]
	if n := len(head); n > 1 && (head[n-1] == "no" || head[n-1] == "number") {
		head = head[:n-1] // "Route No. 2"
	}
	said, of := strings.Join(head, " "), strings.Join(branch, " ")
	if kind, ok := routeWords[said]; ok {
		return numbered{kind, number, of}, true
	}
	for cut := len(head); cut > 0; cut-- {
		code, isState := stateCodes[strings.Join(head[:cut], " ")]
		kind, isRoute := routeWords[strings.Join(head[cut:], " ")]
		if isState && (cut == len(head) || isRoute && (kind == anyRoute || kind == stateRoute)) {
			return numbered{code, number, of}, true // "Delaware Route 1"
		}
	}
	isLetters := len(head) == 1 && len(head[0]) <= 2 && !slices.Contains(streetWords, head[0])
	return numbered{said, number, of}, isLetters
}

// streetWords are short ones of names that are no letters of a road.
var streetWords = []string{"rd", "st", "dr", "ln", "ct", "pl", "sq", "mt", "ft", "jr", "n", "s", "e", "w", "ne", "nw", "se", "sw", "no"}

// score is how far a road of the map is from the requested one; false when it is another.
func (said numbered) score(mapped numbered) (float64, bool) {
	isState := func(kind string) bool { return kind != "us" && kind != "i" && kind != countyRoute }
	switch {
	case said.number != mapped.number || said.branch != mapped.branch:
		return 0, false
	case said.kind == mapped.kind || said.kind == anyRoute:
		return scoreExact, true
	case said.kind == stateRoute:
		return scoreExact, isState(mapped.kind)
	case mapped.kind == stateRoute:
		return scoreInside, isState(said.kind)
	}
	return scoreInside, mapped.kind == anyRoute
}

// roadsLike are the names that words may mean as a road's: what people write for "US" or the state's letters counts as these.
func (p *Places) roadsLike(words []string, as reading, limit int) []likeName {
	all := p.namesLike(words, as, limit)
	if said, ok := numberedOf(words); ok {
		keys := p.having(said.number)
		for _, k := range keys[:min(len(keys), maxKeysSeen)] {
			key := p.texts.At(p.names[k.name].key)
			mapped, isNumbered := numberedOf(strings.Split(key, " "))
			if score, isSame := said.score(mapped); isNumbered && isSame {
				all = append(all, likeName{name: k.name, score: score})
			}
		}
	}
	slices.SortFunc(all, compareLike)
	seen := map[uint32]bool{}
	all = slices.DeleteFunc(all, func(n likeName) bool {
		isTwice := seen[n.name]
		seen[n.name] = true
		return isTwice
	})
	return all[:min(limit, len(all))]
}
