package engine_test

import (
	"testing"

	"github.com/jackc/pgx/v5"

	"lightbar/internal/store/pgtest"
	"lightbar/internal/store/storetest"
)

// What this package writes for each engine is watched on each.
func init() { storetest.Whole() }

func emptyPostgres(t *testing.T) string { return pgtest.URL(t, "", nil) }

// runSQL runs one statement as another program would.
func runSQL(t *testing.T, url, text string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	if _, err := conn.Exec(t.Context(), text); err != nil {
		t.Fatal(err)
	}
}
