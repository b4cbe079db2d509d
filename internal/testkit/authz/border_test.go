package authz_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit"
)

// parameters reads the names of every operation's parameters, by where they are.
func parameters(t *testing.T, w *testkit.World) map[string]map[string][]string {
	t.Helper()
	var document struct {
		Paths map[string]map[string]struct {
			OperationID string `json:"operationId"`
			Parameters  []struct{ Name, In string }
		}
	}
	if err := json.Unmarshal([]byte(w.Do(testkit.Request{Path: "/api/openapi.json"}).Text), &document); err != nil {
		t.Fatal(err)
	}
	out := map[string]map[string][]string{}
	for _, methods := range document.Paths {
		for _, o := range methods {
			out[o.OperationID] = map[string][]string{}
			for _, p := range o.Parameters {
				out[o.OperationID][p.In] = append(out[o.OperationID][p.In], p.Name)
			}
		}
	}
	return out
}

// unstorable are texts, escaped, that a database may not take as they are.
var unstorable = []string{"a%00b", "%ff", "%c0%80", "%ed%a0%80", strings.Repeat("x", 10_000), strings.Repeat("%e2%82%ac", 2000)}

// Texts that are no UTF-8, hold NUL or have no end, in each parameter and field
// of every operation, are never a fault of the server, whatever database is behind it.
func TestTextsThatNoDatabaseTakes(t *testing.T) {
	if testing.Short() {
		t.Skip("some thousand requests: it runs without the race detector")
	}
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		w := newWalk(t, testkit.WithStore(s))
		of, body := parameters(t, w.World), bodies(t, w.World)
		sent := 0
		for _, o := range operations(t, w.World) {
			if strings.HasPrefix(o.id, "ingest") {
				continue // not in this world
			}
			r := rules[o.id]
			send := func(what, path string, headers map[string]string, body ...any) {
				in := testkit.Request{Method: o.method, Path: path, Token: w.token("super"), Headers: headers}
				if r.needs == anyone {
					in.Token = ""
					w.Clock.Advance(2 * time.Second) // the brake on token calls is another test's
				}
				if r.body != nil {
					in.Body = r.body(func(string) *fixture { return w.lasting["own"] })
				}
				if len(body) > 0 {
					in.Body = body[0]
				}
				if answer := w.Do(in); answer.Status >= 500 || answer.Status == 0 {
					t.Errorf("%s with %s: %d %s", o.id, what, answer.Status, cut(answer.Text))
				}
				sent++
				if r.ends || o.method == http.MethodDelete {
					w.tokens = map[string]string{}
					w.Clock.Advance(2 * time.Second) // the brake on signing in, too
				}
			}
			filled := func(except, text string) string {
				path := "/api" + o.path
				for _, p := range of[o.id]["path"] {
					value := text
					if p != except {
						value = w.lasting["own"].thing
						if slices.Contains(r.at, p) {
							value = r.path(w.lasting["own"])
						}
					}
					path = strings.ReplaceAll(path, "{"+p+"}", value)
				}
				return path
			}
			for _, text := range unstorable {
				for _, p := range of[o.id]["path"] {
					send("path "+p+" = "+cut(text), filled(p, text), nil)
				}
				if o.method != http.MethodGet {
					continue // what it did could not be done twice
				}
				for _, p := range of[o.id]["query"] {
					send("query "+p+" = "+cut(text), filled("", "")+"?"+url.QueryEscape(p)+"="+text, nil)
				}
				send("an unknown query", filled("", "")+"?"+text+"="+text, nil)
			}
			if s := body[o.id]; s != nil {
				for field, schema := range s.Properties {
					if kindOf(schema) == "string" {
						send("field "+field, filled("", ""), nil, map[string]string{field: "a\x00b"})
					}
				}
			}
			if o.method == http.MethodGet || strings.Contains(o.id, "oken") {
				send("headers", filled("", ""), map[string]string{"User-Agent": "a\xffb", "Idempotency-Key": "a\xffb", "If-None-Match": "\xff", "Cookie": "x=\xff"})
			}
		}
		if sent < 500 {
			t.Errorf("only %d requests", sent)
		}
	})
}
