package store

import (
	"path/filepath"
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
	s := openHereFor(t, Options{Path: path, migrations: before})
	const insert = `INSERT INTO organization (id, name, email, address1, address2, city, state, postal_code, country_code, timezone, type_name, acs,
infinite_timeout, wzdx, contact_name, phone, cell_phone, responders_type, event_wording, billing_id, version, updated_at, deleted_at, mfa_required)
VALUES ($1, $1, '', '', '', '', '', '', 'US', 'America/New_York', 'fleet', FALSE, FALSE, FALSE, '', '', '', 'none', 'default', '', 1, 77, 0, $2)`
	for id, required := range map[string]bool{"strict": true, "free": false} {
		if err := s.Write(t.Context(), func(tx *Tx) error {
			_, err := tx.ExecContext(t.Context(), insert, id, required)
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = openHereFor(t, Options{Path: path})
	for id, want := range map[string]fleet.Instant{"strict": 77, "free": 0} {
		if o, err := OrganizationByID(t.Context(), s.Reader(), id); err != nil || o.MFARequiredAt != want {
			t.Errorf("%s: since %d, want %d (%v)", id, o.MFARequiredAt, want, err)
		}
	}
}
