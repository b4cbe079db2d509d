package fleet

import (
	"lightbar/catalog"
)

var (
	staleAfter         = catalog.LimitMs("status", "staleAfterMs")
	alertingStaleAfter = catalog.LimitMs("status", "alertingStaleAfterMs")
	alertingOffReset   = catalog.LimitMs("status", "alertingOffResetMs")
)

// Cut notes that an asset's connection ended at an instant without a normal disconnect. From then on it is silent, until its next
// report. One that reported since by other means is not silent; one that never reported cannot fall silent.
func Cut(s *State, at Instant) Change {
	if s.HeartbeatAt == 0 || s.CutAt != 0 || s.TakenAt > at {
		return 0
	}
	s.CutAt = at
	return ChangeCut
}

// IsStale is true without a heartbeat or with one at least 10 minutes old (requirements 3.thing), and of one that was cut.
func IsStale(s *State, now Instant) bool {
	return s.HeartbeatAt == 0 || s.CutAt != 0 || now.Sub(s.HeartbeatAt) >= staleAfter
}

// SilentAt is since when an asset has shown no sign of life for 10 minutes, or was cut; false while it is live, and when it never
// reported.
func SilentAt(s *State, now Instant) (Instant, bool) {
	return s.untilCut(s.HeartbeatAt.Add(staleAfter)), s.HeartbeatAt != 0 && IsStale(s, now)
}

// StaleAt is the instant from which the position must not be drawn as live: 10 minutes after the last sign of life, 30 s after the
// point while alerting, or when it was cut; none when nothing was ever reported.
func StaleAt(s *State) Instant {
	if s.Alerting && s.At != 0 {
		return s.untilCut(s.At.Add(alertingStaleAfter))
	}
	return s.untilCut(s.HeartbeatAt.Add(staleAfter))
}

func (s *State) untilCut(at Instant) Instant {
	if s.CutAt != 0 {
		return min(at, s.CutAt)
	}
	return at
}

// AlertingResetAt is when an asset hidden from drivers now is shown again (requirements 4.alerting).
func AlertingResetAt(now Instant) Instant { return now.Add(alertingOffReset) }
