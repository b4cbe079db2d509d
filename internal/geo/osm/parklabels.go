package osm

import (
	"bytes"
	"cmp"
	"math"
	"slices"
	"sync"

	"github.com/paulmach/orb"

	"lightbar/internal/geo"
	"lightbar/internal/geo/tiles"
)

const (
	parkLabelZoom = 12      // the first with labels of parks; the style shows them later still
	oneParkM      = 1_000.0 // parts of one name that lie nearer together are one park
)

// parkLabels collects the places of parks' names. A map that labels polygons would show the name once for each part and for each
// tile that it reaches into.
type parkLabels struct {
	mu   sync.Mutex
	list []parkLabel
}

type parkLabel struct {
	fields tiles.Fields
	at     orb.Point
	area   float64
}

// take notes a park's name and gives what its polygon still has.
func (p *parkLabels) take(f tiles.Fields, rings []orb.Ring, area float64) tiles.Fields {
	if !f.Has(tiles.KeyName) {
		return f
	}
	label := parkLabel{fields: f, at: insideOf(rings), area: area}
	p.mu.Lock()
	p.list = append(p.list, label)
	p.mu.Unlock()
	return f.Without(tiles.KeyName)
}

// once drops the smaller parts of a park that has another label nearby.
func (p *parkLabels) once() []parkLabel {
	slices.SortFunc(p.list, func(a, b parkLabel) int {
		return cmp.Or(bytes.Compare(a.fields, b.fields), cmp.Compare(b.area, a.area),
			cmp.Compare(a.at[0], b.at[0]), cmp.Compare(a.at[1], b.at[1]))
	})
	var kept []parkLabel
	first := 0 // of the kept ones with this name
	for i := range p.list {
		l := &p.list[i]
		if len(kept) > 0 && !bytes.Equal(kept[len(kept)-1].fields, l.fields) {
			first = len(kept)
		}
		if !slices.ContainsFunc(kept[first:], func(k parkLabel) bool { return worldM(k.at, l.at) < oneParkM }) {
			kept = append(kept, *l)
		}
	}
	return kept
}

// draw puts the labels into the tiles.
func (p *parkLabels) draw(w *tiles.OvenWorker) {
	for _, l := range p.once() {
		w.Point(&tiles.Shape{Layer: layerPark, MinZoom: parkLabelZoom, MaxZoom: lastZoom, Order: areaOrder(l.area), Fields: l.fields}, l.at)
	}
}

// worldM is about how many meters lie between two places of the world's square.
func worldM(a, b orb.Point) float64 {
	const equatorM = 360 * geo.MetersPerDegree
	lat := math.Atan(math.Sinh(math.Pi * (1 - a[1] - b[1])))
	return math.Hypot(a[0]-b[0], a[1]-b[1]) * equatorM * math.Cos(lat)
}

// insideOf is a place inside a polygon, outer ring first: the middle of the
// widest part that lies at half its height, outside of its holes.
func insideOf(rings []orb.Ring) orb.Point {
	b := rings[0].Bound()
	y := (b.Min[1] + b.Max[1]) / 2
	var crossed []float64
	for _, ring := range rings {
		for i := 1; i < len(ring); i++ {
			p, q := ring[i-1], ring[i]
			if (p[1] <= y) != (q[1] <= y) {
				crossed = append(crossed, p[0]+(q[0]-p[0])*(y-p[1])/(q[1]-p[1]))
			}
		}
	}
	slices.Sort(crossed)
	at, width := rings[0][0], 0.0
	for i := 1; i < len(crossed); i += 2 {
		if w := crossed[i] - crossed[i-1]; w > width {
			at, width = orb.Point{(crossed[i] + crossed[i-1]) / 2, y}, w
		}
	}
	return at
}
