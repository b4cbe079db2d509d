package contract_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"lightbar/internal/api"
	"lightbar/internal/app"
	"lightbar/internal/testkit/contract"
)

// unrecorded is what no recording shows, with the reason: errors by their code,
// properties as Shape.property and what is missing of them. The shorter the better.
var unrecorded = map[string]string{
	"asset_ambiguous":                       "needs a database of an earlier version (TestReportsByANameOfSeveralAreRefused)",
	"storage_read_only":                     "needs a file system that goes read-only under the server (TestAWriteThatFailsIsNamed lets the system say so)",
	"feed_encoding_unknown":                 "needs a publisher whose document is in no known encoding; a text that is sent is UTF-8 (TestFeedsInEveryEncoding)",
	"OrganizationRow.things_count absent":   "every role that sees organizations sees assets; the law does not rely on it",
	"MonthlyReport.is_deleted present":      "nothing deletes a report; a page may ask alike of all rows",
	"MonthlyReportWhole.is_deleted present": "the same",
	"PolledCommand.sent_at null":            "what a device is handed is sent", "PolledCommand.acknowledged_at not null": "what is acknowledged is not handed out again",
}

// kin are shapes of one Go type within another: what the one has shown of a property, the other has.
var kin = map[string]string{"Live": "Thing", "Thing": "Live", "NewKey": "Key", "Organization": "OrganizationRow", "OrganizationRow": "Organization"}

// documents are the published ones, which every recording is held against.
func documents(t *testing.T) (http, stream *contract.Document, files map[string][]byte) {
	t.Helper()
	files = recorded(t)
	if len(files) == 0 {
		t.Fatal("no recordings (go test ./internal/testkit/contract -run TestRecordings -update)")
	}
	return contract.Read(t, api.Document()), contract.Read(t, api.StreamDocument()), files
}

// operations are the schemas of an operation's JSON answers by status; nil for an answer that is a file.
func operations(d *contract.Document) map[string]map[string]any {
	out := map[string]map[string]any{}
	for _, item := range contract.At(d.Tree, "paths").(map[string]any) {
		for _, operation := range item.(map[string]any) {
			id := contract.At(operation, "operationId").(string)
			out[id] = map[string]any{}
			for status, response := range contract.At(operation, "responses").(map[string]any) {
				out[id][status] = contract.At(response, "content", "application/json", "schema")
			}
		}
	}
	return out
}

// outside are calls of no operation: pages of a browser, what everybody may read, and what there is not.
func outside(operation string) bool {
	return strings.HasPrefix(operation, "sso-") || strings.HasPrefix(operation, "feeds-") || slices.Contains([]string{"nothing", "profile", "readyz", "setup"}, operation)
}

// check holds every recording against its document; what it has shown of each property is in the documents' Seen.
func check(t *testing.T, http, stream *contract.Document, files map[string][]byte) (met map[string]bool, wrong []string) {
	t.Helper()
	say := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	met = map[string]bool{}
	answers := operations(http)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		base := strings.TrimSuffix(name[strings.Index(name, "/")+1:], ".json")
		kind, _, _ := strings.Cut(base, ".")
		if strings.HasPrefix(name, "stream/") {
			met[kind] = true
			for _, wrong := range stream.CheckShape(streamShape(kind), files[name]) {
				say("recordings/%s %s", name, wrong)
			}
			continue
		}
		var r recording
		must(t, json.Unmarshal(files[name], &r))
		status := strconv.Itoa(r.Status)
		schema, documented := answers[r.Operation][status]
		if !documented && !outside(r.Operation) {
			say("recordings/%s: the document does not say that %s answers %d", name, r.Operation, r.Status)
		}
		met[r.Operation+" "+status] = true
		var failure struct {
			Error   string
			Current json.RawMessage
			Data    struct{ Refused []struct{ Error string } }
		}
		_ = json.Unmarshal(r.Body, &failure)
		met["error "+failure.Error] = true
		for _, item := range failure.Data.Refused {
			met["error "+item.Error] = true
		}
		if _, code, _ := strings.Cut(base, "."); saysInWords(r, code) {
			met["error "+code] = true
		}
		if _, code, ok := strings.Cut(r.Headers["Location"], "?"); ok {
			met["error "+code[strings.Index(code, "=")+1:]] = true
		}
		if schema == nil && r.Status < 400 {
			continue // outside of the document: it says nothing of this
		}
		if schema == nil && len(r.Body) > 0 {
			schema = map[string]any{"$ref": "#/components/schemas/Failure"}
		}
		if len(r.Body) == 0 || r.Headers["Content-Type"] != "application/json" {
			continue
		}
		for _, wrong := range http.Check(schema, r.Body) {
			say("recordings/%s %s", name, wrong)
		}
		if failure.Error == "conflict" { // the present state is the row that a success would answer
			for _, wrong := range http.Check(contract.At(shapeOf(http, answers[r.Operation]["200"]), "properties", "data"), failure.Current) {
				say("recordings/%s .current%s", name, wrong)
			}
		}
	}
	return met, wrong
}

// shapeOf is the shape that a schema refers to.
func shapeOf(d *contract.Document, schema any) any {
	ref, _ := contract.At(schema, "$ref").(string)
	return d.Shapes[ref[strings.LastIndex(ref, "/")+1:]]
}

// streamShape is the shape of a recording of the stream.
func streamShape(kind string) string {
	for _, message := range app.StreamedTypes() {
		if kind == string(message.Type) {
			return "AnyMessage"
		}
	}
	if kind == "sent" {
		return "Command"
	}
	return "ServerFrame"
}

// Every recording is what the documents say, no field more and none less.
func TestEveryRecordingIsAsPublished(t *testing.T) {
	http, stream, files := documents(t)
	_, wrong := check(t, http, stream, files)
	for _, line := range wrong {
		t.Error(line)
	}
}

// Whatever the documents promise has been seen at least once: an answer of each
// operation, each error, each message and frame, and of each property that may
// be absent or null the one and the other.
func TestEveryShapeIsRecorded(t *testing.T) {
	http, stream, files := documents(t)
	met, wrong := check(t, http, stream, files)
	if len(wrong) > 0 {
		t.Fatal("there are recordings that are not as published")
	}
	missing := map[string]bool{}
	for id, answers := range operations(http) {
		for status := range answers {
			if status[0] == '2' && !met[id+" "+status] {
				missing[id+" "+status] = true
			}
		}
	}
	codes := map[string]any{}
	text, err := os.ReadFile("../../../catalog/errors.json")
	must(t, err)
	must(t, json.Unmarshal(text, &codes))
	for code := range codes {
		if !met["error "+code] {
			missing[code] = true
		}
	}
	for name := range contract.At(stream.Tree, "components", "messages").(map[string]any) {
		if !met[name] {
			missing[name] = true
		}
	}
	for _, name := range []string{"point", "heartbeat", "thing", "location", "admin"} {
		if !met[name] {
			missing[name] = true
		}
	}
	for name, seen := range stream.Seen {
		http.Seen[name] = http.Seen[name].And(seen)
	}
	for shape := range answered(http, stream) {
		for property, what := range lacking(http, shape) {
			missing[property+" "+what] = true
		}
	}
	for what := range missing {
		if unrecorded[what] == "" {
			t.Errorf("no recording of %s", what)
		}
	}
	for what := range unrecorded {
		if !missing[what] {
			t.Errorf("%s is recorded: take it out of unrecorded", what)
		}
	}
}

// sent are the shapes of the stream that clients send, and never read.
var sent = map[string]bool{"Command": true, "History": true, "StreamPosition": true}

// answered are the shapes that leave the server: requests have others.
func answered(http, stream *contract.Document) map[string]bool {
	out := map[string]bool{}
	var follow func(schema any)
	follow = func(schema any) {
		switch s := schema.(type) {
		case map[string]any:
			if ref, ok := s["$ref"].(string); ok {
				name := ref[strings.LastIndex(ref, "/")+1:]
				if !out[name] {
					out[name] = true
					follow(http.Shapes[name])
				}
			}
			for _, part := range s {
				follow(part)
			}
		case []any:
			for _, part := range s {
				follow(part)
			}
		}
	}
	for _, answers := range operations(http) {
		for _, schema := range answers {
			follow(schema)
		}
	}
	for name := range stream.Shapes {
		if sent[name] {
			continue
		}
		follow(map[string]any{"$ref": "#/components/schemas/" + name})
	}
	return out
}

// lacking says what no recording has shown of a shape's properties.
func lacking(d *contract.Document, shape string) map[string]string {
	out := map[string]string{}
	properties, _ := contract.At(d.Shapes[shape], "properties").(map[string]any)
	required, _ := contract.At(d.Shapes[shape], "required").([]any)
	for name, schema := range properties {
		key := shape + "." + name
		seen, optional := d.Seen[key], !slices.Contains(required, any(name))
		if other := kin[shape]; other != "" {
			seen = seen.And(d.Seen[other+"."+name])
		}
		switch {
		case !seen.Present:
			out[key] = "present"
		case !seen.Value:
			out[key] = "not null"
		case optional && !seen.Absent:
			out[key] = "absent"
		case nullable(schema) && !seen.Null:
			out[key] = "null"
		}
	}
	return out
}

func nullable(schema any) bool {
	if types, ok := contract.At(schema, "type").([]any); ok {
		return slices.Contains(types, any("null"))
	}
	parts, _ := contract.At(schema, "oneOf").([]any)
	return slices.ContainsFunc(parts, func(part any) bool { return contract.At(part, "type") == "null" })
}
