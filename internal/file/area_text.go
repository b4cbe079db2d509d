package file

import (
	"html"
	"strings"
	"unicode"
)

// Line makes of a text of a feature the one line that an area can have: without the
// HTML that other programs write, and in at most so many characters. wasCut
// reports whether anything of the text is not there.
func (*AreaFeature) Line(said string, most int) (line string, wasCut bool) {
	plain := said
	if strings.ContainsAny(said, "<&") {
		plain = withoutTags(said)
	}
	line = shorten(plain, most)
	return line, strings.Join(strings.Fields(line), " ") != strings.Join(strings.Fields(said), " ")
}

// withoutTags is a text as a browser shows it: a tag is a < followed by a name.
func withoutTags(said string) string {
	var out strings.Builder
	for len(said) > 0 {
		at := strings.IndexByte(said, '<')
		if at < 0 {
			at = len(said)
		}
		out.WriteString(html.UnescapeString(said[:at]))
		if said = said[at:]; said == "" {
			break
		}
		n := tagLength(said)
		if n == 0 {
			out.WriteByte('<')
			said = said[1:]
			continue
		}
		tag := strings.ToLower(said[1:n])
		said = said[n:]
		for _, hidden := range [...]string{"style", "script", "title"} {
			if rest, is := strings.CutPrefix(tag, hidden); is && (rest == "" || !unicode.IsLetter(rune(rest[0]))) {
				said = behindElement(said, hidden)
			}
		}
		out.WriteByte(' ')
	}
	return out.String()
}

// tagLength is how long the tag or comment at the beginning of a text is; 0 = it is none.
func tagLength(text string) int {
	if strings.HasPrefix(text, "<!--") {
		if end := strings.Index(text, "-->"); end > 0 {
			return end + 3
		}
	}
	if len(text) < 3 || text[1] != '/' && text[1] != '!' && !unicode.IsLetter(rune(text[1])) {
		return 0
	}
	return strings.IndexByte(text, '>') + 1
}

// behindElement is what follows the end of an element whose content is not visible.
func behindElement(text, name string) string {
	for at := 0; ; at += 2 {
		next := strings.Index(text[at:], "</")
		if next < 0 {
			return ""
		}
		at += next
		if end := text[at+2:]; len(end) >= len(name) && strings.EqualFold(end[:len(name)], name) {
			return text[at:]
		}
	}
}
