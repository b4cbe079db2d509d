package geo

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestImportRefusesBadSources(t *testing.T) {
	good := town().encode()
	outOfWorld := town()
	outOfWorld.nodes[3].lat = 90.5
	noData := &extract{}
	onlyNodes := &extract{nodes: town().nodes}
	history := appendBlob(nil, "OSMHeader", appendBytes(nil, 4, []byte("HistoricalInformation")))
	unknown := appendBlob(nil, "OSMHeader", appendBytes(nil, 4, []byte("LocationsOnWays-V9")))
	badText := newStringTable()
	badText.list = badText.list[:1] // tags will point beyond the table
	text := appendBytes(appendBytes(appendNumber(nil, 1, 5), 2, []byte{9}), 3, []byte{9})
	badStrings := appendBlob(noData.encode(), "OSMData", badText.block(appendBytes(nil, 3, appendBytes(text, 8, []byte{2, 2}))))
	flipped := append([]byte(nil), good...)
	flipped[len(flipped)-10] ^= 0x40

	for name, c := range map[string]struct {
		content []byte
		want    string
	}{
		"empty":        {nil, "empty"},
		"garbage":      {[]byte(strings.Repeat("not a map ", 500)), "no blob header"},
		"zeros":        {make([]byte, 1000), "no blob header"},
		"truncated":    {good[:len(good)-7], "truncated"},
		"half header":  {good[:9], "truncated"},
		"no header":    {appendBlob(nil, "OSMData", nil), "OSMHeader"},
		"no data":      {noData.encode(), "no data"},
		"only nodes":   {onlyNodes.encode(), "no way"},
		"history":      {history, "history"},
		"newer":        {unknown, "LocationsOnWays-V9"},
		"bit flipped":  {flipped, "byte"},
		"bad string":   {badStrings, "broken data"},
		"out of world": {outOfWorld.encode(), "outside of the world"},
	} {
		dir, _, err := importBytes(t, c.content, ImportOptions{})
		if !errors.Is(err, ErrNotPBF) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
		if left := listDir(t, dir); len(left) > 0 {
			t.Errorf("%s: left behind %v", name, left)
		}
	}
	if _, err := Import(t.Context(), filepath.Join(t.TempDir(), "missing"), t.TempDir(), ImportOptions{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("missing file: %v", err)
	}
	if _, err := Import(t.Context(), t.TempDir(), t.TempDir(), ImportOptions{}); !errors.Is(err, ErrNotPBF) {
		t.Errorf("a folder: %v", err)
	}
}

// Relations that contain each other, and members that do not exist, are no trap.
func TestImportSurvivesOddRelations(t *testing.T) {
	e := town()
	polygon := []string{"type", "multipolygon", "natural", "water"}
	e.relations = []testRelation{
		{id: 1, tags: polygon, members: []testMember{{2, ofRelation, "outer"}}},
		{id: 2, tags: polygon, members: []testMember{{1, ofRelation, "outer"}, {2, ofRelation, ""}, {100, ofWay, "outer"}}},
		{id: 3, tags: polygon, members: []testMember{{999, ofWay, "outer"}, {1, ofNode, "outer"}}},
		{id: 4, tags: polygon, members: []testMember{{100, ofWay, "outer"}, {100, ofWay, "inner"}, {100, ofWay, "outer"}}},
		{id: 5, tags: []string{"type", "restriction", "restriction", "no_left_turn"}, members: []testMember{{100, ofWay, "from"}}},
		{id: 6, tags: []string{"type", "restriction", "restriction", "only_left_turn"}, members: []testMember{
			{777, ofWay, "from"}, {1, ofNode, "via"}, {778, ofWay, "to"}}},
	}
	e.ways = append(e.ways, testWay{id: 900, refs: []int64{1, 1, 1, 1}, tags: []string{"building", "yes"}},
		testWay{id: 901, refs: []int64{1, 1}, tags: []string{"highway", "residential"}},
		testWay{id: 902, refs: []int64{888, 1, 2, 889, 3, 890}, tags: []string{"highway", "residential", "name", "Cut"}})
	dir, report, err := importBytes(t, e.encode(), ImportOptions{})
	if err == nil {
		for name, bytes := range map[string]int64{TilesFile: report.TilesBytes, RoadsFile: report.RoadsBytes, PlacesFile: report.PlacesBytes} {
			if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Size() != bytes {
				t.Errorf("%s has not the %d bytes of the report: %v", name, bytes, err)
			}
		}
	}
	if err != nil || report.BrokenPolygons != 1 {
		t.Fatalf("%+v, %v", report, err)
	}
}

func TestImportIsAllOrNothing(t *testing.T) {
	src := testFile(t, wilmingtonFile)
	for _, stage := range []string{"relations", "ways", "nodes", "roads", "shapes", "tiles"} {
		dir := t.TempDir()
		old := filepath.Join(dir, TilesFile)
		if err := os.WriteFile(old, []byte("the map of yesterday"), 0o600); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		_, err := Import(ctx, src, dir, ImportOptions{Progress: func(s string, _, _ int64) {
			if s == stage {
				cancel()
			}
		}})
		cancel()
		if !errors.Is(err, context.Canceled) {
			t.Errorf("canceled in %q: %v", stage, err)
		}
		if left := listDir(t, dir); len(left) != 1 || left[0] != TilesFile {
			t.Errorf("canceled in %q: left behind %v", stage, left)
		}
		if content, _ := os.ReadFile(old); string(content) != "the map of yesterday" {
			t.Errorf("canceled in %q: the old map is gone", stage)
		}
	}
}

// What a killed import left is removed by the next one, what a running one works in is not.
func TestLeftoversOfAKilledImportAreRemoved(t *testing.T) {
	dir := t.TempDir()
	leftover := filepath.Join(dir, workPrefix+"1234")
	if err := os.MkdirAll(filepath.Join(leftover, "parts"), 0o700); err != nil {
		t.Fatal(err)
	}
	first, leaveFirst, err := workFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	second, leaveSecond, err := workFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	if left := listDir(t, dir); len(left) != 2 || slices.Contains(left, filepath.Base(leftover)) {
		t.Errorf("%v are there, want %s and %s", left, first, second)
	}
	leaveFirst()
	leaveSecond()
	if left := listDir(t, dir); len(left) != 0 {
		t.Errorf("left behind %v", left)
	}
}

// The same extract gives the same bytes, however the workers share it.
func TestImportIsDeterministic(t *testing.T) {
	first := importOnce(t, wilmingtonFile)
	second := t.TempDir()
	if _, err := Import(t.Context(), testFile(t, wilmingtonFile), second, ImportOptions{}); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{TilesFile, RoadsFile} {
		a, errA := os.ReadFile(filepath.Join(first, name))
		b, errB := os.ReadFile(filepath.Join(second, name))
		if errA != nil || errB != nil || string(a) != string(b) {
			t.Errorf("%s differs (%d and %d bytes) %v %v", name, len(a), len(b), errA, errB)
		}
	}
}

func TestProgressReachesTheEnd(t *testing.T) {
	last := map[string][2]int64{}
	var order []string
	_, err := Import(t.Context(), testFile(t, wilmingtonFile), t.TempDir(), ImportOptions{Progress: func(stage string, done, total int64) {
		if _, ok := last[stage]; !ok {
			order = append(order, stage)
		}
		last[stage] = [2]int64{max(done, last[stage][0]), total}
	}})
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(order, " "); got != "relations ways nodes roads shapes tiles" {
		t.Errorf("stages: %s", got)
	}
	for stage, p := range last {
		if p[0] != p[1] || p[1] == 0 {
			t.Errorf("%s ends at %d of %d", stage, p[0], p[1])
		}
	}
}
