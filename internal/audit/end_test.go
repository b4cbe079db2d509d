package audit_test

import (
	"strings"
	"testing"

	"lightbar/internal/access"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit"
)

// Whoever takes seals away or rewrites them is named, each in its own words.
func TestTheAuditChainNamesMissingAndRewrittenSeals(t *testing.T) {
	for name, c := range map[string]struct{ statement, says string }{
		"the last seal":  {`DELETE FROM audit_seal WHERE no = 2`, "Rows name seal 2, but the newest seal is 1: seals are missing at the end."},
		"all seals":      {`DELETE FROM audit_seal`, "Rows name seal 2, but the newest seal is 0: seals are missing at the end."},
		"the first seal": {`DELETE FROM audit_seal WHERE no = 1`, "Seal 1 is missing."},
		"previous":       {`UPDATE audit_seal SET previous_hash = '00' WHERE no = 2`, "Seal 2 does not follow seal 1: one of them was rewritten."},
		"its instant":    {`UPDATE audit_seal SET at = at - 60000 WHERE no = 2`, "does not match its rows."},
		"its hash":       {`UPDATE audit_seal SET hash = 'ff' WHERE no = 2`, "does not match its rows."},
		"its count":      {`UPDATE audit_seal SET row_count = row_count - 1 WHERE no = 1`, "1 were put in."},
	} {
		t.Run(name, func(t *testing.T) {
			storetest.Each(t, func(t *testing.T, s *store.Store) {
				w := testkit.New(t, testkit.WithStore(s))
				sealTwice(t, w)
				tamper(t, s, c.statement)
				proof, err := w.App.Audit.Verify(t.Context(), access.System(), "")
				must(t, err)
				if text := textOf(proof); !strings.Contains(text, c.says) {
					t.Errorf("%q does not say %q", text, c.says)
				}
			})
		})
	}
}

// More rows than one batch holds are sealed in one pass.
func TestOnePassSealsEverythingThatWaits(t *testing.T) {
	w := testkit.New(t)
	must(t, w.App.Store.Write(t.Context(), func(tx *store.Tx) error {
		for range 1001 {
			if err := tx.InsertAudit(t.Context(), fleet.AuditRow{ID: w.App.NewID(), At: fleet.InstantOf(w.Clock.Now()), Verb: "v", Noun: "n"}); err != nil {
				return err
			}
		}
		return nil
	}))
	must(t, w.App.Audit.Seal(t.Context()))
	if proof := holds(t, w, ""); proof.Rows < 1001 {
		t.Errorf("%+v", proof)
	}
}
