// Package check helps tests of all rooms: what must not fail, what must be
// refused and how, and what stands in the database.
package check

import (
	"errors"
	"testing"

	"lightbar/catalog"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

// OK ends the test on an error.
func OK(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Refusal is the refusal that an error is; the test ends when it is none.
func Refusal(t testing.TB, err error) *fleet.Refusal {
	t.Helper()
	var refusal *fleet.Refusal
	if !errors.As(err, &refusal) {
		t.Fatalf("got %v, want a refusal", err)
	}
	return refusal
}

// Refused checks the machine code of a refusal.
func Refused(t testing.TB, err error, code string) *fleet.Refusal {
	t.Helper()
	var refusal *fleet.Refusal
	if !errors.As(err, &refusal) || refusal.Code != code {
		t.Fatalf("%v, want %s", err, code)
	}
	return refusal
}

// Code is the machine code of a refusal, "" for no error.
func Code(t testing.TB, err error) string {
	t.Helper()
	if err == nil {
		return ""
	}
	return Refusal(t, err).Code
}

// Role is the id of a role.
func Role(t testing.TB, name string) string {
	t.Helper()
	r, ok := catalog.RoleByName(name)
	if !ok {
		t.Fatalf("no role %s", name)
	}
	return r.ID
}

// Tamper changes the database behind the server's back.
func Tamper(t testing.TB, s *store.Store, statement string, args ...any) {
	t.Helper()
	OK(t, s.Write(t.Context(), func(tx *store.Tx) error {
		_, err := tx.ExecContext(t.Context(), statement, args...)
		return err
	}))
}

// Count answers a query for one number.
func Count(t testing.TB, s *store.Store, query string) (n int) {
	t.Helper()
	OK(t, s.Reader().QueryRowContext(t.Context(), query).Scan(&n))
	return n
}

// Audited counts the audit rows of an organization about one thing.
func Audited(t testing.TB, s *store.Store, organizationID, verb, noun, id string) int {
	t.Helper()
	rows, err := store.ListAudit(t.Context(), s.Reader(), organizationID, 0, 1000)
	OK(t, err)
	n := 0
	for _, r := range rows {
		if r.Verb == verb && r.Noun == noun && r.NounID == id {
			n++
		}
	}
	return n
}

// ID is an id as a write shape says it.
func ID(id string) *wire.ID { return new(wire.ID(id)) }
