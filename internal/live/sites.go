package live

import (
	"maps"

	"github.com/tidwall/rtree"

	"lightbar/internal/fleet"
)

// siteTree finds the zones of one organization by the boxes of their shapes. Rounding to
// float32 keeps the order of numbers, so a position in a box stays in it.
type siteTree = rtree.RTreeGN[float32, site]

// site is a shape of a place: most positions in its box are decided by the shape alone.
type site struct {
	shape *fleet.Shape
	id    string // of the place
}

// place is where a zone lies.
type place struct {
	owner, id string
	shapes    []*fleet.Shape
}

// siteIndex finds places near a position. It is never changed, only replaced by one that shares the unchanged parts: readers never
// wait.
type siteIndex struct{ byOwner map[string]*siteTree }

func newSiteIndex() *siteIndex { return &siteIndex{byOwner: map[string]*siteTree{}} }

func (x *siteIndex) tree(owner string) *siteTree {
	t := x.byOwner[owner]
	if t == nil {
		t = &siteTree{}
		x.byOwner[owner] = t
	}
	return t
}

// add puts a place into an index that nobody reads yet.
func (x *siteIndex) add(p *place) {
	for _, shape := range p.shapes {
		lo, hi := boxOf(shape)
		x.tree(p.owner).Insert(lo, hi, site{shape, p.id})
	}
}

// boxOf is the box around a shape.
func boxOf(shape *fleet.Shape) (lo, hi [2]float32) {
	l, h := fleet.HoldsBox(shape)
	return narrow(l), narrow(h)
}

func narrow(p [2]float64) [2]float32 { return [2]float32{float32(p[0]), float32(p[1])} }

// with is the index with one place instead of another; each may be nil.
func (x *siteIndex) with(old, next *place) *siteIndex {
	y := &siteIndex{byOwner: maps.Clone(x.byOwner)}
	own := func(owner string) *siteTree {
		y.byOwner[owner] = y.tree(owner).Copy()
		return y.byOwner[owner]
	}
	if old != nil {
		t := own(old.owner)
		for _, shape := range old.shapes {
			lo, hi := boxOf(shape)
			t.Delete(lo, hi, site{shape, old.id})
		}
		if t.Len() == 0 {
			delete(y.byOwner, old.owner)
		}
	}
	if next != nil {
		own(next.owner)
		y.add(next)
	}
	return y
}
