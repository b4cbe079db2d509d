package laws

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"

	"lightbar/catalog"
)

// nouns are those that the product will get: a row of the catalog may wait for one of them.
var nouns = []string{"areas", "zones", "hazards", "closures", "feeds", "devices", "trips", "exports", "reports", "incidents", "what3words"}

// catalogRow is what the law asks of a row of the catalog.
type catalogRow struct {
	// due is the noun that the row waits for, empty for a row that counts today.
	due string
	// css is where a stylesheet holds the number, as usesOfStyles names it.
	css string
}

// decode reads a file of the catalog, without its comment.
func decode(t *testing.T, files fs.FS, name string) map[string]json.RawMessage {
	t.Helper()
	out := map[string]json.RawMessage{}
	text, err := fs.ReadFile(files, name)
	if err == nil {
		err = json.Unmarshal(text, &out)
	}
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	delete(out, "$comment")
	return out
}

// into decodes a part of a file.
func into[T any](t *testing.T, raw json.RawMessage) (out T) {
	t.Helper()
	if raw == nil {
		return out
	}
	if err := json.Unmarshal(raw, &out); err != nil {
		t.Fatalf("%s: %v", raw, err)
	}
	return out
}

// rowsOf are the rows of the catalog by kind and name: "limit status.staleAfterMs".
// A row that is an object says `due` itself; where rows are words or lists, a map `due` beside them does.
func rowsOf(t *testing.T, files fs.FS) map[string]catalogRow {
	t.Helper()
	out := map[string]catalogRow{}
	for group, raw := range decode(t, files, "limits.json") {
		for name, limit := range into[map[string]struct {
			Value    float64
			Due, CSS string
		}](t, raw) {
			r := catalogRow{due: limit.Due}
			if limit.CSS != "" {
				r.css = fmt.Sprintf("%s %gpx", limit.CSS, limit.Value)
			}
			out["limit "+group+"."+name] = r
		}
	}
	for code, raw := range decode(t, files, "errors.json") {
		out["error "+code] = catalogRow{due: into[struct{ Due string }](t, raw).Due}
	}
	words := decode(t, files, "texts.json")
	for name, operation := range into[map[string]struct{ Due string }](t, words["operations"]) {
		out["operation "+name] = catalogRow{due: operation.Due}
	}
	due := into[map[string]string](t, words["due"])
	for group, texts := range into[map[string]map[string]string](t, words["texts"]) {
		for name := range texts {
			out["text "+group+"."+name] = catalogRow{due: due[group+"."+name]}
		}
	}
	rights := decode(t, files, "permissions.json")
	due = into[map[string]string](t, rights["due"])
	for name := range into[map[string][]string](t, rights["requirements"]) {
		out["requirement "+name] = catalogRow{due: due[name]}
	}
	for _, name := range into[[]string](t, rights["permissions"]) {
		out["permission "+name] = catalogRow{due: due[name]}
	}
	due = into[map[string]string](t, decode(t, files, "enums.json")["due"])
	for name := range decode(t, files, "enums.json") {
		if name != "due" {
			out["enum "+name] = catalogRow{due: due[name]}
		}
	}
	return out
}

// A mark stands for a row: one that is left over would hide the next row of its name.
func TestEveryMarkHasItsRow(t *testing.T) {
	rows := strings.Join(slices.Collect(maps.Keys(rowsOf(t, catalog.Files))), "\n") + "\n"
	for _, name := range []string{"texts.json", "permissions.json", "enums.json"} {
		for mark := range into[map[string]string](t, decode(t, catalog.Files, name)["due"]) {
			if !strings.Contains(rows, " "+mark+"\n") {
				t.Errorf("catalog/%s marks %s as due, which it does not have", name, mark)
			}
		}
	}
}

// breaches says which rows nothing reads, and which wait for a noun though something reads them.
func breaches(rows map[string]catalogRow, uses map[string]bool) (out []string) {
	for _, name := range slices.Sorted(maps.Keys(rows)) {
		row := rows[name]
		switch used := uses[name] || uses[row.css]; {
		case row.due != "" && !slices.Contains(nouns, row.due):
			out = append(out, fmt.Sprintf("%s waits for %q, which is no noun to come", name, row.due))
		case row.due != "" && used:
			out = append(out, fmt.Sprintf("%s is used: take the mark \"due\" away", name))
		case row.due == "" && row.css != "" && !uses[row.css]:
			out = append(out, fmt.Sprintf("%s: no stylesheet holds %s", name, row.css))
		case row.due == "" && !used:
			out = append(out, fmt.Sprintf("%s: nothing of the product reads it. Use it, delete it, or mark it due with the noun that it waits for", name))
		}
	}
	return out
}

// One place says each number, text and code: a row that nothing reads says
// something else than the product does.
func TestEveryRowOfTheCatalogCounts(t *testing.T) {
	rows, uses := rowsOf(t, catalog.Files), usesOf(t)
	if len(rows) < 300 {
		t.Errorf("the catalog has only %d rows: is this test blind?", len(rows))
	}
	for _, breach := range breaches(rows, uses) {
		t.Error(breach)
	}
}

// files of a catalog that only a test knows.
type files map[string]string

func (f files) Open(name string) (fs.File, error) { return nil, fs.ErrNotExist }

func (f files) ReadFile(name string) ([]byte, error) { return []byte(f[name]), nil }

// The law sees a row of each kind that nothing reads, and a mark that has had its day.
func TestTheLawOfTheCatalogSees(t *testing.T) {
	rows := rowsOf(t, files{
		"limits.json": `{"status": {"staleAfterMs": {"value": 1, "due": "areas"}, "staleAfterYears": {"value": 1}}, "lists": {"pages": {"value": 1, "due": "dragons"}},
			"ui": {"sideNavPx": {"value": 161, "css": "--nav"}, "breakpointMd": {"value": 770, "css": "@media"}, "bottomNavPx": {"value": 70, "css": "--tabs"}}}`,
		"errors.json":      `{"conflict": {"status": 409}, "not_amused": {"status": 409}, "not_found": {"status": 404, "due": "zones"}}`,
		"texts.json":       `{"operations": {"things.load": {"due": "trips"}, "token": {}, "dragon.export": {}, "dragon.load": {}, "dragon.link": {"due": "reports"}}, "texts": {"session": {"idleTitle": "", "title": ""}, "passwordRules": {"digit": "", "rune": ""}}}`,
		"permissions.json": `{"permissions": ["thing:read", "dragon:read"], "requirements": {"VIEW_THINGS": [], "VIEW_DRAGONS": []}}`,
		"enums.json":       `{"compass": [], "dragons": [], "keyScopes": []}`,
	})
	unread := ": nothing of the product reads it. Use it, delete it, or mark it due with the noun that it waits for"
	want := []string{
		"enum dragons" + unread, "error not_amused" + unread, "error not_found is used: take the mark \"due\" away",
		`limit lists.pages waits for "dragons", which is no noun to come`,
		"limit status.staleAfterMs is used: take the mark \"due\" away", "limit status.staleAfterYears" + unread,
		"limit ui.breakpointMd: no stylesheet holds @media 770px", "limit ui.sideNavPx: no stylesheet holds --nav 161px",
		"operation dragon.export" + unread, "operation dragon.load" + unread, "operation things.load is used: take the mark \"due\" away",
		"permission dragon:read" + unread, "requirement VIEW_DRAGONS" + unread, "text passwordRules.rune" + unread, "text session.title" + unread,
	}
	if got := breaches(rows, usesOf(t)); !slices.Equal(got, want) {
		t.Errorf("the law says\n%s\nand not\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
