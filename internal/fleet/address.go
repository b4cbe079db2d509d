package fleet

import (
	"regexp"
	"strings"
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
