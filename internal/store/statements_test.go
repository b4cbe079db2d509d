package store_test

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"lightbar/internal/store"
	"lightbar/internal/store/engine"
	"lightbar/internal/store/storetest"
)

// rooms are the packages with SQL.
var rooms = []string{"lightbar/internal/store", "lightbar/internal/store/backup", "lightbar/internal/store/engine", "lightbar/internal/store/points"}

// statement is one SQL text of these.
type statement struct {
	where string // file:line name
	text  string
	// only is the engine that the name or file says it is for, "" = both.
	only engine.Name
}

var (
	sqlStart = regexp.MustCompile(`(?i)^\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\s`)
	number   = regexp.MustCompile(`\$(\d+)`)
	liteName = regexp.MustCompile(`(?i)^lite|sqlite`)
	pgName   = regexp.MustCompile(`^pg|PG$|(?i)postgres`)
)

// statements finds every SQL text of the rooms: named constants, literals in the code, and what tables make.
func statements(t *testing.T) []statement {
	t.Helper()
	var out []statement
	for _, p := range source(t) {
		out = append(out, written(p)...)
	}
	if len(out) < 150 {
		t.Fatalf("only %d statements were found", len(out))
	}
	for _, text := range store.Made() {
		out = append(out, statement{where: "made by a table", text: text})
	}
	for _, text := range store.MadePG() {
		out = append(out, statement{where: "made by a table", text: text, only: engine.Postgres})
	}
	for _, sweep := range store.Sweeps() {
		for _, text := range sweep.Texts() {
			out = append(out, statement{where: "made by the sweep of " + sweep.Table, text: text})
		}
	}
	return out
}

// source are the rooms as the compiler reads them; this one is the first.
func source(t *testing.T) []*packages.Package {
	t.Helper()
	loaded, err := packages.Load(&packages.Config{Mode: packages.NeedName | packages.NeedFiles | packages.NeedSyntax | packages.NeedTypes |
		packages.NeedTypesInfo | packages.NeedImports}, rooms...)
	if err != nil || len(loaded) != len(rooms) {
		t.Fatalf("load: %d packages, %v", len(loaded), err)
	}
	for _, p := range loaded {
		if len(p.Errors) > 0 {
			t.Fatalf("load: %v", p.Errors)
		}
	}
	slices.SortFunc(loaded, func(a, b *packages.Package) int { return strings.Compare(a.PkgPath, b.PkgPath) })
	return loaded
}

// written are the statements that stand in the source.
func written(p *packages.Package) []statement {
	var out []statement
	for _, f := range p.Syntax {
		names := map[ast.Expr]string{}
		ast.Inspect(f, func(n ast.Node) bool {
			if v, ok := n.(*ast.ValueSpec); ok {
				for i, value := range v.Values {
					names[value] = v.Names[i].Name
				}
			}
			e, ok := n.(ast.Expr)
			if !ok {
				return true
			}
			tv, ok := p.TypesInfo.Types[e]
			if b, sum := e.(*ast.BinaryExpr); sum && ok && tv.Value == nil && b.Op == token.ADD {
				return false // put together at run time: the verbs' own tests run these
			}
			if !ok || tv.Value == nil || tv.Value.Kind() != constant.String {
				return true
			}
			if _, use := e.(*ast.Ident); use {
				return false // its declaration is looked at
			}
			text := constant.StringVal(tv.Value)
			if sqlStart.MatchString(text) {
				pos := p.Fset.Position(e.Pos())
				s := statement{where: pos.String() + " " + names[e], text: text}
				s.only = engineOf(pos, names[e])
				out = append(out, s)
			}
			return false // parts of a constant are not statements of their own
		})
	}
	return out
}

// Tables make their statements at start, so that the tests below see all of
// them: none within a function, where it would be made anew by each call.
func TestTablesMakeStatementsAtStart(t *testing.T) {
	p, atStart := source(t)[0], 0
	for _, f := range p.Syntax {
		switch filepath.Base(p.Fset.Position(f.Pos()).Filename) {
		case "table.go", "record.go":
			continue
		}
		for _, d := range f.Decls {
			_, within := d.(*ast.FuncDecl)
			ast.Inspect(d, func(n ast.Node) bool {
				e, ok := n.(ast.Expr)
				if !ok {
					return true
				}
				switch made := strings.HasPrefix(kind(p, e), "reading[") || strings.HasPrefix(kind(p, e), "writing["); e.(type) {
				case *ast.CallExpr:
					records := strings.HasPrefix(kind(p, e), "Records[")
					if (made || records) && within {
						t.Errorf("%s: a statement is made within a function", p.Fset.Position(e.Pos()))
					} else if made {
						atStart++
					} else if records {
						atStart += 7 // insert, update, by id, page, count, latest, tally
					}
				case *ast.CompositeLit:
					if made {
						t.Errorf("%s: a statement is made by no table", p.Fset.Position(e.Pos()))
					}
				}
				return true
			})
		}
	}
	if n := len(store.Made()); n != atStart || n == 0 {
		t.Errorf("%d statements were made at start, and %d stand in the source", n, atStart)
	}
}

// kind is the name of an expression's type, "" when it has none of the package.
func kind(p *packages.Package, e ast.Expr) string {
	if named, ok := p.TypesInfo.TypeOf(e).(*types.Named); ok && named.Obj().Pkg() == p.Types {
		return types.TypeString(named, types.RelativeTo(p.Types))
	}
	return ""
}

// engineOf: a statement for one engine lives in a file that says so or has a
// name that does (pg… or …PG, lite…).
func engineOf(pos token.Position, name string) engine.Name {
	file := pos.Filename[strings.LastIndex(pos.Filename, "/")+1:]
	switch {
	case pgName.MatchString(name), strings.Contains(file, "postgres"):
		return engine.Postgres
	case liteName.MatchString(name), strings.Contains(file, "sqlite"):
		return engine.SQLite
	}
	return ""
}

// forbidden are words that only one engine understands, or understands otherwise.
var forbidden = []struct {
	word *regexp.Regexp
	why  string
}{
	{regexp.MustCompile(`(?i)\bILIKE\b`), "PostgreSQL only: lower(a) LIKE"},
	{regexp.MustCompile(`(?i)\bMERGE\s+INTO\b`), "write an upsert"},
	{regexp.MustCompile(`(?i)=\s*ANY\s*\(`), "PostgreSQL only: a generated IN list"},
	{regexp.MustCompile(`(?i)\bFOR\s+(UPDATE|SHARE)\b`), "PostgreSQL only: repeat the condition in the outer WHERE"},
	{regexp.MustCompile(`(?i)\bSKIP\s+LOCKED\b`), "PostgreSQL only"},
	{regexp.MustCompile(`(?i)\b(greatest|least)\s*\(`), "PostgreSQL only: CASE"},
	{regexp.MustCompile(`(?i)\b(json|jsonb)_?\w*\s*\(`), "the engines' JSON functions differ"},
	{regexp.MustCompile(`(?i)\b(now|datetime|strftime|unixepoch)\s*\(|CURRENT_TIMESTAMP`), "the clock is a parameter"},
	{regexp.MustCompile(`(?i)\bAUTOINCREMENT\b|\bSERIAL\b`), "ids come from the caller"},
	{regexp.MustCompile(`::\s*\w`), "PostgreSQL only: CAST(… AS …)"},
	{regexp.MustCompile(`(?i)\bINSERT\s+OR\b|\bREPLACE\s+INTO\b`), "SQLite only: ON CONFLICT"},
	{regexp.MustCompile(`(?i)\b(GLOB|REGEXP|SIMILAR\s+TO)\b`), "one engine only"},
	{regexp.MustCompile(`(?i)FROM\s*\(\s*VALUES\b`), "a CTE with column names"},
	{regexp.MustCompile(`\?`), "placeholders are $1, $2, …"},
	{regexp.MustCompile(`(?i)\b(ok|is_\w+|suspended|in_service)\s*=\s*[01]\b`), "booleans are not numbers"},
	{regexp.MustCompile(`(?i)\bINSERT\b.*\bSELECT\b[^;]*\bFROM\s+\w+\s+ON\s+CONFLICT`), "SQLite reads ON as a join: FROM t WHERE true ON CONFLICT"},
	{regexp.MustCompile(`(?i)\(\s*\$\d+\s+IS\s+NULL`), "PostgreSQL cannot tell the type: CAST($1 AS …) IS NULL"},
}

func TestStatementsKeepTheRules(t *testing.T) {
	for _, s := range statements(t) {
		for _, problem := range lint(s) {
			t.Errorf("%s: %s\n\t%s", s.where, problem, s.text)
		}
	}
}

// lint lists what is wrong with a statement.
func lint(s statement) []string {
	var out []string
	next := 1
	for _, m := range number.FindAllStringSubmatch(s.text, -1) {
		n, _ := strconv.Atoi(m[1])
		if n > next {
			out = append(out, "$"+m[1]+" appears before $"+strconv.Itoa(next))
			break
		}
		if n == next {
			next++
		}
	}
	if next-1 > 80 {
		out = append(out, "more than 80 parameters: binding is quadratic in SQLite")
	}
	if s.only != "" {
		return out
	}
	for _, f := range forbidden {
		if f.word.MatchString(s.text) {
			out = append(out, f.why)
		}
	}
	return out
}

func TestLinterFindsWhatItIsFor(t *testing.T) {
	for _, text := range []string{
		"SELECT $2, $1", "SELECT a FROM t WHERE a ILIKE $1", "SELECT a FROM t WHERE b = ANY($1)", "SELECT a FROM t FOR UPDATE SKIP LOCKED",
		"SELECT a FROM t WHERE is_active = 1", "SELECT a::text FROM t", "SELECT a FROM t WHERE b = ?", "SELECT now()",
		"INSERT OR IGNORE INTO t VALUES ($1)", "SELECT a FROM t WHERE ($1 IS NULL OR a = $1)", "SELECT json_extract(a, $1) FROM t",
	} {
		if len(lint(statement{text: text})) == 0 {
			t.Errorf("nothing found in %s", text)
		}
	}
	if p := lint(statement{text: "UPDATE t SET a = $1, b = $2 WHERE a = $1 AND is_active"}); len(p) > 0 {
		t.Errorf("found %v", p)
	}
}

// Every statement of the rooms is understood by the engines it is for.
func TestStatementsPrepareOnBothEngines(t *testing.T) {
	all := statements(t)
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		for _, st := range all {
			if st.only != "" && st.only != s.Engine() || strings.Contains(st.text, "%s") {
				continue
			}
			if err := s.Write(t.Context(), func(tx *store.Tx) error {
				made, err := tx.PrepareContext(t.Context(), st.text)
				if err == nil {
					err = made.Close()
				}
				return err
			}); err != nil {
				t.Errorf("%s: %v\n\t%s", st.where, err, st.text)
			}
		}
	})
}
