package api

import (
	"fmt"
	"strings"
)

// shapeSentences say in a person's words what a schema's rule asks; the rest of the library's message is filled in.
var shapeSentences = []struct{ message, sentence string }{
	{"expected string to be RFC 3339 date-time", "Must be a date and time such as 2026-11-21T10:42:07Z"},
	{"expected string to be RFC 3339 date", "Must be a date such as 2026-11-21"},
	{"expected string to be RFC 3339 time", "Must be a time such as 10:42:07Z"},
	{"expected string to be RFC 4122 uuid", "Must be a UUID such as 01900000-0000-7000-8000-500000000004"},
	{"expected string to be RFC 5322 email", "Must be an email address"},
	{"expected string to be RFC 3986 uri", "Must be a web address"},
	{"expected string to be base64", "Must be base64"},
	{"expected string to be ", "Must be %s"},
	{"expected string to match", "The value can't be used."},
	{"expected string", "Must be text"},
	{"expected boolean", "Must be true or false"},
	{"expected integer", "Must be a whole number"},
	{"expected number >= ", "Must be at least %s"},
	{"expected number > ", "Must be more than %s"},
	{"expected number <= ", "Must be at most %s"},
	{"expected number < ", "Must be less than %s"},
	{"expected number", "Must be a number"},
	{"expected length >= ", "Must be %s or more characters"},
	{"expected length <= ", "Must be %s or fewer characters"},
	{"expected array items to be unique", "Each entry can be there only once"},
	{"expected array length >= ", "Must have %s or more entries"},
	{"expected array length <= ", "Must have %s or fewer entries"},
	{"expected array", "Must be a list"},
	{"expected object", "Must be an object"},
	{"expected value to be one of ", "Must be one of: %s"},
}

// sentenceOf is what a person reads of a schema's rule. What it does not know is said in general.
func sentenceOf(message string) string {
	for _, one := range shapeSentences {
		if rest, ok := strings.CutPrefix(message, one.message); ok {
			if strings.Contains(one.sentence, "%s") {
				return fmt.Sprintf(one.sentence, strings.Trim(rest, `"`))
			}
			return one.sentence
		}
	}
	return "The value can't be used."
}
