package people

import (
	"strings"
	"testing"
	"time"

	"lightbar/internal/fleet"
	"lightbar/internal/store"
)

// A known device answers only for itself: its wrong passwords lock neither
// networks nor other devices, and those of others do not lock it.
//
// spec: D.password.02
func TestDevicesAndNetworksAreCountedApart(t *testing.T) {
	const now = fleet.Instant(1_800_000_000_000)
	tries := func(source string, n int) (out []store.Attempt) {
		for range n {
			out = append(out, store.Attempt{Network: source, At: now.Add(-20 * time.Minute)})
		}
		return out
	}
	network, device := attemptFrom{account: "a", network: "n"}, attemptFrom{account: "a", network: "n", device: "d"}
	for _, row := range []struct {
		name string
		rows []store.Attempt
		from attemptFrom
		want fleet.Instant
	}{
		{"fifty of known devices lock no network", tries("device:x", 50), network, 0},
		{"forty-nine of networks and one of a device", append(tries("m", 49), tries("device:x", 1)...), network, 0},
		{"fifty of networks", tries("m", 50), network, now.Add(40 * time.Minute)},
		{"a device's nineteen", tries("device:d", 19), device, 0},
		{"a device's twenty", tries("device:d", 20), device, now.Add(40 * time.Minute)},
		{"twenty of another device", tries("device:x", 20), device, 0},
		{"twenty of the device's own network", tries("n", 20), device, 0},
	} {
		if got := lockedUntil(row.rows, row.from, now); got != row.want {
			t.Errorf("%s: %v, want %v", row.name, got, row.want)
		}
	}
}

// Where a sign-in leads afterwards is a page of the dashboard, never another site.
func TestOriginsStayInsideTheDashboard(t *testing.T) {
	for _, inside := range []string{"/dashboard", "/dashboard/things?x=1", "/dashboard?tab=a"} {
		if got := safeOrigin(inside); got != inside {
			t.Errorf("%q becomes %q", inside, got)
		}
	}
	for _, outside := range []string{"", "/", "/welcome/signin", "/dashboards", "dashboard", "//evil.example/dashboard", "/dashboard//evil.example", "/dashboard/\\evil.example",
		"/dashboard/\r\nSet-Cookie: a=b", "javascript:/dashboard/", "https:evil.example/dashboard", "/dashboard/" + strings.Repeat("x", 1000)} {
		if got := safeOrigin(outside); got != "" {
			t.Errorf("%q leads to %q", outside, got)
		}
	}
}
