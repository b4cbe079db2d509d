package api_test

import (
	"fmt"
	"net/url"
	"testing"

	"lightbar/internal/testkit"
	"lightbar/internal/wire"
)

// spec: 7.trip.01 7.thing.10 9.limits.12
func TestTripsAndCoverageAreAsked(t *testing.T) {
	w := testkit.New(t)
	token := w.SignIn("operator").AccessToken
	ids := url.Values{}
	for i := range 6 {
		ids.Add("thing_ids[]", registered(t, w, w.Own.ID, fmt.Sprintf("HA7-5%d", i), "ha7"))
	}
	one := ids["thing_ids[]"][0]
	span := func(from string) url.Values {
		return url.Values{"start_time": {from}, "end_time": {"2026-11-21T10:00:00Z"}, "run_date": {from}}
	}
	trips := "/api/things/" + one + "/trips?"
	if r := w.Get(trips+span("2026-11-20T10:00:00Z").Encode(), token); r.Status != 200 ||
		testkit.Decode[wire.Trips](t, r).Data.Runs == nil {
		t.Errorf("%d %s", r.Status, r.Text)
	}
	wants(t, w.Get(trips+span("2026-11-20T09:59:59Z").Encode(), token), 422, "validation_failed", "")
	if rows := rowsAt(t, w, "/api/things/coverage/?"+ids.Encode(), token); len(rows) != 6 {
		t.Errorf("coverage %v", rows)
	}
	export := span("2026-11-20T10:00:00Z")
	export["thing_ids[]"] = ids["thing_ids[]"]
	f := wants(t, w.Get("/api/things/trips/export?"+export.Encode(), token), 422, "validation_failed", "")
	if f.Fields["thing_ids[]"] != "5 Assets max" {
		t.Errorf("%+v", f)
	}
	export["thing_ids[]"] = export["thing_ids[]"][:5]
	if r := w.Get("/api/things/trips/export?"+export.Encode(), token); r.Status != 200 {
		t.Errorf("five assets: %d %s", r.Status, r.Text)
	}
}
