// Package check has helpers for the tests of all rooms: what must not fail, what
// must be refused and how, and what the database must contain.
package check

import (
	"encoding/json"
	"errors"
	"reflect"
	"slices"
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

// Full is a value that has something in every field.
func Full[T any](t testing.TB) (v T) {
	t.Helper()
	fill(t, reflect.ValueOf(&v).Elem(), reflect.TypeFor[T]().Name())
	return v
}

func fill(t testing.TB, v reflect.Value, at string) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(at)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(1_700_000_000_000)
	case reflect.Float64:
		v.SetFloat(1.5)
	case reflect.Uint8:
		v.SetUint(7)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(t, v.Elem(), at)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(t, v.Index(0), at)
	case reflect.Struct:
		for i := range v.NumField() {
			fill(t, v.Field(i), at+"."+v.Type().Field(i).Name)
		}
	default:
		t.Fatalf("%s is a %s", at, v.Kind())
	}
}

// Empty are the fields of a document that say nothing, as JSON shows it.
func Empty(t testing.TB, doc any) (names []string) {
	t.Helper()
	text, err := json.Marshal(doc)
	OK(t, err)
	var fields map[string]any
	OK(t, json.Unmarshal(text, &fields))
	for name, value := range fields {
		list, isList := value.([]any)
		if v := reflect.ValueOf(value); !v.IsValid() || v.IsZero() || isList && len(list) == 0 {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
