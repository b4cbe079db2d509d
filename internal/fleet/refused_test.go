package fleet_test

import (
	"math"
	"testing"
	"time"

	"lightbar/catalog"
	"lightbar/internal/fleet"
)

// Whatever Check refuses a report for, people who look after the asset read a reason, not a code.
func TestEveryRefusalOfAReportHasAReason(t *testing.T) {
	now := fleet.InstantOf(time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC))
	seen := map[string]bool{}
	numbers := []float64{-400, -91, -1, 0, 39, 361, 1001, 1e8, math.NaN(), math.Inf(1)}
	for kind := fleet.ReportPoint; kind <= fleet.ReportOnScene; kind++ {
		for _, at := range []fleet.Instant{0, 1, now, now + 30*86_400_000} {
			for _, v := range numbers {
				for field := range 7 {
					r := fleet.Report{Asset: "a", Kind: kind, At: at, HasLat: true, HasLng: true, Lat: 39, Lng: -75, HasCourse: true, HasSpeed: true, HasAccuracy: true, AccuracyM: 5}
					switch field {
					case 0:
						r.Lat = v
					case 1:
						r.Lng = v
					case 2:
						r.CourseDeg = v
					case 3:
						r.SpeedMS = v
					case 4:
						r.AccuracyM = v
					case 5:
						r.HasLat, r.NoFix, r.HasAlerting, r.Pattern = v < 0, v == 0, v > 0, "x"
					case 6:
						r.HasLng, r.NoFix = v < 0, v == 0
					}
					if refusal := r.Check(now); refusal != nil {
						seen[refusal.Code] = true
					}
				}
			}
		}
	}
	if len(seen) < 9 {
		t.Errorf("only %d codes seen: %v", len(seen), seen)
	}
	for code := range seen {
		if _, known := catalog.RefusedBecause(code); !known {
			t.Errorf("no reason for %s", code)
		}
	}
}
