package osm

import (
	"context"
	"slices"
	"sync"

	"lightbar/internal/geo/places"
	"lightbar/internal/geo/tiles"
)

// lineGroup is a look that lines share; lines of one group are joined.
type lineGroup struct {
	shape    tiles.Shape
	directed bool
}

// lineGroups numbers looks. Numbers depend on the order of meeting; nothing
// that is written does.
type lineGroups struct {
	mu     sync.Mutex
	number map[string]uint32
	list   []lineGroup
}

func (g *lineGroups) of(s tiles.Shape, buffer []byte) (uint32, []byte) {
	buffer = append(buffer[:0], s.Layer, s.MinZoom, s.MaxZoom, s.Order)
	buffer = append(buffer, s.Fields...)
	g.mu.Lock()
	defer g.mu.Unlock()
	if n, ok := g.number[string(buffer)]; ok {
		return n, buffer
	}
	n := uint32(len(g.list))
	g.number[string(buffer)] = n
	s.Fields = slices.Clone(s.Fields)
	g.list = append(g.list, lineGroup{shape: s, directed: s.Fields.Has(tiles.KeyOneway) || s.Layer == layerWaterway})
	return n, buffer
}

// readWays is the second pass: how each way is drawn, and its node ids.
func readWays(ctx context.Context, f *pbfFile, set *relationSet, groups *lineGroups, workers int,
	progress func(done, total int64)) ([]*wayParts, error) {
	parts := make([]*wayParts, workers)
	for i := range parts {
		parts[i] = &wayParts{texts: interner{}, looks: map[string]tiles.Fields{}}
	}
	err := f.each(ctx, hasWays, workers, progress, func(worker, _ int, b *block) error {
		return b.ways(func(id int64, tags []tag, refs []int64) error {
			if len(refs) >= 2 {
				parts[worker].add(uint8(worker), id, tags, refs, set, groups)
			}
			return nil
		})
	})
	return parts, err
}

func (p *wayParts) add(worker uint8, id int64, tags []tag, refs []int64, set *relationSet, groups *lineGroups) {
	k := readKnown(tags)
	role := set.role[id]
	closed := len(refs) >= 4 && refs[0] == refs[len(refs)-1]
	var h handle
	kept := false
	keep := func() handle { // the node ids, once
		if !kept {
			p.buffer = appendRefs(p.buffer[:0], refs)
			h, kept = p.arena.put(p.buffer), true
			p.need = append(p.need, refs...)
		}
		return h
	}
	look, area := areaShape(&k)
	if role&roleMember != 0 {
		p.members = append(p.members, memberWay{id: id, refs: keep(), owner: worker, shape: look, drawn: area})
	}
	if area && closed && role&roleLooks == 0 {
		look.Fields = p.keepFields(look.Fields)
		p.areas = append(p.areas, areaWay{shape: look, refs: keep()})
	}
	if s, ok := spotOf(&k, p.texts); ok && s.Kind == places.SpotAddress {
		p.spots = append(p.spots, waySpot{Spot: s, refs: keep()})
	}
	p.shapes = lineShapes(&k, p.shapes[:0])
	if b, ok := set.borders[id]; ok {
		name := ""
		if b.areas == 1 {
			name = b.name
		}
		p.shapes = append(p.shapes, boundaryShape(b.level, name, k.maritime == "yes"))
	} else if level := adminLevel(&k); level > 0 {
		p.shapes = append(p.shapes, boundaryShape(level, "", k.maritime == "yes"))
	}
	if k.area == "yes" && k.highway != "" { // a square, not a street
		p.shapes = p.shapes[:0]
	}
	_, reversed := direction(&k)
	for _, s := range p.shapes {
		var group uint32
		group, p.buffer = groups.of(s, p.buffer)
		p.lines = append(p.lines, lineWay{group: group, id: id, refs: keep(), owner: worker, reversed: reversed && s.Layer == layerRoad})
	}
	if w, reversed, ok := roadOf(&k); ok {
		w.ID, w.Name, w.Ref = id, p.texts.keep(w.Name), p.texts.keep(w.Ref)
		p.roads = append(p.roads, roadDraft{RoadWay: w, reversed: reversed, refs: keep(), owner: worker})
	}
}

// keepFields gives the one copy of equal attributes: most areas have no name.
func (p *wayParts) keepFields(f tiles.Fields) tiles.Fields {
	if len(f) == 0 {
		return nil
	}
	if kept, ok := p.looks[string(f)]; ok {
		return kept
	}
	p.looks[string(f)] = f
	return f
}
