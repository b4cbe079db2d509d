package api_test

import (
	"encoding/csv"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"lightbar/internal/testkit"
)

// A name that a spreadsheet would take for a formula is text in the audit's file.
func TestTheAuditsFileHoldsNoFormula(t *testing.T) {
	w := testkit.New(t)
	token := w.SignIn("administrator").AccessToken
	setUser(t, w, "administrator", "first_name", `＝HYPERLINK("https://evil.example")`)
	if r := w.Do(send("PUT", "/api/users/"+w.Users["viewer"].ID, token, map[string]string{"lastname": "Heron"})); r.Status != 200 {
		t.Fatalf("%d %s", r.Status, r.Text)
	}
	rows, err := csv.NewReader(strings.NewReader(w.Get("/api/audit/export?format=csv&verb=update", token).Text)).ReadAll()
	must(t, err)
	name := slices.Index(rows[0], "actor")
	if len(rows) != 2 || !strings.HasPrefix(rows[1][name], `'＝HYPERLINK`) {
		t.Errorf("%q", rows)
	}
	for _, row := range rows {
		for _, cell := range row {
			if first, _ := utf8.DecodeRuneInString(cell); cell != "" && strings.ContainsRune("=+-@\t\r\n＝＋－＠", first) {
				t.Errorf("%q is a formula", cell)
			}
		}
	}
}

// Behind two proxies the nearest hop says how it was spoken to: what a client
// writes in front of it counts for nothing.
func TestTheNearestHopSaysWhetherItIsTLS(t *testing.T) {
	w := testkit.New(t, testkit.WithAPI(proxied(true)))
	for header, secure := range map[string]bool{"https": true, "http": false, "https, http": false, "http, https": true} {
		in := signIn("viewer@demo.example", testkit.Password)
		in.Headers = map[string]string{"X-Forwarded-Proto": header}
		name := "lb_device"
		if secure {
			name = "__Host-lb_device"
		}
		if c := cookieNamed(t, w.Do(in), name); c.Secure != secure {
			t.Errorf("%q: %+v", header, c)
		}
	}
}
