package app_test

import (
	"slices"
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit/apptest"
	"lightbar/internal/wire"
)

const day = 24 * time.Hour

// A hold keeps what its organization has of a stretch of time until it is lifted; then the clock takes it.
func TestALegalHoldOutlastsTheClock(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		k := apptest.New(t, s)
		o, other := k.Organization("A"), k.Organization("B")
		admin := k.User(o.ID, "administrator")
		things := k.Things(o.ID, "E", 2)
		k.Things(other.ID, "F", 1)
		station, theirs := stationAt(t, k, o.ID, "S", 39.7), stationAt(t, k, other.ID, "T", 39.9)
		for n, asset := range []string{"E-0", "E-1", "F-0"} {
			of, lat := o.ID, 39.7
			if n == 2 {
				of, lat = other.ID, 39.9
			}
			at := k.At()
			heardFrom(t, k, of, standing(asset, at, lat, false), standing(asset, at.Add(20*time.Second), lat, false),
				standing(asset, at.Add(40*time.Second), lat+0.05, false), standing(asset, at.Add(time.Minute), lat+0.05, false))
		}
		k.Pass(time.Hour)
		from, to := k.At().Add(-day), k.At()
		hold, err := k.PlaceLegalHold(t.Context(), admin, wire.LegalHoldCreate{Reason: "  Case 17  ", FromAt: &from, ToAt: &to, ThingID: wire.ID(things[0].ID)})
		if err != nil || !hold.Stands || hold.Reason != "Case 17" || hold.ThingName != "E-0" || hold.PlacedByName != "Kit administrator" || hold.EndsAt != 0 {
			t.Fatalf("%+v %v", hold, err)
		}
		kind := func(name string) wire.KeptData {
			t.Helper()
			r, err := k.Retention(t.Context(), admin, o.ID)
			must(t, err)
			at := slices.IndexFunc(r.Kinds, func(d wire.KeptData) bool { return d.Kind == name })
			return r.Kinds[at]
		}
		visits := kind(fleet.DataVisits)
		if visits.OldestAt == 0 || *visits.KeptDays != 395 || visits.NextPurge != visits.OldestAt.Add(395*day) || visits.Holds != 1 || kind(fleet.DataHazards).Holds != 0 {
			t.Errorf("%+v", visits)
		}
		k.Pass(900 * day)
		must(t, k.Purge(t.Context()))
		left := func(area string) (n int) {
			t.Helper()
			must(t, s.Reader().QueryRowContext(t.Context(), "SELECT COUNT(*) FROM visit WHERE area_id = $1", area).Scan(&n))
			return n
		}
		if left(station.ID) != 1 || left(theirs.ID) != 0 {
			t.Errorf("held: %d of its organization, %d of another", left(station.ID), left(theirs.ID))
		}
		admin = k.User(o.ID, "administrator") // the session of long ago has gone, too
		k.Pass(day)
		refused(t, k.LiftLegalHold(t.Context(), admin, hold.ID), "step_up_required")
		k.Prove(admin)
		must(t, k.LiftLegalHold(t.Context(), admin, hold.ID))
		must(t, k.LiftLegalHold(t.Context(), admin, hold.ID))
		must(t, k.Purge(t.Context()))
		if left(station.ID) != 0 {
			t.Error("it is held after all")
		}
		rows, _, err := k.LegalHolds(t.Context(), admin, nil)
		if err != nil || len(rows) != 1 || rows[0].Stands || rows[0].LiftedAt != k.At() || rows[0].LiftedByName != "Kit administrator" {
			t.Errorf("%+v %v", rows, err)
		}
		var lifted int
		must(t, s.Reader().QueryRowContext(t.Context(), "SELECT COUNT(*) FROM audit WHERE noun = 'legal_hold' AND verb = 'lift'").Scan(&lifted))
		if lifted != 1 {
			t.Errorf("%d audit rows", lifted)
		}
	})
}

func TestLegalHoldsAreRefusedByName(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	o, other := k.Organization("A"), k.Organization("B")
	admin, viewer, outside := k.User(o.ID, "administrator"), k.User(o.ID, "manager"), k.User(other.ID, "administrator")
	ours, theirs := k.Things(o.ID, "E", 1)[0].ID, k.Things(other.ID, "F", 1)[0].ID
	at := func(d time.Duration) *fleet.Instant { return ptr(k.At().Add(d)) }
	for what, try := range map[string]struct {
		actor *access.Actor
		in    wire.LegalHoldCreate
		code  string
		field string
	}{
		"no permission":       {viewer, wire.LegalHoldCreate{Reason: "x"}, "forbidden", ""},
		"another's asset":     {admin, wire.LegalHoldCreate{Reason: "x", ThingID: wire.ID(theirs)}, "thing_not_found", ""},
		"another":             {admin, wire.LegalHoldCreate{Reason: "x", OrganizationID: wire.ID(other.ID)}, "organization_not_found", ""},
		"no reason":           {admin, wire.LegalHoldCreate{Reason: " "}, "validation_failed", "reason"},
		"a long reason":       {admin, wire.LegalHoldCreate{Reason: string(make([]byte, 301))}, "validation_failed", "reason"},
		"an end before":       {admin, wire.LegalHoldCreate{Reason: "x", FromAt: at(-day), ToAt: at(-2 * day)}, "validation_failed", "to"},
		"a start ahead":       {admin, wire.LegalHoldCreate{Reason: "x", FromAt: at(day)}, "validation_failed", "from"},
		"that ended long ago": {admin, wire.LegalHoldCreate{Reason: "x", EndsAt: at(-day)}, "validation_failed", "ends_at"},
	} {
		_, err := k.PlaceLegalHold(t.Context(), try.actor, try.in)
		if refusal := refusalOf(t, err); refusal.Code != try.code || try.field != "" && refusal.Fields[try.field] == "" {
			t.Errorf("%s: %+v", what, refusal)
		}
	}
	hold, err := k.PlaceLegalHold(t.Context(), admin, wire.LegalHoldCreate{Reason: "x", ThingID: wire.ID(ours), EndsAt: at(day)})
	must(t, err)
	refused(t, k.LiftLegalHold(t.Context(), outside, hold.ID), "not_found")
	_, _, err = k.LegalHolds(t.Context(), outside, []string{o.ID})
	refused(t, err, "not_found")
	_, err = k.Retention(t.Context(), outside, o.ID)
	refused(t, err, "not_found")
	_, _, err = k.LegalHolds(t.Context(), viewer, nil)
	refused(t, err, "forbidden")
	_, err = k.Storage(t.Context(), admin)
	refused(t, err, "forbidden")
	for range 99 {
		_, err := k.PlaceLegalHold(t.Context(), admin, wire.LegalHoldCreate{Reason: "x"})
		must(t, err)
	}
	_, err = k.PlaceLegalHold(t.Context(), admin, wire.LegalHoldCreate{Reason: "x"})
	refused(t, err, "legal_hold_limit")
	k.Pass(2 * day) // one has ended by itself
	_, err = k.PlaceLegalHold(t.Context(), admin, wire.LegalHoldCreate{Reason: "x"})
	must(t, err)
}

// An export of an organization under a hold keeps its row and files.
func TestALegalHoldKeepsExports(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	o := k.Organization("A")
	admin := k.User(o.ID, "administrator")
	k.Things(o.ID, "E", 1)
	title, start, end := "All", k.At().Add(-day), k.At()
	row, _, err := k.Exports.Create(t.Context(), admin, wire.ExportWrite{Kind: "asset", Title: &title, StartAt: &start, EndAt: &end})
	must(t, err)
	must(t, k.MakeExports(t.Context()))
	hold, err := k.PlaceLegalHold(t.Context(), admin, wire.LegalHoldCreate{Reason: "x"})
	must(t, err)
	k.Pass(40 * day)
	there := func() bool {
		t.Helper()
		must(t, k.PurgeExports(t.Context()))
		rows, _, err := k.Exports.List(t.Context(), admin, app.Rows{})
		must(t, err)
		return len(rows) == 1 && rows[0].ID == row.ID
	}
	if !there() {
		t.Error("it went")
	}
	k.Prove(admin)
	must(t, k.LiftLegalHold(t.Context(), admin, hold.ID))
	if there() {
		t.Error("it stays")
	}
}

// Every kind is told, with what the last turn of the clock took.
func TestStorageIsTold(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	o := k.Organization("A")
	k.Things(o.ID, "E", 1)
	stationAt(t, k, o.ID, "S", 39.7)
	at := k.At()
	heardFrom(t, k, o.ID, standing("E-0", at, 39.7, false), standing("E-0", at.Add(30*time.Second), 39.7, false), standing("E-0", at.Add(time.Minute), 39.8, false))
	super := k.User(o.ID, "super")
	super.Super = true
	of := func(name string) wire.StoredKind {
		t.Helper()
		out, err := k.Storage(t.Context(), super)
		if err != nil || len(out.Kinds) != len(fleet.DataKinds()) || out.Bytes == 0 || out.DiskFree == 0 || out.NextTurn != k.At().Add(app.PurgeEvery) {
			t.Fatalf("%+v %v", out, err)
		}
		return out.Kinds[slices.IndexFunc(out.Kinds, func(s wire.StoredKind) bool { return s.Kind == name })]
	}
	if audit := of(fleet.DataAudit); audit.Rows == 0 || audit.Bytes == 0 || audit.KeptDays != nil || audit.NextPurge != 0 || audit.OldestAt == 0 {
		t.Errorf("%+v", audit)
	}
	if visits := of(fleet.DataVisits); visits.Rows != 1 || visits.PerDay == 0 || visits.NextPurge != visits.OldestAt.Add(395*day) {
		t.Errorf("%+v", visits)
	}
	k.Pass(500 * day)
	must(t, k.Purge(t.Context()))
	if visits := of(fleet.DataVisits); visits.Rows != 0 || visits.Purged != 1 || visits.NextPurge != 0 {
		t.Errorf("%+v", visits)
	}
}
