package fleet

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"

	"lightbar/catalog"
)

var (
	shortenFrom = int(catalog.LimitInt("text", "shortenFrom"))
	shortenKeep = int(catalog.LimitInt("text", "shortenKeep"))
	truncateAt  = int(catalog.LimitInt("text", "truncateAt"))
)

const ellipsis = "…"

// DisplayName is the nickname, else the system name in capitals (requirements 3.thing).
func DisplayName(nickname, systemName string) string {
	if nickname != "" {
		return nickname
	}
	return upper(systemName)
}

// SecondaryName is the system name, only when there is a nickname.
func SecondaryName(nickname, systemName string) string {
	if nickname == "" {
		return ""
	}
	return systemName
}

// SystemID is the external id, only for device type "api".
func SystemID(deviceType, externalID string) string {
	if deviceType != "api" {
		return ""
	}
	return externalID
}

// upper is full Unicode upper case, as JavaScript's toUpperCase ("ß" becomes "SS").
func upper(s string) string {
	for i := 0; i < len(s); i++ {
		if s[i] >= 0x80 {
			return cases.Upper(language.Und).String(s)
		}
	}
	return strings.ToUpper(s)
}

// MapLabel is the short name of a map label: 12 and more characters show the
// first and the last 4; out of service is appended (requirements 9.format).
func MapLabel(name string, inService bool) string {
	if r := []rune(name); len(r) >= shortenFrom {
		name = string(r[:shortenKeep]) + ellipsis + string(r[len(r)-shortenKeep:])
	}
	if !inService {
		name += " | OOS"
	}
	return name
}

// Truncate cuts a text for a row: longer than 50 characters becomes 49 and an ellipsis.
func Truncate(text string) string {
	r := []rune(text)
	if len(r) <= truncateAt {
		return text
	}
	return string(r[:truncateAt-1]) + ellipsis
}

// ContainsFold reports whether part, in lower case (strings.ToLower), is in a text, ignoring letter case. Lists of thousands are
// searched by it: texts in ASCII cost no memory.
func ContainsFold(text, part string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return strings.Contains(strings.ToLower(text), part)
		}
	}
next:
	for i := 0; i+len(part) <= len(text); i++ {
		for k := range len(part) {
			b := text[i+k]
			if b >= 'A' && b <= 'Z' {
				b += 'a' - 'A'
			}
			if b != part[k] {
				continue next
			}
		}
		return true
	}
	return false
}
