// Package laws reads the tables of docs/rooms.md and compares them with the
// code, so that the document cannot go stale.
package laws

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const module = "lightbar"

var row = regexp.MustCompile("^\\| `([^`]+)` \\|[^|]*\\|([^|]*)\\|")

// table reads the rows below a heading: folder → the folders it may import, nil for all.
func table(t *testing.T, heading string) map[string][]string {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "..", "docs", "rooms.md"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	out, in := map[string][]string{}, false
	for s := bufio.NewScanner(f); s.Scan(); {
		line := s.Text()
		if strings.HasPrefix(line, "#") {
			in = strings.TrimLeft(line, "# ") == heading
		}
		m := row.FindStringSubmatch(line)
		if !in || m == nil {
			continue
		}
		allowed := strings.TrimSpace(m[2])
		list := []string{}
		if allowed != "–" {
			for _, part := range strings.Split(allowed, ",") {
				list = append(list, strings.Trim(strings.TrimSpace(part), "`"))
			}
		}
		if allowed == "all" {
			list = nil
		}
		out[strings.TrimSuffix(m[1], "/")] = list
	}
	if len(out) == 0 {
		t.Fatalf("no table below %q in docs/rooms.md", heading)
	}
	return out
}

// room is the row that a folder belongs to: the longest prefix.
func room(rooms map[string][]string, folder string) string {
	best := ""
	for r := range rooms {
		if (folder == r || strings.HasPrefix(folder, r+"/")) && len(r) > len(best) {
			best = r
		}
	}
	return best
}

func TestGoImportsFollowTheTable(t *testing.T) {
	rooms := table(t, "Go")
	cmd := exec.Command("go", "list", "-json=ImportPath,Imports", "./...")
	cmd.Dir = filepath.Join("..", "..")
	raw, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for d := json.NewDecoder(strings.NewReader(string(raw))); d.More(); {
		var p struct {
			ImportPath string
			Imports    []string
		}
		if err := d.Decode(&p); err != nil {
			t.Fatal(err)
		}
		folder := strings.TrimPrefix(p.ImportPath, module+"/")
		here := room(rooms, folder)
		if here == "" {
			t.Errorf("%s has no row in docs/rooms.md", folder)
			continue
		}
		seen[here] = true
		for _, imported := range p.Imports {
			other, ours := strings.CutPrefix(imported, module+"/")
			there := room(rooms, other)
			if !ours || there == here || rooms[here] == nil {
				continue
			}
			if !slices.ContainsFunc(rooms[here], func(a string) bool { return strings.TrimPrefix(there, "internal/") == a }) {
				t.Errorf("%s imports %s, which its row in docs/rooms.md does not allow", folder, other)
			}
		}
	}
	for r := range rooms {
		if !seen[r] {
			t.Errorf("docs/rooms.md has a row for %s, which does not exist", r)
		}
	}
}

var importLine = regexp.MustCompile(`(?m)^\s*(?:import|export)\b[^'"]*['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)`)

func TestWebImportsFollowTheTable(t *testing.T) {
	rooms := table(t, "Web")
	src := filepath.Join("..", "..", "web", "src")
	seen := map[string]bool{}
	err := filepath.WalkDir(src, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || (!strings.HasSuffix(path, ".ts") && !strings.HasSuffix(path, ".tsx")) {
			return err
		}
		body, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		folder, _ := filepath.Rel(src, filepath.Dir(path))
		here := room(rooms, filepath.ToSlash(folder))
		if here == "" {
			t.Errorf("web/src/%s has no row in docs/rooms.md", folder)
			return nil
		}
		seen[here] = true
		for _, m := range importLine.FindAllStringSubmatch(string(body), -1) {
			checkWebImport(t, rooms, src, path, here, m[1]+m[2])
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for r := range rooms {
		if !seen[r] {
			t.Errorf("docs/rooms.md has a row for web/src/%s, which does not exist", r)
		}
	}
}

func checkWebImport(t *testing.T, rooms map[string][]string, src, path, here, imported string) {
	t.Helper()
	target := ""
	switch {
	case strings.HasPrefix(imported, "@catalog/"):
		target = "catalog"
	case strings.HasPrefix(imported, "~/"):
		target = strings.TrimPrefix(imported, "~/")
	case strings.HasPrefix(imported, "."):
		rel, _ := filepath.Rel(src, filepath.Join(filepath.Dir(path), imported))
		target = filepath.ToSlash(rel)
	default:
		return // a package
	}
	there := target
	if target != "catalog" {
		if there = room(rooms, target); there == "" {
			there = target
		}
	}
	if there == "features" { // one folder a noun, and never another's
		own, _ := filepath.Rel(src, filepath.Dir(path))
		if here == "features" && feature(filepath.ToSlash(own)) != feature(target) {
			t.Errorf("%s imports another feature: %s", path, imported)
		}
	}
	if there == here || rooms[here] == nil || slices.Contains(rooms[here], there) {
		return
	}
	t.Errorf("%s imports %s: the row of %s in docs/rooms.md does not allow %s", path, imported, here, there)
}

func feature(folder string) string {
	parts := strings.Split(folder, "/")
	if len(parts) < 2 {
		return folder
	}
	return parts[1]
}
