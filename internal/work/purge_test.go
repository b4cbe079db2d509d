package work

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit/apptest"
)

// Whoever adds what the clock does decides here whether it deletes something that a legal hold keeps.
var tasksAndHolds = map[string]string{
	"purge": "asks", "exports purge": "asks", "feeds of others": "asks", "integrations": "forgets secrets, keeps rows",
	"age": "", "alerting": "", "commands": "", "states": "", "closures": "", "refusals": "", "passwords": "", "keys": "", "status mail": "", "feed ledger": "",
	"watchdog":      "",
	"driver alerts": "forgets who was counted", "exports": "", "audit": "",
	"audit head": "", "points": "moves points, deletes none", "mail": "deletes links of letters alone", "answers": "answers are nobody's record",
	"monthly reports": "keeps every report; makes its rows anew", "monthly counts purge": "counts, of which reports have been made",
}

// Whoever deletes rows of a table decides here what legal holds have to do with it: "held" tables lose rows only to
// statements that ask for holds, but for the named ones.
var tablesAndHolds = map[string]string{
	"point_block": "held", "point": "held", "signal": "held", "run": "held", "location": "held", "location_thing": "held with its location",
	"visit": "held", "closure": "held", "hazard": "held", "device_command": "held", "area": "held", "zone": "held", "export": "held", "feed_subscription": "held",
	"integration": "held", "finding": "held", "watchdog": "what is now; the audit has what was",
	"feed_fetch": "held", "mail": "held", "session": "held", "session_token": "no record: a digest of what was handed out",
	"point_intake": "no record: its points are in their table", "state_late": "no record: its reports are in their tables", "thing_relation": "what is now; the audit has what was",
	"thing_integration": "what is now", "thing_gone": "no record", "totp": "a secret", "idempotency": "no record", "recovery_code": "a secret",
	"organization_relation": "what is now; the audit has what was", "organization_offer": "no record; the audit has it", "password_history": "a secret",
	"one_time": "a secret", "passkey": "a secret", "sign_in_attempt": "a counter", "cover": "a preference", "saved_area": "a preference",
	"closure_question": "a secret; the closure and the audit have the answer", "known_device": "a secret", "refusal_count": "nobody's: it has no organization",
	"monthly_report_body": "written anew with the report, which is kept", "feed_read": "a count", "refused_report": "a count",
	"monthly_mail": "a preference", "driver_alert": "held", "driver_impression": "a keyed hash of no known person, for 48 hours", "driver_hour": "a count",
}

// Statements that take a row of a held table away because it is elsewhere from then on, or never was.
var movesRows = map[string]string{
	"deleteBlock": "a block is made again", "takePoints": "points move into a block", "deleteRun": "late points have joined it to another run",
	"deleteRunsPG": "as deleteRun", "dropMail": "a letter that nobody shall get",
}

var deletesFrom = regexp.MustCompile(`(?i)\bDELETE\s+FROM\s+(\w+)`)

func TestEachTaskDecidesAboutHolds(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	for _, task := range Tasks(k.App) {
		if _, ok := tasksAndHolds[task.Name]; !ok {
			t.Errorf("the task %q: say in tasksAndHolds what it deletes", task.Name)
		}
	}
}

// Each statement of the store that deletes is found in its source, or is a sweep's.
func TestEachDeletionDecidesAboutHolds(t *testing.T) {
	seen := map[string]bool{}
	for _, sweep := range store.Sweeps() {
		seen[sweep.Table] = true
		for _, by := range sweep.First {
			seen[by.Table] = true
		}
		if asks := strings.Contains(sweep.Keep, "legal_hold"); asks != (tablesAndHolds[sweep.Table] == "held") {
			t.Errorf("the sweep of %s: it asks for holds: %t; tablesAndHolds says %q", sweep.Table, asks, tablesAndHolds[sweep.Table])
		}
	}
	for _, room := range []string{"../store", "../store/points", "../store/engine", "../store/backup"} {
		for name, text := range deletions(t, room) {
			table := deletesFrom.FindStringSubmatch(text)[1]
			seen[table] = true
			decided, ok := tablesAndHolds[table]
			switch _, moves := movesRows[name]; {
			case !ok:
				t.Errorf("%s deletes from %s: say in tablesAndHolds what legal holds have to do with it", name, table)
			case decided == "held" && !moves && !strings.Contains(text, "points.Held"):
				t.Errorf("%s deletes from %s and does not ask for legal holds", name, table)
			}
		}
	}
	for table := range tablesAndHolds {
		if !seen[table] {
			t.Errorf("nothing deletes from %s", table)
		}
	}
	for _, kind := range fleet.DataKinds() {
		if kind.IsHeld && kind.Limit == nil {
			t.Errorf("%s is never deleted and held", kind.Name)
		}
	}
}

// deletions are the declarations of a folder that have a text which deletes, by their name, as their source has them.
func deletions(t *testing.T, folder string) map[string]string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	out, n := map[string]string{}, 0
	for _, path := range slices.DeleteFunc(paths, func(p string) bool { return strings.HasSuffix(p, "_test.go") }) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files := token.NewFileSet()
		f, err := parser.ParseFile(files, path, text, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(node ast.Node) bool {
			name, body := "", ast.Node(nil)
			switch d := node.(type) {
			case *ast.ValueSpec:
				name, body = d.Names[0].Name, d
			case *ast.FuncDecl:
				name, body = d.Name.Name, d
			default:
				return true
			}
			source := string(text[files.Position(body.Pos()).Offset:files.Position(body.End()).Offset])
			if deletesFrom.MatchString(source) && !strings.Contains(source, `"DELETE FROM "+`) && !strings.Contains(source, `"DELETE FROM " +`) {
				if n++; out[name] != "" {
					name += strconv.Itoa(n)
				}
				out[name] = source
			}
			return false
		})
	}
	return out
}
