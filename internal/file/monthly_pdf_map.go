package file

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"lightbar/internal/fleet"
)

const (
	metersPerDegree = 111_320.0
	// clusterMeters is the side of the squares in which incidents are counted.
	clusterMeters = 500.0
	// clustersNamed is how many squares with several incidents are named.
	clustersNamed = 3
	// mapCellMM is the side of the squares of paper that have one mark: nobody sees two marks closer together.
	mapCellMM = 1.2
	// The map is as high as the page has room for.
	mapLeastMM = 75.0
	mapMostMM  = 112.0
)

// monthlyMap is where incidents lie, in meters to the east and north of the first one.
type monthlyMap struct {
	lat, lng, east         float64 // of the first one, and meters of a degree there
	x, y                   []float64
	rows                   []fleet.MonthlyIncidentRow
	minX, maxX, minY, maxY float64
	outside                int // incidents that are too far away to be shown
}

func isPlace(lat, lng float64) bool {
	return math.Abs(lat) <= 85 && math.Abs(lng) <= 180 && (lat != 0 || lng != 0)
}

// mapOf places incidents on a plane. Some that are far from all others would make the rest one mark: they are counted, not shown.
func mapOf(rows []fleet.MonthlyIncidentRow) (m monthlyMap, ok bool) {
	for i := range rows {
		if !isPlace(rows[i].Lat, rows[i].Lng) {
			m.outside++
			continue
		}
		m.rows = append(m.rows, rows[i])
	}
	if len(m.rows) == 0 {
		return m, false
	}
	lats := make([]float64, len(m.rows))
	for i := range m.rows {
		lats[i] = m.rows[i].Lat
	}
	slices.Sort(lats)
	m.lat, m.lng = lats[len(lats)/2], m.rows[0].Lng
	m.east = metersPerDegree * math.Cos(m.lat*math.Pi/180)
	for i := range m.rows {
		m.x = append(m.x, math.Remainder(m.rows[i].Lng-m.lng, 360)*m.east)
		m.y = append(m.y, (m.rows[i].Lat-m.lat)*metersPerDegree)
	}
	m.minX, m.maxX = extent(m.x)
	m.minY, m.maxY = extent(m.y)
	return m, true
}

// extent is from where to where values reach, without the outermost ones if these alone make it more than three times as long.
func extent(values []float64) (low, high float64) {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	low, high = sorted[0], sorted[n-1]
	cut := n / 50
	if cut == 0 && n > 4 {
		cut = 1
	}
	inLow, inHigh := sorted[cut], sorted[n-1-cut]
	if high-low <= 3*(inHigh-inLow)+2000 {
		return low, high
	}
	beside := inHigh - inLow + 1000
	first, _ := slices.BinarySearch(sorted, inLow-beside)
	last, _ := slices.BinarySearch(sorted, inHigh+beside)
	return sorted[first], sorted[last-1]
}

// monthlyCluster is a square with several incidents.
type monthlyCluster struct {
	x, y    float64 // their middle
	count   int
	streets map[string]int
}

// street is where most of them lie.
func (c *monthlyCluster) street() string {
	best := ""
	for name, n := range c.streets {
		if name != "" && (n > c.streets[best] || best == "" || n == c.streets[best] && name < best) {
			best = name
		}
	}
	return best
}

// clusters are the squares with the most incidents, at least two of them, and none beside a larger one.
func (m *monthlyMap) clusters() []*monthlyCluster {
	by := map[[2]int]*monthlyCluster{}
	var all []*monthlyCluster
	for i := range m.rows {
		at := [2]int{int(math.Floor(m.x[i] / clusterMeters)), int(math.Floor(m.y[i] / clusterMeters))}
		c := by[at]
		if c == nil {
			c = &monthlyCluster{streets: map[string]int{}}
			by[at] = c
			all = append(all, c)
		}
		c.x, c.y, c.count = c.x+m.x[i], c.y+m.y[i], c.count+1
		c.streets[m.rows[i].Street]++
	}
	all = slices.DeleteFunc(all, func(c *monthlyCluster) bool { return c.count < 2 })
	for _, c := range all {
		c.x, c.y = c.x/float64(c.count), c.y/float64(c.count)
	}
	slices.SortStableFunc(all, func(a, b *monthlyCluster) int {
		return cmp.Or(b.count-a.count, strings.Compare(a.street(), b.street()))
	})
	var out []*monthlyCluster
	for _, c := range all {
		isNear := slices.ContainsFunc(out, func(o *monthlyCluster) bool { return math.Hypot(o.x-c.x, o.y-c.y) < clusterMeters })
		if !isNear && len(out) < clustersNamed {
			out = append(out, c)
		}
	}
	return out
}

// incidents sets where the incidents were.
func (p *monthlyPDF) incidents() {
	m, ok := mapOf(p.Incidents)
	if !ok {
		return
	}
	height := min(p.bottom-p.y-20, mapMostMM)
	if height < mapLeastMM {
		height = mapMostMM
		p.page()
	}
	p.caption("Where they were")
	p.plane(&m, p.left+13, p.y+1, p.width()-13, height-6)
	p.y += height
	outside := m.outside
	for i := range m.rows {
		if m.x[i] < m.minX || m.x[i] > m.maxX || m.y[i] < m.minY || m.y[i] > m.maxY {
			outside++
		}
	}
	said := numbered(int64(len(p.Incidents)-outside), "1 incident", "{n} incidents") +
		", true to scale. A larger mark stands for several that lie close together."
	if outside > 0 {
		said += numbered(int64(outside), " 1 incident was", " {n} incidents were") + " far away or without a place, and not on the map."
	}
	p.paragraph(said, pdfSmall, 2)
	p.y += 3
	clusters := m.clusters()
	if len(clusters) == 0 {
		return
	}
	var rows [][]string
	for i, c := range clusters {
		rows = append(rows, []string{fmt.Sprint(i + 1), cmp.Or(c.street(), noFigure), countWords(int64(c.count)), shareText(int64(c.count),
			int64(len(p.Incidents)))})
	}
	p.caption("Most incidents within 500 m")
	p.table([]pdfColumn{{"On the map", 14, false}, {"Street", 50, false}, {"Incidents", 18, true}, {"Of all", 14, true}}, rows)
}

// plane sets the map into a rectangle.
func (p *monthlyPDF) plane(m *monthlyMap, left, top, width, height float64) {
	const edge = 6.0
	spanX, spanY := max(m.maxX-m.minX, 600), max(m.maxY-m.minY, 600)
	perMM := max(spanX/(width-2*edge), spanY/(height-2*edge))
	midX, midY := (m.minX+m.maxX)/2, (m.minY+m.maxY)/2
	at := func(x, y float64) (float64, float64) {
		return left + width/2 + (x-midX)/perMM, top + height/2 - (y-midY)/perMM
	}
	p.fill(pdfSunken)
	p.Rect(left, top, width, height, "F")
	p.degrees(m, midX, midY, perMM, left, top, width, height)
	p.ClipRect(left, top, width, height, false)
	p.marks(m, at)
	for i, c := range m.clusters() {
		x, y := at(c.x, c.y)
		p.pen(pdfInk, 0.4)
		p.Circle(x, y, 4.4, "D")
		p.fill(pdfInk)
		p.Circle(x+4.2, y-4.2, 2.1, "F")
		p.text(x+4.2, y-3.35, fmt.Sprint(i+1), pdfStyle{6.5, true, pdfColor{255, 255, 255}}, pdfCenter, 0)
	}
	p.ClipEnd()
	p.pen(pdfStrong, 0.3)
	p.Rect(left, top, width, height, "D")
	p.scaleBar(left+width-4, top+height-4, perMM)
}

// marks sets a mark for all incidents of a square of paper, as large as they are many.
func (p *monthlyPDF) marks(m *monthlyMap, at func(x, y float64) (float64, float64)) {
	type cell struct {
		x, y float64
		n    int
	}
	by := map[[2]int]int{}
	var cells []cell
	for i := range m.rows {
		if m.x[i] < m.minX || m.x[i] > m.maxX || m.y[i] < m.minY || m.y[i] > m.maxY {
			continue
		}
		x, y := at(m.x[i], m.y[i])
		key := [2]int{int(x / mapCellMM), int(y / mapCellMM)}
		k, ok := by[key]
		if !ok {
			k = len(cells)
			by[key] = k
			cells = append(cells, cell{})
		}
		c := &cells[k]
		c.x, c.y, c.n = c.x+x, c.y+y, c.n+1
	}
	slices.SortStableFunc(cells, func(a, b cell) int { return b.n - a.n })
	p.pen(pdfColor{255, 255, 255}, 0.2)
	p.fill(pdfAccent)
	for _, c := range cells {
		p.Circle(c.x/float64(c.n), c.y/float64(c.n), min(0.9*math.Sqrt(float64(c.n)), 4), "FD")
	}
}

// degrees sets the lines of coordinates and their names on the frame.
func (p *monthlyPDF) degrees(m *monthlyMap, midX, midY, perMM, left, top, width, height float64) {
	quiet := pdfStyle{6.5, false, pdfInk2}
	lines := func(middle, perDegree, length float64, line func(offset, degree float64, digits int)) {
		step := stepOf(length*perMM/perDegree, 0.001)
		digits := max(0, int(math.Ceil(-math.Log10(step)-1e-9)))
		low := middle - length/2*perMM/perDegree
		for k := math.Ceil(low / step); k*step <= middle+length/2*perMM/perDegree; k++ {
			line((k*step-low)*perDegree/perMM, k*step, digits)
		}
	}
	p.pen(pdfLine, 0.2)
	lines(m.lng+midX/m.east, m.east, width, func(offset, degree float64, digits int) {
		p.Line(left+offset, top, left+offset, top+height)
		p.text(left+offset, top+height+3.4, degreeWords(math.Remainder(degree, 360), digits, "E", "W"), quiet, pdfCenter, 0)
	})
	lines(m.lat+midY/metersPerDegree, metersPerDegree, height, func(offset, degree float64, digits int) {
		y := top + height - offset
		p.Line(left, y, left+width, y)
		p.text(left-1.2, y+0.9, degreeWords(degree, digits, "N", "S"), quiet, pdfRight, 0)
	})
}

func degreeWords(degree float64, digits int, plus, minus string) string {
	if degree < 0 {
		plus = minus
	}
	return fmt.Sprintf("%.*f° %s", digits, math.Abs(degree), plus)
}

// scaleBar sets a bar that ends at x with its length in words.
func (p *monthlyPDF) scaleBar(x, y, perMM float64) {
	unit, name := 1000.0, "km"
	if p.Miles {
		unit, name = 1609.344, "mi"
	}
	step := stepOf(45*perMM/unit*2, 0)
	length := step * unit / perMM
	said := fmt.Sprintf("%g %s", step, name)
	p.fill(pdfColor{255, 255, 255})
	p.Rect(x-length-2, y-5.6, length+4, 7.6, "F")
	p.text(x-length/2, y-2.2, said, pdfStyle{7, true, pdfInk}, pdfCenter, 0)
	p.pen(pdfInk, 0.5)
	p.Line(x-length, y-1.2, x-length, y)
	p.Line(x-length, y, x, y)
	p.Line(x, y-1.2, x, y)
}

// longest lists the incidents and closures that took the longest.
func (p *monthlyPDF) longest() {
	if len(p.Incidents) > 0 {
		p.y += 5
		p.longestIncidents()
	}
	if len(p.Closures) > 0 {
		p.y += 5
		p.longestClosures()
	}
}

// lastOf is how long an incident took within the month and after; one that has not ended comes first.
func lastOf(row *fleet.MonthlyIncidentRow) float64 {
	if row.EndAt == 0 {
		return math.Inf(1)
	}
	return float64(row.EndAt - row.StartAt)
}

func (p *monthlyPDF) longestIncidents() {
	list := make([]*fleet.MonthlyIncidentRow, 0, len(p.Incidents))
	for i := range p.Incidents {
		list = append(list, &p.Incidents[i])
	}
	slices.SortStableFunc(list, func(x, y *fleet.MonthlyIncidentRow) int {
		return cmp.Or(cmp.Compare(lastOf(y), lastOf(x)), cmp.Compare(x.StartAt, y.StartAt), strings.Compare(x.LocationID, y.LocationID))
	})
	var rows [][]string
	for _, row := range list[:min(len(list), monthlyListed)] {
		length := "not ended"
		if row.EndAt != 0 {
			length = spanWords(lastOf(row))
		}
		rows = append(rows, []string{p.when(row.StartAt), cmp.Or(row.Name, noFigure), cmp.Or(row.Street, noFigure),
			countWords(int64(len(row.Stays))), length})
	}
	p.chapter("Longest incidents", 3*pdfRowHeight)
	p.most([]pdfColumn{{"Began", 30, false}, {"Incident", 38, false}, {"Street", 42, false}, {"Stays", 12, true}, {"Length", 20, true}},
		rows, len(list))
}

func (p *monthlyPDF) longestClosures() {
	list := make([]*fleet.MonthlyClosureRow, 0, len(p.Closures))
	for i := range p.Closures {
		list = append(list, &p.Closures[i])
	}
	slices.SortStableFunc(list, func(x, y *fleet.MonthlyClosureRow) int {
		return cmp.Or(cmp.Compare(y.ActiveMs, x.ActiveMs), cmp.Compare(x.StartAt, y.StartAt), strings.Compare(x.ClosureID, y.ClosureID))
	})
	var rows [][]string
	for _, row := range list[:min(len(list), monthlyListed)] {
		rows = append(rows, []string{cmp.Or(row.Name, noFigure), cmp.Or(row.RoadName, noFigure), impactWords(row.Impact), p.when(row.StartAt),
			spanWords(float64(row.ActiveMs)),
			spanWords(float64(row.PublishedMs))})
	}
	p.chapter("Longest closures", 3*pdfRowHeight)
	p.most([]pdfColumn{{"Closure", 30, false}, {"Road", 26, false}, {"Impact", 26, false}, {"Active since", 34, false}, {"In the month",
		19, true},
		{"Published", 19, true}}, rows, len(list))
}
