package laws

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// A refusal and a failure of the database are told apart by what the error
// holds, so nothing may hold both: a full disk would be told as a wrong
// password. A function that knows refusals answers one error, and does not join.
func TestNoRefusalIsJoinedWithAFailure(t *testing.T) {
	root, joins := filepath.Join("..", ".."), 0
	err := filepath.WalkDir(filepath.Join(root, "internal"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		for _, decl := range file.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok {
				continue
			}
			join, refuses := false, strings.HasPrefix(strings.ToLower(f.Name.Name), "refuse")
			ast.Inspect(f, func(n ast.Node) bool {
				s, ok := n.(*ast.SelectorExpr)
				if ok && s.Sel.Name == "Join" {
					x, named := s.X.(*ast.Ident)
					join = join || named && x.Name == "errors"
				}
				if id, ok := n.(*ast.Ident); ok {
					name := strings.ToLower(id.Name)
					refuses = refuses || strings.HasPrefix(name, "refus")
				}
				return true
			})
			if join {
				joins++
			}
			if join && refuses {
				t.Errorf("%s: %s joins errors and knows refusals: answer the failure first, then the refusal", path, f.Name.Name)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if joins < 5 {
		t.Errorf("only %d functions join errors: is this test blind?", joins)
	}
}
