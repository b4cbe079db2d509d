package fleet

import (
	"fmt"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Names that devices use must not look like one another: an operator could not see to which asset a report belongs.

// alphabets are capital letters that look like Latin ones, beside those. Names are compared in capitals, as letter case does not
// distinguish them.
var alphabets = []struct{ name, letters, latin string }{
	{"Cyrillic", "АВСЕНІЈКМОРЅТУХѴԀԌԚԜҺ", "ABCEHIJKMOPSTYXVDGQWH"},
	{"Greek", "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABEZHIKMNOPTYX"},
	{"Armenian", "ՕՍԼ", "OUL"},
}

var likeLatin, toAlphabet = func() (map[rune]rune, []map[rune]rune) {
	like, to := map[rune]rune{}, make([]map[rune]rune, len(alphabets))
	for i, a := range alphabets {
		to[i] = map[rune]rune{}
		latin := []rune(a.latin)
		for k, r := range []rune(a.letters) {
			like[r] = latin[k]
			if _, said := to[i][latin[k]]; !said {
				to[i][latin[k]] = r
			}
		}
	}
	return like, to
}()

// plainSign is a sign of the keyboard in place of one that writing programs put there: a dash, a curly quote, how an emoji is drawn.
func plainSign(r rune) rune {
	switch {
	case r >= '\u2010' && r <= '\u2015', r == '\u2212', r == '\u2043', r == '\u02d7':
		return '-'
	case r >= '\u2018' && r <= '\u201b', r == '\u2032', r == '\u02bc':
		return '\''
	case r >= '\u201c' && r <= '\u201f', r == '\u2033':
		return '"'
	case unicode.Is(unicode.Variation_Selector, r):
		return -1
	case unicode.Is(unicode.Nd, r):
		return plainDigit(r)
	}
	return r
}

// CheckLookAlike refuses a name that would look like any other: with characters that are another form of plain ones (Ａ, ﬁ, ², –),
// with digits of other scripts (٥), more than one blank in a row, or with letters of two alphabets that look the same. Empty =
// fine.
func CheckLookAlike(name string) (sentence string) {
	plain := strings.Join(strings.Fields(strings.Map(plainSign, norm.NFKC.String(name))), " ")
	if plain != norm.NFC.String(strings.TrimSpace(name)) {
		return fmt.Sprintf("Use plain characters: this looks like %s", plain)
	}
	hasLatin := strings.ContainsFunc(name, func(r rune) bool { return unicode.Is(unicode.Latin, r) })
	for _, r := range strings.ToUpper(name) {
		like, known := likeLatin[r]
		if !known || !hasLatin {
			continue
		}
		for _, a := range alphabets {
			if strings.ContainsRune(a.letters, r) {
				return fmt.Sprintf("This mixes Latin letters with %s ones that look the same: one that looks like %c isn't it", a.name, like)
			}
		}
	}
	return ""
}

// LookOf is a name as people see it: names of one look are one name to them.
func LookOf(name string) string {
	for i := range len(name) {
		if name[i] >= 0x80 {
			return strings.Map(func(r rune) rune {
				if like, known := likeLatin[r]; known {
					return like
				}
				return plainDigit(r)
			}, strings.ToUpper(norm.NFKC.String(name)))
		}
	}
	return strings.ToUpper(name)
}

// LookAlikes are the names of other alphabets that look like a name, in capitals.
func LookAlikes(name string) (out []string) {
	look := LookOf(name)
	if look != strings.ToUpper(norm.NFC.String(name)) {
		out = append(out, look)
	}
	for _, to := range toAlphabet {
		whole, changed := true, false
		other := strings.Map(func(r rune) rune {
			if of, known := to[r]; known {
				changed = true
				return of
			}
			whole = whole && !unicode.IsLetter(r)
			return r
		}, look)
		if whole && changed && other != strings.ToUpper(norm.NFC.String(name)) {
			out = append(out, other)
		}
	}
	return out
}
