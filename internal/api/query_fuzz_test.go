package api

import (
	"strings"
	"testing"
	"unicode/utf8"

	"lightbar/internal/geo/places"
)

// Parameters of a query and versions of a header are refused by the name of their field, or mean something that exists.
func FuzzParameters(f *testing.F) {
	f.Add("500 N King St", "39.74", "-75.55", "2026-11-21T10:00:00Z", `W/"3"`)
	f.Add("PFRW+7C Wilmington", "", "", "", `"0"`)
	f.Add("", "NaN", "1e999", "0000-01-01T00:00:00Z", "*")
	f.Add("39°44'41.4\"N 75°32'54.2\"W", "39.74", "-75.55", "", "")
	f.Add(" ,+, ", "0x1p-2", "1_0", "9999-12-31T23:59:59.999Z", `"9223372036854775808"`)
	f.Add("87g8pfrw+7c2x", "-0", "180", "2026-11-21T10:00:00+24:00", `"1-c-gzip"`)
	f.Fuzz(func(t *testing.T, text, lat, lng, since, version string) {
		in := placesInput{Q: text, Lat: lat, Lng: lng}
		if q, err := in.query(); err == nil {
			if utf8.RuneCountInString(q.text) > searchLetters {
				t.Errorf("a search of %d letters", utf8.RuneCountInString(q.text))
			}
			if given := q.text == "" || lat+lng != ""; given && !(q.near.Lat >= -90 && q.near.Lat <= 90 && q.near.Lng >= -180 && q.near.Lng <= 180) {
				t.Errorf("%q, %q is %v", lat, lng, q.near)
			}
			place, ok := (*places.Places)(nil).Parse(q.text, q.near)
			if ok && (!place.Valid() || place.Kind == places.PlacePlusCode && !strings.Contains(place.Label, "+")) {
				t.Errorf("%q is found as %+v", text, place)
			}
		}
		changed := ChangeFilter{LastUpdated: since}
		if at, err := changed.since(); err == nil && at != 0 && since == "" {
			t.Errorf("nothing said is %v", at)
		}
		if v, err := parseConfigVersion(version); err == nil && v != nil && *v < 0 {
			t.Errorf("%q is version %d", version, *v)
		}
		if v, err := parseIfMatch(version); err == nil && v < 0 {
			t.Errorf("%q is version %d", version, v)
		}
	})
}
