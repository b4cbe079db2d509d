package api

import (
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2/validation"
)

// What a person reads of a schema's rule is a sentence of ours, never the library's.
func TestSentencesOfShapes(t *testing.T) {
	for message, want := range map[string]string{
		validation.MsgExpectedRFC3339DateTime:    "Must be a date and time such as 2026-11-21T10:42:07Z",
		validation.MsgExpectedRFC4122UUID:        "Must be a UUID such as 01900000-0000-7000-8000-500000000004",
		validation.MsgExpectedString:             "Must be text",
		validation.MsgExpectedInteger:            "Must be a whole number",
		validation.MsgExpectedNumber:             "Must be a number",
		validation.MsgExpectedBoolean:            "Must be true or false",
		validation.MsgExpectedArray:              "Must be a list",
		validation.MsgExpectedObject:             "Must be an object",
		"expected number <= 90":                  "Must be at most 90",
		"expected number >= -180":                "Must be at least -180",
		"expected length <= 40":                  "Must be 40 or fewer characters",
		"expected array length >= 2":             "Must have 2 or more entries",
		`expected value to be one of "N, E"`:     "Must be one of: N, E",
		"expected string to be a UUID":           "Must be a UUID",
		"expected string to match pattern ^[a]$": "The value can't be used.",
	} {
		if got := sentenceOf(message); got != want {
			t.Errorf("%s: %s", message, got)
		}
	}
	for _, message := range []string{validation.MsgExpectedMatchAtLeastOneSchema, validation.MsgExpectedMatchExactlyOneSchema,
		validation.MsgExpectedRegexp, validation.MsgExpectedDuration, validation.MsgExpectedRFC3986URI, validation.MsgExpectedArrayItemsUnique,
		validation.MsgExpectedMinProperties, validation.MsgExpectedPropertyNameInObject, validation.MsgExpectedRFC2673IPv4, "expected a new rule"} {
		if got := sentenceOf(message); strings.Contains(strings.ToLower(got), "expected") || got == "" {
			t.Errorf("%s: %s", message, got)
		}
	}
}
