package api_test

import (
	"context"
	"fmt"
	"net/http"
	"net/netip"
	"strings"
	"testing"

	"lightbar/internal/api"
	"lightbar/internal/store"
	"lightbar/internal/testkit"
)

func cookieNamed(t *testing.T, r testkit.Response, name string) *http.Cookie {
	t.Helper()
	for _, c := range r.Cookies {
		if c.Name == name {
			return c
		}
	}
	t.Fatalf("no cookie %s in %v (%d %s)", name, r.Cookies, r.Status, r.Text)
	return nil
}

// proxied are options of a server behind a proxy on this machine, or of one that trusts nobody.
func proxied(trusted bool) api.Options {
	if !trusted {
		return api.Options{}
	}
	return api.Options{TrustedProxies: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")}}
}

// dumpTables is every value of every table with secrets in or near it, as text.
func dumpTables(t *testing.T, s *store.Store) string {
	t.Helper()
	var out strings.Builder
	for _, table := range []string{"setting", "organization", "app_user", "session", "session_token", "one_time", "sign_in_attempt", "known_device",
		"api_key", "totp", "passkey", "recovery_code", "mail", "audit", "refusal_count", "idempotency"} {
		rows, err := s.Reader().QueryContext(t.Context(), "SELECT * FROM "+table)
		must(t, err)
		columns, err := rows.Columns()
		must(t, err)
		for rows.Next() {
			values := make([]any, len(columns))
			pointers := make([]any, len(columns))
			for i := range values {
				pointers[i] = &values[i]
			}
			must(t, rows.Scan(pointers...))
			fmt.Fprintln(&out, table, values)
		}
		must(t, rows.Err())
		must(t, rows.Close())
	}
	return out.String()
}

func hasAudit(t *testing.T, w *testkit.World, organizationID, verb string) bool {
	t.Helper()
	rows, err := store.ListAudit(context.WithoutCancel(t.Context()), w.App.Store.Reader(), organizationID, 0, 1000)
	must(t, err)
	for _, r := range rows {
		if r.Verb == verb {
			return true
		}
	}
	return false
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
