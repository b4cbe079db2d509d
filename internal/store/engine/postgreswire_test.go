package engine_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lightbar/internal/store"
	"lightbar/internal/store/engine"
	"lightbar/internal/store/storetest"
)

// Every host that a connection may go to is judged as pgx would connect, with
// what the environment and a service file add.
func TestInsecureHosts(t *testing.T) {
	services := filepath.Join(t.TempDir(), "services")
	if err := os.WriteFile(services, []byte("[far]\nhost=db.example\n\n[sure]\nhost=db.example\nsslmode=verify-full\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		at, env string
		want    string
	}{
		{"postgres://u@db.example/x", "", "db.example"},
		{"postgres://u@10.0.0.7/x", "", "10.0.0.7"},
		{"postgres://u@db.example/x?sslmode=disable", "", "db.example"},
		{"postgres://u@db.example/x?sslmode=allow", "", "db.example"},
		{"postgres://u@db.example/x?sslmode=require", "", "db.example"},
		{"postgres://u@db.example/x?sslmode=verify-ca", "", "db.example"},
		{"postgres://u@db.example/x?sslmode=verify-full", "", ""},
		{"postgres://u@localhost/x", "", ""},
		{"postgres://u@127.0.0.1/x", "", ""},
		{"postgres://u@[::1]/x?sslmode=disable", "", ""},
		{"postgres:///x?host=/run/postgresql", "", ""},
		{"postgres://u@localhost.db.example/x", "", "localhost.db.example"},
		{"postgres://u@localhost,db.example:5433,10.0.0.7/x", "", "db.example 10.0.0.7"},
		{"postgres://u@a.example,b.example/x?sslmode=verify-full", "", ""},
		{"postgres:///x", "PGHOST=db.example", "db.example"},
		{"postgres://u@db.example/x", "PGSSLMODE=verify-full", ""},
		{"postgres://u@db.example/x?sslmode=require", "PGSSLMODE=verify-full", "db.example"},
		{"postgres:///x?service=far&servicefile=" + services, "", "db.example"},
		{"postgres:///x?service=sure&servicefile=" + services, "", ""},
	} {
		t.Run(row.at+" "+row.env, func(t *testing.T) {
			for _, name := range []string{"PGHOST", "PGSSLMODE", "PGSERVICE", "PGSERVICEFILE", "PGSSLROOTCERT"} {
				t.Setenv(name, "")
			}
			if name, value, ok := strings.Cut(row.env, "="); ok {
				t.Setenv(name, value)
			}
			if got, err := engine.InsecureHosts(row.at); err != nil || strings.Join(got, " ") != row.want {
				t.Errorf("got %v (%v), want %q", got, err, row.want)
			}
		})
	}
}

// Nothing is sent to a host that is not verified, by opening or by restoring; the operator may accept it.
func TestAnUnverifiedWayToPostgresIsRefused(t *testing.T) {
	const words = "The connection to PostgreSQL on 192.0.2.1 would not be encrypted, or not verified; add sslmode=verify-full"
	o := store.Options{URL: "postgres://lightbar:hush@192.0.2.1/map?sslmode=require"}
	_, err := store.Open(t.Context(), o)
	if err == nil || !strings.HasPrefix(err.Error(), words) || strings.Contains(err.Error(), "hush") {
		t.Errorf("got %v", err)
	}
	o.AllowInsecure = true
	ctx, cancel := context.WithCancel(t.Context())
	cancel() // nobody is at that address
	if _, err := store.Open(ctx, o); err == nil || strings.HasPrefix(err.Error(), words) {
		t.Errorf("got %v", err)
	}
}

// A schema that is put before ours while the server runs hides no table of ours.
func TestOneSchemaOnThePath(t *testing.T) {
	at := storetest.PostgresURL(t)
	s, err := store.Open(t.Context(), store.Options{URL: at, Log: quiet()})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.Write(t.Context(), func(tx *store.Tx) error { return set(t.Context(), tx, "a", "ours") }); err != nil {
		t.Fatal(err)
	}
	runSQL(t, at, `DO $$ BEGIN EXECUTE format('CREATE SCHEMA %I', current_user); EXECUTE format('CREATE TABLE %I.setting (name TEXT, value TEXT)', current_user); END $$`)
	s.PG().Reset()
	for _, r := range []string{"pool", "transaction"} {
		var path, value string
		ask := func(r store.Reader) error {
			if err := r.QueryRowContext(t.Context(), `SHOW search_path`).Scan(&path); err != nil {
				return err
			}
			value, err = get(t.Context(), r, "a")
			return err
		}
		if r == "pool" {
			err = ask(s.Reader())
		} else {
			err = s.Write(t.Context(), func(tx *store.Tx) error { return ask(tx) })
		}
		if err != nil || value != "ours" || path != "public" {
			t.Errorf("%s: path %q, value %q, %v", r, path, value, err)
		}
	}
}
