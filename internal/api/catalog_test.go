package api_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"lightbar/catalog"
)

// Every machine code a room can say stands in catalog/errors.json with its
// status and a sentence.
func TestEveryMachineCodeIsInTheCatalog(t *testing.T) {
	said := map[string]string{}
	err := filepath.WalkDir("..", func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if code, ok := codeIn(n); ok {
				said[code] = path
			}
			return true
		})
		return nil
	})
	must(t, err)
	if len(said) < 30 {
		t.Fatalf("only %d codes were found", len(said))
	}
	for code, path := range said {
		if row, ok := catalog.ErrorByCode(code); !ok || row.Status < 400 || row.Status > 599 || row.Message == "" {
			t.Errorf("%s says %q, which catalog/errors.json does not know", path, code)
		}
	}
}

// codeIn finds Refuse("code", …), fail("code") and Refusal{Code: "code"}.
func codeIn(n ast.Node) (string, bool) {
	var literal ast.Expr
	switch n := n.(type) {
	case *ast.CallExpr:
		name := ""
		switch f := n.Fun.(type) {
		case *ast.Ident:
			name = f.Name
		case *ast.SelectorExpr:
			if room, ok := f.X.(*ast.Ident); ok && room.Name == "fleet" {
				name = f.Sel.Name // other Refuse methods name fields
			}
		}
		if (name == "Refuse" || name == "fail") && len(n.Args) > 0 {
			literal = n.Args[0]
		}
	case *ast.CompositeLit:
		if s, ok := n.Type.(*ast.SelectorExpr); ok && s.Sel.Name == "Refusal" {
			for _, e := range n.Elts {
				if kv, ok := e.(*ast.KeyValueExpr); ok {
					if k, ok := kv.Key.(*ast.Ident); ok && k.Name == "Code" {
						literal = kv.Value
					}
				}
			}
		}
	}
	basic, ok := literal.(*ast.BasicLit)
	if !ok || basic.Kind != token.STRING {
		return "", false
	}
	code, err := strconv.Unquote(basic.Value)
	return code, err == nil && code != ""
}
