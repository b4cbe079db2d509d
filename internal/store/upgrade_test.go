package store

import (
	"database/sql"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"lightbar/catalog"
	"lightbar/internal/fleet"
	"lightbar/internal/store/backup"
	"lightbar/internal/store/engine"
	"lightbar/internal/store/migrations"
)

func openHereFor(t testing.TB, o Options) *Store {
	t.Helper()
	if o.Path == "" {
		o.Path = filepath.Join(t.TempDir(), "lightbar.db")
	}
	o.Log = slog.New(slog.NewTextHandler(io.Discard, nil))
	s, err := Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

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
	plan, err := engine.Collect(rows, func(rows *sql.Rows) (step string, err error) {
		var id, parent, unused int
		return step, rows.Scan(&id, &parent, &unused, &step)
	})
	if err != nil || len(plan) != 1 || !strings.Contains(plan[0], "audit_seal_no") {
		t.Errorf("%q (%v)", plan, err)
	}
}

// Each file that is imported asks what became of it before. The audit of a day may have a hundred thousand rows.
func TestImportsAreFoundByTheirFile(t *testing.T) {
	s := openHereFor(t, Options{})
	for text, args := range map[string][]any{importsOf.text: {"", "", "", 0, 1}, areImportsMarked: {"", 0}} {
		rows, err := s.Reader().QueryContext(t.Context(), `EXPLAIN QUERY PLAN `+text, args...)
		if err != nil {
			t.Fatal(err)
		}
		plan, err := engine.Collect(rows, func(rows *sql.Rows) (step string, err error) {
			var id, parent, unused int
			return step, rows.Scan(&id, &parent, &unused, &step)
		})
		if err != nil || !strings.Contains(strings.Join(plan, "; "), "SEARCH audit USING INDEX audit_version (noun=?") {
			t.Errorf("%q (%v)", plan, err)
		}
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
	if err := engine.Create(t.Context(), path, schemaUpTo(t, version)); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	return path, db
}

// An upgrade copies first; a step that fails leaves the old state and says where the copy is.
func TestUpgradeMakesACopyFirst(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lightbar.db")
	s := openHereFor(t, Options{Path: path})
	if err := s.Write(t.Context(), func(tx *Tx) error { return tx.PutSetting(t.Context(), "a", "") }); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	old := engine.SchemaVersion()
	next := schemaUpTo(t, old)
	broken := fstest.MapFS{"09000_broken.sql": {Data: []byte("-- +goose Up\nCREATE TABLE half (id TEXT);\nINSERT INTO nowhere VALUES (1);\n")}}
	good := fstest.MapFS{"09000_good.sql": {Data: []byte("-- +goose Up\nCREATE TABLE added (id TEXT);\n")}}
	for name, f := range next {
		broken[name], good[name] = f, f
	}
	key := filepath.Join(t.TempDir(), "server.key")
	if err := os.WriteFile(key, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := Open(t.Context(), Options{Path: path, Migrations: broken, Extras: []string{key, filepath.Join(t.TempDir(), "none")}})
	var u *engine.Unusable
	if !errors.As(err, &u) || !strings.Contains(u.Sentence, "could not be upgraded") || !strings.Contains(u.Sentence, "the copy made before is ") {
		t.Fatalf("got %v", err)
	}
	copies, err := filepath.Glob(filepath.Join(filepath.Dir(path), "backups", "before-version-9000-*"))
	if err != nil || len(copies) != 1 {
		t.Fatalf("copies: %v %v", copies, err)
	}
	if m, err := backup.Check(t.Context(), copies[0], nil); err != nil || m.SchemaVersion != old || m.Counts["setting"] != 1 || len(m.More) != 1 {
		t.Fatalf("copy %+v: %v", m, err)
	}
	if b, err := os.ReadFile(filepath.Join(copies[0], "server.key")); err != nil || string(b) != "secret" {
		t.Fatalf("the copy's key: %q %v", b, err)
	}
	s = openHereFor(t, Options{Path: path}) // the old state still runs
	if v, err := s.Version(t.Context()); err != nil || v != old {
		t.Fatalf("version %d, %v", v, err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = openHereFor(t, Options{Path: path, Migrations: good, Now: func() time.Time { return time.Now().Add(time.Hour) }})
	if v, err := s.Version(t.Context()); err != nil || v != 9000 {
		t.Fatalf("version %d, %v", v, err)
	}
}

// schemaUpTo are the migrations up to a version.
func schemaUpTo(t *testing.T, version int64) fstest.MapFS {
	t.Helper()
	entries, err := migrations.Files.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	out := fstest.MapFS{}
	for _, e := range entries {
		b, err := migrations.Files.ReadFile(e.Name())
		if err != nil {
			t.Fatal(err)
		}
		digits, _, _ := strings.Cut(e.Name(), "_")
		if n, err := strconv.ParseInt(digits, 10, 64); err == nil && n <= version {
			out[e.Name()] = &fstest.MapFile{Data: b}
		}
	}
	return out
}
