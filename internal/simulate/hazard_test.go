package simulate

import (
	"testing"
	"time"
)

// There are always some hazards; each expires at the instant that it says, and then another one comes elsewhere.
func TestHazardsExpireAndComeAnew(t *testing.T) {
	begin := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	f := NewFleet(nil, Roads{}, Wilmington, 2000, 1, begin)
	f.nextCall = begin.Add(24 * time.Hour) // nobody is sent anywhere
	f.Hazards = NewHazards("center", 1, begin)
	ends, kinds := map[string]time.Time{}, map[string]bool{}
	for s := range 2 * 60 * 60 {
		now := begin.Add(time.Duration(s) * time.Second)
		for _, item := range f.Step(t.Context(), now) {
			end, err := time.Parse(time.RFC3339, item.ExpiresAt)
			if err != nil || !end.After(now) || end.After(now.Add(40*time.Minute)) || item.Asset != "center" || item.Type != "hazard" || !ends[item.ID].IsZero() {
				t.Fatalf("%+v: %v", item, err)
			}
			ends[item.ID], kinds[item.HazardType] = end, true
		}
		active := 0
		for _, end := range ends {
			if end.After(now) {
				active++
			}
		}
		if active > hazardsAtOnce || s%600 == 0 && active == 0 {
			t.Fatalf("%d are active after %d s", active, s)
		}
	}
	if len(ends) < 2*hazardsAtOnce || len(kinds) < 5 {
		t.Errorf("%d hazards of %d types in two hours", len(ends), len(kinds))
	}
}
