package fleet_test

import (
	"testing"
	"time"

	"lightbar/internal/fleet"
)

// Every spelling of an instant that ISO 8601 or a common database allows is that instant.
func TestTimesInAnyUsualForm(t *testing.T) {
	newYork, err := time.LoadLocation("America/New_York")
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"2026-11-25T12:00:00Z":                        "2026-11-25T12:00:00.000Z",
		"2026-11-25t12:00:00z":                        "2026-11-25T12:00:00.000Z",
		"2026-11-25T12:00:00.1234567Z":                "2026-11-25T12:00:00.123Z",
		"2026-11-25T12:00:00,5Z":                      "2026-11-25T12:00:00.500Z",
		"2026-11-25T07:00:00-05:00":                   "2026-11-25T12:00:00.000Z",
		"2026-11-25T07:00:00−05:00":                   "2026-11-25T12:00:00.000Z",
		"2026-11-25T07:00:00-0500":                    "2026-11-25T12:00:00.000Z",
		"2026-11-25T07:00:00-05":                      "2026-11-25T12:00:00.000Z",
		"2026-11-25T07:00-05:00":                      "2026-11-25T12:00:00.000Z",
		"2026-11-25T07-05":                            "2026-11-25T12:00:00.000Z",
		"20261125T120000Z":                            "2026-11-25T12:00:00.000Z",
		"20261125T1200Z":                              "2026-11-25T12:00:00.000Z",
		"20261125T070000-0500":                        "2026-11-25T12:00:00.000Z",
		"2026-329T12:00:00Z":                          "2026-11-25T12:00:00.000Z",
		"2026-W48-3T12:00:00Z":                        "2026-11-25T12:00:00.000Z",
		"2026W483T120000Z":                            "2026-11-25T12:00:00.000Z",
		"2026-11-24T24:00:00Z":                        "2026-11-25T00:00:00.000Z",
		"2026-12-31T23:59:60Z":                        "2027-01-01T00:00:00.000Z",
		"2026-11-25 12:00:00+00":                      "2026-11-25T12:00:00.000Z",
		"2026-11-25 07:00:00.000 -0500":               "2026-11-25T12:00:00.000Z",
		"2026-11-25 07:00:00.0000000 -05:00":          "2026-11-25T12:00:00.000Z",
		"2026-11-25 12:00:00 +0000 UTC":               "2026-11-25T12:00:00.000Z",
		"2026-11-25 12:00:00 UTC":                     "2026-11-25T12:00:00.000Z",
		"2026-11-25T12:00:00 Z":                       "2026-11-25T12:00:00.000Z",
		"2026-11-25T07:00:00-05:00[America/New_York]": "2026-11-25T12:00:00.000Z",
		"Wed, 25 Nov 2026 12:00:00 GMT":               "2026-11-25T12:00:00.000Z",
		"Wed, 25 Nov 2026 07:00:00 -0500":             "2026-11-25T12:00:00.000Z",
		"2026-11-25T07:00:00":                         "2026-11-25T12:00:00.000Z",
		"2026-11-25 07:00:00":                         "2026-11-25T12:00:00.000Z",
		"2026-11-25 07:00":                            "2026-11-25T12:00:00.000Z",
		"2026/11/25 07:00:00":                         "2026-11-25T12:00:00.000Z",
		"Nov 25 2026  7:00AM":                         "2026-11-25T12:00:00.000Z",
		"25-Nov-2026 07:00:00":                        "2026-11-25T12:00:00.000Z",
		"Wed Nov 25 07:00:00 2026":                    "2026-11-25T12:00:00.000Z",
		"2026-11-25":                                  "2026-11-25T05:00:00.000Z",
		"2026-07-01T08:00:00":                         "2026-07-01T12:00:00.000Z",
	} {
		if at, ok := fleet.TimeOf(text, newYork); !ok || at.String() != want {
			t.Errorf("%s is %s, %v; want %s", text, at, ok, want)
		}
	}
	// What could be two days, or is none, is none.
	for _, text := range []string{"", "soon", "11/25/2026 07:00", "25.11.2026", "2026-13-01T00:00:00Z", "2026-02-30T00:00:00Z", "2026-11-25T25:00:00Z",
		"2026-W54-1", "2026-11-25T07:00:00 EST", "1795608000000", "2026-11", "0001-01-01T00:00:00Z", "1970-01-01T00:00:00Z", "9999-12-31T23:59:59-05:00"} {
		if at, ok := fleet.TimeOf(text, newYork); ok {
			t.Errorf("%q is %s", text, at)
		}
	}
	for text, want := range map[string]bool{"": true, " ": true, "null": true, "N/A": true, "infinity": true, "0001-01-01T00:00:00Z": true, "1900-01-01": true,
		"1970-01-01T00:00:00Z": true, "1969-12-31T19:00:00-05:00": true, "9999-12-31T23:59:59-05:00": true, "9999-12-31": true, "2999-01-01T00:00:00Z": true, "2026-11-25": false,
		"soon": false, "2098-12-31": false} {
		if fleet.IsNoTime(text) != want {
			t.Errorf("%q: no time is %v", text, !want)
		}
	}
}

// A format and a zone hold, and what says its instant without them is read beside them.
func TestTimesByFormat(t *testing.T) {
	newYork, _ := time.LoadLocation("America/New_York")
	for _, c := range []struct{ format, text, want string }{
		{"unix_ms", "1795608000000", "2026-11-25T12:00:00.000Z"},
		{"unix", "1795608000", "2026-11-25T12:00:00.000Z"},
		{"unix_ms", "2026-11-25T07:00:00", "2026-11-25T12:00:00.000Z"},
		{"unix_ms", "2026-11-25T12:00:00Z", "2026-11-25T12:00:00.000Z"},
		{"MM/dd/yyyy hh:mm a", "11/25/2026 07:00 am", "2026-11-25T12:00:00.000Z"},
		{"MM/dd/yyyy hh:mm a", "2026-11-25T12:00:00Z", "2026-11-25T12:00:00.000Z"},
		{"yyyy-dd-MM", "2026-11-25", ""}, // no month 25, and no November either
		{"unix_ms", "soon", ""},
	} {
		at, ok := fleet.TimeReader(c.format, newYork)(c.text)
		if ok != (c.want != "") || ok && at.String() != c.want {
			t.Errorf("%s as %s is %s, %v; want %s", c.text, c.format, at, ok, c.want)
		}
	}
	if fleet.TimeReader("MM", newYork) != nil {
		t.Error("a pattern without a year is one")
	}
}
