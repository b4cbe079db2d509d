package places

import (
	"cmp"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"lightbar/internal/geo"
	"lightbar/internal/geo/route"
)

// Spot is a searchable thing that the import found besides the roads.
type Spot struct {
	Kind   spotKind
	Rank   uint8  // of a town
	Name   string // of the town or the exit, or the street of an address
	Number string // of the house, the exit or the milepost
	City   string // from the address
	At     geo.Point
}

type spotKind uint8

const (
	SpotTown spotKind = iota + 1
	SpotExit
	SpotAddress
	SpotMile
)

// namedDraft is something with one name, while the index is built.
type namedDraft struct {
	name      string
	key       string
	streets   map[uint32]*streetDraft // by the text of the town
	corners   []geo.Point
	exits     []placeExit
	addresses []placeAddress
	towns     []placeTown
	miles     []placeMile
}

type streetDraft struct {
	meters, lat, lng float64 // lat and lng: sums weighted by length
	class            route.RoadClass
	away             float64 // of at from the middle
	at               geo.Point
}

// placesBuilder makes a search index of roads and spots.
type placesBuilder struct {
	roads   *route.RoadsData
	texts   geo.TextTable
	numbers map[string]uint32
	names   map[string]*namedDraft
	parts   map[[2]uint32][]*namedDraft // by name and number of an edge
	grid    townGrid
	near    []uint32 // of each edge
}

// maxName excludes texts that are not names but were entered as such.
const maxName = 120

func Build(roads *route.RoadsData, spots []Spot) *Places {
	b := &placesBuilder{roads: roads, texts: geo.NewTextTable(), numbers: map[string]uint32{"": 0}, names: map[string]*namedDraft{},
		parts: map[[2]uint32][]*namedDraft{}}
	// Sorted, so that the same extract gives the same file.
	slices.SortFunc(spots, func(a, b Spot) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Number, b.Number), cmp.Compare(a.City, b.City),
			comparePoints(a.At, b.At), cmp.Compare(a.Rank, b.Rank))
	})
	spots = slices.Compact(spots)
	b.findTowns(spots)
	b.addStreets()
	b.addCorners()
	b.addExits(spots)
	b.addAddresses(spots)
	b.addMiles(spots)
	return b.places()
}

func comparePoints(a, b geo.Point) int {
	return cmp.Or(cmp.Compare(a.Lat, b.Lat), cmp.Compare(a.Lng, b.Lng))
}

func (b *placesBuilder) textOf(s string) uint32 {
	i, ok := b.numbers[s]
	if !ok {
		i = b.texts.Add(s)
		b.numbers[s] = i
	}
	return i
}

// named gives the draft of a name; nil for what cannot be searched for.
func (b *placesBuilder) named(name string) *namedDraft {
	if d, ok := b.names[name]; ok {
		return d
	}
	var d *namedDraft
	if len(name) <= maxName {
		if key := keyOf(name); key != "" {
			d = &namedDraft{name: name, key: key, streets: map[uint32]*streetDraft{}}
		}
	}
	b.names[name] = d
	return d
}

func (b *placesBuilder) findTowns(spots []Spot) {
	var all []placeTown
	for _, s := range spots {
		if s.Kind != SpotTown {
			continue
		}
		if d := b.named(s.Name); d != nil {
			t := placeTown{rank: uint32(s.Rank), name: b.textOf(s.Name), at: s.At}
			d.towns = append(d.towns, t)
			all = append(all, t)
		}
	}
	b.grid = gridOf(all)
}

// namesOf are the names and route numbers of an edge.
func (b *placesBuilder) namesOf(e *route.Edge) []*namedDraft {
	at := [2]uint32{e.Name, e.Ref}
	if names, ok := b.parts[at]; ok {
		return names
	}
	var names []*namedDraft
	add := func(name string) {
		if d := b.named(name); d != nil && !slices.Contains(names, d) {
			names = append(names, d)
		}
	}
	add(b.roads.Texts.At(e.Name))
	for ref := range strings.SplitSeq(b.roads.Texts.At(e.Ref), ";") {
		add(strings.TrimSpace(ref))
	}
	b.parts[at] = names
	return names
}

func (b *placesBuilder) middle(e *route.Edge) geo.Point { return b.roads.Points[e.First+e.Count/2] }

func (b *placesBuilder) addStreets() {
	b.near = make([]uint32, len(b.roads.Edges))
	for i := range b.roads.Edges {
		e := &b.roads.Edges[i]
		names := b.namesOf(e)
		if len(names) == 0 {
			continue
		}
		mid := b.middle(e)
		b.near[i] = b.grid.near(mid)
		length := float64(e.LengthDm) / 10
		for _, n := range names {
			s := n.streets[b.near[i]]
			if s == nil {
				s = &streetDraft{class: e.Class, away: math.Inf(1)}
				n.streets[b.near[i]] = s
			}
			s.meters += length
			s.lat += geo.FromFixed(mid.Lat) * length
			s.lng += geo.FromFixed(mid.Lng) * length
			s.class = min(s.class, e.Class)
		}
	}
	// The place of a street is on it, nearest to its middle.
	for i := range b.roads.Edges {
		e := &b.roads.Edges[i]
		mid := b.middle(e)
		for _, n := range b.namesOf(e) {
			s := n.streets[b.near[i]]
			center := geo.Point{Lat: geo.ToFixed(s.lat / max(s.meters, 0.1)), Lng: geo.ToFixed(s.lng / max(s.meters, 0.1))}
			if away := geo.PointMeters(mid, center); away < s.away {
				s.away, s.at = away, mid
			}
		}
	}
}

// addCorners notes where a road meets one that is called otherwise.
func (b *placesBuilder) addCorners() {
	type end struct {
		at   geo.Point
		edge uint32
	}
	ends := make([]end, 0, 2*len(b.roads.Edges))
	for i := range b.roads.Edges {
		e := &b.roads.Edges[i]
		ends = append(ends, end{b.roads.Points[e.First], uint32(i)}, end{b.roads.Points[e.First+e.Count-1], uint32(i)})
	}
	slices.SortFunc(ends, func(a, b end) int { return comparePoints(a.at, b.at) })
	for from := 0; from < len(ends); {
		to, isCorner := from+1, false
		first := &b.roads.Edges[ends[from].edge]
		for to < len(ends) && ends[to].at == ends[from].at {
			e := &b.roads.Edges[ends[to].edge]
			isCorner = isCorner || e.Name != first.Name || e.Ref != first.Ref
			to++
		}
		for _, x := range ends[from:to] {
			if !isCorner {
				break
			}
			for _, n := range b.namesOf(&b.roads.Edges[x.edge]) {
				if len(n.corners) == 0 || n.corners[len(n.corners)-1] != x.at {
					n.corners = append(n.corners, x.at)
				}
			}
		}
		from = to
	}
}

// addExits puts the exits on the roads that they leave.
func (b *placesBuilder) addExits(spots []Spot) {
	exits := map[geo.Point]Spot{}
	for _, s := range spots {
		if s.Kind == SpotExit {
			exits[s.At] = s
		}
	}
	seen := map[*namedDraft]map[placeExit]bool{}
	for i := range b.roads.Edges {
		e := &b.roads.Edges[i]
		if e.Class > route.ClassPrimary || e.Flags&route.EdgeLink != 0 {
			continue
		}
		points := b.roads.Points[e.First : e.First+e.Count]
		s, ok := exits[points[len(points)-1]] // the traffic comes along this edge
		if !ok {
			continue
		}
		heading := geo.HeadingDeg(geo.FixedLatLng(points[len(points)-2]), geo.FixedLatLng(points[len(points)-1]))
		exit := placeExit{ref: b.textOf(s.Number), name: b.exitName(s.Name), near: b.grid.near(s.At), at: s.At, heading: uint32(heading)}
		for _, n := range b.namesOf(e) {
			if seen[n] == nil {
				seen[n] = map[placeExit]bool{}
			}
			if !seen[n][exit] {
				seen[n][exit] = true
				n.exits = append(n.exits, exit)
			}
		}
	}
}

func (b *placesBuilder) addAddresses(spots []Spot) {
	for _, s := range spots {
		if s.Kind != SpotAddress || len(s.Number) > maxName {
			continue
		}
		n := b.named(s.Name)
		if n == nil {
			continue
		}
		near := b.textOf(s.City)
		if near == 0 {
			near = b.grid.near(s.At)
		}
		n.addresses = append(n.addresses, placeAddress{number: b.textOf(s.Number), near: near, at: s.At})
	}
}

// places lays everything out.
func (b *placesBuilder) places() *Places {
	var drafts []*namedDraft
	for _, name := range slices.Sorted(maps.Keys(b.names)) {
		if d := b.names[name]; d != nil {
			drafts = append(drafts, d)
		}
	}
	p := &Places{}
	for _, d := range drafts {
		n := placeName{name: b.textOf(d.name), key: b.textOf(d.key)}
		from := uint32(len(p.streets))
		for _, near := range slices.Sorted(maps.Keys(d.streets)) {
			s := d.streets[near]
			p.streets = append(p.streets, placeStreet{near: near, meters: uint32(min(s.meters, math.MaxUint32)), at: s.at, class: uint32(s.class)})
		}
		n.streets = section{from, uint32(len(p.streets))}
		p.corners, n.corners = lay(p.corners, d.corners)
		p.exits, n.exits = lay(p.exits, d.exits)
		slices.SortStableFunc(d.addresses, func(x, y placeAddress) int {
			return compareNumbers(b.texts.At(x.number), b.texts.At(y.number))
		})
		p.addresses, n.addresses = lay(p.addresses, d.addresses)
		p.towns, n.towns = lay(p.towns, d.towns)
		slices.SortStableFunc(d.miles, func(x, y placeMile) int { return cmp.Compare(x.hundredths, y.hundredths) })
		for _, m := range d.miles {
			m.name = uint32(len(p.names))
			p.miles = append(p.miles, m)
		}
		for at := range d.key {
			if at == 0 || d.key[at-1] == ' ' {
				p.keys = append(p.keys, nameKey{name: uint32(len(p.names)), at: uint32(at)})
			}
		}
		p.names = append(p.names, n)
	}
	p.texts = b.texts
	slices.SortStableFunc(p.keys, func(x, y nameKey) int { return cmp.Compare(p.keyText(x), p.keyText(y)) })
	return p
}

func lay[T any](all, add []T) ([]T, section) {
	from := uint32(len(all))
	all = append(all, add...)
	return all, section{from, uint32(len(all))}
}

// compareNumbers sorts house numbers by their digits, then by the rest: 9, 12, 12B.
func compareNumbers(a, b string) int {
	digits := func(s string) int {
		end := 0
		for end < len(s) && end < 9 && s[end] >= '0' && s[end] <= '9' {
			end++
		}
		n, _ := strconv.Atoi(s[:end])
		return n
	}
	return cmp.Or(cmp.Compare(digits(a), digits(b)), cmp.Compare(a, b))
}

func (p *Places) Write(to io.Writer, bounds geo.Box) error {
	return placesLayout.Write(to, bounds, geo.BlobOf(p.texts.Text), geo.BlobOf(p.texts.Start), geo.BlobOf(p.names), geo.BlobOf(p.keys),
		geo.BlobOf(p.streets),
		geo.BlobOf(p.corners), geo.BlobOf(p.exits), geo.BlobOf(p.addresses), geo.BlobOf(p.towns), geo.BlobOf(p.miles))
}
