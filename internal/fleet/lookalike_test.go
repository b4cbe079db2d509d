package fleet_test

import (
	"testing"

	"lightbar/internal/fleet"
)

// Digits of every script are the plain ones.
func TestDigitsOfOtherScripts(t *testing.T) {
	for _, five := range []string{"５", "٥", "۵", "५", "๕", "𝟓"} {
		name := "Engine " + five
		if got := fleet.CheckLookAlike(name); got != "Use plain characters: this looks like Engine 5" {
			t.Errorf("%s: %q", name, got)
		}
		if got := fleet.LookOf(name); got != "ENGINE 5" {
			t.Errorf("%s looks like %s", name, got)
		}
	}
	if got := fleet.CheckLookAlike("Engine 5"); got != "" {
		t.Error(got)
	}
}
