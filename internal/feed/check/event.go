package check

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"time"

	"lightbar/internal/feed"
	"lightbar/internal/feed/read"
	"lightbar/internal/fleet"
)

const (
	lingersAfter = 24 * time.Hour
	jumpM        = 100_000
)

// event looks at a road event: its members, then what they mean.
func (c *checker) event(v map[string]any) {
	c.hold(roadEvent, v, all)
	p, _ := v["properties"].(map[string]any)
	core, _ := p["core_details"].(map[string]any)
	if p != nil {
		c.down("properties", func() {
			if textOf(core, "event_type") == "detour" {
				c.hold(detour, p, all)
			} else {
				c.hold(workZone, p, all)
			}
			c.times(p)
			c.verified(p)
			c.lanes(p)
			c.down("core_details", func() { c.core(core, textOf(v, "id")) })
		})
	}
	route := c.geometry(v, all)
	if feed.Against(textOf(core, "direction"), route) {
		c.down("geometry", func() { c.note(all, againstLine, "The event says “", textOf(core, "direction"), "”.") })
	}
}

func (c *checker) core(core map[string]any, id string) {
	roads, _ := core["road_names"].([]any)
	for i, road := range roads {
		if name, is := road.(string); is && strings.TrimSpace(name) == "" {
			c.down("road_names", func() { c.at(i, func() { c.note(all, roadEmpty) }) })
		}
	}
	if source, is := core["data_source_id"].(string); is && !c.sources[source] { // which may be named behind the features
		c.uses.add(reference{id: source, in: toSource}, c.feature)
	}
	if at, _ := instant(core, "update_date"); c.updates(core, "update_date") && at > c.now.Add(aheadMost) {
		c.down("update_date", func() { c.note(all, future) })
	}
	relatedEvents, _ := core["related_road_events"].([]any)
	for i, r := range relatedEvents {
		r, _ := r.(map[string]any)
		if other, is := r["id"].(string); is {
			c.relate(reference{id: other, in: toRelated, index: int32(i)}, id, textOf(r, "type"))
		}
	}
	before, _ := core["relationship"].(map[string]any)
	for member, name := range relationships {
		others, _ := before[name].([]any)
		for i, other := range others {
			if other, is := other.(string); is {
				c.relate(reference{id: other, in: member, index: int32(i)}, id, name)
			}
		}
	}
}

// relate notes a relation of an event. The first of a sequence names itself.
func (c *checker) relate(r reference, id, kind string) {
	if r.id == id && id != "" && !strings.HasPrefix(kind, "first") {
		c.noteAt(all, relatedSelf, func() Place { return Place{c.feature, r.path(), ""} })
	}
	c.relations.add(r, c.feature)
}

func instant(m map[string]any, name string) (fleet.Instant, bool) {
	at, err := time.Parse(time.RFC3339, strings.ToUpper(textOf(m, name)))
	return fleet.InstantOf(at), err == nil
}

func (c *checker) times(p map[string]any) {
	start, begins := instant(p, "start_date")
	end, ends := instant(p, "end_date")
	if c.isPlaceholder(p, "end_date") {
		ends = false
	}
	if said := textOf(p, "start_date"); said != "" && fleet.IsNoTime(said) {
		c.down("start_date", func() { c.noteText(all, startPlaceholder, said) })
	}
	c.down("end_date", func() {
		if begins && ends && end <= start {
			c.note(all, endFirst)
		}
		if ends && c.now > end.Add(lingersAfter) {
			c.note(all, lingers)
		}
	})
	for _, side := range []struct {
		name string
		at   fleet.Instant
		is   bool
		rule *Rule
	}{{"is_start_date_verified", start, begins, startUnsure}, {"is_end_date_verified", end, ends, endUnsure}} {
		if p[side.name] == true && side.is && side.at > c.now.Add(aheadMost) {
			c.down(side.name, func() { c.note(from41, side.rule) })
		}
	}
}

// isPlaceholder recognizes an end that is not a time but a way to write that there is none, and notes it.
func (c *checker) isPlaceholder(m map[string]any, name string) bool {
	said := textOf(m, name)
	if said == "" || !fleet.IsNoTime(said) {
		return false
	}
	c.down(name, func() { c.noteText(all, endPlaceholder, said) })
	return true
}

// verified: a date or position may be given in the old and the new words, and then both must agree.
func (c *checker) verified(p map[string]any) {
	for _, pair := range verifications {
		now, before := pair[0], pair[1]
		if is, said := p[now].(bool); said && p[before] != nil && is != (p[before] == "verified") {
			c.down(before, func() { c.note(from41&wzdx, accuracyNo) })
		}
	}
}

var verifications = [][2]string{{"is_start_date_verified", "start_date_accuracy"}, {"is_end_date_verified", "end_date_accuracy"},
	{"is_start_position_verified", "beginning_accuracy"}, {"is_end_position_verified", "ending_accuracy"}}

func (c *checker) lanes(p map[string]any) {
	list, _ := p["lanes"].([]any)
	if len(list) == 0 {
		return
	}
	open, closed := 0, 0
	for _, l := range list {
		l, _ := l.(map[string]any)
		switch {
		case !read.IsTravelLane(textOf(l, "type")): // a closed shoulder closes none of them
		case textOf(l, "status") == "closed":
			closed++
		default:
			open++
		}
	}
	c.down("lanes", func() {
		c.orders(list)
		impact := textOf(p, "vehicle_impact")
		switch {
		case impact == "all-lanes-closed" && open > 0:
			c.note(all, lanesAllOpen, "The impact is all lanes closed, but a lane is open.")
		case strings.HasPrefix(impact, "some-lanes-closed") && open == 0 && closed > 0:
			c.note(all, lanesAllOpen, "The impact is some lanes closed, but all lanes are closed.")
		case strings.HasPrefix(impact, "some-lanes-closed") && closed == 0 && open == len(list):
			c.note(all, lanesAllOpen, "The impact is some lanes closed, but no lane is closed.")
		case strings.HasPrefix(impact, "all-lanes-open") && closed > 0:
			c.note(all, lanesAllOpen, "The impact is all lanes open, but a lane is closed.")
		}
	})
}

// orders: 1 is the left-most, none is skipped, none comes twice.
func (c *checker) orders(list []any) {
	seen, most := map[int]bool{}, 0
	for i, l := range list {
		l, _ := l.(map[string]any)
		n, is := numberOf(l["order"])
		if !is || n < 1 || n > 1000 {
			return // already reported
		}
		if seen[n] {
			c.at(i, func() { c.down("order", func() { c.note(all, lanesTwice, "Lane ", strconv.Itoa(n), ".") }) })
		}
		seen[n], most = true, max(most, n)
	}
	for n := 1; n <= most; n++ {
		if !seen[n] {
			c.note(all, lanesSkipped, "Lane ", strconv.Itoa(n), " of ", strconv.Itoa(most), ".")
			return
		}
	}
}

// numberOf also takes a number in quotes, as XML has it.
func numberOf(v any) (int, bool) {
	switch v := v.(type) {
	case float64:
		return int(v), v == math.Trunc(v) && math.Abs(v) < 1e9
	case string:
		n, err := strconv.Atoi(v)
		return n, err == nil
	}
	return 0, false
}

// geometry looks at a feature's line, and gives it where it can be drawn.
func (c *checker) geometry(v map[string]any, in edition) (route []fleet.LatLng) {
	g, is := v["geometry"].(map[string]any)
	if !is {
		return nil
	}
	c.down("geometry", func() {
		for _, of := range []any{v["crs"], g["crs"]} {
			if name, isOurs := fleet.CoordinateSystem(textOfJSON(of)); !isOurs {
				c.noteText(all, otherSystem, name)
				return
			}
		}
		kind := textOf(g, "type")
		shape, known := shapes[kind]
		if !known {
			c.noteText(in, shapeWrong, kind)
			return
		}
		c.noteText(in&^shape.in, shapeWrong, kind)
		c.hold(shape.is, g, in&shape.in)
		coordinates, _ := g["coordinates"].([]any)
		if kind == "Point" {
			coordinates = []any{coordinates}
		}
		for _, pair := range coordinates {
			pair, _ := pair.([]any)
			if len(pair) < 2 {
				return
			}
			lng, is := pair[0].(float64)
			lat, also := pair[1].(float64)
			if !is || !also {
				return
			}
			route = append(route, fleet.LatLng{Lat: lat, Lng: lng})
		}
		c.down("coordinates", func() {
			if !c.route(route, kind == "Point") {
				route = nil
			}
		})
	})
	return route
}

func textOfJSON(v any) []byte {
	text, _ := json.Marshal(v)
	return text
}

// route checks a line of any format, and reports whether it can be drawn.
func (c *checker) route(route []fleet.LatLng, point bool) bool {
	if read.AreSwapped(route) {
		c.note(all, swapped)
		return false
	}
	different := false
	for i, at := range route {
		different = different || at != route[0]
		if fleet.IsSwapped(at.Lat, at.Lng) || !(math.Abs(at.Lat) <= 90 && math.Abs(at.Lng) <= 180) {
			c.at(i, func() { c.note(all, outOfRange) })
			return false
		}
		if at.Lat == 0 && at.Lng == 0 {
			c.at(i, func() { c.note(all, zero) })
			return false
		}
		if i > 0 && fleet.DistanceM(route[i-1].Lat, route[i-1].Lng, at.Lat, at.Lng) > jumpM {
			c.at(i, func() { c.note(all, jumps) })
			return false
		}
	}
	if !different && !point && len(route) > 0 && !(c.cifs && len(route) == 1) {
		c.note(all, pointsFew)
		return false
	}
	return true
}
