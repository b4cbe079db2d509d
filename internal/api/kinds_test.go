package api_test

import (
	"encoding/json"
	"strings"
	"testing"

	"lightbar/internal/api"
)

// A resource that has a version answers it as ETag, whatever asked for it; one
// that has none does not say that it did.
func TestResourcesAnswerTheirVersion(t *testing.T) {
	type schema struct {
		Ref        string `json:"$ref"`
		Properties map[string]struct {
			Ref  string `json:"$ref"`
			Type any    `json:"type"`
		}
	}
	var document struct {
		Paths map[string]map[string]struct {
			OperationID string `json:"operationId"`
			Responses   map[string]struct {
				Headers map[string]any
				Content map[string]struct{ Schema schema }
			}
		}
		Components struct{ Schemas map[string]schema }
	}
	must(t, json.Unmarshal(api.Document(), &document))
	named := func(ref string) schema { return document.Components.Schemas[ref[strings.LastIndex(ref, "/")+1:]] }
	versions := 0
	for _, methods := range document.Paths {
		for _, o := range methods {
			for status, answer := range o.Responses {
				ref := answer.Content["application/json"].Schema.Ref
				if status[0] != '2' || !strings.Contains(ref, "/One") || strings.HasPrefix(o.OperationID, "ingest") {
					continue
				}
				_, says := answer.Headers["ETag"]
				has := named(named(ref).Properties["data"].Ref).Properties["version"].Type == "integer"
				if has {
					versions++
				}
				if says != has {
					t.Errorf("%s: the resource has a version %t, the answer an ETag %t", o.OperationID, has, says)
				}
			}
		}
	}
	if versions < 13 {
		t.Errorf("only %d answers with a version", versions)
	}
}
