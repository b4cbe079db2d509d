package osm

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"lightbar/internal/geo/tiles"
)

// areaRelation is a multipolygon that is drawn, or may be: bare ones take
// their look from their outer way (the way of mapping until about 2017).
type areaRelation struct {
	id      int64
	shape   tiles.Shape
	bare    bool
	members []areaMember
}

type areaMember struct {
	way   int64
	inner bool
}

// turnDraft is a turn restriction as read.
type turnDraft struct {
	relation      int64
	from, to, via int64
	only, uTurn   bool
}

// borderWay is the data of boundary relations about a way.
type borderWay struct {
	level uint8
	name  string // of the one area that has the level; empty when two share the way
	areas int
}

// relationSet is the result of the first pass.
type relationSet struct {
	mu      sync.Mutex
	areas   []areaRelation
	turns   []turnDraft
	borders map[int64]borderWay
	role    map[int64]uint8 // ways that are needed: bits below
	need    []int64         // via nodes
	skipped int
}

const (
	roleMember uint8 = 1 << iota // a part of a multipolygon
	roleLooks                    // the outer way of a bare one: gives its look, is not drawn alone
)

// readRelations is the first pass. It also learns which blobs hold what.
// Members that are relations themselves are not followed, so that circles of
// relations cannot occur.
func readRelations(ctx context.Context, f *pbfFile, workers int, progress func(done, total int64)) (*relationSet, error) {
	set := &relationSet{borders: map[int64]borderWay{}, role: map[int64]uint8{}}
	texts := make([]interner, workers)
	for i := range texts {
		texts[i] = interner{}
	}
	err := f.each(ctx, hasNodes|hasWays|hasRelations, workers, progress, func(worker, blob int, b *block) error {
		f.blobs[blob].kinds = b.kinds // each blob is visited once
		if b.kinds&hasRelations == 0 {
			return nil
		}
		return b.relations(func(id int64, tags []tag, members []member) error {
			k := readKnown(tags)
			set.mu.Lock()
			defer set.mu.Unlock()
			set.add(id, &k, members, texts[worker])
			return nil
		})
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(set.areas, func(a, b areaRelation) int { return cmp.Compare(a.id, b.id) })
	slices.SortFunc(set.turns, func(a, b turnDraft) int { return cmp.Compare(a.relation, b.relation) })
	return set, nil
}

func (s *relationSet) add(id int64, k *known, members []member, texts interner) {
	if only, uTurn, ok := turnOf(k); ok {
		s.addTurn(id, only, uTurn, members)
		return
	}
	if k.kind != "multipolygon" && k.kind != "boundary" {
		return
	}
	if level := adminLevel(k); level > 0 {
		s.addBorder(level, texts.keep(k.name), members)
	}
	look, drawn := areaShape(k)
	if k.kind == "boundary" && !drawn || adminLevel(k) > 0 {
		return
	}
	r := areaRelation{id: id, shape: look, bare: !drawn}
	for _, m := range members {
		if m.kind != memberOfWay {
			continue
		}
		inner := m.role == "inner"
		r.members = append(r.members, areaMember{m.id, inner})
		s.role[m.id] |= roleMember
		if r.bare && !inner {
			s.role[m.id] |= roleLooks
		}
	}
	if len(r.members) > 0 {
		s.areas = append(s.areas, r)
	}
}

func (s *relationSet) addBorder(level uint8, name string, members []member) {
	for _, m := range members {
		if m.kind != memberOfWay {
			continue
		}
		have, ok := s.borders[m.id]
		switch {
		case !ok || level < have.level:
			s.borders[m.id] = borderWay{level: level, name: name, areas: 1}
		case level == have.level:
			s.borders[m.id] = borderWay{level: level, areas: have.areas + 1}
		}
	}
}

// addTurn stores restrictions with one node between two ways; those over other ways are rare and left out.
func (s *relationSet) addTurn(id int64, only, uTurn bool, members []member) {
	t := turnDraft{relation: id, only: only, uTurn: uTurn}
	var froms, tos, vias int
	for _, m := range members {
		switch {
		case m.role == "from" && m.kind == memberOfWay:
			t.from = m.id
			froms++
		case m.role == "to" && m.kind == memberOfWay:
			t.to = m.id
			tos++
		case m.role == "via" && m.kind == memberOfNode:
			t.via = m.id
			vias++
		case m.role == "via":
			vias += 2
		}
	}
	if froms != 1 || tos != 1 || vias != 1 {
		s.skipped++
		return
	}
	s.turns = append(s.turns, t)
	s.need = append(s.need, t.via)
}
