package osm

import (
	"cmp"
	"strconv"
	"strings"

	"lightbar/internal/geo/route"
	"lightbar/internal/geo/tiles"
)

// direction reports whether a way is driven one way only, and whether against
// the order of its nodes.
func direction(k *known) (oneway, reversed bool) {
	switch k.oneway {
	case "yes", "true", "1":
		return true, false
	case "-1", "reverse":
		return true, true
	case "no", "false", "0":
		return false, false
	}
	switch {
	case k.junction == "roundabout", k.junction == "circular", k.highway == "motorway", k.highway == "motorway_link":
		return true, false
	}
	return false, false
}

// closedToCars reports whether the public may not drive here; the most special
// key decides (wiki.openstreetmap.org/wiki/Key:access).
func closedToCars(k *known) bool {
	for _, v := range [...]string{k.motorcar, k.motorVehicle, k.vehicle, k.access} {
		switch v {
		case "":
			continue
		case "no", "private", "agricultural", "forestry", "emergency", "military", "psv", "bus", "delivery_only", "permit":
			return true
		}
		return false
	}
	return false
}

// roadOf returns the role of a way in the road index; false when cars do not drive on it.
func roadOf(k *known) (w route.RoadWay, reversed, ok bool) {
	class, link, ok := route.Drivable(k.highway)
	if !ok || k.area == "yes" {
		return w, false, false
	}
	w = route.RoadWay{Name: k.name, Ref: tidyRef(cmp.Or(k.ref, k.intRef)), Class: class, LimitKmh: route.ParseSpeed(k.maxspeed)}
	isYard := class == route.ClassService && (k.service == "parking_aisle" || k.service == "driveway" || k.service == "drive-through")
	if w.LimitKmh == 0 && isYard {
		w.LimitKmh = 15
	}
	if link {
		w.Flags |= route.EdgeLink
	}
	if closedToCars(k) {
		w.Flags |= route.EdgePrivate
	}
	oneway, reversed := direction(k)
	if oneway {
		w.Flags |= route.EdgeOneway
	}
	return w, reversed, true
}

// tidyRef takes empty parts out of a list of route numbers.
func tidyRef(ref string) string {
	if !strings.Contains(ref, ";") {
		return ref
	}
	var parts []string
	for part := range strings.SplitSeq(ref, ";") {
		if part = strings.TrimSpace(part); part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, "; ")
}

// turnOf reads a turn restriction's tags; false when it does not bind cars.
func turnOf(k *known) (only, uTurn, ok bool) {
	if k.kind != "restriction" || k.restriction == "" {
		return false, false, false
	}
	for exempt := range strings.SplitSeq(k.except, ";") {
		switch strings.TrimSpace(exempt) {
		case "motorcar", "motor_vehicle", "vehicle":
			return false, false, false
		}
	}
	switch {
	case strings.HasPrefix(k.restriction, "only_"):
		return true, false, true
	case strings.HasPrefix(k.restriction, "no_"):
		return false, k.restriction == "no_u_turn", true
	}
	return false, false, false
}

// placeShape returns how a place's node is drawn; false for nameless and unknown kinds.
func placeShape(k *known) (tiles.Shape, bool) {
	if k.name == "" || k.place == "" {
		return tiles.Shape{}, false
	}
	population, _ := strconv.ParseUint(thousands.Replace(k.population), 10, 32)
	rank := placeRank(k.place, population)
	if rank == 0 {
		return tiles.Shape{}, false
	}
	if k.capital == "yes" || k.capital == "2" || k.capital == "4" {
		rank = min(rank, 3)
	}
	f := tiles.Fields(nil).Text(tiles.KeyClass, k.place).Text(tiles.KeyName, k.name).Number(tiles.KeyRank, rank)
	if population > 0 {
		f = f.Number(tiles.KeyPopulation, population)
	}
	from := [11]uint8{0, 3, 5, 6, 8, 9, 10, 11, 11, 12, 12}[rank]
	return tiles.Shape{Layer: layerPlace, MinZoom: from, MaxZoom: lastZoom, Order: uint8(rank),
		Fields: f}, true
}

var thousands = strings.NewReplacer(",", "", " ", "")

// placeRank is 1 (largest) to 10; 0 for what is no place of the map.
func placeRank(class string, population uint64) uint64 {
	switch class {
	case "city":
		switch {
		case population >= 1_000_000:
			return 1
		case population >= 300_000:
			return 2
		}
		return 3
	case "town":
		if population >= 10_000 {
			return 4
		}
		return 5
	case "village":
		if population >= 5_000 {
			return 5
		}
		return 6
	case "suburb":
		return 7
	case "hamlet", "island":
		return 8
	case "neighborhood":
		return 9
	case "locality":
		return 10
	}
	return 0
}

// adminLevel reads the levels that are drawn (country, state, county, town); 0 for all others.
func adminLevel(k *known) uint8 {
	switch {
	case k.boundary != "administrative":
		return 0
	case k.adminLevel == "2":
		return 2
	case k.adminLevel == "4":
		return 4
	case k.adminLevel == "6":
		return 6
	case k.adminLevel == "8":
		return 8
	}
	return 0
}

func boundaryShape(level uint8, name string, maritime bool) tiles.Shape {
	s := tiles.Shape{Layer: layerBoundary, MaxZoom: lastZoom, Order: 10 - level}
	switch level {
	case 6:
		s.MinZoom = 7
	case 8:
		s.MinZoom = 10
	}
	s.Fields = s.Fields.Text(tiles.KeyName, name).Number(tiles.KeyAdminLevel, uint64(level)).Yes(tiles.KeyMaritime, maritime)
	return s
}
