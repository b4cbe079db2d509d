package app_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit"
)

// An organization that requires a second factor from the beginning says since
// when, and its people have their day from then on.
func TestANewOrganizationSaysSinceWhenItRequiresASecondFactor(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		w := testkit.New(t, testkit.WithStore(s))
		ctx := t.Context()
		w.Clock.Advance(time.Hour)
		now := fleet.InstantOf(w.Clock.Now())
		for _, c := range []struct {
			in   fleet.Organization
			want fleet.Instant
		}{
			{fleet.Organization{Name: "Strict", MFARequired: true}, now},
			{fleet.Organization{Name: "Strict since then", MFARequired: true, MFARequiredAt: 1}, now},
			{fleet.Organization{Name: "Free", MFARequiredAt: 1}, 0},
		} {
			made, err := w.App.CreateOrganization(ctx, access.System(), c.in)
			must(t, err)
			stored, err := store.OrganizationByID(ctx, s.Reader(), made.ID)
			must(t, err)
			if made.MFARequiredAt != c.want || stored.MFARequiredAt != c.want || stored.MFARequired != c.in.MFARequired {
				t.Errorf("%s: since %s, stored %s, want %s", c.in.Name, made.MFARequiredAt, stored.MFARequiredAt, c.want)
			}
		}
	})
}

// A requirement without the instant it came at would let living sessions go on
// for ever, and one with an old instant would end them at once. Whoever writes the one therefore writes the other, in Go and in SQL.
func TestNobodyRequiresASecondFactorWithoutSayingSinceWhen(t *testing.T) {
	writers := map[string][]string{}
	root := os.DirFS(filepath.Join("..", ".."))
	for _, room := range []string{"cmd", "internal"} {
		err := fs.WalkDir(root, room, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || strings.HasSuffix(path, "_test.go") {
				return err
			}
			text, err := fs.ReadFile(root, path)
			switch {
			case err != nil:
				return err
			case strings.HasSuffix(path, ".sql") && !strings.HasSuffix(path, "00002_people.sql"): // its column is false everywhere
				checkStatement(t, path, string(text))
			case strings.HasSuffix(path, ".go"):
				checkWriters(t, path, text, writers)
			}
			return nil
		})
		must(t, err)
	}
	want := map[string][]string{
		"MFARequired":        {"applyOrganizationSettings"},
		"InsertOrganization": {"CompleteSetup", "CreateOrganization"}, // both ask newOrganization, as the test above shows
	}
	for name := range want {
		slices.Sort(writers[name])
	}
	if !reflect.DeepEqual(writers, want) {
		t.Errorf("%v; the ways were %v: does the new one say since when?", writers, want)
	}
}

var (
	requires = regexp.MustCompile(`(?is)\b(INSERT INTO|UPDATE|ALTER TABLE)\s+organization\b.*\bmfa_required\b`)
	since    = regexp.MustCompile(`\bmfa_required_at\b`)
)

func checkStatement(t *testing.T, path, statement string) {
	t.Helper()
	if requires.MatchString(statement) && !since.MatchString(statement) {
		t.Errorf("%s writes mfa_required without mfa_required_at: %.80s", path, statement)
	}
}

// checkWriters notes the functions of a file that write MFARequired of an
// organization or insert one, and finds those that leave MFARequiredAt.
func checkWriters(t *testing.T, path string, text []byte, writers map[string][]string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, text, parser.SkipObjectResolution)
	must(t, err)
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BasicLit:
			if statement, err := strconv.Unquote(n.Value); err == nil && n.Kind == token.STRING {
				checkStatement(t, path, statement)
			}
		case *ast.FuncDecl:
			written := writtenIn(n)
			if written["MFARequired"] && !written["MFARequiredAt"] {
				t.Errorf("%s: %s writes MFARequired without MFARequiredAt", path, n.Name.Name)
			}
			for _, name := range []string{"MFARequired", "InsertOrganization", "insertOrganization"} {
				if written[name] {
					writers[name] = append(writers[name], n.Name.Name)
				}
			}
		}
		return true
	})
}

func isFleet(x ast.Expr) bool {
	id, ok := x.(*ast.Ident)
	return ok && id.Name == "fleet"
}

// writtenIn names the fields that a function assigns, takes the address of, or
// sets in a value, and the methods it calls; shapes of the wire and what an edit
// asks for do not count.
func writtenIn(f *ast.FuncDecl) map[string]bool {
	written := map[string]bool{}
	field := func(x ast.Expr) {
		if s, ok := x.(*ast.SelectorExpr); ok {
			written[s.Sel.Name] = true
		}
	}
	scans := strings.HasPrefix(f.Name.Name, "scan")
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, x := range n.Lhs {
				field(x)
			}
		case *ast.CallExpr:
			field(n.Fun)
		case *ast.UnaryExpr:
			if n.Op == token.AND && !scans { // reading a row is no writing
				field(n.X)
			}
		case *ast.CompositeLit:
			if of, ok := n.Type.(*ast.SelectorExpr); ok && isFleet(of.X) && of.Sel.Name == "Organization" {
				for _, e := range n.Elts {
					if pair, ok := e.(*ast.KeyValueExpr); ok {
						if key, ok := pair.Key.(*ast.Ident); ok {
							written[key.Name] = true
						}
					}
				}
			}
		}
		return true
	})
	return written
}
