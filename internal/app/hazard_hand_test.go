package app_test

import (
	"fmt"
	"testing"
	"time"

	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit/apptest"
	"lightbar/internal/wire"
)

func seenHazard(kind string) wire.HazardWrite {
	return wire.HazardWrite{Type: &kind, Lat: ref(39.7), Lng: ref(-75.5), Description: ref("  Ladder in the left lane ")}
}

// What somebody sees on the road is reported by hand: it lasts as long as its type does, unless they say until when; sent
// again it makes no second one; others confirm and clear it like any hazard, and drivers learn of it.
func TestAHazardByHand(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		k := apptest.New(t, s)
		a, b := k.Organization("A"), k.Organization("B")
		admin, viewer, foreign := k.User(a.ID, "operator"), k.User(a.ID, "viewer"), k.User(b.ID, "administrator")
		in := seenHazard("ice")
		in.UUID = ref(wire.ID("01900000-0000-7000-8000-0000000000aa"))
		row, again, err := k.Hazards.Create(t.Context(), admin, in)
		if must(t, err); again || !row.IsActive || row.Type != "ice" || row.Description != "Ladder in the left lane" || row.Lat != 39.7 || row.ExternalID != row.ID ||
			row.StartTime != k.At() || row.ExpiresAt != k.At().Add(12*time.Hour) || row.ReportedBy == nil || row.Source != fleet.HazardByHand {
			t.Fatalf("%+v", row)
		}
		k.Pass(time.Minute)
		if same, again, err := k.Hazards.Create(t.Context(), admin, in); err != nil || !again || same.StartTime != row.StartTime {
			t.Errorf("again: %+v %t %v", same, again, err)
		}
		other := seenHazard("fire")
		other.UUID = in.UUID
		_, _, err = k.Hazards.Create(t.Context(), admin, other)
		refused(t, err, "conflict")
		_, _, err = k.Hazards.Create(t.Context(), viewer, seenHazard("ice"))
		refused(t, err, "forbidden")
		strange := seenHazard("ice")
		strange.OrganizationID = ref(wire.ID(a.ID))
		_, _, err = k.Hazards.Create(t.Context(), foreign, strange)
		refused(t, err, "organization_not_found")
		if rows, _, err := k.Hazards.List(t.Context(), foreign, app.Rows{}); err != nil || len(rows) > 0 {
			t.Errorf("a stranger sees %+v %v", rows, err)
		}

		until := k.At().Add(3 * time.Hour)
		edited, err := k.Hazards.Edit(t.Context(), admin, row.ID, row.Version, wire.HazardWrite{Type: ref("snow"), ExpiresAt: &until, Lng: ref(-75.6)})
		if must(t, err); edited.Type != "snow" || edited.ExpiresAt != until || edited.Lng != -75.6 || edited.Lat != 39.7 || edited.StartTime != row.StartTime || edited.Version != 2 {
			t.Errorf("edited %+v", edited)
		}
		_, err = k.Hazards.Edit(t.Context(), admin, row.ID, 1, wire.HazardWrite{Type: ref("fog")})
		refused(t, err, "conflict")
		_, err = k.Hazards.Edit(t.Context(), viewer, row.ID, 0, wire.HazardWrite{Type: ref("fog")})
		refused(t, err, "forbidden")
		_, err = k.Hazards.Edit(t.Context(), foreign, row.ID, 0, wire.HazardWrite{Type: ref("fog")})
		refused(t, err, "not_found")

		cleared, err := k.ClearHazard(t.Context(), viewer, row.ID)
		if must(t, err); cleared.IsActive || cleared.ReportedBy == nil {
			t.Errorf("cleared %+v", cleared)
		}
		_, err = k.Hazards.Edit(t.Context(), admin, row.ID, 0, wire.HazardWrite{Type: ref("fog")})
		refused(t, err, "hazard_ended")
		back, err := k.ConfirmHazard(t.Context(), viewer, row.ID)
		if must(t, err); !back.IsActive || back.ExpiresAt != until {
			t.Errorf("back %+v", back)
		}

		refused(t, k.Hazards.Remove(t.Context(), viewer, row.ID), "forbidden")
		refused(t, k.Hazards.Remove(t.Context(), foreign, row.ID), "not_found")
		must(t, k.Hazards.Remove(t.Context(), admin, row.ID))
		refused(t, k.Hazards.Remove(t.Context(), admin, row.ID), "not_found")
		if h, err := store.Hazards.ByID(t.Context(), k.Store.Reader(), row.ID); err != nil || h.EndedAt == 0 || h.ReportedAt != 0 {
			t.Errorf("it has not ended, or a later report of it is not its beginning: %+v %v", h, err)
		}
		if rows, _, err := k.Hazards.List(t.Context(), admin, app.Rows{}); err != nil || len(rows) > 0 {
			t.Errorf("taken back: %+v %v", rows, err)
		}
		rows, _, err := k.Hazards.List(t.Context(), admin, app.Rows{Since: row.StartTime})
		if must(t, err); len(rows) != 1 || !rows[0].IsDeleted {
			t.Errorf("changes: %+v", rows)
		}
	})
}

// Each field that is wrong is named.
func TestAHazardByHandThatIsWrong(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	admin := k.User(k.Organization("A").ID, "administrator")
	for field, change := range map[string]func(*wire.HazardWrite){
		"type":        func(w *wire.HazardWrite) { w.Type = ref("moose") },
		"lat":         func(w *wire.HazardWrite) { w.Lat = ref(90.1) },
		"lng":         func(w *wire.HazardWrite) { w.Lng = nil },
		"description": func(w *wire.HazardWrite) { w.Description = ref("Ding\a") },
		"expires_at":  func(w *wire.HazardWrite) { w.ExpiresAt = ref(k.At()) },
	} {
		in := seenHazard("debris")
		change(&in)
		_, _, err := k.Hazards.Create(t.Context(), admin, in)
		if refusal := refusalOf(t, err); len(refusal.Fields) != 1 || refusal.Fields[field] == "" {
			t.Errorf("%s: %+v", field, refusal)
		}
	}
	late := seenHazard("road_damage")
	late.ExpiresAt = ref(k.At().Add(7*24*time.Hour + time.Minute))
	_, _, err := k.Hazards.Create(t.Context(), admin, late)
	refused(t, err, "validation_failed")
	none := seenHazard("debris")
	none.Lat, none.Lng = ref(0.0), ref(0.0)
	_, _, err = k.Hazards.Create(t.Context(), admin, none)
	refused(t, err, "validation_failed")
}

// What a sender said is the sender's to change, and an organization has only so many hazards, whoever reports them.
func TestAHazardByHandBesideThoseOfSenders(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	o := k.Organization("A")
	admin := k.User(o.ID, "administrator")
	many := make([]fleet.HazardReport, 2000)
	for i := range many {
		many[i] = danger(k, fmt.Sprint("M-", i), "ice")
	}
	took(t, "as many as there may be", tellHazards(t, k, o.ID, many...), 2000, 0)
	_, _, err := k.Hazards.Create(t.Context(), admin, seenHazard("ice"))
	refused(t, err, "hazard_limit")
	rows, _, err := k.Hazards.List(t.Context(), admin, app.Rows{})
	must(t, err)
	_, err = k.Hazards.Edit(t.Context(), admin, rows[0].ID, 0, wire.HazardWrite{Type: ref("fog")})
	refused(t, err, "hazard_of_sender")
	refused(t, k.Hazards.Remove(t.Context(), admin, rows[0].ID), "hazard_of_sender")
}
