package route

import (
	"strconv"
	"strings"
)

// RoadClass is the class of a drivable road, largest first.
type RoadClass uint8

const (
	classMotorway RoadClass = iota
	ClassTrunk
	ClassPrimary
	classSecondary
	classTertiary
	classResidential
	ClassService
	ClassCount
)

// RoadClasses are the names of each class in the API and in words, and its usual speed where no limit is mapped (US defaults,
// km/h).
var RoadClasses = [ClassCount]struct {
	Name, words, link string
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

// Drivable returns the class of a highway value a car may drive on.
func Drivable(highway string) (class RoadClass, link, ok bool) {
	base, link := strings.CutSuffix(highway, "_link")
	switch base {
	case "motorway":
		return classMotorway, link, true
	case "trunk":
		return ClassTrunk, link, true
	case "primary":
		return ClassPrimary, link, true
	case "secondary":
		return classSecondary, link, true
	case "tertiary":
		return classTertiary, link, true
	case "residential", "unclassified", "living_street", "road":
		return classResidential, false, !link
	case "service":
		return ClassService, false, !link
	}
	return 0, false, false
}

// travelSpeed is a driver's average on a road, km/h: below the limit, more so where there are crossings.
func travelSpeed(class RoadClass, link bool, limit uint8) uint8 {
	share := 0.8
	if class <= ClassTrunk {
		share = 0.92
	}
	speed := float64(limit) * share
	if link {
		speed = min(speed, 50)
	}
	return uint8(max(8, min(130, speed)))
}

// ParseSpeed reads an OpenStreetMap maxspeed value into km/h; 0 when it contains no usable number ("signals", "US:urban").
func ParseSpeed(value string) uint8 {
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
