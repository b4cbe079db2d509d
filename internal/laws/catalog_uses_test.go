package laws

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"lightbar/catalog"
)

// usesOf are the rows of the catalog that the product reads, named as rowsOf names them.
func usesOf(t *testing.T) map[string]bool {
	t.Helper()
	out := map[string]bool{}
	for _, folder := range []string{"internal", "cmd"} {
		for _, files := range goFiles(t, filepath.Join("..", "..", folder)) {
			usesOfGo(out, files)
		}
	}
	pages := webFiles(t, ".ts", ".tsx")
	for path, text := range pages {
		usesOfPage(out, text, func(name string) bool { return named(pages, path, name) })
	}
	usesOfStyles(out, webFiles(t, ".css"))
	rights := catalog.AllPermissions()
	for _, section := range rights.Sections {
		out["requirement "+section.Requirement] = true
		for _, part := range section.Parts {
			out["requirement "+part] = true
		}
	}
	for _, list := range rights.Requirements {
		for _, one := range list {
			out["permission "+one] = true
		}
	}
	for _, actions := range rights.Resources {
		for _, list := range actions {
			for _, one := range list {
				out["permission "+one] = true
			}
		}
	}
	return out
}

// goFiles are the product's sources by folder: no tests and none of their kits.
func goFiles(t *testing.T, root string) map[string][]*ast.File {
	t.Helper()
	out := map[string][]*ast.File{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.Contains(filepath.ToSlash(path), "/testkit/") || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		out[filepath.Dir(path)] = append(out[filepath.Dir(path)], file)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// usesOfGo finds what a package reads of the catalog.
func usesOfGo(out map[string]bool, files []*ast.File) {
	names := map[string]int{} // how often the package says a name
	for _, file := range files {
		ast.Inspect(file, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				names[id.Name]++
			}
			return true
		})
	}
	for _, file := range files {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ValueSpec: // a variable that nobody reads uses nothing
				for i, name := range n.Names {
					if names[name.Name] < 2 && i < len(n.Values) {
						return false
					}
				}
				codesOf(out, n.Values)
			case *ast.CompositeLit:
				codesOf(out, n.Elts)
			case *ast.CallExpr:
				usesOfCall(out, n)
			case *ast.KeyValueExpr:
				codesOf(out, []ast.Expr{n.Value})
			case *ast.SelectorExpr:
				if call, ok := n.X.(*ast.CallExpr); ok && called(call) == "AllEnums" {
					field, _ := reflect.TypeFor[catalog.Enums]().FieldByName(n.Sel.Name)
					out["enum "+field.Tag.Get("json")] = true
				}
			case *ast.Field: // the law of a text by its tag (wire.Texts)
				if n.Tag != nil {
					limit, _, _ := strings.Cut(reflect.StructTag(literal(n.Tag)).Get("text"), ",")
					out["limit text."+limit] = true
				}
			case *ast.BasicLit:
				out["requirement "+literal(n)], out["permission "+literal(n)] = true, true
			}
			return true
		})
	}
}

// usesOfCall finds Limit("group", "name") with its kin, and Refuse("code", …) with its.
func usesOfCall(out map[string]bool, call *ast.CallExpr) {
	switch called(call) {
	case "Limit", "LimitInt", "LimitMs", "Setting":
		if len(call.Args) == 2 {
			out["limit "+literal(call.Args[0])+"."+literal(call.Args[1])] = true
		}
	case "Refuse", "fail":
		codesOf(out, call.Args[:1])
	}
}

// codesOf takes literals for machine codes: those of a refusal, of a constant, and of a table of codes.
func codesOf(out map[string]bool, values []ast.Expr) {
	for _, v := range values {
		if text := literal(v); text != "" {
			out["error "+text] = true
		}
	}
}

func called(call *ast.CallExpr) string {
	switch f := call.Fun.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		return f.Sel.Name
	}
	return ""
}

func literal(x ast.Expr) string {
	l, ok := x.(*ast.BasicLit)
	if !ok || l.Kind != token.STRING {
		return ""
	}
	text, _ := strconv.Unquote(l.Value)
	return text
}

var comment = regexp.MustCompile(`(?s)/\*.*?\*/|(?m:(^|\s)//[^\n]*)`)

// webFiles are the web app's sources without comments, by path: no tests, none of their kits, nothing generated.
func webFiles(t *testing.T, endings ...string) map[string]string {
	t.Helper()
	out := map[string]string{}
	other := regexp.MustCompile(`\.test\.|\.gen\.|(^|/)(testing|recorded)\.tsx?$`)
	err := filepath.WalkDir(filepath.Join("..", "..", "web", "src"), func(path string, d fs.DirEntry, err error) error {
		path = filepath.ToSlash(path)
		for _, ending := range endings {
			if err == nil && !d.IsDir() && strings.HasSuffix(path, ending) && !other.MatchString(path) {
				text, err := os.ReadFile(path)
				out[path] = comment.ReplaceAllString(string(text), "")
				return err
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// named reports whether a name that a page declares is said again: there, or anywhere else when it is exported.
func named(pages map[string]string, path, name string) bool {
	word := regexp.MustCompile(`\b` + name + `\b`)
	if len(word.FindAllStringIndex(pages[path], 2)) > 1 {
		return true
	}
	if !regexp.MustCompile(`export const ` + name + `\b`).MatchString(pages[path]) {
		return false
	}
	for other, text := range pages {
		if other != path && word.MatchString(text) {
			return true
		}
	}
	return false
}

var (
	imported = regexp.MustCompile(`import (?:type )?(\w+) from '@catalog/(\w+)\.json'`)
	spoken   = regexp.MustCompile(`\bsay\('([\w.]+)'|\boperation(?:: |=)['"]([\w.]+)['"]`)
	dotted   = regexp.MustCompile(`'(\w+\.\w+)'`)
	speaks   = regexp.MustCompile(`\b(?:say|troubleOf|Operation)\b`)
	quoted   = regexp.MustCompile(`['"]([\w:]+)['"]`)
)

// usesOfPage finds what a page reads of the catalog; read reports whether a name that it declares is used.
func usesOfPage(out map[string]bool, text string, read func(name string) bool) {
	for _, m := range imported.FindAllStringSubmatch(text, -1) {
		switch m[2] {
		case "limits":
			usesOfTree(out, "limit ", text, m[1], read)
		case "texts":
			usesOfTree(out, "text ", text, m[1]+`\.texts`, read)
		case "enums":
			for _, m := range regexp.MustCompile(`\b`+m[1]+`\.(\w+)`).FindAllStringSubmatch(text, -1) {
				out["enum "+m[1]] = true
			}
		}
	}
	if regexp.MustCompile(`import \{[^}]*\btexts\b[^}]*\} from`).MatchString(text) {
		usesOfTree(out, "text ", text, "texts", read)
	}
	for _, m := range spoken.FindAllStringSubmatch(text, -1) {
		out["operation "+m[1]+m[2]] = true
	}
	if speaks.MatchString(text) {
		for _, m := range dotted.FindAllStringSubmatch(text, -1) {
			out["operation "+m[1]] = true
		}
	}
	for _, m := range quoted.FindAllStringSubmatch(text, -1) {
		out["requirement "+m[1]], out["permission "+m[1]] = true, true
	}
}

// usesOfTree finds root.group.name, also by `const words = root.group` and `const { name } = root.group`.
func usesOfTree(out map[string]bool, kind, text, root string, read func(name string) bool) {
	for _, m := range regexp.MustCompile(`(?:\bconst (\w+)(?:: [^=;]+)? = [^;=]*)?\b`+root+`\.(\w+)\.(\w+)`).FindAllStringSubmatch(text, -1) {
		if m[1] == "" || read(m[1]) {
			out[kind+m[2]+"."+m[3]] = true
		}
	}
	for _, m := range regexp.MustCompile(`\bconst (\w+) = `+root+`\.(\w+);`).FindAllStringSubmatch(text, -1) {
		for _, part := range regexp.MustCompile(`\b`+m[1]+`\.(\w+)`).FindAllStringSubmatch(text, -1) {
			out[kind+m[2]+"."+part[1]] = true
		}
	}
	for _, m := range regexp.MustCompile(`\bconst \{([^}]+)\} = `+root+`\.(\w+);`).FindAllStringSubmatch(text, -1) {
		for _, part := range strings.Split(m[1], ",") {
			name, local, renamed := strings.Cut(strings.TrimSpace(part), ": ")
			if !renamed {
				local = name
			}
			if read(local) {
				out[kind+m[2]+"."+name] = true
			}
		}
	}
}

var (
	property = regexp.MustCompile(`(--[\w-]+): ([\d.]+px);`)
	media    = regexp.MustCompile(`@media[^{]*`)
	pixels   = regexp.MustCompile(`[\d.]+px`)
)

// usesOfStyles finds the numbers of stylesheets, which can import nothing:
// "--nav 160px" is a property that a rule reads, "@media 769px" a breakpoint.
func usesOfStyles(out map[string]bool, sheets map[string]string) {
	all := ""
	for _, text := range sheets {
		all += text
	}
	for _, m := range property.FindAllStringSubmatch(all, -1) {
		if strings.Contains(all, "var("+m[1]+")") {
			out[m[1]+" "+m[2]] = true
		}
	}
	for _, query := range media.FindAllString(all, -1) {
		for _, px := range pixels.FindAllString(query, -1) {
			out["@media "+px] = true
		}
	}
}
