package fleet_test

import (
	"slices"
	"testing"

	"lightbar/catalog"
	"lightbar/internal/fleet"
)

// reasons are what screens call refusals of device actions.
var reasons = map[string]string{"device_unsupported": "hardware", "forbidden": "permission", "r2r_not_enabled": "enabled",
	"asset_status_invalid": "status"}

func reasonOf(r *fleet.Refusal) string {
	if r == nil {
		return ""
	}
	return reasons[r.Code]
}

// spec: 6.thing.02 6.thing.03
func TestDeviceActionVectors(t *testing.T) {
	for _, c := range vectors[cases[struct {
		Action      string
		DeviceType  string `json:"device_type"`
		Permissions []string
		ThingType   string `json:"thing_type"`
		R2R         bool
		Allowed     bool
		Status      string
		TestMode    bool `json:"test_mode"`
		Refused     *string
	}]](t, "commands.json").Cases {
		needs, law := "INVOKE_R2R", fleet.RefuseR2R
		if c.Action == fleet.CommandLight {
			needs, law = "CHANGE_LIGHT_INTENSITY", fleet.RefuseLight
		}
		may := slices.ContainsFunc(catalog.AllPermissions().Requirements[needs], func(p string) bool { return slices.Contains(c.Permissions, p) })
		want := ""
		if c.Refused != nil {
			want = *c.Refused
		}
		if got := reasonOf(law(fleet.CommandTarget{DeviceType: c.DeviceType, ThingType: c.ThingType, Status: c.Status, R2R: c.R2R,
			AllowedForTestMode: c.Allowed, TestMode: c.TestMode, IsAllowed: may})); got != want {
			t.Errorf("%+v: %q, not %q", c, got, want)
		}
	}
}

// The whole matrix: an action can be used exactly where nothing is in its way,
// and of several reasons the first one is given.
//
// spec: 1.feat.05 1.feat.06 1.feat.07 4.test.01
func TestDeviceActionMatrix(t *testing.T) {
	rank := []string{"hardware", "permission", "enabled", "status"}
	first := func(ways map[string]bool) string {
		for _, reason := range rank {
			if ways[reason] {
				return reason
			}
		}
		return ""
	}
	seen, bools := map[string]int{}, []bool{false, true}
	for _, device := range append([]string{"", "HA5"}, catalog.AllEnums().DeviceTypes...) {
		for _, kind := range catalog.AllEnums().ThingTypes {
			for _, status := range append([]fleet.Status{99}, fleet.StatusLocation, fleet.StatusActive, fleet.StatusStandby, fleet.StatusStationary, fleet.StatusPending, fleet.StatusOffline) {
				for bits := range 16 {
					may, r2r, allowed, testing := bools[bits&1], bools[bits>>1&1], bools[bits>>2&1], bools[bits>>3&1]
					target := fleet.CommandTarget{DeviceType: device, ThingType: kind.Name, Status: statusText(status), R2R: r2r,
						AllowedForTestMode: allowed, TestMode: testing, IsAllowed: may}
					responder := slices.Contains([]string{"fire", "police", "ambulance", "emergency_response"}, kind.Name)
					ours := device == "ha5" || device == "ha7"
					want := first(map[string]bool{"hardware": !ours, "permission": !may, "enabled": !r2r || !allowed || !responder,
						"status": !testing && status != fleet.StatusStandby && status != fleet.StatusStationary})
					if got := reasonOf(fleet.RefuseR2R(target)); got != want {
						t.Errorf("%+v: %q, not %q", target, got, want)
					}
					seen["r2r "+want]++
					want = first(map[string]bool{"hardware": !ours, "permission": !may, "status": status > fleet.StatusStationary})
					if got := reasonOf(fleet.RefuseLight(target)); got != want {
						t.Errorf("lights of %+v: %q, not %q", target, got, want)
					}
					seen["light "+want]++
				}
			}
		}
	}
	for _, name := range []string{"r2r ", "r2r hardware", "r2r permission", "r2r enabled", "r2r status", "light ", "light hardware", "light permission", "light status"} {
		if seen[name] == 0 {
			t.Errorf("no case of %q", name)
		}
	}
}

func statusText(s fleet.Status) string {
	if s > fleet.StatusOffline {
		return "on_fire"
	}
	return s.Wire()
}

// spec: 3.enum.06
func TestLightIntensities(t *testing.T) {
	for value, want := range map[string]bool{"low": true, "medium": true, "high": true, "": false, "off": false, "High": false, "max": false} {
		if got := fleet.IsLightIntensity(value); got != want {
			t.Errorf("%q: %t", value, got)
		}
	}
}
