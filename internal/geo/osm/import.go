// Package osm imports an extract of OpenStreetMap: it reads its PBF file and
// writes the region's tiles, roads, and search index.
package osm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"lightbar/internal/durable"
	"lightbar/internal/geo"
	"lightbar/internal/geo/places"
	"lightbar/internal/geo/route"
	"lightbar/internal/geo/tiles"
)

// ImportOptions refine an import; the zero value is right for most.
type ImportOptions struct {
	// Progress is called with the progress of each stage: "relations", "ways", "nodes" and "tiles" count bytes, "shapes" features,
	// "roads" ways. It is called often, from several goroutines but never from two at once.
	Progress func(stage string, done, total int64)
	// MaxZoom is the last zoom of the tiles; 0 means 14.
	MaxZoom int
	// Name is written to the tiles' metadata; empty means the source's file name.
	Name string
	// Now stamps nothing in the files; it measures the report's Duration. Nil means time.Now.
	Now func() time.Time
}

// Report is what an import has made.
type Report struct {
	Nodes, Ways    int64 // used, not read
	Tiles          int
	TilesBytes     int64
	RoadsBytes     int64
	PlacesBytes    int64
	Streets        int // drivable ways
	Junctions      int
	TurnRules      int
	BrokenPolygons int64 // multipolygons with rings that do not close, mostly at the extract's border
	Bounds         geo.Bounds
	Duration       time.Duration
}

// Import reads an OpenStreetMap PBF extract and writes TilesFile, RoadsFile and PlacesFile
// into dstDir, which it makes if it is missing. All are written beside their
// places and renamed at the end: an error, a canceled context or a crash
// leaves the files that were there before. Errors: ErrNotPBF for a source that
// cannot be read as an extract, the context's, and those of the file system.
func Import(ctx context.Context, src, dstDir string, opt ImportOptions) (Report, error) {
	f, err := os.Open(src)
	if err != nil {
		return Report{}, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return Report{}, err
	}
	if info.IsDir() {
		return Report{}, badPBF("%s is a folder", src)
	}
	if opt.Name == "" {
		opt.Name = filepath.Base(src)
	}
	pbf, err := openPBF(f, info.Size())
	if err != nil {
		return Report{}, err
	}
	if err := durable.MakeFolder(dstDir); err != nil {
		return Report{}, err
	}
	temp, leave, err := workFolder(dstDir)
	if err != nil {
		return Report{}, err
	}
	defer leave()
	im := newImporter(pbf, temp, opt)
	if err := im.run(ctx); err != nil {
		return Report{}, err
	}
	return im.report, publish(temp, dstDir, &im.report)
}

// workPrefix begins the names of folders in which imports work.
const workPrefix = ".import-"

// workFolder makes the folder in which an import works; leave removes it. All imports into dstDir share a lock on it, which the
// kernel frees however one ends: an import that has it alone knows that other folders belong to imports that were killed, and
// removes them.
func workFolder(dstDir string) (dir string, leave func(), err error) {
	held, err := os.Open(dstDir)
	if err != nil {
		return "", nil, err
	}
	if unix.Flock(int(held.Fd()), unix.LOCK_EX|unix.LOCK_NB) == nil {
		err = removeLeftovers(dstDir)
	}
	if err == nil {
		_ = unix.Flock(int(held.Fd()), unix.LOCK_SH) // waits while another one removes; a file system without locks has no leftovers removed
		dir, err = os.MkdirTemp(dstDir, workPrefix)
	}
	if err != nil {
		return "", nil, errors.Join(err, held.Close())
	}
	return dir, func() { _ = errors.Join(os.RemoveAll(dir), held.Close()) }, nil
}

func removeLeftovers(dstDir string) error {
	entries, err := os.ReadDir(dstDir)
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), workPrefix) {
			err = errors.Join(err, os.RemoveAll(filepath.Join(dstDir, e.Name())))
		}
	}
	return err
}

// publish moves the finished files to their places. Roads go first: a crash
// in between leaves tiles that are older than the roads, which harms nothing.
func publish(temp, dstDir string, report *Report) error {
	for _, file := range []struct {
		name string
		size *int64
	}{{geo.RoadsFile, &report.RoadsBytes}, {places.PlacesFile, &report.PlacesBytes}, {geo.TilesFile, &report.TilesBytes}} {
		from := filepath.Join(temp, file.name)
		info, err := os.Stat(from)
		if err != nil {
			return err
		}
		*file.size = info.Size()
		if err := os.Chmod(from, 0o644); err != nil {
			return err
		}
		if err := os.Rename(from, filepath.Join(dstDir, file.name)); err != nil {
			return err
		}
	}
	return durable.SyncFolder(dstDir)
}

// importer is one import in progress.
type importer struct {
	pbf      *pbfFile
	dir      string
	opt      ImportOptions
	workers  int
	maxZoom  uint8
	progress sync.Mutex

	set    *relationSet
	groups lineGroups
	parts  []*wayParts
	table  *nodeTable
	spots  [][]places.Spot // of nodes, by worker
	texts  []interner      // theirs
	oven   *tiles.Oven
	report Report
}

func newImporter(pbf *pbfFile, dir string, opt ImportOptions) *importer {
	im := &importer{pbf: pbf, dir: dir, opt: opt, workers: min(runtime.GOMAXPROCS(0), 64), maxZoom: lastZoom}
	if opt.MaxZoom > 0 {
		im.maxZoom = uint8(min(opt.MaxZoom, lastZoom))
	}
	if im.opt.Now == nil {
		im.opt.Now = time.Now
	}
	im.groups.number = map[string]uint32{}
	im.oven = tiles.NewOven(dir, regionLayers, tiles.FineGrid, im.maxZoom, im.workers)
	return im
}

func (im *importer) tell(stage string) func(done, total int64) {
	return func(done, total int64) {
		if im.opt.Progress == nil {
			return
		}
		im.progress.Lock()
		defer im.progress.Unlock()
		im.opt.Progress(stage, done, total)
	}
}

// largeExtract is from where on an import trades a little time for memory.
const largeExtract = 64 << 20

// rest gives the memory of the stage that has ended back, so that the peaks of
// the stages do not add up.
func (im *importer) rest() {
	if im.pbf.size >= largeExtract {
		debug.FreeOSMemory()
	}
}

func (im *importer) run(ctx context.Context) error {
	start := im.opt.Now()
	if im.pbf.size >= largeExtract {
		defer debug.SetGCPercent(debug.SetGCPercent(40))
	}
	if err := im.read(ctx); err != nil {
		return err
	}
	bounds := im.bounds()
	if bounds == geo.EmptyBox {
		return badPBF("no way of it is complete")
	}
	im.report.Bounds = bounds.Degrees()
	if err := im.roads(ctx); err != nil {
		return err
	}
	im.rest()
	if err := im.shapes(ctx); err != nil {
		return err
	}
	im.parts, im.table, im.set = nil, nil, nil
	im.rest()
	meta := regionMeta(im.opt.Name, im.report.Bounds, im.maxZoom)
	tiles, err := im.oven.Bake(ctx, filepath.Join(im.dir, geo.TilesFile), meta, im.tell("tiles"))
	im.report.Tiles = tiles
	im.report.Duration = im.opt.Now().Sub(start)
	return err
}

// read makes three passes: relations, ways, and last the nodes that ways need.
func (im *importer) read(ctx context.Context) (err error) {
	if im.set, err = readRelations(ctx, im.pbf, im.workers, im.tell("relations")); err != nil {
		return err
	}
	if im.parts, err = readWays(ctx, im.pbf, im.set, &im.groups, im.workers, im.tell("ways")); err != nil {
		return err
	}
	lists := [][]int64{im.set.need}
	for _, p := range im.parts {
		lists = append(lists, p.need)
		p.need = nil
		im.report.Ways += int64(len(p.areas) + len(p.lines) + len(p.roads))
	}
	im.table = newNodeTable(lists)
	lists = nil
	im.rest()
	im.report.Nodes = int64(len(im.table.ids))
	im.spots, im.texts = make([][]places.Spot, im.workers), make([]interner, im.workers)
	for i := range im.texts {
		im.texts[i] = interner{}
	}
	return im.table.fill(ctx, im.pbf, im.workers, im.tell("nodes"), func(worker, _ int, p geo.Point, tags []tag) {
		k := readKnown(tags)
		if s, ok := spotOf(&k, im.texts[worker]); ok {
			s.At = p
			im.spots[worker] = append(im.spots[worker], s)
		}
		if s, ok := placeShape(&k); ok {
			im.oven.Workers[worker].Point(&s, tiles.WorldPoint(p))
		}
	})
}

// bounds is the box of all nodes in use, cut to the box in the header: complete ways of an extract reach far beyond it.
func (im *importer) bounds() geo.Box {
	b := geo.EmptyBox
	for _, p := range im.table.at {
		if p != missing {
			b = b.Add(p)
		}
	}
	if h := im.pbf.bounds; h != geo.EmptyBox && b.Meets(h) {
		b = geo.Box{MinLat: max(b.MinLat, h.MinLat), MinLng: max(b.MinLng, h.MinLng),
			MaxLat: min(b.MaxLat, h.MaxLat), MaxLng: min(b.MaxLng, h.MaxLng)}
	}
	return b
}

// roads builds and writes the road index.
func (im *importer) roads(ctx context.Context) error {
	var drafts []roadDraft
	for _, p := range im.parts {
		drafts = append(drafts, p.roads...)
		p.roads = nil
	}
	slices.SortFunc(drafts, func(a, b roadDraft) int { return cmp.Compare(a.ID, b.ID) })
	tell := im.tell("roads")
	var ways []route.RoadWay
	var nodes []uint32
	var runs [][]uint32
	for i := range drafts {
		d := &drafts[i]
		nodes = im.table.readRefs(im.parts[d.owner].arena.get(d.refs), nodes)
		if d.reversed {
			slices.Reverse(nodes)
		}
		runs = splitRuns(runs[:0], nodes)
		for _, run := range runs {
			w := d.RoadWay
			w.Nodes = run
			ways = append(ways, w)
		}
		if i%4096 == 0 {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			tell(int64(i), int64(len(drafts)))
		}
	}
	data := route.Build(ways, im.turnRules(), len(im.table.ids), func(n uint32) geo.Point { return im.table.at[n] })
	im.report.Streets, im.report.Junctions = len(drafts), len(data.Nodes)
	tell(int64(len(drafts)), int64(len(drafts)))
	if err := im.writeFile(geo.RoadsFile, data.Write); err != nil {
		return fmt.Errorf("write the road index: %w", err)
	}
	index := places.Build(data, im.allSpots())
	if err := im.writeFile(places.PlacesFile, func(to io.Writer) error { return index.Write(to, data.Bounds) }); err != nil {
		return fmt.Errorf("write the search index: %w", err)
	}
	return ctx.Err()
}

func (im *importer) writeFile(name string, write func(io.Writer) error) error {
	f, err := os.Create(filepath.Join(im.dir, name))
	if err != nil {
		return err
	}
	return errors.Join(write(f), f.Sync(), f.Close())
}

// allSpots are those of nodes, and those of ways at the middle of their nodes.
func (im *importer) allSpots() []places.Spot {
	var all []places.Spot
	for i := range im.spots {
		all = append(all, im.spots[i]...)
	}
	var nodes []uint32
	for _, p := range im.parts {
		for _, w := range p.spots {
			b := geo.EmptyBox
			nodes = im.table.readRefs(p.arena.get(w.refs), nodes)
			for _, n := range nodes {
				if n != noNode {
					b = b.Add(im.table.at[n])
				}
			}
			if b == geo.EmptyBox {
				continue
			}
			w.At = geo.Point{Lat: b.MinLat/2 + b.MaxLat/2, Lng: b.MinLng/2 + b.MaxLng/2}
			all = append(all, w.Spot)
		}
		p.spots = nil
	}
	im.spots, im.texts = nil, nil
	return all
}

func (im *importer) turnRules() (rules []route.TurnRule) {
	for _, t := range im.set.turns {
		if via, ok := im.table.find(t.via, 0); ok && im.table.at[via] != missing {
			rules = append(rules, route.TurnRule{From: t.from, To: t.to, Via: via, Only: t.only, UTurn: t.uTurn})
		}
	}
	im.report.TurnRules = len(rules)
	return rules
}

func (im *importer) shapes(ctx context.Context) error {
	s := &shaper{table: im.table, parts: im.parts, oven: im.oven}
	total, before := int64(len(im.set.areas)+len(im.groups.list)), int64(0)
	for _, p := range im.parts {
		total += int64(len(p.areas))
	}
	tell := im.tell("shapes")
	progress := func(done int64) { tell(before+done, total) }
	if err := s.areas(ctx, progress); err != nil {
		return err
	}
	before = total - int64(len(im.set.areas)+len(im.groups.list))
	if err := s.relations(ctx, im.set, progress); err != nil {
		return err
	}
	before += int64(len(im.set.areas))
	s.parks.draw(s.oven.Workers[0])
	if err := s.lines(ctx, &im.groups, progress); err != nil {
		return err
	}
	im.report.BrokenPolygons = s.broken.Load()
	return nil
}
