package fleet

import (
	"slices"
	"strconv"

	"lightbar/catalog"
)

// LatLng is a position of a route, degrees.
type LatLng struct {
	Lat float64 `json:"lat" minimum:"-90" maximum:"90"`
	Lng float64 `json:"lng" minimum:"-180" maximum:"180"`
}

// Closure is a work zone: lanes of a road that are closed, or may be, and until
// when (requirements 3.clos and 4.closure and 5.closure).
type Closure struct {
	ID             string
	OrganizationID string
	Kind           string // manual, automated or feed
	OutOfService   bool
	Description    string
	AlertMessage   string // the message for drivers
	Direction      string // direction of traffic: N, E, S or W; empty = not specified
	ImpactedLanes  []int  // ascending, 1 = the left-most
	TotalLanes     int    // 0 = unknown
	// UserRoute has the points that someone clicked, CalculatedRoute the line along the road, GeocodedRoute its ends as addresses;
	// all in the direction of traffic.
	GeocodedRoute, CalculatedRoute, UserRoute []LatLng
	StreetStart, StreetEnd, RoadName          string
	IsPublished                               bool // is_wzdx_compliant: it goes into the public feeds
	ExternalID                                string
	LocationMethod, VehicleImpact, GroupID    string
	// StartAt and EndAt are the times of the current or next closure that a person or a board set, 0 = none. Whether it is active,
	// and everything else about its times, follows from these fields and the clock: call SpanAt.
	StartAt, EndAt Instant
	// LastStartAt is when it was active last, before StartAt; EndedAt when someone
	// ended that, 0 when it came to its end by the clock.
	LastStartAt, EndedAt Instant
	// EndReason is why that ended, from a closed list; empty = at its end, by the clock. EndEstimated: nobody has set EndAt, it is
	// a guess.
	EndReason    string
	EndEstimated bool
	// VerifiedAt is when someone or something (VerifiedBy) last saw that it is active, 0 = never.
	VerifiedAt Instant
	VerifiedBy *Verifier
	// ThingID is the asset that drives an automated closure; ResponsibleUserID is
	// who is asked whether it's still there, AskedAt when that was done last.
	ThingID, ResponsibleUserID string
	AskedAt                    Instant
	OthersAskedAt              Instant     // the AskedAt of the question that others were asked by mail, too
	Recurrence                 *Recurrence // nil: it does not come again
	RecursSince                Instant     // when Recurrence was agreed
	// Weekly are the times of the week at which a closure of a feed is in force between StartAt and EndAt; nil = all the time.
	Weekly       *Schedule
	NextChangeAt Instant // when the clock next changes what Weekly gives, counted from UpdatedAt; 0 = it has none
	// FeedSubscriptionID is the feed from which a closure of kind feed came, Source the feed's name; else empty.
	FeedSubscriptionID, Source string
	Version                    int64
	UpdatedAt                  Instant
	DeletedAt                  Instant
}

// Verifier is the person or thing that saw that a closure is active.
type Verifier struct {
	Kind string `json:"kind" doc:"user, thing, feed or system"`
	ID   string `json:"id"`
	Name string `json:"name"`
}

var (
	closureLanes = int(catalog.LimitInt("closure", "lanes"))
	routePoints  = int(catalog.LimitInt("closure", "routePoints"))
)

// routeMissing is the sentence of a closure without a line (requirements 5.closure).
const routeMissing = "ERROR: Please create new Closure on map. Click 'View Instructions' above if needed."

// Check checks the closure by its law (requirements 5.closure) and notes what is wrong by the names of the wire. feeds: its
// organization publishes work zones.
func (c *Closure) Check(wrong map[string]string, feeds bool) {
	note := func(field, sentence string, is bool) {
		if is && wrong[field] == "" {
			wrong[field] = sentence
		}
	}
	note("description", "Required", c.Description == "")
	note("user_route", routeMissing, len(c.UserRoute) < 2)
	note("direction", "Required", feeds && c.Direction == "")
	note("is_wzdx_compliant", "This organization doesn't publish work zones", c.IsPublished && !feeds)
	note("external_id", "Required", c.IsPublished && c.ExternalID == "")
	note("location_method", "Required", c.IsPublished && c.LocationMethod == "")
	note("vehicle_impact", "Required", c.IsPublished && c.VehicleImpact == "")
	c.checkLanes(note)
	for field, route := range map[string][]LatLng{
		"geocoded_route": c.GeocodedRoute, "calculated_route": c.CalculatedRoute, "user_route": c.UserRoute} {
		note(field, "At most "+strconv.Itoa(routePoints)+" points", len(route) > routePoints)
		note(field, "Two points in a row can't be the same", len(route) > 1 && len(slices.Compact(slices.Clone(route))) < 2)
		note(field, "The line crosses the antimeridian. Draw it as two closures", crossesAntimeridian(route))
	}
}

func (c *Closure) checkLanes(note func(field, sentence string, is bool)) {
	most := "Lanes 1 to " + strconv.Itoa(closureLanes)
	note("total_lanes", most, c.TotalLanes < 0 || c.TotalLanes > closureLanes)
	slices.Sort(c.ImpactedLanes)
	for i, lane := range c.ImpactedLanes {
		note("impacted_lanes", most, lane < 1 || lane > closureLanes)
		note("impacted_lanes", "A lane is listed twice", i > 0 && lane == c.ImpactedLanes[i-1])
		note("impacted_lanes", "The road has "+strconv.Itoa(c.TotalLanes)+" lanes", c.TotalLanes > 0 && lane > c.TotalLanes)
	}
}

func crossesAntimeridian(route []LatLng) bool {
	for i := 1; i < len(route); i++ {
		if d := route[i].Lng - route[i-1].Lng; d > 180 || d < -180 {
			return true
		}
	}
	return false
}
