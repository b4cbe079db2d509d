package read_test

import (
	"strings"
	"testing"
	"time"

	"lightbar/internal/feed/read"
	"lightbar/internal/fleet"
)

// closed is a closed road of CIFS, with a schedule as XML or as JSON has it.
func closed(format, schedule string) string {
	if format == "xml" {
		return `<incidents><incident id="N-1"><type>ROAD_CLOSED</type><street>Main St</street><polyline>39.7 -75.5 39.7 -75.4</polyline>` +
			`<starttime>2026-11-23T21:00:00-05:00</starttime><endtime>2026-12-12T05:00:00-05:00</endtime>` + schedule + `</incident></incidents>`
	}
	return `{"incidents":[{"id":"N-1","type":"ROAD_CLOSED","street":"Main St","polyline":"39.7 -75.5 39.7 -75.4",` +
		`"starttime":"2026-11-23T21:00:00-05:00","endtime":"2026-12-12T05:00:00-05:00","schedule":` + schedule + `}]}`
}

// A closed road is active within its schedule only, in the offset of its start.
func TestScheduleOfAnIncident(t *testing.T) {
	local := func(day, hour, minute int) fleet.Instant {
		return fleet.InstantOf(time.Date(2026, 11, day, hour+5, minute, 0, 0, time.UTC))
	}
	nights := map[fleet.Instant]bool{local(23, 20, 59): false, local(23, 21, 0): true, local(23, 23, 59): true, local(24, 0, 0): true,
		local(24, 4, 59): true, local(24, 5, 0): false, local(24, 13, 0): false, local(29, 23, 30): true, local(30, 3, 0): true}
	weekend := map[fleet.Instant]bool{local(25, 12, 0): false, local(28, 7, 59): false, local(28, 8, 0): true, local(28, 15, 59): true,
		local(28, 16, 0): false, local(29, 12, 0): true, local(30, 12, 0): false}
	for name, c := range map[string]struct {
		text   string
		active map[fleet.Instant]bool
		words  string
	}{
		"nights in two parts": {closed("xml", `<schedule><everyday>21:00-23:59,00:00-05:00</everyday></schedule>`), nights, "Daily 21:00 to 05:00."},
		"nights in one":       {closed("xml", `<schedule><everyday>21:00-05:00</everyday></schedule>`), nights, "Daily 21:00 to 05:00."},
		"nights in JSON":      {closed("json", `{"everyday":["21:00 - 24:00","0:00-5:00"]}`), nights, "Daily 21:00 to 05:00."},
		"weekends":            {closed("json", `{"saturday":"08:00-16:00","sunday":"08:00-16:00"}`), weekend, "Sat, Sun 08:00 to 16:00."},
		"weekends in XML":     {closed("xml", `<schedule><Saturday>08:00-16:00</Saturday><Sunday>08:00-16:00</Sunday></schedule>`), weekend, "Sat, Sun 08:00 to 16:00."},
		"a list of days":      {closed("json", `[{"saturday":"08:00-12:00,12:00-16:00"},{"sunday":"08:00-16:00"}]`), weekend, "Sat, Sun 08:00 to 16:00."},
		"not said":            {closed("xml", `<schedule/>`), map[fleet.Instant]bool{local(25, 12, 0): true}, ""},
		"null":                {closed("json", `null`), map[fleet.Instant]bool{local(25, 12, 0): true}, ""},
		"always":              {closed("json", `{"everyday":"00:00-23:59"}`), map[fleet.Instant]bool{local(25, 12, 0): true, local(26, 0, 0): true}, ""},
	} {
		zones, r := zonesOf(t, []byte(c.text))
		if r.Kept != 1 {
			t.Errorf("%s: %+v", name, r)
			continue
		}
		closure := zones[0].Closure()
		if closure.Description != c.words {
			t.Errorf("%s: it says %q", name, closure.Description)
		}
		for at, want := range c.active {
			if closure.VerifiedAt = at; closure.IsActiveAt(at) != want {
				t.Errorf("%s: at %s active is %v", name, at, !want)
			}
		}
	}
	for name, schedule := range map[string]string{"a word": `"nights"`, "an unknown day": `{"weekdays":"08:00-16:00"}`, "no times": `{"monday":"all day"}`,
		"half a time": `{"monday":"08:00"}`, "an hour 25": `{"monday":"08:00-25:00"}`, "an empty time": `{"monday":"08:00-08:00"}`, "a number": `7`,
		"of the other half of the day": `{"monday":"8:00 AM-4:00 PM"}`, "an object": `{"monday":{"from":"08:00"}}`, "too many": `{"everyday":"` + strings.Repeat("08:00-09:00,", 60) + `"}`} {
		if _, r := zonesOf(t, []byte(closed("json", schedule))); r.Kept != 0 || r.Reasons[read.ScheduleWrong] != 1 {
			t.Errorf("%s: %+v", name, r)
		}
	}
}
