package store

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"lightbar/catalog"
	"lightbar/internal/fleet"
)

// What was required before the instant was kept counts from the last change.
func TestUpgradeDatesTheRequiredSecondFactor(t *testing.T) {
	path, db := olderDatabase(t, 2)
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

// Keys that were made before they had scopes go on doing what they did, and
// digests of requests made without a secret are forgotten.
func TestUpgradeGivesKeysTheirScopes(t *testing.T) {
	path, db := olderDatabase(t, 4)
	for _, insert := range []string{
		`INSERT INTO organization (id, name, email, address1, address2, city, state, postal_code, country_code, timezone, type_name, acs, infinite_timeout, wzdx,
contact_name, phone, cell_phone, responders_type, event_wording, billing_id, version, updated_at, deleted_at, mfa_required)
VALUES ('o', 'o', '', '', '', '', '', '', 'US', 'UTC', 'fleet', FALSE, FALSE, FALSE, '', '', '', 'none', 'default', '', 1, 77, 0, FALSE)`,
		`INSERT INTO api_key (id, organization_id, user_id, description, hash, prefix, scope, thing_id, created_at, expires_at, last_used_at, revoked_at)
VALUES ('gateway', 'o', '', '', '01', '', 'ingest', '', 1, 0, 0, 0), ('phone', 'o', '', '', '02', '', 'thing', 't', 1, 0, 0, 0)`,
		`INSERT INTO idempotency (key, actor_id, digest, status, answer, at) VALUES ('k', 'u', 'of a password', 200, '{}', 5)`,
	} {
		if _, err := db.ExecContext(t.Context(), insert); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	s := openHereFor(t, Options{Path: path})
	for id, want := range map[string]string{"gateway": "[ingest register]", "phone": "[]"} {
		if k, err := KeyByID(t.Context(), s.Reader(), id); err != nil || fmt.Sprint(k.Scopes) != want {
			t.Errorf("%s: %v, want %s (%v)", id, k.Scopes, want, err)
		}
	}
	if a, err := AnswerByKey(t.Context(), s.Reader(), "k", 0); err != nil || a.Digest != "" || a.Body != "{}" {
		t.Errorf("%+v %v", a, err)
	}
}

// A hundred thousand rows may wait for their seal, after an import: none of the
// looks at the next ones may sort them all.
func TestRowsThatWaitForTheirSealAreReadInOrder(t *testing.T) {
	s := openHereFor(t, Options{})
	rows, err := s.Reader().QueryContext(t.Context(), `EXPLAIN QUERY PLAN `+auditOfSeal.text, 0, 250)
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

// Who came by a provider and chose a password by mail loses it; what was given to them, and to others, stays.
func TestUpgradeTakesPasswordsMadePastTheProvider(t *testing.T) {
	path, db := olderDatabase(t, 4)
	run := func(text string, args ...any) {
		t.Helper()
		if _, err := db.ExecContext(t.Context(), text, args...); err != nil {
			t.Fatal(err)
		}
	}
	run(`INSERT INTO organization (id, name, email, address1, address2, city, state, postal_code, country_code, timezone, type_name, acs,
infinite_timeout, wzdx, contact_name, phone, cell_phone, responders_type, event_wording, billing_id, version, updated_at, deleted_at)
VALUES ('o', 'O', '', '', '', '', '', '', 'US', 'America/New_York', 'fleet', FALSE, FALSE, FALSE, '', '', '', 'none', 'default', '', 1, 1, 0)`)
	for _, u := range []struct {
		id, verb   string
		identity   bool
		breakGlass bool
	}{{"local", "reset_password", false, false}, {"chose", "reset_password", true, false}, {"given", "set_password", true, false},
		{"invited", "accept_invitation", true, false}, {"glass", "reset_password", true, true}} {
		run(`INSERT INTO app_user (id, organization_id, email, email_key, first_name, last_name, phone, address1, address2, city, state, postal_code,
country_code, role_id, password_hash, password_changed_at, suspended, awareness, sign_in_count, last_sign_in_at, version, updated_at, deleted_at, break_glass)
VALUES ($1, 'o', $1, $1, 'A', 'B', '', '', '', '', '', '', 'US', 'r', 'hash', 7, FALSE, FALSE, 0, 0, 1, 1, 0, $2)`, u.id, u.breakGlass)
		run(`INSERT INTO audit (id, at, actor_user_id, actor_key_id, organization_id, network, verb, noun, noun_id, before_doc, after_doc, request_id)
VALUES ($1, 1, $1, '', 'o', '', $2, 'user', $1, '', '', '')`, u.id, u.verb)
		if u.identity {
			run(`INSERT INTO identity (issuer, subject, user_id, created_at, last_used_at) VALUES ('i', $1, $1, 1, 1)`, u.id)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	s := openHereFor(t, Options{Path: path})
	for id, want := range map[string]string{"local": "hash", "chose": "", "given": "hash", "invited": "hash", "glass": "hash"} {
		if u, err := UserByID(t.Context(), s.Reader(), id); err != nil || u.PasswordHash != want || u.ShutOut || (u.PasswordChangedAt == 7) != (want != "") {
			t.Errorf("%s: %+v, want password %q (%v)", id, u, want, err)
		}
	}
}

// What follows from an asset's type is set right for assets whose type was changed before.
func TestUpgradeSetsWhatFollowsFromTheType(t *testing.T) {
	path, db := olderDatabase(t, 11)
	const insert = `INSERT INTO thing (id, thing_no, organization_id, external_id, system_name, system_key, nickname, vin, plate, registry, type_id, subtype_id, device_type,
in_service, publicly_alerting, alerting_reset_at, allowed_for_closures, allowed_for_test_mode, test_mode, r2r, responder, version, updated_at, deleted_at)
VALUES ($1, $2, 'o', '', $1, $1, '', '', '', '', $3, '', 'api', TRUE, TRUE, 0, $4, FALSE, FALSE, FALSE, $5, 1, 77, 0)`
	if _, err := db.ExecContext(t.Context(), `INSERT INTO organization (id, name, email, address1, address2, city, state, postal_code, country_code, timezone, type_name, acs, infinite_timeout,
wzdx, contact_name, phone, cell_phone, responders_type, event_wording, billing_id, version, updated_at, deleted_at, mfa_required)
VALUES ('o', 'o', '', '', '', '', '', '', 'US', 'UTC', 'fleet', FALSE, FALSE, FALSE, '', '', '', 'none', 'default', '', 1, 77, 0, FALSE)`); err != nil {
		t.Fatal(err)
	}
	for i, kind := range catalog.AllEnums().ThingTypes { // as an asset that was registered as the opposite
		if _, err := db.ExecContext(t.Context(), insert, kind.Name, i+1, kind.ID, kind.Name != "arrow_board", !kind.IsResponder); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	s := openHereFor(t, Options{Path: path})
	for _, kind := range catalog.AllEnums().ThingTypes {
		var responder, closures bool
		err := s.Reader().QueryRowContext(t.Context(), `SELECT responder, allowed_for_closures FROM thing WHERE id = $1`, kind.Name).Scan(&responder, &closures)
		if err != nil || responder != kind.IsResponder || closures != (kind.Name == "arrow_board") {
			t.Errorf("%s: responder %v, closures %v, %v", kind.Name, responder, closures, err)
		}
	}
}

// olderDatabase makes a database of an earlier schema and opens it as it is.
func olderDatabase(t *testing.T, version int64) (path string, db *sql.DB) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "lightbar.db")
	if err := (&Store{opts: Options{migrations: schemaUpTo(t, version)}}).fill(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", writerDSN(path, 1000))
	if err != nil {
		t.Fatal(err)
	}
	return path, db
}
