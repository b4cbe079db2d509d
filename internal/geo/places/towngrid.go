package places

import (
	"math"

	"lightbar/internal/geo"
)

// hamlet is the last rank: its name applies only to places right in it.
const hamlet = 4

// townReach is how much farther a town of a rank gives its name.
var townReach = [hamlet + 1]float64{1: 40, 2: 20, 3: 10, hamlet: 0.1}

const (
	townsWithinM = 30_000.0
	townCell     = 0.1 // degrees
)

// townGrid finds the town to name beside a place.
type townGrid struct {
	towns, hamlets map[[2]int][]placeTown // by cell
}

func gridOf(list []placeTown) townGrid {
	g := townGrid{towns: map[[2]int][]placeTown{}, hamlets: map[[2]int][]placeTown{}}
	for _, t := range list {
		cells := g.towns
		if t.rank == hamlet {
			cells = g.hamlets
		}
		cell := townCellOf(t.at)
		cells[cell] = append(cells[cell], t)
	}
	return g
}

func townCellOf(p geo.Point) [2]int {
	return [2]int{int(math.Floor(geo.FromFixed(p.Lat) / townCell)), int(math.Floor(geo.FromFixed(p.Lng) / townCell))}
}

// near gives the text of the town's name; 0 where there is none.
func (g *townGrid) near(p geo.Point) uint32 {
	best, text := math.Inf(1), uint32(0)
	nearestIn(g.towns, p, townsWithinM, &best, &text)
	// Where there are towns, only the hamlet around a place can win; there are many.
	nearestIn(g.hamlets, p, min(townsWithinM, best*townReach[hamlet]), &best, &text)
	return text
}

// nearestIn looks in the cells that a circle may touch.
func nearestIn(cells map[[2]int][]placeTown, p geo.Point, radiusM float64, best *float64, text *uint32) {
	reach := radiusM / geo.MetersPerDegree / townCell
	rows, columns := int(math.Ceil(reach)), int(math.Ceil(reach/max(0.2, geo.CosLat(geo.FromFixed(p.Lat)))))
	cell := townCellOf(p)
	for dLat := -rows; dLat <= rows; dLat++ {
		for dLng := -columns; dLng <= columns; dLng++ {
			for _, t := range cells[[2]int{cell[0] + dLat, cell[1] + dLng}] {
				d := geo.PointMeters(p, t.at)
				if weighed := d / townReach[t.rank]; d <= radiusM && weighed < *best {
					*best, *text = weighed, t.name
				}
			}
		}
	}
}

// TownAt names the town that a place lies in or near; empty when there is none.
func (p *Places) TownAt(at geo.LatLng) string {
	if !at.Valid() {
		return ""
	}
	return p.texts.At(p.grid.near(geo.Point{Lat: geo.ToFixed(at.Lat), Lng: geo.ToFixed(at.Lng)}))
}
