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

// unasked are rows that nothing reads and that the requirements name all the same, with the reason.
var unasked = map[string]string{
	"permission heatmap:create": "6.string.03 names it; the density view is drawn from what the markers show, so nobody creates one",
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

// rowsOf are the rows of the catalog by kind and name, "limit status.staleAfterMs", with where a stylesheet holds the
// number, as usesOfStyles names it; empty for all others.
func rowsOf(t *testing.T, files fs.FS) map[string]string {
	t.Helper()
	out := map[string]string{}
	for group, raw := range decode(t, files, "limits.json") {
		for name, limit := range into[map[string]struct {
			Value float64
			CSS   string
		}](t, raw) {
			out["limit "+group+"."+name] = ""
			if limit.CSS != "" {
				out["limit "+group+"."+name] = fmt.Sprintf("%s %gpx", limit.CSS, limit.Value)
			}
		}
	}
	for code := range decode(t, files, "errors.json") {
		out["error "+code] = ""
	}
	words := decode(t, files, "texts.json")
	for name := range into[map[string]json.RawMessage](t, words["operations"]) {
		out["operation "+name] = ""
	}
	for group, texts := range into[map[string]map[string]string](t, words["texts"]) {
		for name := range texts {
			out["text "+group+"."+name] = ""
		}
	}
	rights := decode(t, files, "permissions.json")
	for name := range into[map[string][]string](t, rights["requirements"]) {
		out["requirement "+name] = ""
	}
	for _, name := range into[[]string](t, rights["permissions"]) {
		out["permission "+name] = ""
	}
	for name := range decode(t, files, "enums.json") {
		out["enum "+name] = ""
	}
	return out
}

// breaches says which rows nothing reads, and which are said to be unasked and are read, or are gone.
func breaches(rows map[string]string, uses map[string]bool, unasked map[string]string) (out []string) {
	for _, name := range slices.Sorted(maps.Keys(rows)) {
		switch css := rows[name]; {
		case unasked[name] != "":
		case css != "" && !uses[css]:
			out = append(out, fmt.Sprintf("%s: no stylesheet holds %s", name, css))
		case !uses[name] && !uses[css]:
			out = append(out, name+": nothing of the product reads it. Use it, or delete it")
		}
	}
	for _, name := range slices.Sorted(maps.Keys(unasked)) {
		if _, is := rows[name]; !is || uses[name] {
			out = append(out, name+" is used or gone: it is not unasked")
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
	for _, breach := range breaches(rows, uses, unasked) {
		t.Error(breach)
	}
}

// files of a catalog that only a test knows.
type files map[string]string

func (f files) Open(name string) (fs.File, error) { return nil, fs.ErrNotExist }

func (f files) ReadFile(name string) ([]byte, error) { return []byte(f[name]), nil }

// The law sees a row of each kind that nothing reads, and an exception that has had its day.
func TestTheLawOfTheCatalogSees(t *testing.T) {
	rows := rowsOf(t, files{
		"limits.json": `{"status": {"staleAfterMs": {"value": 1}, "staleAfterYears": {"value": 1}},
			"ui": {"sideNavPx": {"value": 161, "css": "--nav"}, "breakpointMd": {"value": 770, "css": "@media"}, "bottomNavPx": {"value": 70, "css": "--tabs"}}}`,
		"errors.json":      `{"conflict": {"status": 409}, "not_amused": {"status": 409}}`,
		"texts.json":       `{"operations": {"things.load": {}, "token": {}, "dragon.export": {}, "dragon.load": {}}, "texts": {"session": {"idleTitle": "", "title": ""}, "passwordRules": {"digit": "", "rune": ""}}}`,
		"permissions.json": `{"permissions": ["thing:read", "dragon:read", "dragon:ride"], "requirements": {"VIEW_THINGS": [], "VIEW_DRAGONS": []}}`,
		"enums.json":       `{"compass": [], "dragons": [], "keyScopes": []}`,
	})
	unread := ": nothing of the product reads it. Use it, or delete it"
	want := []string{
		"enum dragons" + unread, "error not_amused" + unread, "limit status.staleAfterYears" + unread,
		"limit ui.breakpointMd: no stylesheet holds @media 770px", "limit ui.sideNavPx: no stylesheet holds --nav 161px",
		"operation dragon.export" + unread, "operation dragon.load" + unread, "permission dragon:read" + unread,
		"requirement VIEW_DRAGONS" + unread, "text passwordRules.rune" + unread, "text session.title" + unread,
		"permission thing:read is used or gone: it is not unasked", "text dragon.gone is used or gone: it is not unasked",
	}
	excepted := map[string]string{"permission dragon:ride": "tame", "permission thing:read": "read", "text dragon.gone": "gone"}
	if got := breaches(rows, usesOf(t), excepted); !slices.Equal(got, want) {
		t.Errorf("the law says\n%s\nand not\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
