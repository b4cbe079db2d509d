package feed

import (
	"math"
	"slices"

	"lightbar/internal/fleet"
)

// Problem is a rule that a closure breaks: it is saved, and not published until
// it is mended.
type Problem struct {
	Rule    string // closed list: the names below
	Field   string // of the wire
	Message string // with the way out
}

// What Waze takes: a line of at most LongestM whose ends are at least ShortestM apart.
const (
	LongestM  = 20_000 // of a line in CIFS
	ShortestM = 30     // from its start to its end
)

// Problems are the rules of all documents that a closure breaks: requirements of their schemas (WZDx 4.2, CWZ 1.0, CIFS), and what
// no schema can express (WZDx, "Creating a WZDx Feed", business rules).
func Problems(c *fleet.Closure) (out []Problem) {
	note := func(broken bool, rule, field, message string) {
		if broken {
			out = append(out, Problem{rule, field, message})
		}
	}
	note(c.RoadName == "", "road_name_missing", "road_name", "Feeds require a road name. Fill it in.")
	note(c.ExternalID == "", "id_missing", "external_id", "Feeds require an ID. Fill in the feed ID.")
	note(c.Direction == "", "direction_missing", "direction", "Choose the direction of traffic.")
	note(c.LocationMethod == "", "location_method_missing", "location_method", "Choose the location method: how its ends are marked.")
	note(c.VehicleImpact == "", "vehicle_impact_missing", "vehicle_impact", "Choose the vehicle impact.")
	problemsOfLanes(c, note)
	route := Route(c)
	if len(route) < 2 {
		note(true, "route_missing", "user_route", "Draw the closure on the map.")
		return out
	}
	length, apart := Extent(route)
	note(length > LongestM, "route_too_long", "user_route", "Waze accepts lines up to 20 km. Split it into two closures.")
	note(apart < ShortestM, "route_too_short", "user_route", "Start and end are less than 30 m apart. A ring or a dot has no direction.")
	note(Against(directions[c.Direction].wzdx, route), "direction_of_line", "user_route",
		"The line runs against traffic. Draw it in the direction of traffic, or choose the other direction.")
	return out
}

// Extent is how long a line is, and how far its ends are apart, in meters.
func Extent(route []fleet.LatLng) (length, apart float64) {
	for i := 1; i < len(route); i++ {
		length += fleet.DistanceM(route[i-1].Lat, route[i-1].Lng, route[i].Lat, route[i].Lng)
	}
	from, to := route[0], route[len(route)-1]
	return length, fleet.DistanceM(from.Lat, from.Lng, to.Lat, to.Lng)
}

// Against reports whether a line runs against a signed direction ("northbound" …).
// One whose ends are near each other runs nowhere.
func Against(direction string, route []fleet.LatLng) bool {
	if len(route) < 2 {
		return false
	}
	from, to := route[0], route[len(route)-1]
	for _, d := range directions {
		if d.wzdx == direction && fleet.DistanceM(from.Lat, from.Lng, to.Lat, to.Lng) >= ShortestM {
			return math.Abs(math.Mod(bearing(from, to)-d.bearing+540, 360)-180) > 135
		}
	}
	return false
}

func problemsOfLanes(c *fleet.Closure, note func(broken bool, rule, field, message string)) {
	all := c.TotalLanes > 0 && len(c.ImpactedLanes) == c.TotalLanes
	closes := slices.Contains([]string{"some-lanes-closed", "some-lanes-closed-merge-left", "some-lanes-closed-merge-right",
		"some-lanes-closed-split"}, c.VehicleImpact)
	note(c.VehicleImpact == "all-lanes-closed" && c.TotalLanes > 0 && len(c.ImpactedLanes) > 0 && !all, "lanes_contradict_impact",
		"impacted_lanes", "The impact is all lanes closed, but only some lanes are selected.")
	note(closes && all, "lanes_contradict_impact", "vehicle_impact", "Every lane is selected. Set the impact to all lanes closed.")
	note(closes && c.TotalLanes > 0 && len(c.ImpactedLanes) == 0, "lanes_missing", "impacted_lanes", "Choose which lanes are closed.")
}

// bearing is the direction from one position to another near it, the shorter way
// round the Earth, degrees clockwise from north.
func bearing(from, to fleet.LatLng) float64 {
	east := math.Remainder(to.Lng-from.Lng, 360) * math.Cos((from.Lat+to.Lat)/2*math.Pi/180)
	return math.Mod(math.Atan2(east, to.Lat-from.Lat)*180/math.Pi+360, 360)
}
