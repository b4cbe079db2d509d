package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// manyAlways are formats whose number is never 1.
var manyAlways = []string{`must be from 0 to %d days`, `name of %d organizations`, `return fmt.Sprintf("%d bytes"`, `has %d bytes and is not 64`}

// A command says 1 feature, not 1 features: a number goes before its word by counted.
func TestOneIsNotMany(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) < 40 {
		t.Fatal(files, err)
	}
	many := regexp.MustCompile(`%d [a-z]+s\b`)
	used := map[string]bool{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(file, "_test.go") || file == "words.go" {
			continue
		}
		for at, line := range strings.Split(string(text), "\n") {
			for _, known := range manyAlways {
				if strings.Contains(line, known) {
					used[known], line = true, ""
				}
			}
			if found := many.FindString(line); found != "" {
				t.Errorf("%s:%d says %q of 1, too: use counted", file, at+1, found)
			}
		}
	}
	if len(used) != len(manyAlways) {
		t.Errorf("no longer said: of %q only %v", manyAlways, used)
	}
	if got := counted(1, "row") + ", " + counted(int64(0), "row") + ", " + counted(2, "seal"); got != "1 row, 0 rows, 2 seals" {
		t.Error(got)
	}
}
