package store

import (
	"database/sql"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"lightbar/internal/fleet"
)

// What was required before the instant was kept counts from the last change.
func TestUpgradeDatesTheRequiredSecondFactor(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lightbar.db")
	before := fstest.MapFS{}
	for v := range int64(2) {
		name := fileOf(t, v+1)
		b, err := migrations.ReadFile("migrations/" + name)
		if err != nil {
			t.Fatal(err)
		}
		before[name] = &fstest.MapFile{Data: b}
	}
	if err := (&Store{opts: Options{migrations: before}}).fill(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", writerDSN(path, 1000))
	if err != nil {
		t.Fatal(err)
	}
	const insert = `INSERT INTO organization (id, name, email, address1, address2, city, state, postal_code, country_code, timezone, type_name, acs,
infinite_timeout, wzdx, contact_name, phone, cell_phone, responders_type, event_wording, billing_id, version, updated_at, deleted_at, mfa_required)
VALUES ($1, $1, '', '', '', '', '', '', 'US', 'America/New_York', 'fleet', FALSE, FALSE, FALSE, '', '', '', 'none', 'default', '', 1, 77, 0, $2)`
	for id, required := range map[string]bool{"strict": true, "free": false} {
		if _, err := db.ExecContext(t.Context(), insert, id, required); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	s := openHereFor(t, Options{Path: path})
	for id, want := range map[string]fleet.Instant{"strict": 77, "free": 0} {
		if o, err := OrganizationByID(t.Context(), s.Reader(), id); err != nil || o.MFARequiredAt != want {
			t.Errorf("%s: since %d, want %d (%v)", id, o.MFARequiredAt, want, err)
		}
	}
}

// A hundred thousand rows may wait for their seal, after an import: none of the
// looks at the next ones may sort them all.
func TestRowsThatWaitForTheirSealAreReadInOrder(t *testing.T) {
	s := openHereFor(t, Options{})
	rows, err := s.Reader().QueryContext(t.Context(), `EXPLAIN QUERY PLAN `+auditOfSeal, 0, 250)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := collect(rows, func(rows *sql.Rows) (step string, err error) {
		var id, parent, unused int
		return step, rows.Scan(&id, &parent, &unused, &step)
	})
	if err != nil || len(plan) != 1 || !strings.Contains(plan[0], "audit_seal_no") {
		t.Errorf("%q (%v)", plan, err)
	}
}
