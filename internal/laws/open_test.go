package laws

import (
	"slices"
	"testing"

	"lightbar/catalog"
	"lightbar/internal/fleet"
)

// What the requirements leave open, the product sets, as its decisions say.
// spec: 9.open.01 3.enum.10
func TestWhatIsLeftOpenIsSet(t *testing.T) {
	const minute, hour = 60_000, 3_600_000
	for name, want := range map[[2]string]int64{
		{"ingest", "accuracyM"}: 100, {"ingest", "accuracyAtStationM"}: 30,
		{"status", "staleAfterMs"}: 10 * minute, {"status", "activeWindowMs"}: 2 * hour,
		{"status", "standbyWindowMs"}: 8 * hour, {"status", "offlineAfterMs"}: 96 * hour,
		{"lists", "liveLocations"}: 500, {"map", "findMeZoom"}: 17, {"map", "centerMinZoom"}: 16,
	} {
		if got := catalog.LimitInt(name[0], name[1]); got != want {
			t.Errorf("%v is %d, not %d", name, got, want)
		}
	}
	var roles []string
	for _, role := range catalog.AllPermissions().Roles {
		roles = append(roles, role.Label)
	}
	if want := []string{"Viewer", "Operator", "Manager", "Administrator", "Super", "Engineer"}; !slices.Equal(roles, want) {
		t.Errorf("roles %v", roles)
	}
	if states := []string{fleet.ExportRequested, fleet.ExportInProgress, fleet.ExportCompleted, fleet.ExportErrored}; !slices.Equal(states,
		[]string{"requested", "in_progress", "completed", "errored"}) {
		t.Errorf("export states %v", states)
	}
}
