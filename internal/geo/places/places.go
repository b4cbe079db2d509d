// Package places is the search of a region: streets by name or number,
// crossings, exits, addresses, towns, and Plus Codes.
package places

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"sort"
	"strings"

	"lightbar/internal/geo"
)

// PlacesFile is the search index that an import writes beside roads and tiles.
const PlacesFile = "region.places"

// Kinds of a place that a search finds.
const (
	PlaceStreet   = "street"
	PlaceCrossing = "crossing"
	PlaceExit     = "exit"
	PlaceAddress  = "address"
	PlaceTown     = "town"

	// What a text says by itself.
	PlaceCoordinates = "coordinates"
	PlacePlusCode    = "plus_code"
)

// Place is an answer of a search.
type Place struct {
	Kind  string
	Label string // "Market Street & 5th Avenue"
	Near  string // the town it lies in or near; empty when there is none
	// IsPartial: a part of the request is not in it, such as the house or the town.
	IsPartial bool
	geo.LatLng
}

// Places is a region's search index: the names of streets with their crossings,
// exits, addresses and towns. It is immutable and safe for concurrent use, and
// lies in one block of memory as Roads does.
type Places struct {
	memory []uint64 // keeps the views below alive

	texts     geo.TextTable
	names     []placeName
	keys      []nameKey
	streets   []placeStreet
	corners   []geo.Point
	exits     []placeExit
	addresses []placeAddress
	towns     []placeTown
	miles     []placeMile
	grid      townGrid
	states    stateRoads
}

// section is a run of another section.
type section struct{ from, to uint32 }

// placeName is a name as people write it; its streets, corners (where another
// road is met, sorted by latitude), exits, addresses and towns follow each other.
type placeName struct {
	name, key                                 uint32 // texts: as written, and as compared
	streets, corners, exits, addresses, towns section
}

// nameKey is a name from one of its words on; keys are sorted by the text there.
type nameKey struct{ name, at uint32 }

// placeStreet is a named thing that lies in one town.
type placeStreet struct {
	near   uint32
	meters uint32
	at     geo.Point
	class  uint32
}

type placeExit struct {
	ref, name, near uint32
	at              geo.Point
	heading         uint32 // of the traffic that may leave here, degrees
}

// placeMile is a milepost of a name. They are sorted by name, then by number: most regions have few, and most names none.
type placeMile struct {
	name       uint32
	hundredths uint32 // from its sign
	at         geo.Point
}

type placeAddress struct {
	number, near uint32
	at           geo.Point
}

type placeTown struct {
	rank, name uint32 // rank: 1 is the largest
	at         geo.Point
}

var placesLayout = geo.Layout{Magic: "LBPLACE\n", Version: 2, Sections: 10}

// ErrBadPlaces is wrapped by OpenPlaces for a file that is not a whole search index of this version.
var ErrBadPlaces = errors.New("not a usable search index (import the region again)")

// OpenPlaces reads a search index written by Import. A missing file gives the
// error of os.Open; a damaged, truncated, foreign or newer one ErrBadPlaces.
func OpenPlaces(path string) (*Places, error) { return geo.ReadWholeFile(path, readPlaces) }

func readPlaces(src io.Reader, size int64) (*Places, error) {
	memory, raw, err := placesLayout.Read(src, size)
	if err != nil {
		return nil, fmt.Errorf("%w: %v", ErrBadPlaces, err)
	}
	s := placesLayout.SectionsOf(memory, raw)
	p := &Places{memory: memory}
	p.texts = geo.TextTable{Text: geo.View[byte](&s), Start: geo.View[uint32](&s)}
	p.names, p.keys = geo.View[placeName](&s), geo.View[nameKey](&s)
	p.streets, p.corners = geo.View[placeStreet](&s), geo.View[geo.Point](&s)
	p.exits, p.addresses, p.towns = geo.View[placeExit](&s), geo.View[placeAddress](&s), geo.View[placeTown](&s)
	p.miles = geo.View[placeMile](&s)
	if s.Err == nil {
		s.Err = p.check()
	}
	if s.Err != nil {
		return nil, fmt.Errorf("%w: %v", ErrBadPlaces, s.Err)
	}
	p.grid, p.states = gridOf(p.towns), p.stateRoadsOf()
	return p, nil
}

// check looks at every reference once, so that no search needs to.
func (p *Places) check() error {
	if !p.texts.IsValid() {
		return geo.ErrReference
	}
	texts := uint32(len(p.texts.Start) - 1)
	isIn := func(s section, length int) bool { return s.from <= s.to && s.to <= uint32(length) }
	for i := range p.names {
		n := &p.names[i]
		if n.name >= texts || n.key >= texts || !isIn(n.streets, len(p.streets)) || !isIn(n.corners, len(p.corners)) ||
			!isIn(n.exits, len(p.exits)) || !isIn(n.addresses, len(p.addresses)) || !isIn(n.towns, len(p.towns)) {
			return geo.ErrReference
		}
	}
	for _, k := range p.keys {
		if k.name >= uint32(len(p.names)) || int(k.at) > len(p.texts.At(p.names[k.name].key)) {
			return geo.ErrReference
		}
	}
	isBad := func(refs ...uint32) bool {
		for _, ref := range refs {
			if ref >= texts {
				return true
			}
		}
		return false
	}
	for _, s := range p.streets {
		if isBad(s.near) {
			return geo.ErrReference
		}
	}
	for _, e := range p.exits {
		if isBad(e.ref, e.name, e.near) {
			return geo.ErrReference
		}
	}
	for i, m := range p.miles {
		if m.name >= uint32(len(p.names)) || i > 0 && m.name < p.miles[i-1].name {
			return geo.ErrReference
		}
	}
	for _, a := range p.addresses {
		if isBad(a.number, a.near) {
			return geo.ErrReference
		}
	}
	for _, t := range p.towns {
		if isBad(t.name) || t.rank == 0 || t.rank >= uint32(len(townReach)) {
			return geo.ErrReference
		}
	}
	return nil
}

// keyText is the text by which a key is sorted.
func (p *Places) keyText(k nameKey) string { return p.texts.At(p.names[k.name].key)[k.at:] }

// beginning gives the keys that begin with a text.
func (p *Places) beginning(text string) []nameKey {
	from := sort.Search(len(p.keys), func(i int) bool { return p.keyText(p.keys[i]) >= text })
	rest := p.keys[from:]
	to := sort.Search(len(rest), func(i int) bool {
		key := p.keyText(rest[i])
		return cmp.Compare(key, text) > 0 && !strings.HasPrefix(key, text)
	})
	return rest[:to]
}
