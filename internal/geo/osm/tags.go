package osm

import (
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"lightbar/internal/geo/route"
	"lightbar/internal/geo/tiles"
)

// Layers of region.pmtiles, in the order they are written (docs/map.md).
const (
	layerLanduse uint8 = iota
	layerPark
	layerWater
	layerWaterway
	layerAeroway
	layerBuilding
	layerRoad
	layerRail
	layerBoundary
	layerPlace
)

var regionLayers = []string{"landuse", "park", "water", "waterway", "aeroway", "building", "road", "rail", "boundary", "place"}

const lastZoom = 14

// known are the tags that anything is made of; all others are ignored.
type known struct {
	highway, railway, waterway, natural, landuse, leisure, building, amenity, aeroway         string
	boundary, historic, adminLevel, place, name, ref, oneway, bridge, tunnel, access, vehicle string
	motorVehicle, motorcar, maxspeed, junction, area, service, water, height, kind            string
	population, capital, maritime, restriction, except, usage                                 string
	houseNumber, street, city, distance, intRef                                               string
}

func readKnown(tags []tag) (k known) {
	for _, t := range tags {
		if to := k.slot(t.key); to != nil {
			*to = trimmed(t.value)
		}
	}
	return k
}

// trimmed is a value without blanks and marks that nobody sees around it: a blank name is none.
func trimmed(value string) string {
	return strings.TrimFunc(value, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == utf8.RuneError
	})
}

func (k *known) slot(key string) *string {
	switch key {
	case "highway":
		return &k.highway
	case "railway":
		return &k.railway
	case "waterway":
		return &k.waterway
	case "natural":
		return &k.natural
	case "landuse":
		return &k.landuse
	case "leisure":
		return &k.leisure
	case "building":
		return &k.building
	case "amenity":
		return &k.amenity
	case "aeroway":
		return &k.aeroway
	case "boundary":
		return &k.boundary
	case "historic":
		return &k.historic
	case "admin_level":
		return &k.adminLevel
	case "place":
		return &k.place
	case "name":
		return &k.name
	case "ref":
		return &k.ref
	case "area":
		return &k.area
	case "water":
		return &k.water
	case "type":
		return &k.kind
	}
	return k.slotOfWays(key)
}

func (k *known) slotOfWays(key string) *string {
	switch key {
	case "oneway":
		return &k.oneway
	case "bridge":
		return &k.bridge
	case "tunnel":
		return &k.tunnel
	case "access":
		return &k.access
	case "vehicle":
		return &k.vehicle
	case "motor_vehicle":
		return &k.motorVehicle
	case "motorcar":
		return &k.motorcar
	case "maxspeed":
		return &k.maxspeed
	case "junction":
		return &k.junction
	case "service":
		return &k.service
	case "height":
		return &k.height
	case "population":
		return &k.population
	case "capital":
		return &k.capital
	case "maritime":
		return &k.maritime
	case "restriction", "restriction:motorcar", "restriction:motor_vehicle":
		return &k.restriction
	case "except":
		return &k.except
	case "usage":
		return &k.usage
	case "addr:housenumber":
		return &k.houseNumber
	case "addr:street":
		return &k.street
	case "addr:city":
		return &k.city
	case "distance":
		return &k.distance
	case "int_ref":
		return &k.intRef
	}
	return nil
}

func is(v string) bool { return v != "" && v != "no" }

// areaClasses are the layers and classes to which an area's tag values belong.
var areaClasses = map[string]map[string]areaClass{
	"natural": {
		"water": {layerWater, "lake", true}, "wetland": {layerWater, "wetland", false}, "wood": {layerLanduse, "wood", false},
		"grassland": {layerLanduse, "grass", false}, "scrub": {layerLanduse, "grass", false}, "heath": {layerLanduse, "grass", false},
		"beach": {layerLanduse, "sand", false}, "sand": {layerLanduse, "sand", false},
	},
	"waterway": {"riverbank": {layerWater, "river", true}, "dock": {layerWater, "dock", true}},
	"landuse": {
		"forest": {layerLanduse, "wood", false}, "grass": {layerLanduse, "grass", false}, "meadow": {layerLanduse, "grass", false},
		"farmland": {layerLanduse, "farmland", false}, "farm": {layerLanduse, "farmland", false}, "orchard": {layerLanduse, "farmland", false},
		"vineyard": {layerLanduse, "farmland", false}, "residential": {layerLanduse, "residential", false},
		"commercial": {layerLanduse, "commercial", false}, "industrial": {layerLanduse, "industrial", false},
		"railway": {layerLanduse, "industrial", false}, "retail": {layerLanduse, "retail", false},
		"military": {layerLanduse, "military", false}, "quarry": {layerLanduse, "quarry", false}, "reservoir": {layerWater, "basin", true},
		"basin": {layerWater, "basin", false}, "cemetery": {layerPark, "cemetery", true}, "recreation_ground": {layerPark, "park", true},
		"village_green": {layerPark, "park", true},
	},
	"leisure": {
		"park": {layerPark, "park", true}, "garden": {layerPark, "park", true}, "nature_reserve": {layerPark, "nature_reserve", true},
		"golf_course": {layerPark, "golf_course", true}, "pitch": {layerPark, "pitch", false}, "track": {layerPark, "pitch", false},
		"playground": {layerPark, "playground", false}, "swimming_pool": {layerWater, "basin", false},
	},
	"amenity": {
		"school": {layerLanduse, "school", true}, "college": {layerLanduse, "school", true}, "university": {layerLanduse, "school", true},
		"hospital": {layerLanduse, "hospital", true}, "parking": {layerLanduse, "parking", false}, "grave_yard": {layerPark, "cemetery", true},
	},
	"aeroway":  {"aerodrome": {layerLanduse, "airport", true}},
	"boundary": {"national_park": {layerPark, "nature_reserve", true}, "protected_area": {layerPark, "nature_reserve", true}},
}

type areaClass struct {
	layer uint8
	class string
	named bool
}

// areaShape returns how a closed way or multipolygon is drawn; false when it is not.
func areaShape(k *known) (tiles.Shape, bool) {
	if k.area == "no" {
		return tiles.Shape{}, false
	}
	if is(k.building) {
		s := tiles.Shape{Layer: layerBuilding, MinZoom: 13, MaxZoom: lastZoom}
		if h := parseMeters(k.height); h > 0 {
			s.Fields = s.Fields.Decimal(tiles.KeyHeight, h)
		}
		return s, true
	}
	for _, t := range [...]struct{ key, value string }{
		{"natural", k.natural}, {"waterway", k.waterway}, {"leisure", k.leisure}, {"amenity", k.amenity},
		{"landuse", k.landuse}, {"aeroway", k.aeroway}, {"boundary", k.boundary},
	} {
		if t.value == "" {
			continue
		}
		c, ok := areaClasses[t.key][t.value]
		// A historic district is protected too, but it is built, not green.
		if !ok || t.key == "boundary" && is(k.historic) {
			continue
		}
		if c.layer == layerWater && t.key == "natural" && t.value == "water" {
			c.class = waterClass(k.water)
		}
		s := tiles.Shape{Layer: c.layer, MinZoom: 6, MaxZoom: lastZoom, Fields: tiles.Fields(nil).Text(tiles.KeyClass, c.class)}
		if c.layer == layerWater {
			s.MinZoom = 4
		}
		if c.named {
			s.Fields = s.Fields.Text(tiles.KeyName, k.name)
		}
		return s, true
	}
	return tiles.Shape{}, false
}

func waterClass(water string) string {
	switch water {
	case "river", "stream", "canal", "oxbow":
		return "river"
	case "basin", "reservoir", "pool", "wastewater":
		return "basin"
	}
	return "lake"
}

// parseMeters reads a height such as "12", "12.5 m" or "40'"; 0 when it is none.
func parseMeters(v string) float64 {
	scale := 1.0
	if feet, ok := strings.CutSuffix(v, "'"); ok {
		v, scale = feet, 0.3048
	}
	v = strings.TrimSpace(strings.TrimSuffix(v, "m"))
	h, err := strconv.ParseFloat(v, 64)
	if err != nil || !(h > 0) || h*scale > 1000 {
		return 0
	}
	return math.Round(h*scale*10) / 10
}

// lineShapes are the ways a line is drawn: none, one, or two at different zooms.
func lineShapes(k *known, out []tiles.Shape) []tiles.Shape {
	switch {
	case k.highway != "":
		return roadShapes(k, out)
	case k.railway != "":
		return railShape(k, out)
	case k.waterway != "":
		return waterwayShape(k, out)
	case k.natural == "coastline":
		return append(out, tiles.Shape{Layer: layerWaterway, MaxZoom: lastZoom, Fields: tiles.Fields(nil).Text(tiles.KeyClass, "coastline")})
	case k.aeroway == "runway":
		return append(out, tiles.Shape{Layer: layerAeroway, MinZoom: 10, MaxZoom: lastZoom, Order: 1,
			Fields: tiles.Fields(nil).Text(tiles.KeyClass, "runway").Text(tiles.KeyRef, k.ref)})
	case k.aeroway == "taxiway":
		class := tiles.Fields(nil).Text(tiles.KeyClass, "taxiway")
		return append(out, tiles.Shape{Layer: layerAeroway, MinZoom: 12, MaxZoom: lastZoom, Fields: class})
	}
	return out
}

// namesFrom is the zoom from which roads carry names and the like: below it
// they would split the lines into pieces too short to be seen.
const namesFrom = 12

func roadShapes(k *known, out []tiles.Shape) []tiles.Shape {
	class, minZoom, order := "", uint8(13), uint8(0)
	road, link, ok := route.Drivable(k.highway)
	switch {
	case ok:
		class = route.RoadClasses[road].Name
		minZoom = [route.ClassCount]uint8{4, 6, 7, 9, 10, 12, 13}[road]
		order = 10 - uint8(road)
		if link {
			minZoom = 12
			if road <= route.ClassTrunk {
				minZoom = 10
			}
		}
	case k.highway == "pedestrian":
		class, order = "pedestrian", 2
	case k.highway == "track":
		class, order = "track", 1
	case k.highway == "footway", k.highway == "path", k.highway == "cycleway", k.highway == "steps", k.highway == "bridleway":
		class = "path"
	default:
		return out
	}
	if minZoom < namesFrom {
		f := tiles.Fields(nil).Text(tiles.KeyClass, class).Text(tiles.KeyRef, k.ref).Yes(tiles.KeyLink, link)
		out = append(out, tiles.Shape{Layer: layerRoad, MinZoom: minZoom, MaxZoom: namesFrom - 1, Order: order, Fields: f})
	}
	oneway, _ := direction(k)
	f := tiles.Fields(nil).Text(tiles.KeyClass, class).Text(tiles.KeyName, k.name).Text(tiles.KeyRef, k.ref).
		Yes(tiles.KeyOneway, oneway && ok).Yes(tiles.KeyLink, link).
		Yes(tiles.KeyBridge, is(k.bridge)).Yes(tiles.KeyTunnel, is(k.tunnel)).Yes(tiles.KeyPrivate, closedToCars(k))
	return append(out, tiles.Shape{Layer: layerRoad, MinZoom: max(minZoom, namesFrom), MaxZoom: lastZoom, Order: order, Fields: f})
}

func railShape(k *known, out []tiles.Shape) []tiles.Shape {
	minZoom := uint8(11)
	switch k.railway {
	case "rail":
		minZoom = 8
	case "light_rail", "subway", "tram", "narrow_gauge":
	default:
		return out
	}
	service := k.service != ""
	if service {
		minZoom = 13
	}
	f := tiles.Fields(nil).Text(tiles.KeyClass, k.railway)
	if minZoom < namesFrom {
		out = append(out, tiles.Shape{Layer: layerRail, MinZoom: minZoom, MaxZoom: namesFrom - 1, Fields: f})
	}
	f = append(tiles.Fields(nil), f...).Text(tiles.KeyName, k.name).Yes(tiles.KeyService, service).
		Yes(tiles.KeyBridge, is(k.bridge)).Yes(tiles.KeyTunnel, is(k.tunnel))
	return append(out, tiles.Shape{Layer: layerRail, MinZoom: max(minZoom, namesFrom), MaxZoom: lastZoom, Fields: f})
}

func waterwayShape(k *known, out []tiles.Shape) []tiles.Shape {
	s := tiles.Shape{Layer: layerWaterway, MaxZoom: lastZoom}
	class := k.waterway
	switch class {
	case "river":
		s.MinZoom = 8
	case "canal":
		s.MinZoom = 10
	case "stream":
		s.MinZoom = 13
	case "drain", "ditch":
		class, s.MinZoom = "drain", 13
	default:
		return out
	}
	s.Fields = s.Fields.Text(tiles.KeyClass, class).Text(tiles.KeyName, k.name).Yes(tiles.KeyTunnel, is(k.tunnel) || k.tunnel == "culvert")
	return append(out, s)
}
