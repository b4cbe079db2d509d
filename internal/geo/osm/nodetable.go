package osm

import (
	"context"
	"math"
	"slices"
	"sort"
	"sync"

	"lightbar/internal/geo"
)

// nodeTable holds the nodes that ways need: sorted ids beside coordinates, 16
// bytes a node.
type nodeTable struct {
	ids    []int64
	at     []geo.Point
	bucket []uint32 // first index of each block of ids, see find
	shift  uint
}

// missing marks a node that the extract does not hold (a way cut at its border).
var missing = geo.Point{Lat: -1 << 31, Lng: -1 << 31}

// newNodeTable takes the workers' lists of needed ids and sorts out repeats.
func newNodeTable(lists [][]int64) *nodeTable {
	var wg sync.WaitGroup
	for i := range lists {
		wg.Go(func() {
			slices.Sort(lists[i])
			lists[i] = slices.Compact(lists[i])
		})
	}
	wg.Wait()
	t := &nodeTable{ids: mergeIDs(lists)}
	t.at = make([]geo.Point, len(t.ids))
	for i := range t.at {
		t.at[i] = missing
	}
	t.indexBuckets()
	return t
}

// mergeIDs merges sorted lists, repeats left out.
func mergeIDs(lists [][]int64) []int64 {
	for len(lists) > 1 {
		a, b := lists[0], lists[1]
		out := make([]int64, 0, len(a)+len(b))
		for len(a) > 0 && len(b) > 0 {
			switch {
			case a[0] < b[0]:
				out, a = append(out, a[0]), a[1:]
			case a[0] > b[0]:
				out, b = append(out, b[0]), b[1:]
			default:
				out, a, b = append(out, a[0]), a[1:], b[1:]
			}
		}
		out = append(append(out, a...), b...)
		lists = append(lists[2:], out)
	}
	if len(lists) == 0 {
		return nil
	}
	return lists[0]
}

// indexBuckets divides the ids' range into about as many blocks as a
// sixteenth of the nodes, so that find looks through a few only.
func (t *nodeTable) indexBuckets() {
	if len(t.ids) == 0 {
		return
	}
	span := uint64(t.ids[len(t.ids)-1] - t.ids[0])
	for span>>t.shift > uint64(len(t.ids)/16+16) {
		t.shift++
	}
	t.bucket = make([]uint32, span>>t.shift+2)
	for _, id := range t.ids {
		t.bucket[uint64(id-t.ids[0])>>t.shift+1]++
	}
	for i := 1; i < len(t.bucket); i++ {
		t.bucket[i] += t.bucket[i-1]
	}
}

// find gives a node's index. hint is the index found before: consecutive
// nodes of a way mostly have consecutive ids.
func (t *nodeTable) find(id int64, hint uint32) (uint32, bool) {
	if n := hint + 1; int(n) < len(t.ids) && t.ids[n] == id {
		return n, true
	}
	if len(t.ids) == 0 || id < t.ids[0] || id > t.ids[len(t.ids)-1] {
		return 0, false
	}
	b := uint64(id-t.ids[0]) >> t.shift
	from, to := t.bucket[b], t.bucket[b+1]
	i, ok := slices.BinarySearch(t.ids[from:to], id)
	return from + uint32(i), ok
}

// fill reads all nodes of the file and keeps the coordinates of those in the
// table; other is called for every node with tags. Workers write to different
// places of the table unless the file repeats a node, which is refused by the
// format and harmless here but for which coordinate wins.
func (t *nodeTable) fill(ctx context.Context, f *pbfFile, workers int, progress func(done, total int64),
	other func(worker, blob int, p geo.Point, tags []tag)) error {
	return f.each(ctx, hasNodes, workers, progress, func(worker, blob int, b *block) error {
		at := len(t.ids)
		last := int64(math.MaxInt64)
		return b.nodes(func(id int64, p geo.Point, inWorld bool, tags []tag) error {
			if id < last { // a new run of rising ids
				at = sort.Search(len(t.ids), func(i int) bool { return t.ids[i] >= id })
			}
			last = id
			for steps := 0; at < len(t.ids) && t.ids[at] < id; steps++ {
				if steps == 8 { // far ahead: search instead of walking
					rest := t.ids[at:]
					at += sort.Search(len(rest), func(i int) bool { return rest[i] >= id })
					break
				}
				at++
			}
			needed := at < len(t.ids) && t.ids[at] == id
			if (needed || len(tags) > 0) && !inWorld {
				return badPBF("node %d lies outside of the world", id)
			}
			if needed {
				t.at[at] = p
			}
			if len(tags) > 0 {
				other(worker, blob, p, tags)
			}
			return nil
		})
	})
}
