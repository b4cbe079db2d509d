package people

import (
	"testing"
	"time"

	"lightbar/internal/fleet"
)

// spec: D.auth.05
func TestSecondFactorDue(t *testing.T) {
	const on fleet.Instant = 10_000_000
	end := on.Add(24 * time.Hour)
	required := fleet.Organization{MFARequired: true, MFARequiredAt: on}
	for _, row := range []struct {
		name    string
		method  string
		created fleet.Instant
		o       fleet.Organization
		has     bool
		want    fleet.Instant
	}{
		{"nothing is required", "password", on - 1, fleet.Organization{}, false, 0},
		{"signed in before", "password", on - 1, required, false, end},
		{"signed in while it was turned on", "password", on + 1, required, false, end},
		{"has one", "password", on - 1, required, true, 0},
		{"proved by a provider", "sso", on - 1, required, false, 0},
		{"a link of before", "link", on - 1, required, false, end},
		{"a link that was allowed since", "link", on, required, false, 0},
	} {
		s := fleet.Session{Method: row.method, CreatedAt: row.created}
		if got := secondFactorDue(s, row.o, row.has); got != row.want {
			t.Errorf("%s: %s, want %s", row.name, got, row.want)
		}
	}
	for _, row := range []struct {
		name             string
		has, due, expect fleet.Instant
	}{
		{"awareness mode gets an end", 0, end, end},
		{"the sooner end counts", end + 1, end, end},
		{"it never gives time", end - 1, end, end - 1},
		{"nothing is due", 0, 0, 0},
	} {
		if got := endingAt(fleet.Session{AbsoluteAt: row.has}, row.due).AbsoluteAt; got != row.expect {
			t.Errorf("%s: %s, want %s", row.name, got, row.expect)
		}
	}
}
