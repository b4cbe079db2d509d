package app_test

import (
	"encoding/json"
	"testing"

	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/testkit/check"
)

// What the audit keeps of an asset is copied by name: nothing is lost on the way.
func TestTheAuditKeepsAllOfAnAsset(t *testing.T) {
	thing := check.Full[fleet.Thing](t)
	doc := app.ThingDoc(&thing)
	if lost := check.Empty(t, doc); len(lost) > 0 {
		t.Errorf("nothing comes into %q", lost)
	}
	var kept map[string]any
	text, err := json.Marshal(doc)
	must(t, err)
	must(t, json.Unmarshal(text, &kept))
	if len(kept) != 18 {
		t.Errorf("%d fields are kept: %s", len(kept), text)
	}
}
