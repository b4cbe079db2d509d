package fleet

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"lightbar/catalog"
)

const emailPart = `[^\s\p{Z}\p{Cc}\p{Cf}@<>()\[\]:;,"\\.]+`

var (
	emailPattern = regexp.MustCompile(`^` + emailPart + `(\.` + emailPart + `)*@` + emailPart + `(\.` + emailPart + `)+$`)
	emailBytes   = int(catalog.LimitInt("text", "email"))
)

// ValidEmail is the law of addresses, trimmed ones (requirements 5.general);
// catalog/vectors/email.json pins it for both sides.
func ValidEmail(text string) bool {
	return len(text) <= emailBytes && utf8.ValidString(text) && emailPattern.MatchString(text)
}

// EmailKey is the canonical form of an address: what is unique and what is counted. Zero-width characters around it, which come
// with a copied one, do not belong to it.
func EmailKey(email string) string {
	return strings.ToLower(strings.TrimFunc(email, func(r rune) bool { return unicode.IsSpace(r) || Invisible(r) }))
}
