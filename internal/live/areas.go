package live

import (
	"context"

	"github.com/tidwall/rtree"

	"lightbar/internal/fleet"
	"lightbar/internal/store"
)

// areaIndex finds stations near a position. It is never changed, only replaced.
type areaIndex struct {
	tree   rtree.RTreeG[*fleet.Area]
	owners map[string]bool // organizations that have stations
}

// LoadAreas reads all areas and swaps the index.
func (p *Picture) LoadAreas(ctx context.Context, r store.Reader) error {
	areas, err := store.ListAreas(ctx, r)
	if err != nil {
		return err
	}
	p.SetAreas(areas)
	return nil
}

// SetAreas swaps the index of stations.
func (p *Picture) SetAreas(areas []*fleet.Area) {
	x := &areaIndex{owners: map[string]bool{}}
	for _, a := range areas {
		if lo, hi, ok := a.Box(); ok && a.IsStation && a.IsActive {
			x.tree.Insert(lo, hi, a)
			x.owners[a.OrganizationID] = true
		}
	}
	p.areas.Store(x)
}

// around are the surroundings of the assets of one owner; callers keep one for
// many points, so that a point costs no allocation.
type around struct {
	index *areaIndex
	owner string
	box   fleet.Surroundings
}

func (a *around) of(owner string) fleet.Surroundings {
	if a.index == nil || !a.index.owners[owner] {
		return fleet.Surroundings{}
	}
	a.owner = owner
	if a.box.Stations == nil {
		a.box.Stations = a.visit
	}
	return a.box
}

func (a *around) visit(lat, lng, withinM float64, visit func(*fleet.Area) bool) {
	la, ln := fleet.Offset(lat, lng, withinM, withinM)
	lo, hi := [2]float64{2*lng - ln, 2*lat - la}, [2]float64{ln, la}
	a.index.tree.Search(lo, hi, func(_, _ [2]float64, area *fleet.Area) bool {
		return area.OrganizationID != a.owner || visit(area)
	})
}
