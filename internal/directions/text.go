package directions

import (
	"cmp"
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"lightbar/internal/geo/places"
)

// Said is a stretch of road as someone describes it: "I-95 N, exit 5 to exit 7".
type Said struct {
	Road string // without its direction: "I-95"; "" for a line between two points
	// Way is the direction of travel in degrees (0, 90, 180, 270); -1 when it was not said.
	Way      float64
	From, To Place   // To is empty for a stretch that goes on from one place
	Meters   float64 // how far it goes on from one place; 0 when it was not said
	// IsBetween: the order of the two places says nothing about the traffic.
	IsBetween bool
	Town      string // behind the last comma; "" when none was said
}

// Place is where a stretch begins or ends.
type Place struct {
	Kind   PlaceKind
	Text   string  // an exit's number ("5A"), or the crossing street or point, as written
	Number float64 // of a milepost
}

// PlaceKind tells what a place is named by.
type PlaceKind uint8

// Kinds of a place; the zero value is none.
const (
	AtStreet PlaceKind = iota + 1
	AtExit
	AtMile
	AtPoint // coordinates, or a Plus Code, with the town that was said with it
)

// Unclear is why a text describes no line, in a sentence with the way out.
type Unclear struct{ Sentence string }

// Error implements error.
func (u *Unclear) Error() string { return u.Sentence }

func unclear(sentence string) error { return &Unclear{sentence} }

const (
	mostLetters = 200
	example     = `such as "I-95 N, exit 5 to exit 7" or "Main St between 2nd St and 5th St".`
)

var (
	ways = map[string]float64{"n": 0, "north": 0, "nb": 0, "northbound": 0, "e": 90, "east": 90, "eb": 90, "eastbound": 90,
		"s": 180, "south": 180, "sb": 180, "southbound": 180, "w": 270, "west": 270, "wb": 270, "westbound": 270}
	// What a place begins with, longest first; the words of a kind mean the same.
	kindWords = []struct {
		words []string
		kind  PlaceKind
	}{
		{[]string{"mile", "marker"}, AtMile}, {[]string{"mile", "post"}, AtMile}, {[]string{"mile"}, AtMile}, {[]string{"miles"}, AtMile},
		{[]string{"milepost"}, AtMile}, {[]string{"mileposts"}, AtMile}, {[]string{"milemarker"}, AtMile}, {[]string{"mm"}, AtMile},
		{[]string{"mp"}, AtMile}, {[]string{"km"}, AtMile},
		{[]string{"exit"}, AtExit}, {[]string{"exits"}, AtExit}, {[]string{"ex"}, AtExit},
	}
	lead     = []string{"from", "between", "btwn", "at", "@", "near", "starting", "beginning"}
	between  = []string{"to", "thru", "through", "until", "till", "and", "&"}
	joined   = regexp.MustCompile(`(?i)\b(exits?|ex|mm|mp)\.?(\d)`)               // "exit5", "MM12"
	dashes   = regexp.MustCompile(`\s+-+\s+|\s*(?:–|—|→|->)\s*`)                  // "exit 5 - exit 7"
	ranges   = regexp.MustCompile(`(?i)(\d[a-z]?)-(\d)`)                          // "exit 5-7", where a place was begun
	exitLike = regexp.MustCompile(`(?i)^\d{1,4}\s?[a-z]?$`)                       // "5", "5A", "5 a"
	onward   = regexp.MustCompile(`(?i)^(\d+(?:\.\d+)?|a|half a)\s?([a-z]+)\.?$`) // "0.5 miles", "500ft"
	units    = map[string]float64{"mi": 1609.344, "mile": 1609.344, "miles": 1609.344, "ft": 0.3048, "feet": 0.3048, "foot": 0.3048,
		"yd": 0.9144, "yards": 0.9144, "m": 1, "meter": 1, "meters": 1, "km": 1000, "kilometers": 1000}
)

// Read takes a description apart. It looks at the text only: whether there are
// such a road and such places, Describe finds out. Errors: *Unclear.
func Read(text string) (Said, error) {
	if utf8.RuneCountInString(text) > mostLetters {
		return Said{}, unclear("A description has at most " + strconv.Itoa(mostLetters) + " letters.")
	}
	said, points := takePoints(text)
	s, err := read(said)
	var why *Unclear
	if errors.As(err, &why) {
		return s, unclear(points.putBack(why.Sentence))
	}
	s.Town = points.putBack(s.Town)
	for _, place := range [...]*Place{&s.From, &s.To} {
		if has(place.Text) {
			*place = Place{Kind: AtPoint, Text: points.putBack(place.Text)}
		}
	}
	if isOdd := has(s.Road) || s.Road == "" && (s.From.Kind != AtPoint || s.To.Kind != AtPoint); isOdd && err == nil {
		return Said{}, unclear("Say which road the line follows, " + example)
	}
	return s, err
}

func read(text string) (Said, error) {
	words := wordsIn(text)
	if first := len(words) - len(afterLead(words)); first < len(words) && has(words[first]) {
		s := Said{Way: -1}
		return s, s.readPlaces(words)
	}
	at := slices.IndexFunc(words[min(1, len(words)):], begins)
	if len(words) == 0 || at < 0 {
		return Said{}, unclear("Say a road and where on it, " + example)
	}
	s := Said{Way: -1}
	head, rest := words[:at+1], words[at+1:]
	if len(head) > 1 {
		s.takeWay(&head)
	}
	s.Road = strings.Join(head, " ")
	for len(rest) > 0 && (rest[0] == "," || s.Way < 0 && s.isWay(rest)) {
		if rest[0] != "," {
			s.Way = ways[plain(rest[0])]
		}
		rest = rest[1:]
	}
	return s, s.readPlaces(rest)
}

// wordsIn are the words of a text, commas on their own, ranges taken apart.
func wordsIn(text string) []string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == utf8.RuneError || r == ';' {
			return ' '
		}
		return r
	}, text)
	text = dashes.ReplaceAllString(text, " to ")
	text = joined.ReplaceAllString(text, "$1 $2")
	words := strings.Fields(strings.ReplaceAll(text, ",", " , "))
	if at := slices.IndexFunc(words, func(w string) bool { _, n := kindOf([]string{w}); return n > 0 }); at > 0 {
		tail := ranges.ReplaceAllString(strings.Join(words[at:], " "), "$1 to $2")
		words = append(words[:at:at], strings.Fields(tail)...)
	}
	for len(words) > 0 && (words[len(words)-1] == "," || words[len(words)-1] == ".") {
		words = words[:len(words)-1]
	}
	return words
}

// plain is a word as it is compared.
func plain(word string) string {
	return strings.ToLower(strings.NewReplacer(".", "", "/", "").Replace(word))
}

// begins reports whether a word ends the name of the road.
func begins(word string) bool {
	_, n := kindOf([]string{word})
	return word == "," || n > 0 || has(word) || slices.Contains(lead, plain(word))
}

// afterLead takes off a word such as "from".
func afterLead(words []string) []string {
	if len(words) > 0 && slices.Contains(lead, plain(words[0])) {
		return words[1:]
	}
	return words
}

// kindOf reads what a place begins with; n is how many words that takes.
func kindOf(words []string) (kind PlaceKind, n int) {
	for _, k := range kindWords {
		if len(words) >= len(k.words) && slices.EqualFunc(words[:len(k.words)], k.words, func(a, b string) bool { return plain(a) == b }) {
			return k.kind, len(k.words)
		}
	}
	return 0, 0
}

// takeWay takes a direction off the end of words; what is left is never nothing.
func (s *Said) takeWay(words *[]string) bool {
	all := *words
	if len(all) < 2 || !s.isWay(all[len(all)-1:]) {
		return false
	}
	s.Way = ways[plain(all[len(all)-1])]
	*words = all[:len(all)-1]
	return true
}

func (s *Said) isWay(words []string) bool {
	_, ok := ways[plain(words[0])]
	return ok
}

// readPlaces reads where the stretch begins and ends.
func (s *Said) readPlaces(words []string) error {
	isRange := false
	if rest := afterLead(words); len(rest) < len(words) {
		s.IsBetween = slices.Contains([]string{"between", "btwn"}, plain(words[0]))
		isRange = s.IsBetween || plain(words[0]) == "from"
		words = rest
	}
	if len(words) > 2 && s.Way < 0 && s.isWay(words[len(words)-1:]) {
		s.takeWay(&words) // "exit 5 to 7 northbound"
	}
	from, to := cut(words, func(w string) bool { return slices.Contains(between, plain(w)) })
	last := &to
	if len(to) == 0 {
		last = &from
		if here, on := cut(from, func(w string) bool { return plain(w) == "for" }); len(on) > 0 {
			from = here
			if !s.readMeters(strings.Join(on, " ")) {
				return unclear("\"" + strings.Join(on, " ") + "\" is no length: say it as 0.5 miles, 500 ft or 300 m.")
			}
		}
	}
	if head, town := cut(*last, func(w string) bool { return w == "," }); len(town) > 0 {
		town, more := cut(town, func(w string) bool { return w == "," })
		*last, s.Town = head, strings.Join(town, " ")
		if whole := s.Town + ", " + strings.Join(more, " "); places.NamesState(whole) {
			s.Town = whole
		}
	}
	var err error
	if s.From, err = readPlace(from, 0); err != nil {
		return err
	}
	if len(to) == 0 {
		if isRange && s.Meters == 0 {
			return unclear("Say also where the line ends, " + example)
		}
		return nil
	}
	if s.To, err = readPlace(to, s.From.Kind); err != nil {
		return err
	}
	if s.From.Kind == AtStreet && s.To.Kind != AtStreet { // "5 to exit 7"
		if again, err := readPlace(from, s.To.Kind); err == nil {
			s.From = again
		}
	}
	return nil
}

// cut divides words at the first that is asked for; neither side has it.
func cut(words []string, is func(string) bool) (before, after []string) {
	at := slices.IndexFunc(words, is)
	if at < 0 {
		return words, nil
	}
	return words[:at], words[at+1:]
}

func (s *Said) readMeters(text string) bool {
	m := onward.FindStringSubmatch(text)
	if m == nil || units[strings.ToLower(m[2])] == 0 {
		return false
	}
	n, err := strconv.ParseFloat(m[1], 64)
	if err != nil {
		n = map[string]float64{"a": 1, "half a": 0.5}[strings.ToLower(m[1])]
	}
	s.Meters = n * units[strings.ToLower(m[2])]
	return s.Meters >= leastOnM && s.Meters <= mostOnM
}

// readPlace reads one place; without a word for its kind it is of the kind told, if it can be.
func readPlace(words []string, kind PlaceKind) (Place, error) {
	words = slices.DeleteFunc(slices.Clone(words), func(w string) bool { return w == "," })
	said, n := kindOf(words)
	text := strings.Trim(strings.Join(words[n:], " "), " .#")
	text = strings.TrimSpace(strings.TrimPrefix(text, "#"))
	switch {
	case text == "" && n > 0:
		return Place{}, unclear("Say which " + kindName(said) + " is meant, " + example)
	case text == "":
		return Place{}, unclear("Say where on the road, " + example)
	case said == AtExit && !exitLike.MatchString(text):
		return Place{}, unclear("\"" + text + "\" is no exit's number: say it as on its sign, such as 5 or 5A.")
	case cmp.Or(said, kind) == AtExit && exitLike.MatchString(text):
		return Place{Kind: AtExit, Text: strings.ToUpper(strings.ReplaceAll(text, " ", ""))}, nil
	case cmp.Or(said, kind) == AtMile:
		number, err := strconv.ParseFloat(strings.Replace(text, ",", ".", 1), 64)
		if err == nil && number >= 0 && number < 10_000 {
			return Place{Kind: AtMile, Text: text, Number: number}, nil
		}
		if said == AtMile {
			return Place{}, unclear("\"" + text + "\" is no milepost: say its number, such as 12.5.")
		}
	}
	if !strings.ContainsFunc(text, unicode.IsLetter) && !strings.ContainsFunc(text, unicode.IsDigit) {
		return Place{}, unclear("Say where on the road, " + example)
	}
	return Place{Kind: AtStreet, Text: text}, nil
}

func kindName(kind PlaceKind) string {
	return map[PlaceKind]string{AtExit: "exit", AtMile: "milepost"}[kind]
}
