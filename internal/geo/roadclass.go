package geo

import (
	"strconv"
	"strings"
)

// roadClass is the class of a drivable road, largest first.
type roadClass uint8

const (
	classMotorway roadClass = iota
	classTrunk
	classPrimary
	classSecondary
	classTertiary
	classResidential
	classService
	classCount
)

// roadClasses says what each class is called on the wire and in words, and how
// fast it is driven where no limit is mapped (US defaults, km/h).
var roadClasses = [classCount]struct {
	name, words, link string
	limit             uint8
}{
	{"motorway", "Highway", "Ramp", 105},
	{"trunk", "Main road", "Ramp", 88},
	{"primary", "Main road", "Turn lane", 72},
	{"secondary", "Road", "Turn lane", 64},
	{"tertiary", "Road", "Turn lane", 56},
	{"residential", "Street", "Street", 40},
	{"service", "Service road", "Service road", 24},
}

// drivable tells the class of a highway value a car may drive on.
func drivable(highway string) (class roadClass, link, ok bool) {
	base, link := strings.CutSuffix(highway, "_link")
	switch base {
	case "motorway":
		return classMotorway, link, true
	case "trunk":
		return classTrunk, link, true
	case "primary":
		return classPrimary, link, true
	case "secondary":
		return classSecondary, link, true
	case "tertiary":
		return classTertiary, link, true
	case "residential", "unclassified", "living_street", "road":
		return classResidential, false, !link
	case "service":
		return classService, false, !link
	}
	return 0, false, false
}

// travelSpeed is what a driver averages on a road, km/h: below the limit, more
// so where there are crossings.
func travelSpeed(class roadClass, link bool, limit uint8) uint8 {
	share := 0.8
	if class <= classTrunk {
		share = 0.92
	}
	speed := float64(limit) * share
	if link {
		speed = min(speed, 50)
	}
	return uint8(max(8, min(130, speed)))
}

// parseSpeed reads an OpenStreetMap maxspeed value into km/h; 0 when it says
// nothing a number can be taken from ("signals", "US:urban").
func parseSpeed(value string) uint8 {
	value, _, _ = strings.Cut(value, ";")
	value = strings.TrimSpace(value)
	end := 0
	for end < len(value) && (value[end] >= '0' && value[end] <= '9' || value[end] == '.') {
		end++
	}
	n, err := strconv.ParseFloat(value[:end], 64)
	if err != nil {
		return 0
	}
	switch strings.TrimSpace(value[end:]) {
	case "", "km/h", "kmh", "kph":
	case "mph":
		n *= 1.609344
	default:
		return 0
	}
	if n < 1 || n > 200 {
		return 0
	}
	return uint8(n + 0.5)
}
