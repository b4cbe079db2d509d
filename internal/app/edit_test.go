package app_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit"
	"lightbar/internal/wire"
)

// throughTheDoor is one kind of edit.
type throughTheDoor struct {
	name, noun, verb string
	id               string
	good, bad        string // values that the law takes and refuses
	try              func(actor *access.Actor, value string, seen int64) error
	missing          string // the refusal of who does not reach it
	unseen           bool   // it says no version
	uncounted        bool   // its versions are not the noun's
	never            string // what refuses the same again; "" = nothing does, and nothing is written
	rows             int    // in the audit
}

func edits(t *testing.T, w *testkit.World) []throughTheDoor {
	ctx, system := t.Context(), access.System()
	made, err := w.App.RegisterThings(ctx, system, []app.NewThing{{OrganizationID: w.Own.ID, SystemName: "D-1", Type: "fire", DeviceType: "ha7"},
		{OrganizationID: w.Own.ID, SystemName: "D-2", Type: "fire"}})
	must(t, err)
	thing, given := made[0].ID, made[1].ID
	user := w.Users["viewer"].ID
	return []throughTheDoor{
		{name: "organization", noun: "organization", verb: "update", id: w.Own.ID, good: "Dana", bad: strings.Repeat("x", 101), missing: "organization_not_found", rows: 1,
			try: func(actor *access.Actor, value string, seen int64) error {
				_, err := w.App.UpdateOrganization(ctx, actor, w.Own.ID, wire.OrganizationWrite{ContactName: &value, IfMatch: seen})
				return err
			}},
		{name: "user", noun: "user", verb: "update", id: user, good: "Moore", bad: " ", missing: "user_not_found", rows: 1,
			try: func(actor *access.Actor, value string, seen int64) error {
				_, err := w.App.UpdateUser(ctx, actor, user, wire.UserWrite{LastName: &value, IfMatch: seen})
				return err
			}},
		{name: "asset", noun: "thing", verb: "update", id: thing, good: "Ladder 1", bad: " ", missing: "thing_not_found", rows: 1,
			try: func(actor *access.Actor, value string, seen int64) error {
				_, err := w.App.UpdateThing(ctx, actor, thing, wire.ThingWrite{Nickname: &value, IfMatch: seen})
				return err
			}},
		{name: "associations", noun: "thing", verb: "associate", id: thing, good: "accessor", bad: "owner", missing: "thing_not_found", unseen: true, rows: 1,
			try: func(actor *access.Actor, value string, _ int64) error {
				_, err := w.App.SetThingAssociations(ctx, actor, thing, []wire.RelationshipWrite{{OrganizationUUID: wire.ID(w.Foreign.ID), RelationshipType: value}})
				return err
			}},
		{name: "owner", noun: "thing", verb: "transfer", id: given, good: w.Managed.ID, bad: "nobody", missing: "thing_not_found", never: "validation_failed", rows: 2,
			try: func(actor *access.Actor, value string, seen int64) error {
				_, err := w.App.TransferThing(ctx, actor, given, value, seen)
				return err
			}},
		{name: "device", noun: "thing", verb: "configure", id: thing, good: "HA7-N", bad: "", missing: "thing_not_found", uncounted: true, rows: 2, // the edit, and the command to the device
			try: func(actor *access.Actor, value string, seen int64) error {
				said := app.DeviceConfigEdit{DeviceConfig: fleet.DeviceConfig{Model: value, Platform: "p", FileName: "f", HeartbeatIntervalS: 60, WarningLightPin: 1,
					IndicatorPin: 2, LocationType: "gps"}}
				if seen != 0 {
					said.IfMatch = &seen
				}
				_, err := w.App.SetDeviceConfig(ctx, actor, thing, said)
				return err
			}},
	}
}

// The door asks in one order, whatever the noun: permission, reach, version,
// law; what it refuses and what changes nothing leaves no trace, and what it lets
// through is in the audit and in the versions of the record.
func TestTheDoorOfEdits(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		w := testkit.New(t, testkit.WithStore(s))
		system := access.System()
		nobody := &access.Actor{UserID: "nobody", Permissions: map[string]bool{}}
		stranger := &access.Actor{UserID: "stranger", Permissions: system.Permissions, Organizations: map[string]access.Reach{}}
		const stale = 99
		for _, d := range edits(t, w) {
			t.Run(d.name, func(t *testing.T) {
				before := auditRows(t, s)
				refused(t, d.try(nobody, d.bad, stale), "forbidden")
				refused(t, d.try(stranger, d.bad, stale), d.missing)
				if !d.unseen {
					if r := refused(t, d.try(system, d.bad, stale), "conflict"); r.Current == nil {
						t.Error("a conflict says nothing of what stands now")
					}
				}
				var law *fleet.Refusal
				if err := d.try(system, d.bad, 0); !errors.As(err, &law) {
					t.Fatalf("the law takes %q: %v", d.bad, err)
				}
				if n := auditRows(t, s) - before; n != 0 {
					t.Errorf("what was refused left %d rows", n)
				}

				was := fleet.InstantOf(w.Clock.Now())
				w.Clock.Advance(time.Minute)
				must(t, d.try(system, d.good, 0))
				if n := auditRows(t, s) - before; n != d.rows {
					t.Errorf("%d rows in the audit, want %d", n, d.rows)
				}
				row := newestRow(t, s, d.verb)
				if row.Noun != d.noun || row.NounID != d.id || len(row.After) == 0 {
					t.Errorf("the row is of %s %s: %s", row.Noun, row.NounID, row.After)
				}
				if !d.uncounted {
					old, next := versionAt(t, s, d, was), versionAt(t, s, d, fleet.InstantOf(w.Clock.Now()))
					if next != old+1 && old != 0 { // the world's own users and organizations were made without the door
						t.Errorf("version %d after %d", next, old)
					}
				}

				if again := d.try(system, d.good, 0); d.never != "" {
					refused(t, again, d.never)
				} else {
					must(t, again)
				}
				if n := auditRows(t, s) - before; n != d.rows {
					t.Errorf("the same again left %d rows", n-d.rows)
				}
			})
		}
	})
}

func auditRows(t *testing.T, s *store.Store) (n int) {
	t.Helper()
	must(t, s.Reader().QueryRowContext(t.Context(), `SELECT COUNT(*) FROM audit`).Scan(&n))
	return n
}

func newestRow(t *testing.T, s *store.Store, verb string) fleet.AuditRow {
	t.Helper()
	var id string
	must(t, s.Reader().QueryRowContext(t.Context(), `SELECT id FROM audit WHERE verb = $1 ORDER BY at DESC, id DESC LIMIT 1`, verb).Scan(&id))
	row, err := store.AuditByID(t.Context(), s.Reader(), id)
	must(t, err)
	return row
}

func versionAt(t *testing.T, s *store.Store, d throughTheDoor, at fleet.Instant) int64 {
	t.Helper()
	doc, err := store.VersionAt(t.Context(), s.Reader(), d.noun, d.id, at)
	if errors.Is(err, store.ErrNotFound) {
		return 0
	}
	must(t, err)
	var said struct{ Version int64 }
	must(t, json.Unmarshal(doc, &said))
	return said.Version
}
