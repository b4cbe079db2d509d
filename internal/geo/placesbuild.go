package geo

import (
	"cmp"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// spot is what the import found beside the roads that a search can name.
type spot struct {
	kind   spotKind
	rank   uint8  // of a town
	name   string // of the town or the exit, or the street of an address
	number string // of the house, the exit or the milepost
	city   string // that the address tells
	at     point
}

type spotKind uint8

const (
	spotTown spotKind = iota + 1
	spotExit
	spotAddress
	spotMile
)

// namedDraft is what has one name, in building.
type namedDraft struct {
	name      string
	key       string
	streets   map[uint32]*streetDraft // by the text of the town
	corners   []point
	exits     []placeExit
	addresses []placeAddress
	towns     []placeTown
	miles     []placeMile
}

type streetDraft struct {
	meters, lat, lng float64 // lat and lng: sums weighted by length
	class            roadClass
	away             float64 // of at from the middle
	at               point
}

// placesBuilder makes a search index of roads and spots.
type placesBuilder struct {
	roads   *roadsData
	texts   textTable
	numbers map[string]uint32
	names   map[string]*namedDraft
	parts   map[[2]uint32][]*namedDraft // by name and number of an edge
	grid    townGrid
	near    []uint32 // of each edge
}

// maxName keeps out what was written into a name's place.
const maxName = 120

func buildPlaces(roads *roadsData, spots []spot) *Places {
	b := &placesBuilder{roads: roads, texts: newTextTable(), numbers: map[string]uint32{"": 0}, names: map[string]*namedDraft{},
		parts: map[[2]uint32][]*namedDraft{}}
	// Sorted, so that the same extract gives the same file.
	slices.SortFunc(spots, func(a, b spot) int {
		return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.name, b.name), cmp.Compare(a.number, b.number), cmp.Compare(a.city, b.city),
			comparePoints(a.at, b.at), cmp.Compare(a.rank, b.rank))
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

func comparePoints(a, b point) int {
	return cmp.Or(cmp.Compare(a.lat, b.lat), cmp.Compare(a.lng, b.lng))
}

func (b *placesBuilder) textOf(s string) uint32 {
	i, ok := b.numbers[s]
	if !ok {
		i = b.texts.add(s)
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

func (b *placesBuilder) findTowns(spots []spot) {
	var all []placeTown
	for _, s := range spots {
		if s.kind != spotTown {
			continue
		}
		if d := b.named(s.name); d != nil {
			t := placeTown{rank: uint32(s.rank), name: b.textOf(s.name), at: s.at}
			d.towns = append(d.towns, t)
			all = append(all, t)
		}
	}
	b.grid = gridOf(all)
}

// namesOf are the names and route numbers of an edge.
func (b *placesBuilder) namesOf(e *edge) []*namedDraft {
	at := [2]uint32{e.name, e.ref}
	if names, ok := b.parts[at]; ok {
		return names
	}
	var names []*namedDraft
	add := func(name string) {
		if d := b.named(name); d != nil && !slices.Contains(names, d) {
			names = append(names, d)
		}
	}
	add(b.roads.texts.at(e.name))
	for ref := range strings.SplitSeq(b.roads.texts.at(e.ref), ";") {
		add(strings.TrimSpace(ref))
	}
	b.parts[at] = names
	return names
}

func (b *placesBuilder) middle(e *edge) point { return b.roads.points[e.first+e.count/2] }

func (b *placesBuilder) addStreets() {
	b.near = make([]uint32, len(b.roads.edges))
	for i := range b.roads.edges {
		e := &b.roads.edges[i]
		names := b.namesOf(e)
		if len(names) == 0 {
			continue
		}
		mid := b.middle(e)
		b.near[i] = b.grid.near(mid)
		length := float64(e.lengthDm) / 10
		for _, n := range names {
			s := n.streets[b.near[i]]
			if s == nil {
				s = &streetDraft{class: e.class, away: math.Inf(1)}
				n.streets[b.near[i]] = s
			}
			s.meters += length
			s.lat += fromFixed(mid.lat) * length
			s.lng += fromFixed(mid.lng) * length
			s.class = min(s.class, e.class)
		}
	}
	// The place of a street is on it, nearest to its middle.
	for i := range b.roads.edges {
		e := &b.roads.edges[i]
		mid := b.middle(e)
		for _, n := range b.namesOf(e) {
			s := n.streets[b.near[i]]
			center := point{toFixed(s.lat / max(s.meters, 0.1)), toFixed(s.lng / max(s.meters, 0.1))}
			if away := pointMeters(mid, center); away < s.away {
				s.away, s.at = away, mid
			}
		}
	}
}

// addCorners notes where a road meets one that is called otherwise.
func (b *placesBuilder) addCorners() {
	type end struct {
		at   point
		edge uint32
	}
	ends := make([]end, 0, 2*len(b.roads.edges))
	for i := range b.roads.edges {
		e := &b.roads.edges[i]
		ends = append(ends, end{b.roads.points[e.first], uint32(i)}, end{b.roads.points[e.first+e.count-1], uint32(i)})
	}
	slices.SortFunc(ends, func(a, b end) int { return comparePoints(a.at, b.at) })
	for from := 0; from < len(ends); {
		to, isCorner := from+1, false
		first := &b.roads.edges[ends[from].edge]
		for to < len(ends) && ends[to].at == ends[from].at {
			e := &b.roads.edges[ends[to].edge]
			isCorner = isCorner || e.name != first.name || e.ref != first.ref
			to++
		}
		for _, x := range ends[from:to] {
			if !isCorner {
				break
			}
			for _, n := range b.namesOf(&b.roads.edges[x.edge]) {
				if len(n.corners) == 0 || n.corners[len(n.corners)-1] != x.at {
					n.corners = append(n.corners, x.at)
				}
			}
		}
		from = to
	}
}

// addExits puts the exits on the roads that they leave.
func (b *placesBuilder) addExits(spots []spot) {
	exits := map[point]spot{}
	for _, s := range spots {
		if s.kind == spotExit {
			exits[s.at] = s
		}
	}
	seen := map[*namedDraft]map[placeExit]bool{}
	for i := range b.roads.edges {
		e := &b.roads.edges[i]
		if e.class > classPrimary || e.flags&edgeLink != 0 {
			continue
		}
		points := b.roads.points[e.first : e.first+e.count]
		s, ok := exits[points[len(points)-1]] // the traffic comes along this edge
		if !ok {
			continue
		}
		heading := HeadingDeg(fixedLatLng(points[len(points)-2]), fixedLatLng(points[len(points)-1]))
		exit := placeExit{ref: b.textOf(s.number), name: b.exitName(s.name), near: b.grid.near(s.at), at: s.at, heading: uint32(heading)}
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

func (b *placesBuilder) addAddresses(spots []spot) {
	for _, s := range spots {
		if s.kind != spotAddress || len(s.number) > maxName {
			continue
		}
		n := b.named(s.name)
		if n == nil {
			continue
		}
		near := b.textOf(s.city)
		if near == 0 {
			near = b.grid.near(s.at)
		}
		n.addresses = append(n.addresses, placeAddress{number: b.textOf(s.number), near: near, at: s.at})
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
			return compareNumbers(b.texts.at(x.number), b.texts.at(y.number))
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

func (p *Places) write(to io.Writer, bounds box) error {
	return placesLayout.write(to, bounds, blobOf(p.texts.text), blobOf(p.texts.start), blobOf(p.names), blobOf(p.keys), blobOf(p.streets),
		blobOf(p.corners), blobOf(p.exits), blobOf(p.addresses), blobOf(p.towns), blobOf(p.miles))
}
