package app_test

import (
	"encoding/json"
	"testing"
	"time"

	"lightbar/internal/app"
	"lightbar/internal/live"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit/apptest"
	"lightbar/internal/wire"
)

// Whether an asset is a responder and may carry closures follows its type: by
// an edit, an import and its undo, in the picture, on the stream and after a start.
//
// spec: 9.list.02
func TestWhatFollowsFromTheTypeFollowsIt(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		k := apptest.New(t, s)
		o := k.Organization("A")
		admin := k.User(o.ID, "administrator")
		made, err := k.RegisterThing(t.Context(), admin, app.NewThing{OrganizationID: o.ID, SystemName: "U-0", Type: "other"})
		if err != nil {
			t.Fatal(err)
		}
		id := made.ID
		check := func(when string, responder, closures bool) {
			t.Helper()
			got, err := k.Thing(t.Context(), admin, id)
			if err != nil || got.IsResponder != responder || got.IsAllowedForClosures != closures {
				t.Errorf("%s: responder %v, closures %v, %v", when, got.IsResponder, got.IsAllowedForClosures, err)
			}
		}
		check("registered as other", false, false)
		items := itemsOnTheStream(t, k, 1, func() {
			fire := "01900000-0000-7000-8000-100000000001"
			if shown, err := k.UpdateThing(t.Context(), admin, id, wire.ThingWrite{ThingTypeID: idOf(fire)}); err != nil || !shown.IsResponder {
				t.Errorf("%+v %v", shown, err)
			}
		})
		for _, item := range items[o.ID] {
			var m struct{ Thing wire.Thing }
			if err := json.Unmarshal(item.Body, &m); err != nil || !m.Thing.IsResponder {
				t.Errorf("on the stream: %s %v", item.Body, err)
			}
		}
		check("edited to fire", true, false)
		k.Pass(time.Second)
		result := imported(t, k, admin, app.ThingImport{CSV: "haas_id,thing_type\r\nU-0,arrow_board\r\n"})
		check("imported as an arrow board", false, true)
		k.Open(s, live.Options{})
		check("after a start", false, true)
		k.Prove(admin)
		undone(t, k, admin, result.ImportID)
		check("import undone", true, false)
		k.Open(s, live.Options{})
		check("after another start", true, false)
	})
}
