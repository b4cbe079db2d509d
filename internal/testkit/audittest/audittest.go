// Package audittest helps tests of the audit's chain: seals to make, and what a check of them must say.
package audittest

import (
	"errors"
	"strings"
	"testing"

	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/audit"
	"lightbar/internal/fleet"
	"lightbar/internal/record"
	"lightbar/internal/store"
	"lightbar/internal/testkit"
	"lightbar/internal/testkit/check"
)

// Statements of somebody who has the database alone.
const (
	BeginAnew = `UPDATE audit SET seal_no = 0, mac = ''`
	NoSeals   = `DELETE FROM audit_seal`
)

// Text is all that a check found.
func Text(proof audit.Proof) string {
	var all []string
	for _, f := range proof.Faults {
		all = append(all, f.Kind+": "+f.Text)
	}
	return strings.Join(all, "\n")
}

// SealTwice makes two batches and answers a row of the first.
func SealTwice(t testing.TB, w *testkit.World) (rowID string) {
	t.Helper()
	check.OK(t, w.App.Audit.Seal(t.Context()))
	_, err := w.App.CreateOrganization(t.Context(), access.System(), fleet.Organization{Name: "Second"})
	check.OK(t, err)
	check.OK(t, w.App.Audit.Seal(t.Context()))
	rows, err := store.AuditOfSeal(t.Context(), w.App.Store.Reader(), 1, 10)
	check.OK(t, err)
	if len(rows) < 2 {
		t.Fatalf("%d rows in the first seal", len(rows))
	}
	return rows[1].ID
}

// Holds wants a chain of two batches at least, without a fault.
func Holds(t testing.TB, w *testkit.World, expected string) audit.Proof {
	t.Helper()
	proof, err := w.App.Audit.Verify(t.Context(), access.System(), expected)
	check.OK(t, err)
	if len(proof.Faults) > 0 || proof.Seals < 2 || proof.Unsealed != 0 || proof.Head == "" {
		t.Fatalf("%+v", proof)
	}
	return proof
}

// Restarted is a new server over the same database, with the head that lies in headPath.
func Restarted(w *testkit.World, headPath string) *app.App {
	return app.New(app.Options{
		Base:          record.Base{Store: w.App.Store, Live: w.App.Live, Log: w.App.Log, Now: w.App.Now, NewID: w.App.NewID, ServerKey: w.App.ServerKey},
		AuditHeadPath: headPath,
	})
}

// More leaves a row that waits for its seal.
func More(t testing.TB, a *app.App) {
	t.Helper()
	_, err := a.CreateOrganization(t.Context(), access.System(), fleet.Organization{Name: "More"})
	check.OK(t, err)
}

// SealRefused seals and wants a fault of a kind.
func SealRefused(t testing.TB, a *app.App, kind string) {
	t.Helper()
	var fault *audit.Fault
	if err := a.Audit.Seal(t.Context()); !errors.As(err, &fault) || fault.Kind != kind {
		t.Fatalf("sealed: %v, want %s", err, kind)
	}
	if b := a.Audit.Broken(); b == nil || b.Kind != kind {
		t.Errorf("broken says %v", b)
	}
}

// Verified wants exactly these kinds of faults, in any order.
func Verified(t testing.TB, a *app.App, kinds ...string) audit.Proof {
	t.Helper()
	proof, err := a.Audit.Verify(t.Context(), access.System(), "")
	check.OK(t, err)
	got := map[string]bool{}
	for _, k := range proof.Kinds() {
		got[k] = true
	}
	for _, k := range kinds {
		if !got[k] {
			t.Errorf("does not name %q: %s", k, Text(proof))
		}
		delete(got, k)
	}
	if len(got) > 0 {
		t.Errorf("also names %v: %s", got, Text(proof))
	}
	return proof
}
