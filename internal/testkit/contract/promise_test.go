package contract_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"lightbar/internal/api"
	"lightbar/internal/testkit/contract"
)

const promiseFile = "testdata/promise.json"

// promises are what the documents say, flat: operations with their parts, and
// the fields of shapes, each with its kind such as "string(a|b) or null, optional".
func promises(http, stream *contract.Document) map[string]string {
	out := map[string]string{}
	for path, item := range contract.At(http.Tree, "paths").(map[string]any) {
		for method, operation := range item.(map[string]any) {
			name := "operation " + contract.At(operation, "operationId").(string)
			out[name] = strings.ToUpper(method) + " " + path
			parameters, _ := contract.At(operation, "parameters").([]any)
			for _, p := range parameters {
				required, _ := contract.At(p, "required").(bool)
				out[fmt.Sprintf("%s %v %v", name, contract.At(p, "in"), contract.At(p, "name"))] = kindOf(contract.At(p, "schema")) + optional(!required)
			}
			if body := contract.At(operation, "requestBody", "content", "application/json", "schema"); body != nil {
				out[name+" body"] = takenAs(http, kindOf(body))
			}
			for status, response := range contract.At(operation, "responses").(map[string]any) {
				if status[0] == '2' {
					out[name+" "+status] = kindOf(contract.At(response, "content", "application/json", "schema"))
				}
			}
		}
	}
	for name := range contract.At(stream.Tree, "components", "messages").(map[string]any) {
		out["stream "+name] = kindOf(contract.At(stream.Tree, "components", "messages", name, "payload"))
	}
	for shape, schema := range http.Shapes {
		if parts := contract.At(schema, "oneOf"); parts != nil {
			out["shape "+shape] = kindOf(schema)
		}
		properties, _ := contract.At(schema, "properties").(map[string]any)
		required, _ := contract.At(schema, "required").([]any)
		for property, field := range properties {
			out[shape+"."+property] = kindOf(field) + optional(!slices.Contains(required, any(property)))
		}
	}
	return out
}

// takenAs is the shape that a body is read by: that of edits, where a creation has the same with the fields that its law requires.
func takenAs(http *contract.Document, shape string) string {
	if contract.At(http.Shapes[shape], "x-held-by-law") == nil {
		return shape
	}
	return strings.TrimSuffix(shape, "Create") + "Write"
}

func optional(yes bool) string {
	if yes {
		return ", optional"
	}
	return ""
}

// kindOf names what a schema lets through.
func kindOf(schema any) string {
	if ref, ok := contract.At(schema, "$ref").(string); ok {
		return ref[strings.LastIndex(ref, "/")+1:]
	}
	var kinds []string
	null := false
	if parts, ok := contract.At(schema, "oneOf").([]any); ok {
		for _, part := range parts {
			if contract.At(part, "type") == "null" {
				null = true
			} else {
				kinds = append(kinds, kindOf(part))
			}
		}
	}
	switch types := contract.At(schema, "type").(type) {
	case string:
		kinds = append(kinds, types)
	case []any:
		for _, one := range types {
			if one == "null" {
				null = true
			} else {
				kinds = append(kinds, one.(string))
			}
		}
	}
	out := strings.Join(kinds, "|")
	if out == "" {
		out = "any"
	}
	if format, ok := contract.At(schema, "format").(string); ok {
		out += " " + format
	}
	if values, ok := contract.At(schema, "enum").([]any); ok {
		var texts []string
		for _, v := range values {
			texts = append(texts, fmt.Sprint(v))
		}
		out += "(" + strings.Join(texts, "|") + ")"
	}
	if items := contract.At(schema, "items"); items != nil {
		out += " of " + kindOf(items)
	}
	if values, ok := contract.At(schema, "additionalProperties").(map[string]any); ok {
		out += " of " + kindOf(values)
	}
	if null {
		out += " or null"
	}
	return out
}

// kept reports whether who relies on the old kind can live with the new one: a
// reader (of answers) of what may come, a writer (of requests) of what is taken.
func kept(old, now string, reader, writer bool) bool {
	oldKind, oldOptional := strings.CutSuffix(old, ", optional")
	nowKind, nowOptional := strings.CutSuffix(now, ", optional")
	oldKind, oldNull := strings.CutSuffix(oldKind, " or null")
	nowKind, nowNull := strings.CutSuffix(nowKind, " or null")
	if reader && (nowOptional && !oldOptional || nowNull && !oldNull) || writer && (oldOptional && !nowOptional || oldNull && !nowNull) {
		return false
	}
	oldBase, oldValues, oldEnum := strings.Cut(strings.TrimSuffix(oldKind, ")"), "(")
	nowBase, nowValues, nowEnum := strings.Cut(strings.TrimSuffix(nowKind, ")"), "(")
	if !strings.Contains(oldBase, " uuid") {
		nowBase = strings.ReplaceAll(nowBase, " uuid", "") // the document says what the text always was
		nowKind = strings.ReplaceAll(nowKind, " uuid", "")
	}
	if !oldEnum && nowEnum && oldKind == nowBase {
		return true // the document says which texts there always were; from then on they are promised
	}
	if !oldEnum || !nowEnum {
		return oldKind == nowKind || oldKind == "any" && reader && !writer // who read anything reads what is now said
	}
	for _, value := range strings.Split(oldValues, "|") {
		if !slices.Contains(strings.Split(nowValues, "|"), value) {
			return false
		}
	}
	return oldBase == nowBase
}

// broken says which promises are not kept, and which requests ask for more than they did.
func broken(old, now map[string]string, answers map[string]bool) (out []string) {
	// A union may gain members: readers pass over what they do not know.
	union := func(name string) string {
		if strings.HasPrefix(name, "shape ") {
			return "(" + now[name] + ")"
		}
		return now[name]
	}
	role := func(name string) (reader, writer bool) {
		shape, _, _ := strings.Cut(name, ".")
		if strings.HasPrefix(name, "operation ") {
			return strings.Contains(name, " 2"), !strings.Contains(name, " 2")
		}
		return answers[shape], !answers[shape]
	}
	for name, kind := range old {
		reader, writer := role(name)
		if strings.HasPrefix(name, "shape ") {
			kind = "(" + kind + ")"
		}
		switch is, there := union(name), now[name] != ""; {
		case !there:
			out = append(out, fmt.Sprintf("%s is lost; promised was %q", name, kind))
		case !kept(kind, is, reader, writer):
			out = append(out, fmt.Sprintf("%s is %q; promised was %q", name, is, kind))
		}
	}
	shapes := map[string]bool{}
	for name := range old {
		shape, _, _ := strings.Cut(name, ".")
		shapes[shape] = true
	}
	for name, kind := range now {
		shape, _, _ := strings.Cut(name, ".")
		if _, writer := role(name); writer && old[name] == "" && shapes[shape] && strings.Contains(name, ".") && !strings.HasSuffix(kind, ", optional") {
			out = append(out, fmt.Sprintf("%s is new and required: requests that worked do not any more", name))
		}
	}
	slices.Sort(out)
	return out
}

// The recordings are a promise: a shape may gain fields, and never lose or
// retype one. Programs and pages of before go on to work.
func TestShapesKeepTheirPromise(t *testing.T) {
	http, stream := contract.Read(t, api.Document()), contract.Read(t, api.StreamDocument())
	now := promises(http, stream)
	old := map[string]string{}
	b, err := os.ReadFile(promiseFile)
	if err != nil && !(*update && os.IsNotExist(err)) {
		t.Fatal(err)
	}
	if err == nil {
		must(t, json.Unmarshal(b, &old))
	}
	for _, what := range broken(old, now, answered(http, stream)) {
		t.Error(what)
	}
	if t.Failed() || maps.Equal(old, now) {
		return
	}
	if !*update {
		for _, name := range slices.Sorted(maps.Keys(now)) {
			if old[name] != now[name] {
				t.Errorf("%s is %q and not promised yet (-update adds it; was %q)", name, now[name], old[name])
			}
		}
		return
	}
	b, err = json.MarshalIndent(now, "", "  ")
	must(t, err)
	must(t, os.WriteFile(promiseFile, append(b, '\n'), 0o644))
}

func TestWhatBreaksAPromise(t *testing.T) {
	answers := map[string]bool{"Asset": true}
	whole := map[string]string{"shape Any": "A|B", "Asset.id": "string", "Asset.kind": "string(a|b)", "Asset.lat": "number double or null", "Asset.note": "string, optional", "Asset.was": "any", "Write.any": "any",
		"Write.name": "string", "Write.note": "string, optional", "operation get": "GET /a", "operation get 200": "Asset"}
	for _, row := range []struct{ name, kind, broken string }{
		{"Asset.id", "string uuid", ""}, {"Asset.more", "string", ""}, {"Asset.note", "string", ""}, {"Asset.lat", "number double", ""}, {"Asset.kind", "string(b|a|c)", ""},
		{"Write.more", "string, optional", ""}, {"Write.name", "string, optional", ""}, {"Write.name", "string(a|b)", ""}, {"Write.name", "integer(1|2)", "Write.name is"}, {"operation list", "GET /b", ""},
		{"shape Any", "B|A|C", ""}, {"shape Any", "A|C", "shape Any is"},
		{"Asset.id", "", "Asset.id is lost"}, {"Asset.id", "integer int64", `Asset.id is "integer int64"`}, {"Asset.id", "string or null", `Asset.id is "string or null"`},
		{"Asset.was", "Asset", ""}, {"Asset.was", "Asset, optional", "Asset.was is"}, {"Write.any", "string", "Write.any is"}, {"Asset.id", "string, optional", "Asset.id is"}, {"Asset.kind", "string(a)", "Asset.kind is"}, {"Asset.kind", "string", "Asset.kind is"},
		{"Asset.lat", "number float or null", "Asset.lat is"}, {"Write.more", "string", "Write.more is new and required"}, {"Write.note", "string", "Write.note is"},
		{"operation get", "GET /c", "operation get is"}, {"operation get 200", "Thing", "operation get 200 is"},
	} {
		now := maps.Clone(whole)
		now[row.name] = row.kind
		if row.kind == "" {
			delete(now, row.name)
		}
		if got := strings.Join(broken(whole, now, answers), "\n"); (got == "") != (row.broken == "") || !strings.HasPrefix(got, row.broken) {
			t.Errorf("%s as %q: %q, want %q", row.name, row.kind, got, row.broken)
		}
	}
}
