package fleet

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// CheckText is the law of one-line texts that people type: trimmed, valid, printable and at most max characters. The sentence is
// what is wrong, "" nothing.
func CheckText(text string, max int) (trimmed, sentence string) {
	trimmed = strings.TrimSpace(text)
	switch {
	case !utf8.ValidString(trimmed) || strings.ContainsFunc(trimmed, Unprintable):
		return trimmed, notPrintable
	case utf8.RuneCountInString(trimmed) > max:
		return trimmed, fmt.Sprintf("Must be %d or fewer characters", max)
	}
	return trimmed, ""
}

// CheckAssetText is the law of an asset's texts: as CheckName, but the length is looked at first.
func CheckAssetText(text string, max int) (trimmed, sentence string) {
	trimmed = strings.TrimSpace(text)
	switch {
	case utf8.RuneCountInString(trimmed) > max:
		return trimmed, fmt.Sprintf("Must be %d or fewer characters", max)
	case !utf8.ValidString(trimmed) || strings.ContainsFunc(trimmed, Invisible):
		return trimmed, notPrintable
	}
	return trimmed, ""
}

// Unprintable are control characters and the ones that turn or hide text.
func Unprintable(r rune) bool {
	return unicode.IsControl(r) || r == '\u2028' || r == '\u2029' || r == '\ufeff' || (r >= '\u202a' && r <= '\u202e') ||
		(r >= '\u2066' && r <= '\u2069')
}

// Invisible are the characters that no name and no id may contain, as it could look like another one: besides the unprintable,
// zero-width characters, direction marks, the soft hyphen, and letters that are blank. In other texts emoji and some scripts need a
// few of them.
func Invisible(r rune) bool {
	return Unprintable(r) || r >= '\u200b' && r <= '\u200f' || r >= '\u2060' && r <= '\u206f' ||
		strings.ContainsRune("\u00ad\u061c\u180e\u2800", r) || r >= '\U000e0000' && r <= '\U000e007f' ||
		unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r)
}

// CheckName is CheckText for names and ids.
func CheckName(text string, max int) (trimmed, sentence string) {
	trimmed, sentence = CheckText(text, max)
	if sentence == "" && strings.ContainsFunc(trimmed, Invisible) {
		sentence = notPrintable
	}
	return trimmed, sentence
}

const notPrintable = "Please use printable characters"
