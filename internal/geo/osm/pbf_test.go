package osm

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lightbar/internal/geo"
	"lightbar/internal/geo/geotest"
	"lightbar/internal/geo/places"
)

func TestImportRefusesBadSources(t *testing.T) {
	good := geotest.Town().Encode()
	outOfWorld := geotest.Town()
	outOfWorld.Nodes[3].Lat = 90.5
	noData := &geotest.Extract{}
	onlyNodes := &geotest.Extract{Nodes: geotest.Town().Nodes}
	history := geotest.AppendBlob(nil, "OSMHeader", geo.AppendBytes(nil, 4, []byte("HistoricalInformation")))
	unknown := geotest.AppendBlob(nil, "OSMHeader", geo.AppendBytes(nil, 4, []byte("LocationsOnWays-V9")))
	badText := geotest.NewStringTable()
	badText.List = badText.List[:1] // tags will point beyond the table
	text := geo.AppendBytes(geo.AppendBytes(geo.AppendNumber(nil, 1, 5), 2, []byte{9}), 3, []byte{9})
	badStrings := geotest.AppendBlob(noData.Encode(), "OSMData", badText.Block(geo.AppendBytes(nil, 3, geo.AppendBytes(text, 8, []byte{2, 2}))))
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
		"no header":    {geotest.AppendBlob(nil, "OSMData", nil), "OSMHeader"},
		"no data":      {noData.Encode(), "no data"},
		"only nodes":   {onlyNodes.Encode(), "no way"},
		"history":      {history, "history"},
		"newer":        {unknown, "LocationsOnWays-V9"},
		"bit flipped":  {flipped, "byte"},
		"bad string":   {badStrings, "broken data"},
		"out of world": {outOfWorld.Encode(), "outside of the world"},
	} {
		dir, _, err := importBytes(t, c.content, ImportOptions{})
		if !errors.Is(err, ErrNotPBF) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
		if left := geotest.ListDir(t, dir); len(left) > 0 {
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
	e := geotest.Town()
	polygon := []string{"type", "multipolygon", "natural", "water"}
	e.Relations = []geotest.TestRelation{
		{ID: 1, Tags: polygon, Members: []geotest.TestMember{{ID: 2, Kind: geotest.OfRelation, Role: "outer"}}},
		{ID: 2, Tags: polygon, Members: []geotest.TestMember{{ID: 1, Kind: geotest.OfRelation, Role: "outer"}, {ID: 2, Kind: geotest.OfRelation, Role: ""}, {ID: 100, Kind: geotest.OfWay, Role: "outer"}}},
		{ID: 3, Tags: polygon, Members: []geotest.TestMember{{ID: 999, Kind: geotest.OfWay, Role: "outer"}, {ID: 1, Kind: geotest.OfNode, Role: "outer"}}},
		{ID: 4, Tags: polygon, Members: []geotest.TestMember{{ID: 100, Kind: geotest.OfWay, Role: "outer"}, {ID: 100, Kind: geotest.OfWay, Role: "inner"}, {ID: 100, Kind: geotest.OfWay, Role: "outer"}}},
		{ID: 5, Tags: []string{"type", "restriction", "restriction", "no_left_turn"}, Members: []geotest.TestMember{{ID: 100, Kind: geotest.OfWay, Role: "from"}}},
		{ID: 6, Tags: []string{"type", "restriction", "restriction", "only_left_turn"}, Members: []geotest.TestMember{
			{ID: 777, Kind: geotest.OfWay, Role: "from"}, {ID: 1, Kind: geotest.OfNode, Role: "via"}, {ID: 778, Kind: geotest.OfWay, Role: "to"}}},
	}
	e.Ways = append(e.Ways, geotest.TestWay{ID: 900, Refs: []int64{1, 1, 1, 1}, Tags: []string{"building", "yes"}},
		geotest.TestWay{ID: 901, Refs: []int64{1, 1}, Tags: []string{"highway", "residential"}},
		geotest.TestWay{ID: 902, Refs: []int64{888, 1, 2, 889, 3, 890}, Tags: []string{"highway", "residential", "name", "Cut"}})
	dir, report, err := importBytes(t, e.Encode(), ImportOptions{})
	if err == nil {
		for name, bytes := range map[string]int64{geo.TilesFile: report.TilesBytes, geo.RoadsFile: report.RoadsBytes, places.PlacesFile: report.PlacesBytes} {
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
	src := geotest.TestFile(t, geotest.WilmingtonFile)
	for _, stage := range []string{"relations", "ways", "nodes", "roads", "shapes", "tiles"} {
		dir := t.TempDir()
		old := filepath.Join(dir, geo.TilesFile)
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
		if left := geotest.ListDir(t, dir); len(left) != 1 || left[0] != geo.TilesFile {
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
	if left := geotest.ListDir(t, dir); len(left) != 2 || slices.Contains(left, filepath.Base(leftover)) {
		t.Errorf("%v are there, want %s and %s", left, first, second)
	}
	leaveFirst()
	leaveSecond()
	if left := geotest.ListDir(t, dir); len(left) != 0 {
		t.Errorf("left behind %v", left)
	}
}

// The same extract gives the same bytes, however the workers share it.
func TestImportIsDeterministic(t *testing.T) {
	first := geotest.ImportOnce(t, geotest.WilmingtonFile)
	second := t.TempDir()
	if _, err := Import(t.Context(), geotest.TestFile(t, geotest.WilmingtonFile), second, ImportOptions{}); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{geo.TilesFile, geo.RoadsFile} {
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
	_, err := Import(t.Context(), geotest.TestFile(t, geotest.WilmingtonFile), t.TempDir(), ImportOptions{Progress: func(stage string, done, total int64) {
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
