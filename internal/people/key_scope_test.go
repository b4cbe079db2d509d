package people_test

import (
	"testing"

	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit"
	"lightbar/internal/wire"
)

// A key does what its scopes say and nothing else; the refusal names the scope that is missing.
func TestKeysDoWhatTheirScopesSay(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		w := testkit.New(t, testkit.WithStore(s))
		ctx := t.Context()
		thing, err := w.App.RegisterThing(ctx, access.System(), app.NewThing{OrganizationID: w.Own.ID, SystemName: "HA7-1", Type: "fire", DeviceType: "ha7"})
		must(t, err)
		for _, row := range []struct {
			in                         wire.KeyCreate
			reports, registers, config string // what is answered
		}{
			{wire.KeyCreate{}, "", "scope_register_missing", "not_found"},
			{wire.KeyCreate{Scopes: []string{"ingest"}}, "", "scope_register_missing", "not_found"},
			{wire.KeyCreate{Scopes: []string{"register"}}, "scope_ingest_missing", "", "scope_ingest_missing"},
			{wire.KeyCreate{Scopes: []string{"register", "ingest", "ingest"}}, "", "", "not_found"},
			{wire.KeyCreate{Scopes: []string{"alerts", "feeds"}}, "scope_ingest_missing", "scope_register_missing", "scope_ingest_missing"},
			{wire.KeyCreate{Scopes: access.AllScopes()}, "", "", "not_found"},
			{wire.KeyCreate{ThingID: wire.ID(thing.ID)}, "", "forbidden", "not_found"},
		} {
			row.in.OrganizationID, row.in.Description = wire.ID(w.Own.ID), "k"
			_, secret, err := w.App.CreateKey(ctx, access.System(), row.in)
			must(t, err)
			actor, err := w.App.AuthenticateKey(ctx, secret, "")
			must(t, err)
			_, reported := w.App.RecordPoints(ctx, actor, app.ReportBatch{Reports: []fleet.Report{{Kind: fleet.ReportHeartbeat, Asset: "HA7-1", At: fleet.InstantOf(w.App.Now())}}})
			_, registered := w.App.RegisterByKey(ctx, actor, []app.NewThing{{SystemName: "HA7-1", Type: "fire"}})
			_, configured := w.App.DeviceConfigForKey(ctx, actor, "HA7-1")
			for what, got := range map[string][2]string{"reports": {codeOf(t, reported), row.reports}, "registers": {codeOf(t, registered), row.registers},
				"configuration": {codeOf(t, configured), row.config}} {
				if got[0] != got[1] {
					t.Errorf("%v %q: %s %q, want %q", row.in.Scopes, row.in.ThingID, what, got[0], got[1])
				}
			}
		}
	})
}
