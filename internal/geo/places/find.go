package places

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"

	"lightbar/internal/geo"
)

// Bounds of one search.
const (
	maxQuery      = 200    // bytes that are looked at
	maxWords      = 12     // of a name
	maxKeysSeen   = 50_000 // keys that one word may begin
	maxNamesKept  = 400    // names that go on to the ranking
	maxCornersOf  = 60     // names of each side of a crossing
	cornerMeters  = 40.0   // streets of one crossing whose middles do not touch: a divided road, a roundabout
	sameCornerM   = 80.0   // corners of one crossing
	samePointM    = 10.0   // of streets that change their names there: East and West 5th Street
	minQueryRunes = 2
)

// Find returns the best places that a text may mean, best first, at most limit: streets by name or number, crossings ("Market St &
// 5th Ave"), exits ("I-95 N exit 5"), addresses ("1200 Market St"), towns, each with ", town" behind it, and state, postal code and
// country behind that. Case, marks and abbreviations do not matter, and the last word may be unfinished unless it is a number.
// near, when it is a place on Earth, ranks close results first.
func (p *Places) Find(query string, near geo.LatLng, limit int) []Place {
	if len(query) > maxQuery {
		query = strings.ToValidUTF8(query[:maxQuery], "")
	}
	if len([]rune(strings.TrimSpace(query))) < minQueryRunes {
		return nil
	}
	f := placeSearch{p: p, near: near, isNear: near.Valid()}
	f.ask(query)
	return f.best(limit)
}

// ask reads what may be a state at the end as one where that finds something: "Dover, DE" is a town, and no road in a town whose
// name begins with DE.
func (f *placeSearch) ask(query string) {
	rest, t, ok := splitTail(query)
	if !ok || rest == "" {
		f.plain(query)
		return
	}
	if towns := f.p.townsCalled(rest); len(towns) > 0 {
		f.inTail(t, func() { f.addTowns(towns) })
		return
	}
	if isSure := t.isApart && !t.isBegun && len(f.p.townsCalled(t.text)) == 0; !isSure { // "Main Street, Washington"
		f.plain(query)
		if len(f.found) == 0 {
			f.inTail(t, func() { f.plain(rest) })
		}
		return
	}
	f.isWhole = true
	f.inTail(t, func() { f.plain(rest) })
	isHere := slices.ContainsFunc(t.states, func(s string) bool { return len(f.p.states[s]) > 0 })
	if len(f.found) == 0 && !isHere && !strings.Contains(rest, ",") {
		f.plain(query) // "Main Street, Ne" on its way to Newark
	}
}

// plain reads a text without changes.
func (f *placeSearch) plain(query string) {
	const mostTownWords = 3
	head, town, _ := strings.Cut(query, ",")
	town, _, _ = strings.Cut(town, ",")
	if words := wordsOf(town); len(words) > 1 && postalCode.MatchString(words[0]) {
		town = strings.Join(words[1:], " ") // "Hauptstraße, 72070 Tübingen"
	}
	f.find(head, wordsOf(town))
	if len(f.found) > 0 || town != "" {
		return
	}
	// "Market St Wilmington": the last words may be the town.
	words := strings.Fields(query)
	for cut := len(words) - 1; cut > 0 && cut >= len(words)-mostTownWords && len(f.found) == 0; cut-- {
		f.find(strings.Join(words[:cut], " "), wordsOf(strings.Join(words[cut:], " ")))
	}
}

// placeSearch is one search.
type placeSearch struct {
	p      *Places
	near   geo.LatLng
	isNear bool
	// isWhole: the name is not unfinished, as where a state follows it. "Philadelphia, PA" is no Philadelphia Pike.
	isWhole bool
	found   []foundPlace
}

// foundPlace is a place with its score; less is better.
type foundPlace struct {
	Place
	score float64
}

// Scores, in units of one step of nearness: twice as far away.
const (
	scoreExact      = 0.0
	scoreBeginning  = 2.0 // the name goes on
	scoreInside     = 3.0 // words of the name are left out
	scoreAway       = 0.6 // for each doubling of the distance
	scoreNoNumber   = 3.0
	scoreOtherTown  = 0.5 // the town begins with the requested words
	scoreOtherWay   = 4.0 // an exit of the other carriageway
	scoreClass      = 0.25
	nearestThatMeet = 500.0 // meters within which nearness does not count
)

// away is the score of a distance from what is looked at.
func (f *placeSearch) away(at geo.LatLng) float64 {
	if !f.isNear {
		return 0
	}
	return scoreAway * math.Log2(max(1, geo.DistanceM(f.near, at)/nearestThatMeet))
}

// inTown is the score of a town against the requested words; false when it is another.
func (f *placeSearch) inTown(near uint32, town []string) (float64, bool) {
	if len(town) == 0 {
		return 0, true
	}
	key := keyOf(f.p.texts.At(near))
	asked := strings.Join(town, " ")
	switch {
	case key == asked:
		return 0, true
	case strings.HasPrefix(key, asked):
		return scoreOtherTown, true
	}
	return 0, false
}

func (f *placeSearch) add(kind, label string, near uint32, at geo.Point, score float64) {
	place := Place{Kind: kind, Label: label, Near: f.p.texts.At(near), LatLng: geo.FixedLatLng(at)}
	f.found = append(f.found, foundPlace{place, score + f.away(place.LatLng)})
}

// addPart is add for a result that lacks a part of the request, if that is so.
func (f *placeSearch) addPart(isPartial bool, kind, label string, near uint32, at geo.Point, score float64) {
	f.add(kind, label, near, at, score)
	f.found[len(f.found)-1].IsPartial = isPartial
}

func (f *placeSearch) best(limit int) []Place {
	slices.SortStableFunc(f.found, func(a, b foundPlace) int {
		return cmp.Or(comparePartial(a.IsPartial, b.IsPartial), cmp.Compare(a.score, b.score))
	})
	var out []Place
	for _, x := range f.found {
		if len(out) == limit {
			break
		}
		// An address that is mapped twice is one, and so is an exit of a road with a name and a number.
		isTwice := slices.ContainsFunc(out, func(p Place) bool {
			return p.Kind == x.Kind && (p.LatLng == x.LatLng || p.Kind != PlaceExit && p.Label == x.Label && p.Near == x.Near)
		})
		if !isTwice {
			out = append(out, x.Place)
		}
	}
	return out
}

// comparePartial ranks complete results first.
func comparePartial(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

func (f *placeSearch) find(head string, town []string) {
	words := wordsOf(head)
	if len(words) == 0 || len(words) > maxWords {
		return
	}
	if at := slices.Index(words, "exit"); at >= 0 && f.exits(words[:at], words[at+1:], town) {
		return
	}
	for _, pair := range crossingIn(head) {
		f.crossings(pair[0], pair[1], town)
	}
	if len(f.found) > 0 {
		return
	}
	if len(words) > 1 && isHouse(words[0]) {
		f.houses(words[0], words[1:], town)
	}
	f.byName(words, town)
}

// crossingIn reads a text as two roads, in all ways that it may be.
func crossingIn(text string) (pairs [][2][]string) {
	for _, between := range []string{"&", "@", "/", "+", " and ", " at ", " x "} {
		if a, b, ok := strings.Cut(fold(text), between); ok {
			if one, other := wordsOf(a), wordsOf(b); len(one) > 0 && len(other) > 0 {
				pairs = append(pairs, [2][]string{one, other})
			}
		}
	}
	return pairs
}

// isHouse reports whether a word may be a house's number: "12", "12b"; "5th" may not.
func isHouse(word string) bool {
	digits := strings.TrimRightFunc(word, unicode.IsLetter)
	return digits != "" && len(word)-len(digits) <= 1 && strings.Trim(digits, "0123456789") == ""
}

func (f *placeSearch) byName(words, town []string) {
	for _, n := range f.p.roadsLike(words, typing, maxNamesKept) {
		name := &f.p.names[n.name]
		label := f.p.shown(n)
		if f.isWhole && (n.isBegun || n.score > scoreDirection) {
			continue
		}
		for _, s := range f.p.streets[name.streets.from:name.streets.to] {
			if extra, ok := f.inTown(s.near, town); ok {
				score := n.score + extra + scoreClass*float64(s.class) - lengthBonus(s.meters)
				f.addPart(n.isPartial, PlaceStreet, label, s.near, s.at, score)
			}
		}
		for _, t := range f.p.towns[name.towns.from:name.towns.to] {
			if len(town) == 0 {
				f.addPart(n.isPartial, PlaceTown, label, 0, t.at, n.score+float64(t.rank)-2)
			}
		}
	}
}

// lengthBonus prefers the long street to the stub of the same name.
func lengthBonus(meters uint32) float64 { return min(2, math.Log10(1+float64(meters))/2) }

func (f *placeSearch) houses(number string, words, town []string) {
	for _, n := range f.p.roadsLike(words, typing, maxNamesKept) {
		name := &f.p.names[n.name]
		for _, a := range f.p.addresses[name.addresses.from:name.addresses.to] {
			key := strings.ToLower(f.p.texts.At(a.number))
			score := n.score
			switch {
			case key == number:
			case isLettered(key, number):
				score += scoreBeginning
			default:
				continue
			}
			if extra, ok := f.inTown(a.near, town); ok {
				label := f.p.texts.At(a.number) + " " + f.p.shown(n)
				f.addPart(n.isPartial || key != number, PlaceAddress, label, a.near, a.at, score+extra-scoreNoNumber)
			}
		}
		// Where the number is not mapped, the street is the best answer.
		for _, s := range f.p.streets[name.streets.from:name.streets.to] {
			if extra, ok := f.inTown(s.near, town); ok {
				f.addPart(true, PlaceStreet, f.p.shown(n), s.near, s.at, n.score+extra+scoreNoNumber)
			}
		}
	}
}

// exits finds "I-95 exit 5"; false when the text has no road or number.
func (f *placeSearch) exits(road, ref, town []string) bool {
	if len(ref) == 0 {
		return false
	}
	number, rest := exitNumber(ref)
	if len(road) == 0 {
		road = rest
	}
	toward := math.NaN()
	if len(road) > 1 {
		if deg, ok := map[string]float64{"n": 0, "e": 90, "s": 180, "w": 270}[road[len(road)-1]]; ok {
			toward, road = deg, road[:len(road)-1]
		}
	}
	if len(road) == 0 {
		return false
	}
	before := len(f.found)
	names := f.p.roadsLike(road, whole, maxNamesKept)
	if len(names) == 0 {
		names = f.p.roadsLike(road, typing, maxNamesKept)
	}
	for _, n := range names {
		name := &f.p.names[n.name]
		for _, e := range f.p.exits[name.exits.from:name.exits.to] {
			isExit, extra := exitScore(f.p.texts.At(e.ref), number)
			if !isExit {
				continue
			}
			score := n.score + extra
			if geo.HeadingDiff(toward, float64(e.heading)) > 90 {
				score += scoreOtherWay
			}
			if extra, ok := f.inTown(e.near, town); ok {
				ref := strings.ReplaceAll(f.p.texts.At(e.ref), ";", "/")
				label := f.p.shown(n) + " exit " + ref + ", heading " + compass(float64(e.heading))
				f.add(PlaceExit, label, e.near, e.at, score+extra)
			}
		}
	}
	return len(f.found) > before
}

// exitNumber takes the number off: "5", "5a", or "5 a" unless that begins a road ("5 i 95").
func exitNumber(words []string) (number string, rest []string) {
	number, rest = words[0], words[1:]
	if len(rest) > 0 && len(rest[0]) == 1 && (len(rest) == 1 || !unicode.IsDigit(rune(rest[1][0]))) {
		number, rest = number+rest[0], rest[1:]
	}
	return number, rest
}

// exitScore compares an exit's numbers ("5B;5A") with the requested one.
func exitScore(ref, number string) (isExit bool, score float64) {
	score = scoreBeginning
	for part := range strings.SplitSeq(ref, ";") {
		key := strings.Join(wordsOf(part), "")
		if key == number {
			return true, scoreExact
		}
		isExit = isExit || isLettered(key, number)
	}
	return isExit, score
}

// isLettered reports whether a number is another with letters behind it: exit 5A is one of exit 5, and 52 is not.
func isLettered(number, other string) bool {
	letters, ok := strings.CutPrefix(number, other)
	return ok && strings.IndexFunc(letters, unicode.IsDigit) != 0
}

func compass(deg float64) string {
	names := [8]string{"north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest"}
	return names[int(math.Round(deg/45))%8]
}

// nameCorner is a place where a street of a name meets another road.
type nameCorner struct {
	at   geo.Point
	name likeName
}

func (f *placeSearch) crossings(one, other, town []string) {
	var met []foundPlace
	names := f.p.roadsLike(one, whole, maxCornersOf)
	if len(names) == 0 {
		names = f.p.roadsLike(one, typing, maxCornersOf)
	}
	f.meet(f.cornersOf(names), f.cornersOf(f.p.roadsLike(other, typing, maxCornersOf)), func(a, b nameCorner, meters float64) bool {
		met = append(met, f.meeting(a, b, meters))
		return true
	})
	slices.SortStableFunc(met, func(a, b foundPlace) int { return cmp.Compare(a.score, b.score) })
	for i := range met {
		// A divided road is met twice and more; the first is the nearest.
		isTwice := slices.ContainsFunc(met[:i], func(m foundPlace) bool {
			d := geo.DistanceM(m.LatLng, met[i].LatLng)
			return d < sameCornerM && m.Label == met[i].Label || d < samePointM
		})
		if isTwice {
			continue
		}
		at := met[i].LatLng
		near := f.p.grid.near(geo.Point{Lat: geo.ToFixed(at.Lat), Lng: geo.ToFixed(at.Lng)})
		if extra, ok := f.inTown(near, town); ok {
			met[i].score += extra
			met[i].Near = f.p.texts.At(near)
			f.found = append(f.found, met[i])
		}
		if i > 2000 {
			return
		}
	}
}

// meet calls tell with the corners of two lists, each by latitude, that are one crossing, until it returns false.
func (f *placeSearch) meet(as, bs []nameCorner, tell func(a, b nameCorner, meters float64) bool) {
	from := 0
	window := geo.ToFixed(cornerMeters / geo.MetersPerDegree)
	for _, a := range as {
		for from < len(bs) && bs[from].at.Lat < a.at.Lat-window {
			from++
		}
		for _, b := range bs[from:] {
			if b.at.Lat > a.at.Lat+window {
				break
			}
			if a.name.name == b.name.name {
				continue
			}
			if d := geo.PointMeters(a.at, b.at); d <= cornerMeters && !tell(a, b, d) {
				return
			}
		}
	}
}

func (f *placeSearch) meeting(a, b nameCorner, meters float64) foundPlace {
	label := f.p.shown(a.name) + " & " + f.p.shown(b.name)
	place := Place{Kind: PlaceCrossing, Label: label, LatLng: geo.FixedLatLng(a.at)}
	score := a.name.score + b.name.score + meters/10 + f.away(place.LatLng)
	return foundPlace{place, score}
}

// cornersOf are those of the names, by latitude.
func (f *placeSearch) cornersOf(names []likeName) []nameCorner {
	var out []nameCorner
	for _, n := range names {
		name := &f.p.names[n.name]
		for _, at := range f.p.corners[name.corners.from:name.corners.to] {
			out = append(out, nameCorner{at, n})
		}
	}
	slices.SortStableFunc(out, func(a, b nameCorner) int { return comparePoints(a.at, b.at) })
	return out
}
