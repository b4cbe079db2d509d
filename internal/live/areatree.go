package live

import (
	"slices"

	"github.com/tidwall/rtree"

	"lightbar/internal/fleet"
)

// areaTree finds the stations of one organization. Most are packed in an index that is never changed; stations added since are in a
// small tree beside it, and removed ones are marked in it. When a fair part has changed, all are packed again, so a change costs
// little and a search hardly more.
type areaTree struct {
	packed *fleet.ShapeIndex
	sites  []station // that are packed
	ids    []string  // of those
	gone   []uint64  // bit set: of those
	left   int       // how many of those have not been removed
	added  rtree.RTreeGN[float32, station]
}

// station is a station with its shape beside it: most positions in its box are decided by the shape alone.
type station struct {
	shape *fleet.Shape
	area  *fleet.Area
}

func (s station) box() (lo, hi [2]float32) { return narrowed(s.shape.Box()) }

// narrowed is a box of the small tree: rounding keeps the order of numbers, so a position in a box stays in it.
func narrowed(lo, hi [2]float64) (l, h [2]float32) {
	return [2]float32{float32(lo[0]), float32(lo[1])}, [2]float32{float32(hi[0]), float32(hi[1])}
}

// looseMost is how many of a tree's stations may be outside the packed index, or marked as removed from it: some, or one in eight.
func looseMost(packed int) int { return 64 + packed/8 }

// packStations makes a tree of stations.
func packStations(sites []station) *areaTree {
	t := &areaTree{sites: sites, gone: make([]uint64, (len(sites)+63)/64), left: len(sites)}
	shapes := make([]*fleet.Shape, len(sites))
	t.ids = make([]string, len(sites))
	for i, s := range sites {
		shapes[i], t.ids[i] = s.shape, s.area.ID
	}
	t.packed = fleet.NewShapeIndex(shapes)
	return t
}

// Len is how many stations the tree has.
func (t *areaTree) Len() int { return t.left + t.added.Len() }

// Copy returns an independent tree that shares the unchanged parts.
func (t *areaTree) Copy() *areaTree {
	c := *t
	c.added = *t.added.Copy()
	return &c
}

// Insert adds a station.
func (t *areaTree) Insert(s station) {
	lo, hi := s.box()
	t.added.Insert(lo, hi, s)
	t.pack()
}

// Delete removes a station.
func (t *areaTree) Delete(s station) {
	if i, packed := t.packed.Find(s.shape); packed {
		t.gone = slices.Clone(t.gone)
		t.gone[i/64] |= 1 << (i % 64)
		t.left--
		t.pack()
		return
	}
	lo, hi := s.box()
	t.added.Delete(lo, hi, s)
}

func (t *areaTree) hasGone(i int) bool { return t.gone[i/64]&(1<<(i%64)) != 0 }

// pack packs all stations when many are loose.
func (t *areaTree) pack() {
	if t.added.Len()+len(t.sites)-t.left <= looseMost(len(t.sites)) {
		return
	}
	all := make([]station, 0, t.Len())
	for i, s := range t.sites {
		if !t.hasGone(i) {
			all = append(all, s)
		}
	}
	t.added.Scan(func(_, _ [2]float32, s station) bool {
		all = append(all, s)
		return true
	})
	*t = *packStations(all)
}

// holding visits the ids of the stations that contain a position.
func (t *areaTree) holding(lat, lng float64, visit func(id string)) {
	t.packed.At(lat, lng, func(i int) {
		if !t.hasGone(i) {
			visit(t.ids[i])
		}
	})
	if t.added.Len() > 0 {
		lo, hi := narrowed(fleet.Reach(lat, lng, 0))
		t.added.Search(lo, hi, func(_, _ [2]float32, s station) bool {
			if s.shape.Contains(lat, lng) {
				visit(s.area.ID)
			}
			return true
		})
	}
}

// near reports whether a station lies within some meters of a position.
func (t *areaTree) near(lat, lng, withinM float64) (found bool) {
	t.packed.Near(lat, lng, withinM, func(i int) bool {
		found = !t.hasGone(i)
		return !found
	})
	if !found && t.added.Len() > 0 {
		lo, hi := narrowed(fleet.Reach(lat, lng, withinM))
		t.added.Search(lo, hi, func(_, _ [2]float32, s station) bool {
			found = s.shape.DistanceFromM(lat, lng) <= withinM
			return !found
		})
	}
	return found
}
