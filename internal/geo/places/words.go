package places

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// shortWords are the words of names that people shorten, each with how it is
// stored and compared. The keys of several may be the same: "Saint Paul Street"
// and "St Paul St" are one.
var shortWords = map[string]string{
	"street": "st", "avenue": "ave", "av": "ave", "road": "rd", "boulevard": "blvd", "drive": "dr", "lane": "ln", "court": "ct",
	"place": "pl", "square": "sq", "highway": "hwy", "parkway": "pkwy", "pky": "pkwy", "turnpike": "tpke", "expressway": "expy",
	"expwy": "expy", "freeway": "fwy", "terrace": "ter", "circle": "cir", "route": "rt", "rte": "rt", "trail": "trl", "crossing": "xing",
	"bridge": "brg", "extension": "ext", "center": "ctr", "centre": "ctr", "mount": "mt", "fort": "ft", "saint": "st", "junior": "jr",
	"doctor": "dr", "interstate": "i", "business": "bus", "bypass": "byp", "alternate": "alt", "plaza": "plz", "heights": "hts",
	"north": "n", "south": "s", "east": "e", "west": "w",
	"northeast": "ne", "northwest": "nw", "southeast": "se", "southwest": "sw",
	"northbound": "n", "southbound": "s", "eastbound": "e", "westbound": "w", "nb": "n", "sb": "s", "eb": "e", "wb": "w",
	"first": "1st", "second": "2nd", "third": "3rd", "fourth": "4th", "fifth": "5th", "sixth": "6th", "seventh": "7th", "eighth": "8th",
	"ninth": "9th", "tenth": "10th",
}

// letters that no decomposition takes apart
var plainLetters = strings.NewReplacer("ß", "ss", "ø", "o", "ł", "l", "đ", "d", "ð", "d", "þ", "th", "æ", "ae", "œ", "oe",
	"ı", "i")

// fold gives a text as it is compared: lower case, without marks.
func fold(text string) string {
	var b strings.Builder
	for _, r := range norm.NFKD.String(strings.ToLower(text)) {
		if !unicode.Is(unicode.Mn, r) {
			b.WriteRune(r)
		}
	}
	return plainLetters.Replace(b.String())
}

// wordsOf takes a text apart into words as they are compared: folded, without
// points and apostrophes, shortened, and with a route's number on its own
// ("I95" is "i 95"; "5th" stays).
func wordsOf(text string) []string {
	var words []string
	var word []rune
	end := func() {
		if len(word) > 0 {
			w := string(word)
			if short, ok := shortWords[w]; ok {
				w = short
			}
			words, word = append(words, w), word[:0]
		}
	}
	for _, r := range fold(text) {
		switch {
		case r == '.' || r == '\'' || r == '’' || r == '`':
		case unicode.IsDigit(r):
			if len(word) > 0 && unicode.IsLetter(word[len(word)-1]) {
				end()
			}
			word = append(word, r)
		case unicode.IsLetter(r):
			word = append(word, r)
		default:
			end()
		}
	}
	end()
	return words
}

// keyOf is a name as it is compared.
func keyOf(name string) string { return strings.Join(wordsOf(name), " ") }

// shortenedTo returns what a word that is being typed may become: while "aven" is being typed, the names have "ave".
func shortenedTo(word string) (out []string) {
	if len(word) < 3 {
		return nil
	}
	for long, short := range shortWords {
		if strings.HasPrefix(long, word) && !strings.HasPrefix(short, word) {
			out = append(out, short)
		}
	}
	return out
}
