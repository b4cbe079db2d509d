package fleet

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"lightbar/catalog"
)

// Address is a postal address of a person or an organization.
type Address struct {
	Address1    string
	Address2    string
	City        string
	State       string
	PostalCode  string
	CountryCode string
}

// IsEmpty reports whether there is no address: a country alone is none.
func (a Address) IsEmpty() bool {
	return strings.TrimSpace(a.Address1+a.Address2+a.City+a.State+a.PostalCode) == ""
}

// The countries whose states are a list and whose postal codes have a form of
// their own (requirements 5.address).
const (
	countryUS = "US"
	countryCA = "CA"
)

var (
	zipUS       = regexp.MustCompile(`^[0-9]{5}(-[0-9]{4})?$`)
	postalCA    = regexp.MustCompile(`^[A-Z][0-9][A-Z] ?[0-9][A-Z][0-9]$`)
	postalOther = regexp.MustCompile(`^[A-Z0-9]([A-Z0-9 -]*[A-Z0-9])?$`)
	country     = regexp.MustCompile(`^[A-Z]{2}$`)

	addressMax = int(catalog.LimitInt("text", "address"))
	postalMax  = int(catalog.LimitInt("text", "postalCode"))
)

// CheckAddress is the law of addresses (requirements 5.address): it returns the address trimmed, with state, postal code and
// country in capitals, and a sentence for each wire field that is wrong; none when all is well. Street and city may be empty.
// Outside of the US and Canada the postal code may be empty too: many countries have none. A country alone does not count as the
// beginning of an address, and nothing more is required.
func CheckAddress(a Address) (Address, map[string]string) {
	wrong := map[string]string{}
	for _, f := range []struct {
		name string
		text *string
		max  int
	}{
		{"address1", &a.Address1, addressMax}, {"address2", &a.Address2, addressMax}, {"city", &a.City, addressMax},
		{"state", &a.State, addressMax}, {"postal_code", &a.PostalCode, postalMax}, {"country_code", &a.CountryCode, postalMax},
	} {
		var sentence string
		if *f.text, sentence = CheckText(*f.text, f.max); sentence != "" {
			wrong[f.name] = sentence
		}
	}
	a.State, a.PostalCode, a.CountryCode = strings.ToUpper(a.State), strings.ToUpper(a.PostalCode), strings.ToUpper(a.CountryCode)
	say := func(field, sentence string) {
		if _, said := wrong[field]; !said && sentence != "" {
			wrong[field] = sentence
		}
	}
	say("country_code", wrongCountry(a.CountryCode))
	if !a.IsEmpty() {
		say("state", wrongState(a.CountryCode, a.State))
		say("postal_code", wrongPostalCode(a.CountryCode, a.PostalCode))
	}
	return a, wrong
}

func wrongCountry(code string) string {
	switch {
	case code == "":
		return "Required"
	case utf8.RuneCountInString(code) > 2:
		return "2 Max Characters"
	case !country.MatchString(code):
		return "Use the two-letter country code"
	}
	return ""
}

func wrongState(countryCode, state string) string {
	if state == "" {
		return "Required"
	}
	list, ok := catalog.AllEnums().States[countryCode]
	if !ok {
		return ""
	}
	for _, s := range list {
		if s.Code == state {
			return ""
		}
	}
	return "Please choose from the list"
}

func wrongPostalCode(countryCode, code string) string {
	switch {
	case countryCode == countryUS && !zipUS.MatchString(code):
		return "Invalid zip"
	case countryCode == countryUS:
		return ""
	case countryCode == countryCA && !postalCA.MatchString(code):
		return "Invalid postal code"
	case countryCode == countryCA || code == "" || postalOther.MatchString(code):
		return ""
	}
	return "Invalid postal code"
}

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
