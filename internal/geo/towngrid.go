package geo

import "math"

// townReach is how much farther than a hamlet a town of a rank gives its name.
var townReach = [5]float64{1: 40, 2: 20, 3: 10, 4: 0.1}

const (
	townsWithinM = 30_000.0
	townCell     = 0.1 // degrees
)

// townGrid finds the town to name beside a place.
type townGrid struct {
	list  []placeTown
	cells map[[2]int][]int
}

func gridOf(list []placeTown) townGrid {
	g := townGrid{list: list, cells: map[[2]int][]int{}}
	for i := range list {
		cell := townCellOf(list[i].at)
		g.cells[cell] = append(g.cells[cell], i)
	}
	return g
}

func townCellOf(p point) [2]int {
	return [2]int{int(math.Floor(fromFixed(p.lat) / townCell)), int(math.Floor(fromFixed(p.lng) / townCell))}
}

// near gives the text of the town's name; 0 where there is none.
func (g *townGrid) near(p point) uint32 {
	best, text := math.Inf(1), uint32(0)
	cell := townCellOf(p)
	for dLat := -3; dLat <= 3; dLat++ {
		for dLng := -4; dLng <= 4; dLng++ {
			for _, i := range g.cells[[2]int{cell[0] + dLat, cell[1] + dLng}] {
				t := &g.list[i]
				d := pointMeters(p, t.at)
				if weighed := d / townReach[t.rank]; d < townsWithinM && weighed < best {
					best, text = weighed, t.name
				}
			}
		}
	}
	return text
}

// TownAt names the town that a place lies in or near; empty when there is none.
func (p *Places) TownAt(at LatLng) string {
	if !at.valid() {
		return ""
	}
	return p.texts.at(p.grid.near(point{toFixed(at.Lat), toFixed(at.Lng)}))
}
