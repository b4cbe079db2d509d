package app_test

import (
	"encoding/json"
	"testing"

	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/wire"
)

// zoneOf is what people see of a zone, whatever its version.
func zoneOf(t *testing.T, row wire.Zone) string {
	t.Helper()
	row.Version, row.UpdatedAt = 0, 0
	text, err := json.Marshal(row)
	must(t, err)
	return string(text)
}

// Every edit of a zone can be taken back, and a deleted zone comes back with the assets that alert in it.
func TestZonesAreUndone(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		st := newStreet(t, s)
		for what, edit := range map[string]wire.ZoneWrite{
			"its words":  {Description: ref("Another school"), AlertMessage: ref("Slow down"), ExternalID: ref("S-7")},
			"its type":   {TypeName: ref("work")},
			"its place":  {Features: wire.Geometry(thereShape)},
			"its expiry": {DefaultExpiry: ref(int64(900))},
		} {
			before, err := st.Zones.Read(t.Context(), st.admin, st.zone)
			must(t, err)
			changed, err := st.Zones.Edit(t.Context(), st.admin, st.zone, before.Version, edit)
			must(t, err)
			row, err := st.Zones.Undo(t.Context(), st.admin, st.zone, changed.Version)
			must(t, err)
			if zoneOf(t, row) != zoneOf(t, before) || row.Version != changed.Version+1 {
				t.Fatalf("%s: undone\n%s\nof\n%s\nnot\n%s", what, zoneOf(t, row), zoneOf(t, changed), zoneOf(t, before))
			}
		}
		st.send(st.at("U-0", 0, hereLat, "on"))
		row, err := st.Zones.Read(t.Context(), st.admin, st.zone)
		must(t, err)
		must(t, st.Zones.Remove(t.Context(), st.admin, st.zone))
		back, err := st.Zones.Undo(t.Context(), st.admin, st.zone, row.Version+1)
		must(t, err)
		if !back.IsActive || len(back.ActiveThings) != 1 || back.ActiveThings[0].ID != st.things[0].ID {
			t.Errorf("it came back as %+v", back)
		}
		list, _, err := st.ListUndo(t.Context(), st.admin, nil)
		must(t, err)
		if len(list) != 1 || list[0].Noun != "zone" || list[0].Verb != "restore" || list[0].Name != "School" {
			t.Errorf("it is listed as %+v", list)
		}
		gone, err := st.Zones.Undo(t.Context(), st.admin, st.zone, back.Version)
		must(t, err)
		if _, err := st.Zones.Read(t.Context(), st.admin, st.zone); !gone.IsDeleted || refusalOf(t, err).Code != "not_found" {
			t.Errorf("deleted again, it is %+v", gone)
		}
		viewer := st.User(st.admin.OrganizationID, "viewer")
		if _, err := st.Zones.Undo(t.Context(), viewer, st.zone, gone.Version); refusalOf(t, err).Code != "forbidden" {
			t.Errorf("by a viewer: %v", err)
		}
		if _, err := st.Zones.Undo(t.Context(), st.admin, st.zone, row.Version); refusalOf(t, err).Code != "conflict" {
			t.Errorf("of an earlier version: %v", err)
		}
	})
}

// What an earlier version of the server did not write of a zone, because it had no such field, stays as it is.
func TestAnUndoEmptiesNoFieldThatIsNew(t *testing.T) {
	st := newStreet(t, storetest.SQLite(t))
	told, err := st.Zones.Edit(t.Context(), st.admin, st.zone, 0, wire.ZoneWrite{AlertMessage: ref("Slow down")})
	must(t, err)
	edited, err := st.Zones.Edit(t.Context(), st.admin, st.zone, told.Version, wire.ZoneWrite{Description: ref("Another school")})
	must(t, err)
	spoil(t, st.Store, `UPDATE audit SET before_doc = replace(before_doc, '"alert_message":"Slow down",', '') WHERE noun_id = $1`, st.zone)
	row, err := st.Zones.Undo(t.Context(), st.admin, st.zone, edited.Version)
	if must(t, err); row.Description != "School" || row.AlertMessage != "Slow down" {
		t.Errorf("%+v", row)
	}
}
