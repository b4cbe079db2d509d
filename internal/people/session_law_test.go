package people

import (
	"testing"
	"time"

	"lightbar/internal/fleet"
	"lightbar/internal/store"
)

// spec: D.auth.02 D.auth.03 D.auth.05
func TestPresentRefresh(t *testing.T) {
	const now = fleet.Instant(1_800_000_000_000)
	ago := func(d time.Duration) fleet.Instant { return now.Add(-d) }
	base := fleet.Session{Generation: 3, LastUsedAt: ago(time.Hour), RotatedAt: ago(time.Hour), AbsoluteAt: now.Add(time.Hour)}
	with := func(edit func(*fleet.Session)) fleet.Session { s := base; edit(&s); return s }
	used := with(func(s *fleet.Session) { s.SuccessorOn = true })
	for _, row := range []struct {
		name        string
		s           fleet.Session
		generation  int64
		successorAt fleet.Instant
		want        refreshOutcome
	}{
		{"the newest rotates", base, 3, 0, refreshRotate},
		{"the previous, its successor unused", base, 2, ago(time.Hour), refreshRepeat},
		{"the previous, its successor used", used, 2, ago(time.Hour), refreshReuse},
		{"the previous, its successor used, 20 s after the rotation", used, 2, ago(20 * time.Second), refreshRepeat},
		{"the previous, its successor used, a moment later", used, 2, ago(20*time.Second + time.Millisecond), refreshReuse},
		{"two back, 20 s after its rotation", used, 1, ago(20 * time.Second), refreshRepeat},
		{"two back, later", base, 1, ago(21 * time.Second), refreshReuse},
		{"two back, forgotten", base, 1, 0, refreshReuse},
		{"a token of the future", base, 4, 0, refreshReuse},
		{"revoked wins", with(func(s *fleet.Session) { s.RevokedAt = ago(time.Second) }), 3, 0, refreshEnded},
		{"the absolute end", with(func(s *fleet.Session) { s.AbsoluteAt = now }), 3, 0, refreshEnded},
		{"idle for 4 h", with(func(s *fleet.Session) { s.LastUsedAt = ago(4 * time.Hour) }), 3, 0, refreshEnded},
		{"idle for nearly 4 h", with(func(s *fleet.Session) { s.LastUsedAt = ago(4*time.Hour - time.Millisecond) }), 3, 0, refreshRotate},
		{"awareness mode, idle for a week", with(func(s *fleet.Session) { s.Awareness, s.AbsoluteAt, s.LastUsedAt = true, 0, ago(7*24*time.Hour) }), 3, 0, refreshRotate},
	} {
		if got := outcomeOfRefresh(row.s, row.generation, row.successorAt, now); got != row.want {
			t.Errorf("%s: %d, want %d", row.name, got, row.want)
		}
	}
}

func TestLockedUntil(t *testing.T) {
	const now = fleet.Instant(1_800_000_000_000)
	ago := func(minutes ...int) (out []store.Attempt) {
		for _, m := range minutes {
			out = append(out, store.Attempt{Network: "n", At: now.Add(-time.Duration(m) * time.Minute)})
		}
		return out
	}
	fifty := make([]int, 50)
	for i := range fifty {
		fifty[i] = 20
	}
	from := attemptFrom{account: "a", network: "n"}
	elsewhere := attemptFrom{account: "a", network: "m"}
	device := attemptFrom{account: "a", network: "n", device: "d"}
	for _, row := range []struct {
		name string
		rows []store.Attempt
		from attemptFrom
		want fleet.Instant
	}{
		{"none", nil, from, 0},
		{"four", ago(1, 2, 3, 4), from, 0},
		{"five", ago(1, 2, 3, 4, 5), from, now.Add(9 * time.Minute)},
		{"five from another network", ago(1, 2, 3, 4, 5), elsewhere, 0},
		{"five over an hour", ago(1, 10, 20, 30, 40), from, 0},
		{"fifty long ago lock every network", ago(fifty...), elsewhere, now.Add(40 * time.Minute)},
		{"a known device is exempt", ago(fifty...), device, 0},
	} {
		if got := lockedUntil(row.rows, row.from, now); got != row.want {
			t.Errorf("%s: %v, want %v", row.name, got, row.want)
		}
	}
}

func TestLimitNetwork(t *testing.T) {
	for address, want := range map[string]string{"198.51.100.77": "198.51.100.0/24", "::ffff:198.51.100.77": "198.51.100.0/24",
		"2001:db8:1:2ff::1": "2001:db8:1:200::/56", "fe80::1%eth0": "fe80::/56", "": "unknown", "x": "unknown"} {
		if got := fleet.LimitNetwork(address); got != want {
			t.Errorf("%q: %q, want %q", address, got, want)
		}
	}
}
