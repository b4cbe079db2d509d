// Package geotest has small extracts of OpenStreetMap for the tests of geo's
// packages, and the regions that are made of them. It knows no import: the tests
// of a package bring it, since the import needs them all.
package geotest

import (
	"context"
	"encoding/binary"
	"hash/crc32"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

const (
	WilmingtonFile = "osm/wilmington-de-2016.osm.pbf"
	DelawareFile   = "osm/delaware-2016-08-10.osm.pbf"
)

// TestFile finds a file of the recorded data, or skips loudly.
func TestFile(t testing.TB, name string) string {
	t.Helper()
	dir := os.Getenv("LIGHTBAR_TESTDATA")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "..", "shared", "data")
	}
	path := filepath.Join(dir, name)
	if _, err := os.Stat(path); err != nil {
		t.Logf("NOT TESTED: %s is missing; set LIGHTBAR_TESTDATA to the folder that has %s", path, name)
		t.Skip("recorded data is missing (LIGHTBAR_TESTDATA)")
	}
	return path
}

// Largest is a whole state; with -short, as under the race detector, a city of it, which is imported in a twelfth of the time.
func Largest() string {
	if testing.Short() {
		return WilmingtonFile
	}
	return DelawareFile
}

// WholeState is for what no city can show: with -short the test is skipped.
func WholeState(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("a whole state; run without -short")
	}
	return DelawareFile
}

// imported imports an extract once for all tests of this run.
var imported = struct {
	sync.Mutex
	dirs map[string]string
}{dirs: map[string]string{}}

func ImportOnce(t testing.TB, name string) (dir string) {
	t.Helper()
	src := TestFile(t, name)
	imported.Lock()
	defer imported.Unlock()
	if dir, ok := imported.dirs[name]; ok {
		return dir
	}
	dir, err := os.MkdirTemp(testRoot, "region-")
	if err != nil {
		t.Fatal(err)
	}
	if err := imports(context.Background(), src, dir); err != nil {
		t.Fatal(err)
	}
	imported.dirs[name] = dir
	return dir
}

var testRoot string

// imports makes a region of an extract. It is told by the tests of each package, because the import knows them all.
var imports func(ctx context.Context, src, dir string) error

// RunTests runs the tests of a package with the import, in a folder that goes with them.
func RunTests(m *testing.M, with func(ctx context.Context, src, dir string) error) {
	imports = with
	var err error
	if testRoot, err = os.MkdirTemp("", "geo-test-"); err != nil {
		panic(err)
	}
	code := m.Run()
	os.RemoveAll(testRoot)
	os.Exit(code)
}

// RegionOf imports a file's content into a new folder.
func RegionOf(t testing.TB, content []byte) (dir string) {
	t.Helper()
	src := filepath.Join(t.TempDir(), "x.osm.pbf")
	if err := os.WriteFile(src, content, 0o600); err != nil {
		t.Fatal(err)
	}
	dir = t.TempDir()
	if err := imports(context.Background(), src, dir); err != nil {
		t.Fatal(err)
	}
	return dir
}

func ListDir(t testing.TB, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// Reseal puts the right checksum under changed content.
func Reseal(raw []byte) []byte {
	binary.LittleEndian.PutUint64(raw[len(raw)-8:], uint64(crc32.Checksum(raw[:len(raw)-8], crc32.MakeTable(crc32.Castagnoli))))
	return raw
}
