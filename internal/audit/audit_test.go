package audit_test

import (
	"encoding/json"
	"strings"
	"sync"
	"testing"

	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/audit"
	"lightbar/internal/fleet"
	"lightbar/internal/record"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit"
	"lightbar/internal/wire"
)

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
				proof, err := w.App.Audit.Verify(t.Context(), access.System(), "")
				must(t, err)
				if text := textOf(proof); !strings.Contains(text, c.says) {
					t.Errorf("%q does not say %q", text, c.says)
				}
			})
		})
	}
}

func TestTheAuditChainFindsAMissingEnd(t *testing.T) {
	w := testkit.New(t)
	sealTwice(t, w)
	head := holds(t, w, "").Head
	holds(t, w, head)
	tamper(t, w.App.Store, `DELETE FROM audit WHERE seal_no = $1`, 2)
	tamper(t, w.App.Store, `DELETE FROM audit_seal WHERE no = $1`, 2)
	proof, err := w.App.Audit.Verify(t.Context(), access.System(), head)
	must(t, err)
	if got := proof.Kinds(); len(proof.Faults) != 2 || len(got) != 1 || got[0] != audit.FaultCut || !strings.Contains(textOf(proof), "expected head") {
		t.Errorf("%v", proof.Faults)
	}
	other := app.New(app.Options{
		Base: record.Base{Store: w.App.Store, Now: w.App.Now, ServerKey: []byte("a key of somebody who has the database alone")},
	})
	if proof, err = other.Audit.Verify(t.Context(), access.System(), ""); err != nil || len(proof.Faults) == 0 {
		t.Errorf("another key computes the same chain: %v %v", proof, err)
	}
	if _, err = w.App.Audit.Verify(t.Context(), w.Actor("administrator"), ""); err == nil {
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
			if _, err := w.App.CreateOrganization(t.Context(), access.System(), fleet.Organization{Name: "More"}); err != nil {
				t.Error(err)
				return
			}
			if err := w.App.Audit.Seal(t.Context()); err != nil {
				t.Error(err)
				return
			}
		}
	})
	for range 40 {
		proof, err := w.App.Audit.Verify(t.Context(), access.System(), "")
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
			_, err := w.App.CreateUser(t.Context(), admin, wire.UserCreate{OrganizationID: wire.ID(w.Own.ID), Email: name + "@audit.example", FirstName: name,
				LastName: "Audited", RoleID: wire.ID(role(t, "viewer")), Password: new("Str0ng&Password")})
			must(t, err)
		}
		rows, meta, err := w.App.Audit.List(t.Context(), admin, audit.Query{Noun: "user", Verb: "create", PerPage: 2})
		must(t, err)
		if len(rows) != 2 || meta.Total != 3 || rows[0].Actor.ID != admin.UserID || rows[0].Actor.Name == "" || rows[0].At < rows[1].At || rows[0].Noun != "user" || rows[0].OrganizationID != w.Own.ID {
			t.Fatalf("%d of %d: %+v", len(rows), meta.Total, rows)
		}
		if doc, ok := rows[0].After.(json.RawMessage); !ok || !strings.Contains(string(doc), "@") {
			t.Errorf("after %s", rows[0].After)
		}
		for _, other := range []string{w.Accessed.ID, w.Foreign.ID, "01900000-0000-7000-8000-ffffffffffff"} {
			_, _, err = w.App.Audit.List(t.Context(), admin, audit.Query{OrganizationID: other})
			refused(t, err, "not_found")
			_, err = w.App.Audit.Export(t.Context(), admin, audit.Query{OrganizationID: other})
			refused(t, err, "not_found")
		}
		_, _, err = w.App.Audit.List(t.Context(), admin, audit.Query{OrganizationID: audit.Nobody})
		refused(t, err, "forbidden")
		_, _, err = w.App.Audit.List(t.Context(), w.Actor("manager"), audit.Query{})
		refused(t, err, "forbidden")
		all, err := w.App.Audit.Export(t.Context(), admin, audit.Query{Noun: "user", Verb: "create"})
		must(t, err)
		n := 0
		must(t, all(func(e wire.AuditEntry) error { n++; return nil }))
		if n != meta.Total {
			t.Errorf("%d rows exported of %d", n, meta.Total)
		}
	})
}
