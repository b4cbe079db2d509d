package authz_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"testing"

	"lightbar/internal/testkit"
)

// Every creation needs exactly the fields that the document requires of it: without any one of them it is refused, with them
// alone it makes something. The bodies are those of the walk.
func TestCreationsNeedWhatTheDocumentRequires(t *testing.T) {
	w := newWalk(t)
	var document struct {
		Paths map[string]map[string]struct {
			OperationID string
			RequestBody struct {
				Content map[string]struct {
					Schema struct {
						Ref string `json:"$ref"`
					}
				}
			}
			Responses map[string]any
		}
		Components struct {
			Schemas map[string]struct{ Required []string }
		}
	}
	if err := json.Unmarshal([]byte(w.Do(testkit.Request{Path: "/api/openapi.json"}).Text), &document); err != nil {
		t.Fatal(err)
	}
	tried := 0
	for _, o := range operations(t, w.World) {
		op := document.Paths[o.path][map[string]string{http.MethodPost: "post"}[o.method]]
		body := op.RequestBody.Content["application/json"].Schema.Ref
		if op.Responses["201"] == nil || body == "" {
			continue
		}
		required := document.Components.Schemas[body[len("#/components/schemas/"):]].Required
		if len(required) == 0 {
			t.Errorf("%s requires nothing", o.id)
		}
		whole := request(o, rules[o.id], func(string) *fixture { return w.fixture("own") }).Body.(object)
		tried++
		send := func(without string) testkit.Response {
			sent := object{}
			for _, field := range required {
				if field != without {
					sent[field] = whole[field]
				}
			}
			return w.Do(testkit.Request{Method: o.method, Path: "/api" + o.path, Body: sent, Token: w.token("administrator")})
		}
		for _, field := range required {
			r := send(field)
			var failure struct{ Fields map[string]string }
			_ = json.Unmarshal([]byte(r.Text), &failure)
			if named := slices.Collect(maps.Keys(failure.Fields)); r.Status != http.StatusUnprocessableEntity || !slices.Equal(named, []string{field}) {
				t.Errorf("%s without %s: %d %s", o.id, field, r.Status, cut(r.Text))
			}
		}
		if r := send(""); r.Status != http.StatusCreated {
			t.Errorf("%s with %q alone: %d %s", o.id, required, r.Status, cut(r.Text))
		}
	}
	if tried < 11 {
		t.Errorf("only %d creations", tried)
	}
}
