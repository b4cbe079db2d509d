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
// when (specification sections 3 to 5, Closure).
type Closure struct {
	ID             string
	OrganizationID string
	Kind           string // manual
	OutOfService   bool
	Description    string
	AlertMessage   string // what drivers are told
	Direction      string // of the traffic: N, E, S or W; empty = not said
	ImpactedLanes  []int  // ascending, 1 = the left-most
	TotalLanes     int    // 0 = not known
	// UserRoute is what somebody clicked, CalculatedRoute that along the road,
	// GeocodedRoute its ends as addresses; all in the direction of the traffic.
	GeocodedRoute, CalculatedRoute, UserRoute []LatLng
	StreetStart, StreetEnd, RoadName          string
	IsPublished                               bool // is_wzdx_compliant: it goes into the public feeds
	ExternalID                                string
	LocationMethod, VehicleImpact, GroupID    string
	// StartAt and EndAt are the times of the present or next closure, 0 = inactive:
	// whether it is active follows from them and the clock alone.
	StartAt, EndAt Instant
	// LastStartAt is when it was active last, before StartAt; EndedAt when somebody
	// ended that, 0 when it came to its end by the clock.
	LastStartAt, EndedAt Instant
	// EndReason says why it ended the last time, of a closed list; empty = at its
	// end, by the clock. EndEstimated: nobody has said EndAt, it is guessed.
	EndReason    string
	EndEstimated bool
	// VerifiedAt is when somebody or something last saw it stand (VerifiedBy), 0 = never.
	VerifiedAt Instant
	VerifiedBy *Verifier
	// ThingID is the asset that drives an automated closure; ResponsibleUserID is
	// who is asked whether it still stands, AskedAt when that was done last.
	ThingID, ResponsibleUserID string
	AskedAt                    Instant
	Recurrence                 *Recurrence // nil: it does not come again
	Version                    int64
	UpdatedAt                  Instant
	DeletedAt                  Instant
}

// Verifier is who or what saw a closure stand.
type Verifier struct {
	Kind string `json:"kind" doc:"user or thing"`
	ID   string `json:"id"`
	Name string `json:"name"`
}

// Recurrence is a pattern of nights or weeks (decisions, "Closures"); its times
// are those of clocks in Timezone.
type Recurrence struct {
	Days     []int    `json:"days" doc:"1 = Monday to 7 = Sunday"`
	Start    string   `json:"start" doc:"of the day, as 21:00"`
	Minutes  int      `json:"minutes"`
	From     string   `json:"from" doc:"the first day, as 2026-11-21"`
	Until    string   `json:"until" doc:"the last day on which it begins"`
	Except   []string `json:"except" doc:"days on which it does not begin"`
	Timezone string   `json:"timezone" doc:"of the tz database, as America/New_York"`
}

var (
	closureMonths = int(catalog.LimitInt("closure", "activeMonths"))
	closureLanes  = int(catalog.LimitInt("closure", "lanes"))
	routePoints   = int(catalog.LimitInt("closure", "routePoints"))
)

// routeMissing is the sentence of a closure without a line (specification section 5).
const routeMissing = "ERROR: Please create new Closure on map. Click 'View Instructions' above if needed."

// IsActiveAt tells whether the closure stands at an instant. No stored flag says
// so: a closure that nobody ended ends by the clock.
func (c *Closure) IsActiveAt(now Instant) bool {
	return c.StartAt != 0 && c.StartAt <= now && now < c.EndAt
}

// LastStartedAt is when the closure began the last time, 0 = never.
func (c *Closure) LastStartedAt(now Instant) Instant {
	if c.StartAt != 0 && c.StartAt <= now {
		return c.StartAt
	}
	return c.LastStartAt
}

// LastEndedAt is when the closure ended the last time: by hand, or by the clock
// at its end; 0 while it is active or to come, or never was.
func (c *Closure) LastEndedAt(now Instant) Instant {
	if c.StartAt != 0 && c.EndAt <= now {
		return c.EndAt
	}
	return c.EndedAt
}

// ClosureTimes are what a form says of a closure's times: Active = from now to
// EndAt; both times = scheduled; neither = inactive.
type ClosureTimes struct {
	Active         bool
	StartAt, EndAt Instant
}

// Schedule gives the closure other times. What is wrong is noted by the names of
// the wire, and the closure then stays as it is.
func (c *Closure) Schedule(wrong map[string]string, t ClosureTimes, now Instant) {
	start := t.StartAt
	switch {
	case !t.Active && start == 0 && t.EndAt == 0:
		c.begin(0, 0, now)
		return
	case t.Active && c.IsActiveAt(now):
		start = c.StartAt // a later end does not begin it anew
	case t.Active:
		start = now
	case start == 0:
		wrong["start_time"] = "Start date required"
	}
	end := t.EndAt
	switch {
	case end == 0:
		wrong["end_time"] = "End date required"
	case start != 0 && end <= start:
		wrong["end_time"] = "End time must be after Start time"
	case end <= now:
		wrong["end_time"] = "End time must be in the future"
	case start != 0 && end > InstantOf(start.Time().AddDate(0, closureMonths, 0)):
		wrong["end_time"] = "End date must be within " + strconv.Itoa(closureMonths) + " months"
	case start != 0:
		c.begin(start, end, now)
	}
}

// begin sets the times, and remembers a closure that has been.
func (c *Closure) begin(start, end, now Instant) {
	ended := c.LastEndedAt(now)
	if c.IsActiveAt(now) {
		ended = now
	}
	if start != 0 {
		ended = 0
	}
	if start != c.StartAt {
		c.LastStartAt = c.LastStartedAt(now)
	}
	c.StartAt, c.EndAt, c.EndedAt = start, end, ended
}

// Check holds the closure to its law (specification section 5, Closure) and
// notes what is wrong by the names of the wire. feeds: its organization publishes
// work zones.
func (c *Closure) Check(wrong map[string]string, feeds bool) {
	note := func(field, sentence string, is bool) {
		if is && wrong[field] == "" {
			wrong[field] = sentence
		}
	}
	note("description", "Required", c.Description == "")
	note("user_route", routeMissing, len(c.UserRoute) < 2)
	note("direction", "Required", feeds && c.Direction == "")
	note("is_wzdx_compliant", "The organization publishes no work zones", c.IsPublished && !feeds)
	note("external_id", "Required", c.IsPublished && c.ExternalID == "")
	note("location_method", "Required", c.IsPublished && c.LocationMethod == "")
	note("vehicle_impact", "Required", c.IsPublished && c.VehicleImpact == "")
	c.checkLanes(note)
	for field, route := range map[string][]LatLng{
		"geocoded_route": c.GeocodedRoute, "calculated_route": c.CalculatedRoute, "user_route": c.UserRoute} {
		note(field, "At most "+strconv.Itoa(routePoints)+" points", len(route) > routePoints)
		note(field, "Two points of a route may not be the same", len(route) > 1 && len(slices.Compact(slices.Clone(route))) < 2)
		note(field, "The line crosses the antimeridian: draw it as two closures", crossesAntimeridian(route))
	}
}

func (c *Closure) checkLanes(note func(field, sentence string, is bool)) {
	most := "Lanes 1 to " + strconv.Itoa(closureLanes)
	note("total_lanes", most, c.TotalLanes < 0 || c.TotalLanes > closureLanes)
	slices.Sort(c.ImpactedLanes)
	for i, lane := range c.ImpactedLanes {
		note("impacted_lanes", most, lane < 1 || lane > closureLanes)
		note("impacted_lanes", "A lane is named twice", i > 0 && lane == c.ImpactedLanes[i-1])
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
