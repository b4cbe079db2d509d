package app_test

import (
	"encoding/json"
	"strings"
	"sync"
	"testing"

	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit"
	"lightbar/internal/wire"
)

// tamper changes the database behind the server's back.
func tamper(t *testing.T, s *store.Store, statement string, args ...any) {
	t.Helper()
	must(t, s.Write(t.Context(), func(tx *store.Tx) error {
		_, err := tx.ExecContext(t.Context(), statement, args...)
		return err
	}))
}

// spec: D.auth.08
func TestTheAuditChainFindsWhatWasChanged(t *testing.T) {
	const (
		alter    = `UPDATE audit SET after_doc = '{"role_id":"innocent"}' WHERE id = $1`
		backdate = `UPDATE audit SET at = at - 1 WHERE id = $1`
		remove   = `DELETE FROM audit WHERE id = $1`
		move     = `UPDATE audit SET seal_no = 2 WHERE id = $1`
		unseal   = `UPDATE audit SET seal_no = 0, mac = '' WHERE id = $1`
	)
	for name, c := range map[string]struct{ statement, says string }{
		"altered": {alter, "was altered"}, "backdated": {backdate, "was altered"}, "removed": {remove, "were removed or moved"},
		"moved": {move, "moved into seal 2"}, "taken out": {unseal, "were removed or moved"},
	} {
		t.Run(name, func(t *testing.T) {
			storetest.Each(t, func(t *testing.T, s *store.Store) {
				w := testkit.New(t, testkit.WithStore(s))
				victim := sealTwice(t, w)
				holds(t, w, "")
				tamper(t, s, c.statement, victim)
				proof, err := w.App.VerifyAudit(t.Context(), app.SystemActor(), "")
				must(t, err)
				if text := textOf(proof); !strings.Contains(text, c.says) {
					t.Errorf("%q does not say %q", text, c.says)
				}
			})
		})
	}
}

// textOf is all that a check found.
func textOf(proof app.AuditProof) string {
	var all []string
	for _, f := range proof.Faults {
		all = append(all, f.Kind+": "+f.Text)
	}
	return strings.Join(all, "\n")
}

// sealTwice makes two batches and answers a row of the first.
func sealTwice(t *testing.T, w *testkit.World) (rowID string) {
	t.Helper()
	must(t, w.App.SealAudit(t.Context()))
	_, err := w.App.CreateOrganization(t.Context(), app.SystemActor(), fleet.Organization{Name: "Second"})
	must(t, err)
	must(t, w.App.SealAudit(t.Context()))
	rows, err := store.AuditOfSeal(t.Context(), w.App.Store.Reader(), 1, 10)
	must(t, err)
	if len(rows) < 2 {
		t.Fatalf("%d rows in the first seal", len(rows))
	}
	return rows[1].ID
}

func holds(t *testing.T, w *testkit.World, expected string) app.AuditProof {
	t.Helper()
	proof, err := w.App.VerifyAudit(t.Context(), app.SystemActor(), expected)
	must(t, err)
	if len(proof.Faults) > 0 || proof.Seals < 2 || proof.Unsealed != 0 || proof.Head == "" {
		t.Fatalf("%+v", proof)
	}
	return proof
}

func TestTheAuditChainFindsAMissingEnd(t *testing.T) {
	w := testkit.New(t)
	sealTwice(t, w)
	head := holds(t, w, "").Head
	holds(t, w, head)
	tamper(t, w.App.Store, `DELETE FROM audit WHERE seal_no = $1`, 2)
	tamper(t, w.App.Store, `DELETE FROM audit_seal WHERE no = $1`, 2)
	proof, err := w.App.VerifyAudit(t.Context(), app.SystemActor(), head)
	must(t, err)
	if got := proof.Kinds(); len(proof.Faults) != 2 || len(got) != 1 || got[0] != app.FaultCut || !strings.Contains(textOf(proof), "expected head") {
		t.Errorf("%v", proof.Faults)
	}
	other := &app.App{Store: w.App.Store, Now: w.App.Now, ServerKey: []byte("a key of somebody who has the database alone")}
	if proof, err = other.VerifyAudit(t.Context(), app.SystemActor(), ""); err != nil || len(proof.Faults) == 0 {
		t.Errorf("another key computes the same chain: %v %v", proof, err)
	}
	if _, err = w.App.VerifyAudit(t.Context(), w.Actor("administrator"), ""); err == nil {
		t.Error("an administrator of an organization may verify the installation's chain")
	}
}

// The server goes on sealing while somebody looks: that is no fault.
func TestTheAuditChainHoldsWhileItGrows(t *testing.T) {
	w := testkit.New(t)
	sealTwice(t, w)
	looking := make(chan struct{})
	var sealing sync.WaitGroup
	sealing.Go(func() {
		for {
			select {
			case <-looking:
				return
			default:
			}
			if _, err := w.App.CreateOrganization(t.Context(), app.SystemActor(), fleet.Organization{Name: "More"}); err != nil {
				t.Error(err)
				return
			}
			if err := w.App.SealAudit(t.Context()); err != nil {
				t.Error(err)
				return
			}
		}
	})
	for range 40 {
		proof, err := w.App.VerifyAudit(t.Context(), app.SystemActor(), "")
		if err != nil || len(proof.Faults) > 0 {
			t.Errorf("%v %v", proof.Faults, err)
			break
		}
	}
	close(looking)
	sealing.Wait()
}

func TestAuditIsReadByAdministratorsOfTheOrganization(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		w := testkit.New(t, testkit.WithStore(s))
		admin := w.Actor("administrator")
		for _, name := range []string{"one", "two", "three"} {
			_, err := w.App.CreateUser(t.Context(), admin, app.NewUser{OrganizationID: w.Own.ID, Email: name + "@audit.example", FirstName: name,
				LastName: "Audited", RoleID: role(t, "viewer"), Password: "Str0ng&Password"})
			must(t, err)
		}
		rows, meta, err := w.App.ListAudit(t.Context(), admin, app.AuditQuery{Noun: "user", Verb: "create", PerPage: 2})
		must(t, err)
		if len(rows) != 2 || meta.Total != 3 || rows[0].Actor.ID != admin.UserID || rows[0].Actor.Name == "" || rows[0].At < rows[1].At || rows[0].Noun != "user" || rows[0].OrganizationID != w.Own.ID {
			t.Fatalf("%d of %d: %+v", len(rows), meta.Total, rows)
		}
		if doc, ok := rows[0].After.(json.RawMessage); !ok || !strings.Contains(string(doc), "@") {
			t.Errorf("after %s", rows[0].After)
		}
		for _, other := range []string{w.Accessed.ID, w.Foreign.ID, "01900000-0000-7000-8000-ffffffffffff"} {
			_, _, err = w.App.ListAudit(t.Context(), admin, app.AuditQuery{OrganizationID: other})
			refused(t, err, "not_found")
			_, err = w.App.ExportAudit(t.Context(), admin, app.AuditQuery{OrganizationID: other})
			refused(t, err, "not_found")
		}
		_, _, err = w.App.ListAudit(t.Context(), admin, app.AuditQuery{OrganizationID: app.AuditNobody})
		refused(t, err, "forbidden")
		_, _, err = w.App.ListAudit(t.Context(), w.Actor("manager"), app.AuditQuery{})
		refused(t, err, "forbidden")
		all, err := w.App.ExportAudit(t.Context(), admin, app.AuditQuery{Noun: "user", Verb: "create"})
		must(t, err)
		n := 0
		must(t, all(func(e wire.AuditEntry) error { n++; return nil }))
		if n != meta.Total {
			t.Errorf("%d rows exported of %d", n, meta.Total)
		}
	})
}
