package people_test

import (
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/audit"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/testkit"
	"lightbar/internal/wire"
)

func noSessions(t *testing.T, w *testkit.World, userID, after string) {
	t.Helper()
	if ids, err := store.LiveSessionsOf(t.Context(), w.App.Store.Reader(), userID); err != nil || len(ids) != 0 {
		t.Errorf("%s: %d sessions are not ended: %v", after, len(ids), err)
	}
}

// Moved and removed users leave no session that is only refused, not ended:
// lists, and whoever is put back later, would find it alive.
func TestSessionsEndWithThePlace(t *testing.T) {
	w := testkit.New(t)
	administrator := w.Actor("administrator")
	w.SignIn("operator")
	_, err := w.App.UpdateUser(t.Context(), administrator, w.Users["operator"].ID, wire.UserWrite{OrganizationID: idOf(w.Managed.ID)})
	must(t, err)
	noSessions(t, w, w.Users["operator"].ID, "moved")
	w.SignIn("viewer")
	must(t, w.App.DeleteUser(t.Context(), administrator, w.Users["viewer"].ID))
	noSessions(t, w, w.Users["viewer"].ID, "removed")
}

// The only administrator cannot be made something else, though nobody else is
// there: only leaving altogether closes an organization.
func TestTheOnlyUserStaysItsAdministrator(t *testing.T) {
	w := testkit.New(t)
	super, last := w.Actor("super"), w.Users["outsider"]
	for _, edit := range []wire.UserWrite{{RoleID: idOf(role(t, "manager"))}, {Suspended: new(true)}} {
		_, err := w.App.UpdateUser(t.Context(), super, last.ID, edit)
		refused(t, err, "last_administrator")
	}
	_, err := w.App.RegisterThing(t.Context(), access.System(), app.NewThing{OrganizationID: w.Foreign.ID, SystemName: "T-1", Type: "tow"})
	must(t, err)
	refused(t, w.App.DeleteUser(t.Context(), super, last.ID), "last_administrator") // somebody has to look after the asset
}

// Somebody who is suspended runs nothing: the other administrator stays.
func TestASuspendedAdministratorKeepsNoOrganizationAlive(t *testing.T) {
	w := testkit.New(t)
	super := w.Actor("super")
	other := w.AddUser("other@demo.example", w.Foreign.ID, "administrator")
	_, err := w.App.UpdateUser(t.Context(), super, other.ID, wire.UserWrite{Suspended: new(true)})
	must(t, err)
	_, err = w.App.UpdateUser(t.Context(), super, w.Users["outsider"].ID, wire.UserWrite{RoleID: idOf(role(t, "viewer"))})
	refused(t, err, "last_administrator")
	refused(t, w.App.DeleteUser(t.Context(), super, w.Users["outsider"].ID), "last_administrator")
	_, err = w.App.UpdateUser(t.Context(), super, other.ID, wire.UserWrite{Suspended: new(false)})
	must(t, err)
	must(t, w.App.DeleteUser(t.Context(), super, w.Users["outsider"].ID))
}

// Lists say truly whom one may edit: nobody who holds more.
func TestListsSayWhomOneMayEdit(t *testing.T) {
	w := testkit.New(t)
	for _, row := range []struct {
		actor, user string
		want        bool
	}{{"administrator", "super", false}, {"administrator", "manager", true}, {"administrator", "administrator", true}, {"super", "super", true}, {"manager", "viewer", false}} {
		m, err := w.App.Member(t.Context(), w.Actor(row.actor), w.Users[row.user].ID)
		if err != nil || m.CanEdit != row.want {
			t.Errorf("%s of %s: %v %v", row.actor, row.user, m.CanEdit, err)
		}
	}
}

// With an organization go its keys and its relations, in the rows themselves.
func TestNothingOfARemovedOrganizationStays(t *testing.T) {
	w := testkit.New(t)
	administrator := w.Actor("administrator")
	k, secret, err := w.App.CreateKey(t.Context(), access.System(), wire.KeyCreate{OrganizationID: wire.ID(w.Managed.ID), Description: "k"})
	must(t, err)
	must(t, w.App.DeleteOrganization(t.Context(), administrator, w.Managed.ID))
	if row, err := store.KeyByID(t.Context(), w.App.Store.Reader(), k.ID); err != nil || row.RevokedAt == 0 {
		t.Errorf("the key is not revoked: %+v %v", row, err)
	}
	var left int
	must(t, w.App.Store.Reader().QueryRowContext(t.Context(), `SELECT COUNT(*) FROM organization_relation WHERE organization_id = $1 OR other_id = $1`, w.Managed.ID).Scan(&left))
	if left != 0 {
		t.Errorf("%d relations stay", left)
	}
	// And were the key's row forgotten, the organization's would do.
	tamper(t, w.App.Store, `UPDATE api_key SET revoked_at = 0 WHERE id = $1`, k.ID)
	w.Clock.Advance(5 * time.Second)
	_, err = w.App.AuthenticateKey(t.Context(), secret, "")
	refused(t, err, "invalid_key")
}

// A key of one asset works for the owner that made it alone, and is shown so.
func TestAKeyOfAnAssetElsewhereIsDead(t *testing.T) {
	w := testkit.New(t)
	administrator := w.Actor("administrator")
	thing, err := w.App.RegisterThing(t.Context(), administrator, app.NewThing{OrganizationID: w.Own.ID, SystemName: "T-1", Type: "tow"})
	must(t, err)
	_, secret, err := w.App.CreateKey(t.Context(), administrator, wire.KeyCreate{Description: "phone", ThingID: wire.ID(thing.ID)})
	must(t, err)
	tamper(t, w.App.Store, `UPDATE thing SET organization_id = $1 WHERE id = $2`, w.Managed.ID, thing.ID)
	_, err = w.App.AuthenticateKey(t.Context(), secret, "")
	refused(t, err, "invalid_key")
	rows, _, err := w.App.ListKeys(t.Context(), administrator, nil)
	must(t, err)
	for _, row := range rows {
		if row.Description == "phone" && row.Works {
			t.Error("the list says that it works")
		}
	}
}

// A super user's look is written down again after a quarter of an hour, not for each poll.
func TestLooksOfASuperUserAreWrittenDownNowAndThen(t *testing.T) {
	w := testkit.New(t)
	super := w.Actor("super")
	looks := func(after time.Duration, want int) {
		t.Helper()
		w.Clock.Advance(after)
		w.App.NoteSuperAccess(t.Context(), super, "things", []string{w.Foreign.ID, w.Own.ID})
		if n := audits(t, w, w.Foreign.ID, "look", "things", ""); n != want {
			t.Errorf("%d looks, want %d", n, want)
		}
	}
	looks(0, 1)
	looks(15*time.Minute-time.Millisecond, 1)
	looks(time.Millisecond, 2)
	if n := audits(t, w, w.Own.ID, "look", "things", ""); n != 0 {
		t.Errorf("looking at one's own is written down %d times", n)
	}
}

// An export ends where it began in time; lists and exports are narrowed to who did it.
func TestAuditIsNarrowed(t *testing.T) {
	w := testkit.New(t)
	administrator, now := w.Actor("administrator"), fleet.InstantOf(w.Clock.Now())
	must(t, w.App.Store.Write(t.Context(), func(tx *store.Tx) error {
		for i, at := range []fleet.Instant{now, now.Add(time.Minute)} {
			row := fleet.AuditRow{ID: w.App.NewID(), At: at, OrganizationID: w.Own.ID, ActorUserID: []string{"one", "two"}[i], Verb: "try", Noun: "n"}
			if err := tx.InsertAudit(t.Context(), row); err != nil {
				return err
			}
		}
		return nil
	}))
	for actor, want := range map[string]int{"": 2, "one": 1, "two": 1, "three": 0} {
		rows, meta, err := w.App.Audit.List(t.Context(), administrator, audit.Query{Verb: "try", ActorID: actor})
		if err != nil || len(rows) != want || meta.Total != want {
			t.Errorf("by %q: %d rows of %d, want %d: %v", actor, len(rows), meta.Total, want, err)
		}
	}
	all, err := w.App.Audit.Export(t.Context(), administrator, audit.Query{Verb: "try"})
	must(t, err)
	n := 0
	must(t, all(func(wire.AuditEntry) error { n++; return nil }))
	if n != 1 {
		t.Errorf("%d rows: what happens during an export belongs to the next one", n)
	}
}
