package fleet

import (
	"lightbar/catalog"
)

var (
	staleAfter         = catalog.LimitMs("status", "staleAfterMs")
	alertingStaleAfter = catalog.LimitMs("status", "alertingStaleAfterMs")
	alertingOffReset   = catalog.LimitMs("status", "alertingOffResetMs")
)

// IsStale is true without a heartbeat or with one at least 10 minutes old (specification section 3).
func IsStale(heartbeatAt, now Instant) bool {
	return heartbeatAt == 0 || now.Sub(heartbeatAt) >= staleAfter
}

// SilentAt is since when an asset has shown no sign of life for 10 minutes; false while it is heard, and when it never was.
func SilentAt(heartbeatAt, now Instant) (Instant, bool) {
	return heartbeatAt.Add(staleAfter), heartbeatAt != 0 && IsStale(heartbeatAt, now)
}

// StaleAt is the instant from which the position must not be drawn as live:
// 10 minutes after the last sign of life, 30 s after the point while alerting;
// none when nothing was ever heard.
func StaleAt(s *State) Instant {
	if s.Alerting && s.At != 0 {
		return s.At.Add(alertingStaleAfter)
	}
	return s.HeartbeatAt.Add(staleAfter)
}

// AlertingResetAt is when an asset hidden from drivers now is shown again (specification section 4).
func AlertingResetAt(now Instant) Instant { return now.Add(alertingOffReset) }
