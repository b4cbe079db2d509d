package authz_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"lightbar/internal/testkit"
)

// schema is as much of an OpenAPI schema as a hostile client needs.
type schema struct {
	Ref        string             `json:"$ref"`
	Type       any                `json:"type"`
	Properties map[string]*schema `json:"properties"`
	Required   []string           `json:"required"`
}

// bodies reads the body schema of every operation that has one.
func bodies(t *testing.T, w *testkit.World) map[string]*schema {
	t.Helper()
	var document struct {
		Paths map[string]map[string]struct {
			OperationID string `json:"operationId"`
			RequestBody struct {
				Content map[string]struct{ Schema *schema }
			} `json:"requestBody"`
		}
		Components struct{ Schemas map[string]*schema }
	}
	if err := json.Unmarshal([]byte(w.Do(testkit.Request{Path: "/api/openapi.json"}).Text), &document); err != nil {
		t.Fatal(err)
	}
	out := map[string]*schema{}
	for _, methods := range document.Paths {
		for _, o := range methods {
			s := o.RequestBody.Content["application/json"].Schema
			if s != nil && s.Ref != "" {
				s = document.Components.Schemas[s.Ref[strings.LastIndex(s.Ref, "/")+1:]]
			}
			if s != nil && len(s.Properties) > 0 {
				out[o.OperationID] = s
			}
		}
	}
	if len(out) < 15 {
		t.Fatalf("only %d bodies", len(out))
	}
	return out
}

func kindOf(s *schema) string {
	switch v := s.Type.(type) {
	case string:
		return v
	case []any:
		for _, one := range v {
			if text, ok := one.(string); ok && text != "null" {
				return text
			}
		}
	}
	return "any"
}

// wrongTypes are values that a kind of field must not take.
func wrongTypes(kind string) (out []string) {
	for of, value := range map[string]string{"string": `"7"`, "number": `1.5`, "boolean": `true`, "array": `[7]`, "object": `{"a": 7}`} {
		if of != kind {
			out = append(out, value)
		}
	}
	return out
}

// Hostile bodies, made from the document for every operation: wrong types,
// unknown fields, keys twice, too large, texts without end. None is a fault of
// the server, and the answer names the field.
func TestHostileBodies(t *testing.T) {
	if testing.Short() {
		t.Skip("some thousand requests: it runs without the race detector")
	}
	w := newWalk(t)
	body := bodies(t, w.World)
	for _, o := range operations(t, w.World) {
		s, ok := body[o.id]
		if !ok || strings.HasPrefix(o.id, "ingest") {
			continue
		}
		r := rules[o.id]
		send := func(text string) testkit.Response {
			path := "/api" + o.path
			for _, p := range r.at {
				if strings.Contains(path, "{"+p+"}") {
					path = strings.ReplaceAll(path, "{"+p+"}", r.path(w.lasting["own"]))
				}
			}
			role := "super"
			if r.needs == anyone {
				role = "nobody"
				w.Clock.Advance(2 * time.Second) // the brake on token calls is another test's
				w.tokens = map[string]string{}   // what was proved has become old
			}
			return w.Do(testkit.Request{Method: o.method, Path: path, Token: w.token(role), Body: text})
		}
		refuse := func(what, text string, statuses ...int) testkit.Response {
			answer := send(text)
			if !slices.Contains(statuses, answer.Status) {
				t.Errorf("%s with %s: %d %s", o.id, what, answer.Status, cut(answer.Text))
			}
			return answer
		}
		names := func(what, field string, answer testkit.Response) {
			var failure struct{ Fields map[string]string }
			_ = json.Unmarshal([]byte(answer.Text), &failure)
			if answer.Status == http.StatusUnprocessableEntity && failure.Fields[field] == "" {
				t.Errorf("%s with %s does not name %s: %s", o.id, what, field, cut(answer.Text))
			}
		}
		unread := []int{http.StatusBadRequest, http.StatusUnprocessableEntity}
		names("an unknown field", "is_deleted", refuse("an unknown field", `{"is_deleted": true}`, unread...))
		refuse("a list", `[]`, unread...)
		refuse("nothing", ``, unread...)
		refuse("half a body", `{"`, http.StatusBadRequest)
		most := 9 << 20
		if o.id == "importAreas" || o.id == "importHazards" || o.id == "checkFeed" { // files as text
			most = 15 << 20
		}
		refuse("too much", `{"x": "`+strings.Repeat("x", most)+`"}`, http.StatusRequestEntityTooLarge)
		for field, of := range s.Properties {
			refuse(field+" twice", fmt.Sprintf(`{%q: null, %q: null}`, field, field), http.StatusBadRequest)
			kind := kindOf(of)
			if kind == "any" {
				continue
			}
			for _, value := range wrongTypes(kind) {
				what := field + " = " + value
				names(what, field, refuse(what, fmt.Sprintf(`{%q: %s}`, field, value), unread...))
			}
			if kind == "string" {
				for _, text := range []string{strings.Repeat("x", 10_000), "a\u0000b", "line\r\nBcc: x@example.com", "<script>alert(1)</script>", "' OR ''='"} {
					quoted, _ := json.Marshal(text)
					if answer := send(fmt.Sprintf(`{%q: %s}`, field, quoted)); answer.Status >= 500 || answer.Status < 300 && len(text) > 5000 && field != "csv" && o.id != "revokeToken" { // an unknown token is no error there
						t.Errorf("%s with %s = %.20q…: %d %s", o.id, field, text, answer.Status, cut(answer.Text))
					}
				}
			}
		}
	}
}
