package fleet_test

import (
	"testing"
	"time"

	"lightbar/internal/fleet"
)

// A report is 30 days old or 24 h ahead at most, however far away its instant
// is: a time.Duration wraps every 584 years and would take 1442 or 31254 for now.
//
// spec: D.ingest.06
func TestInstantsOfReports(t *testing.T) {
	now := fleet.InstantOf(time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC))
	const day, wrap = 24 * 3_600_000, 18_446_744_073_710 // 2^64 ns
	for _, c := range []struct {
		at   fleet.Instant
		want string
	}{
		{now, ""}, {now - 30*day, ""}, {now - 30*day - 1, "at_too_old"}, {now + day, ""}, {now + day + 1, "at_too_far_ahead"},
		{now - wrap, "at_too_old"}, {now - wrap/2, "at_too_old"}, {now + wrap/2, "at_too_far_ahead"}, {now + wrap, "at_too_far_ahead"},
		{now + 50*wrap, "at_too_far_ahead"},
	} {
		got := ""
		r := fleet.Report{Kind: fleet.ReportHeartbeat, Asset: "a", At: c.at}
		if refusal := r.Check(now); refusal != nil {
			got = refusal.Code
		}
		if got != c.want {
			t.Errorf("%v: %q, want %q", c.at, got, c.want)
		}
	}
}

// Only an arrow board has a pattern; what another report calls one was not judged and goes nowhere.
func TestPatternIsOfClosuresAlone(t *testing.T) {
	now := fleet.InstantOf(time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC))
	for kind := fleet.ReportHeartbeat; kind <= fleet.ReportOnScene; kind++ {
		for _, pattern := range []string{"diamonds-alternating", "a\x00b"} {
			r := fleet.Report{Kind: kind, Asset: "a", At: now, HasAlerting: true, Pattern: pattern}
			if refusal := r.Check(now); refusal != nil {
				if kind != fleet.ReportClosure || refusal.Code != "pattern_unknown" {
					t.Errorf("kind %d, %q: %v", kind, pattern, refusal)
				}
				continue
			}
			if g := r.Signal(1, now); g.Pattern != "" && (kind != fleet.ReportClosure || pattern != "diamonds-alternating") {
				t.Errorf("kind %d, %q: %+v", kind, pattern, g)
			}
		}
	}
}
