package laws

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// csvPlaces may use the library of CSV itself: the writer that sets the byte order mark and takes formulas away, and the
// reader of recorded fleets, which no spreadsheet has written.
var csvPlaces = map[string]string{"csv.NewWriter(": "internal/file/csv.go", "csv.NewReader(": "internal/simulate/replay.go"}

// Every table that leaves as CSV goes through one writer, and every one that comes in through one reader: another would not
// know what spreadsheets do.
func TestCSVHasOneReaderAndOneWriter(t *testing.T) {
	root := filepath.Join("..", "..")
	seen := map[string]bool{}
	for _, folder := range []string{"internal", "cmd", "catalog"} {
		err := filepath.WalkDir(filepath.Join(root, folder), func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			file, _ := filepath.Rel(root, path)
			for call, place := range csvPlaces {
				switch uses := strings.Contains(string(text), call); {
				case uses && filepath.ToSlash(file) != place:
					t.Errorf("%s uses %s…); %s has it", file, call, place)
				case uses:
					seen[call] = true
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(seen) != len(csvPlaces) {
		t.Errorf("found only %v", seen)
	}
}
