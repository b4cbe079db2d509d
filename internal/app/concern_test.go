package app_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit"
	"lightbar/internal/testkit/apptest"
	"lightbar/internal/wire"
)

// Administrators see what of their organization needs them, and nothing of another.
func TestConcernsOfAnOrganization(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		w := testkit.New(t, testkit.WithStore(s))
		ctx, administrator := t.Context(), w.Actor("administrator")
		got, err := w.App.Concerns(ctx, administrator, w.Own.ID)
		must(t, err)
		before := len(got.Concerns)
		_, _, err = w.App.CreateKey(ctx, administrator, wire.KeyCreate{Description: "AVL gateway", OrganizationID: wire.ID(w.Own.ID),
			Scopes: []string{"ingest"}, ExpiresAt: ptr(w.App.Now().Add(20 * 24 * time.Hour).UTC().Format(time.RFC3339))})
		must(t, err)
		got, err = w.App.Concerns(ctx, administrator, w.Own.ID)
		if err != nil || len(got.Concerns) != before+1 || got.Concerns[0].Kind != "key_ends" || got.Concerns[0].Name != "AVL gateway" {
			t.Errorf("%+v %v", got, err)
		}
		_, err = w.App.Concerns(ctx, administrator, w.Users["outsider"].OrganizationID)
		refused(t, err, "not_found")
		_, err = w.App.Concerns(ctx, w.Actor("manager"), w.Own.ID)
		refused(t, err, "forbidden")
	})
}

// Who runs the server sees what it knows of itself.
func TestServerStatus(t *testing.T) {
	w := testkit.New(t)
	ctx := t.Context()
	_, err := w.App.ServerStatus(ctx, w.Actor("administrator"))
	refused(t, err, "forbidden")
	now := fleet.InstantOf(w.App.Now())
	folder := t.TempDir()
	for _, name := range []string{"lightbar-20261118T020000Z", "lightbar-20261117T020000Z", "lightbar-20261120T020000Z.partial", "notes"} {
		must(t, os.Mkdir(filepath.Join(folder, name), 0o700))
	}
	w.App.Around.BackupFolder = folder
	w.App.Around.Certificate = func() fleet.Certificate { return fleet.Certificate{EndsAt: now.Add(24 * time.Hour)} }
	got, err := w.App.ServerStatus(ctx, w.Actor("super"))
	must(t, err)
	kinds := map[string]bool{}
	for _, c := range got.Concerns {
		kinds[c.Kind] = true
	}
	if !kinds["certificate"] || !kinds["backup"] || !kinds["no_mail_server"] || got.MailServer || got.CertificateEndsAt != now.Add(24*time.Hour) ||
		got.BackupAt.Time().UTC().Format(time.RFC3339) != "2026-11-18T02:00:00Z" {
		t.Errorf("%+v", got)
	}
}

// An asset that was never heard needs somebody, unless it was taken out of service: then nobody expects it.
func TestConcernsLeaveOutOfServiceAssets(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	o := k.Organization("A")
	admin, things := k.User(o.ID, "administrator"), k.Things(o.ID, "U", 2)
	never := func() (n int64) {
		t.Helper()
		got, err := k.Concerns(t.Context(), admin, o.ID)
		must(t, err)
		for _, c := range got.Concerns {
			if c.Kind == fleet.ConcernNeverHeard {
				n += c.Count
			}
		}
		return n
	}
	if n := never(); n != 2 {
		t.Errorf("%d were never heard", n)
	}
	must(t, second(k.UpdateThing(t.Context(), admin, things[0].ID, wire.ThingWrite{InService: ref(false)})))
	if n := never(); n != 1 {
		t.Errorf("with one out of service: %d were never heard", n)
	}
}
