package api_test

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"lightbar/internal/api"
	"lightbar/internal/testkit"
)

type shape struct {
	Ref        string `json:"$ref"`
	Type       any
	Format     string
	Pattern    string
	Properties map[string]shape
	Items      *shape
	Required   []string
}

type document struct {
	Paths map[string]map[string]struct {
		RequestBody struct {
			Content map[string]struct{ Schema shape }
		}
	}
	Components struct{ Schemas map[string]shape }
}

// bodies are the shapes of all bodies of the document, by "PUT /path", parts included.
func bodies(t *testing.T) map[string]map[string]shape {
	t.Helper()
	var d document
	if err := json.Unmarshal(api.Document(), &d); err != nil {
		t.Fatal(err)
	}
	out := map[string]map[string]shape{}
	for path, item := range d.Paths {
		for method, op := range item {
			if of, ok := op.RequestBody.Content["application/json"]; ok {
				parts := map[string]shape{}
				d.reach(of.Schema, parts)
				out[strings.ToUpper(method)+" "+path] = parts
			}
		}
	}
	return out
}

func (d *document) reach(s shape, out map[string]shape) {
	name := s.Ref[strings.LastIndex(s.Ref, "/")+1:]
	if s.Ref != "" {
		s = d.Components.Schemas[name]
	}
	if _, seen := out[name]; seen && name != "" {
		return
	}
	if out[name] = s; s.Items != nil {
		d.reach(*s.Items, out)
	}
	for _, property := range s.Properties {
		d.reach(property, out)
	}
}

// Every optional id and instant of every body: empty and null mean none, anything else is what it says or is refused.
//
// spec: 5.general.04 5.general.05
func TestOptionalIDsAndInstantsMayBeEmpty(t *testing.T) {
	patterns := map[string]int{}
	for op, parts := range bodies(t) {
		if strings.HasPrefix(op, "POST /ingest") {
			continue // read by its own law, which drops what is not understood (docs/ingest.md)
		}
		for name, part := range parts {
			for field, s := range part.Properties {
				if slices.Contains(part.Required, field) {
					continue
				}
				if s.Format != "uuid" && s.Format != "date-time" || s.Format == "uuid" && s.Pattern == "" {
					continue // an id whose format is only named is refused by its verb, which knows what empty means
				}
				if !strings.HasSuffix(s.Pattern, ")?$") {
					t.Errorf("%s: %s of %s can't be empty", op, field, name)
				}
				patterns[s.Pattern]++
				if types, ok := s.Type.([]any); !ok || !slices.Contains(types, any("null")) {
					t.Errorf("%s: %s of %s can't be null", op, field, name)
				}
			}
		}
	}
	if len(patterns) != 2 {
		t.Fatalf("%v", patterns)
	}
	for pattern := range patterns {
		p := regexp.MustCompile(pattern)
		good, bad := []string{"", "01a21f76-84b1-7683-a461-47b733f6258c", "01A21F76-84B1-7683-A461-47B733F6258C"}, []string{"abc", "0", " "}
		if strings.Contains(pattern, "[Tt]") {
			good = []string{"", "2026-11-21T10:42:07Z", "2026-11-21t10:42:07.25+02:00", "2026-12-31T23:59:60Z"}
			bad = []string{"2026-11-21T10:42:07", "2026-11-21", "2026-13-21T10:42:07Z", "tomorrow", "5", " "}
		}
		for _, text := range good {
			if !p.MatchString(text) {
				t.Errorf("%q is refused", text)
			}
		}
		for _, text := range bad {
			if p.MatchString(text) {
				t.Errorf("%q is taken", text)
			}
		}
	}
}

// spec: 5.general.04 5.general.05 7.closure.03 7.area.04
func TestEmptyAndOtherIDs(t *testing.T) {
	w := testkit.New(t)
	token := w.SignIn("administrator").AccessToken
	line := []any{map[string]any{"lat": 39.7, "lng": -75.5}, map[string]any{"lat": 39.71, "lng": -75.5}}
	paving := map[string]any{"description": "Paving", "direction": "N", "user_route": line}
	for _, field := range []string{"uuid", "organization_id", "thing_id", "responsible_user_id", "start_time", "end_time"} {
		for _, none := range []any{"", nil} {
			if r := w.Do(send("POST", "/api/organization/closure", token, with(paving, field, none))); r.Status != 201 {
				t.Errorf("%s %v: %d %s", field, none, r.Status, r.Text)
			}
		}
	}
	for field, sentence := range map[string]string{"uuid": "Must be a UUID", "thing_id": "Must be a UUID",
		"start_time": "Must be a date and time such as 2026-11-21T10:42:07Z", "end_time": "Must be a date and time such as 2026-11-21T10:42:07Z"} {
		for _, wrong := range []any{"abc", "2026-11-21T10:42:07"} {
			r := w.Do(send("POST", "/api/organization/closure", token, with(paving, field, wrong)))
			if r.Status != 422 || testkit.Decode[struct{ Fields map[string]string }](t, r).Fields[field] != sentence {
				t.Errorf("%s %v: %d %s", field, wrong, r.Status, r.Text)
			}
		}
	}
	const one, other = "01900000-0000-7000-8000-000000000001", "01900000-0000-7000-8000-000000000002"
	asked := 0
	for op, parts := range bodies(t) {
		path, isEdit := strings.CutPrefix(op, "PUT ")
		whole, ok := parts[writeShapeOf(parts)]
		if !isEdit || !ok || !strings.HasSuffix(path, "/{id}") || len(whole.Required) > 0 {
			continue
		}
		for _, field := range []string{"id", "uuid"} {
			if _, has := whole.Properties[field]; !has {
				continue
			}
			asked++
			request := send("PUT", "/api"+strings.Replace(path, "{id}", one, 1), token, map[string]any{field: other})
			r := w.Do(request)
			if r.Status != 422 || testkit.Decode[struct{ Fields map[string]string }](t, r).Fields[field] != "The id doesn't match the address." {
				t.Errorf("%s with another %s: %d %s", op, field, r.Status, r.Text)
			}
		}
	}
	if asked < 6 {
		t.Errorf("%d edits were asked", asked)
	}
}

// writeShapeOf is the name of the shape that the others are parts of.
func writeShapeOf(parts map[string]shape) string {
	for _, name := range slices.Sorted(maps.Keys(parts)) {
		if strings.HasSuffix(name, "Write") {
			return name
		}
	}
	return ""
}
