package fleet_test

import (
	"testing"
	"time"

	"lightbar/internal/fleet"
)

// Days follow one another in every zone: none is left out, none comes twice, and each begins where its date does.
func TestDaysFollowOneAnother(t *testing.T) {
	for _, name := range []string{"UTC", "America/New_York", "America/Havana", "America/Santiago", "America/Asuncion", "America/Sao_Paulo", "Asia/Beirut",
		"Africa/Cairo", "Asia/Gaza", "Australia/Lord_Howe", "Pacific/Apia", "Europe/Lisbon"} {
		zone, err := time.LoadLocation(name)
		if err != nil {
			t.Fatal(err)
		}
		at := fleet.InstantOf(time.Date(2010, 1, 1, 0, 0, 0, 0, zone))
		for at.Time().Year() < 2028 {
			next := fleet.NextDay(at, zone)
			day, after := at.Time().In(zone).Format(time.DateOnly), next.Time().In(zone).Format(time.DateOnly)
			if next <= at || next.Sub(at) > 25*time.Hour || after <= day || (next-1).Time().In(zone).Format(time.DateOnly) != day {
				t.Fatalf("%s: %s is followed by %s", name, at.Time().In(zone), next.Time().In(zone))
			}
			at = next
		}
	}
}
