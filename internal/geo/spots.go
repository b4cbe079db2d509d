package geo

import "cmp"

// spotOf tells what a tagged node or way is to a search; false for nothing.
func spotOf(k *known, texts interner) (spot, bool) {
	switch {
	case k.highway == "motorway_junction" && k.ref != "":
		return spot{kind: spotExit, number: texts.keep(k.ref), name: texts.keep(k.name)}, true
	case k.highway == "milestone":
		if number := cmp.Or(k.distance, k.ref); number != "" {
			return spot{kind: spotMile, number: texts.keep(number)}, true
		}
	case k.houseNumber != "" && k.street != "":
		return spot{kind: spotAddress, name: texts.keep(k.street), number: texts.keep(k.houseNumber), city: texts.keep(k.city)}, true
	case k.name != "" && k.place != "":
		if rank := townRank(k.place); rank > 0 {
			return spot{kind: spotTown, name: texts.keep(k.name), rank: rank}, true
		}
	}
	return spot{}, false
}

// townRank is 1 for a city to 4; 0 for what is no place where people live.
func townRank(place string) uint8 {
	switch place {
	case "city":
		return 1
	case "town":
		return 2
	case "village":
		return 3
	case "hamlet", "suburb", "neighborhood", "neighbourhood", "quarter":
		return 4
	}
	return 0
}
