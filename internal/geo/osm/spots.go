package osm

import (
	"cmp"

	"lightbar/internal/geo/places"
)

// spotOf returns the role of a tagged node or way in a search; false for none.
func spotOf(k *known, texts interner) (places.Spot, bool) {
	switch {
	case k.highway == "motorway_junction" && k.ref != "":
		return places.Spot{Kind: places.SpotExit, Number: texts.keep(k.ref), Name: texts.keep(k.name)}, true
	case k.highway == "milestone":
		if number := cmp.Or(k.distance, k.ref); number != "" {
			return places.Spot{Kind: places.SpotMile, Number: texts.keep(number)}, true
		}
	case k.houseNumber != "" && k.street != "":
		name, number, city := texts.keep(k.street), texts.keep(k.houseNumber), texts.keep(k.city)
		return places.Spot{Kind: places.SpotAddress, Name: name, Number: number, City: city}, true
	case k.name != "" && k.place != "":
		if rank := townRank(k.place); rank > 0 {
			return places.Spot{Kind: places.SpotTown, Name: texts.keep(k.name), Rank: rank}, true
		}
	}
	return places.Spot{}, false
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
