package read

import (
	"context"
	"encoding/json"
	"math"
	"slices"
	"strings"

	"lightbar/internal/file"
	"lightbar/internal/fleet"
)

// WorkZone is one feature of a feed, in the words of WZDx 4.2. Empty = not given.
type WorkZone struct {
	ID              string
	EventType       string // work-zone, detour; of CIFS its type, as ROAD_CLOSED
	Subtype         string // of CIFS
	SourceID        string
	ProjectID       string // of CWZ
	Name            string
	Description     string
	RoadNames       []string
	Direction       string // northbound …, undefined, unknown
	BothDirections  bool   // of CIFS
	Related         []Related
	Route           []fleet.LatLng // at least one point, in the direction of traffic
	OnlyEnds        bool           // of the route only some points are known, and not the way between
	Lanes           []Lane
	VehicleImpact   string
	LocationMethod  string
	WorkZoneType    string
	CrossStreetFrom string
	CrossStreetTo   string
	StartAt, EndAt  fleet.Instant   // 0 = not given
	UpdatedAt       fleet.Instant   // 0 = not given
	Schedule        *fleet.Schedule // of CIFS: when between start and end it holds; nil = all the time
	Words           []string        // what narrows it and has no field here
	Pending, Over   bool            // by its own status it has not begun, or is over

	StartVerified, EndVerified                 bool
	StartPositionVerified, EndPositionVerified bool
}

// Related is another event of the same feed.
type Related struct{ Type, ID string }

// Lane is a lane of the road.
type Lane struct {
	Order        int // 1 = the left-most
	Type, Status string
}

// IsClosure distinguishes work zones and closed roads from detours, accidents and jams.
func (z *WorkZone) IsClosure() bool {
	return z.EventType == "work-zone" || z.EventType == "ROAD_CLOSED" || z.EventType == "CONSTRUCTION" ||
		strings.HasSuffix(z.Subtype, "_CONSTRUCTION") || z.Subtype == "HAZARD_ON_ROAD_LANE_CLOSED"
}

// Closure is the work zone as one of our own: kind feed, and its id the external one.
func (z *WorkZone) Closure() fleet.Closure {
	c := fleet.Closure{Kind: "feed", ExternalID: z.ID, Description: z.Text(), Direction: letters[z.Direction], UserRoute: z.Route,
		StreetStart: z.CrossStreetFrom, StreetEnd: z.CrossStreetTo, RoadName: strings.Join(z.RoadNames, " / "),
		LocationMethod: z.LocationMethod, VehicleImpact: z.VehicleImpact, GroupID: z.ProjectID, StartAt: z.StartAt, EndAt: z.EndAt,
		EndEstimated: !z.EndVerified, Weekly: z.Schedule, UpdatedAt: z.UpdatedAt}
	c.TotalLanes, c.ImpactedLanes = z.travelLanes()
	return c
}

// HazardKind is the type of hazards (catalog/enums.json) of an incident that is
// no closure; empty = it is no hazard either.
func (z *WorkZone) HazardKind() string {
	switch z.EventType {
	case "ACCIDENT":
		return "crash"
	case "JAM":
		if strings.Contains(z.Subtype, "STAND_STILL") {
			return "stopped_traffic"
		}
		return "slow_traffic"
	case "HAZARD", "WEATHERHAZARD":
	default:
		return ""
	}
	for _, of := range hazardWords {
		if strings.Contains(z.Subtype, of.part) {
			return of.kind
		}
	}
	return "other"
}

// hazardWords are parts of the subtypes of CIFS.
var hazardWords = []struct{ part, kind string }{{"CAR_STOPPED", "disabled_vehicle"}, {"ROAD_KILL", "animal"}, {"ANIMAL", "animal"},
	{"OBJECT", "debris"}, {"FLOOD", "flooding"}, {"ICE", "ice"}, {"SNOW", "snow"}, {"FOG", "fog"}, {"FIRE", "fire"},
	{"TRAFFIC_LIGHT", "signal_out"}, {"POT_HOLE", "road_damage"}}

var letters = map[string]string{"northbound": "N", "eastbound": "E", "southbound": "S", "westbound": "W"}

type feature struct {
	Type       text            `json:"type"`
	ID         text            `json:"id"`
	Properties json.RawMessage `json:"properties"`
	Geometry   json.RawMessage `json:"geometry"`
	System     json.RawMessage `json:"crs"`
}

// event is a road event of WZDx 4.0 to CWZ 1.0.
type event struct {
	Core            *core      `json:"core_details"`
	Start           moment     `json:"start_date"`
	End             moment     `json:"end_date"`
	StartVerified   flag       `json:"is_start_date_verified"`
	EndVerified     flag       `json:"is_end_date_verified"`
	FromVerified    flag       `json:"is_start_position_verified"`
	ToVerified      flag       `json:"is_end_position_verified"`
	StartAccuracy   flag       `json:"start_date_accuracy"`
	EndAccuracy     flag       `json:"end_date_accuracy"`
	FromAccuracy    flag       `json:"beginning_accuracy"`
	ToAccuracy      flag       `json:"ending_accuracy"`
	LocationMethod  text       `json:"location_method"`
	WorkZoneType    text       `json:"work_zone_type"`
	VehicleImpact   text       `json:"vehicle_impact"`
	CrossStreetFrom text       `json:"beginning_cross_street"`
	CrossStreetTo   text       `json:"ending_cross_street"`
	Lanes           list[lane] `json:"lanes"`

	Status       text              `json:"event_status"`
	Restrictions list[restriction] `json:"restrictions"`
	Speed        number            `json:"reduced_speed_limit_kph"`
	MileFrom     number            `json:"beginning_milepost"`
	MileTo       number            `json:"ending_milepost"`
	PostFrom     number            `json:"beginning_reference_post"`
	PostTo       number            `json:"ending_reference_post"`
	PostUnit     text              `json:"reference_post_unit"`
	Workers      object[struct {
		Present flag `json:"are_workers_present"`
	}] `json:"worker_presence"`
	Work list[struct {
		Type text `json:"type_name"`
	}] `json:"types_of_work"`
	Curbs list[object[struct{}]] `json:"impacted_cds_curb_zones"`
}

type core struct {
	EventType   text       `json:"event_type"`
	SourceID    text       `json:"data_source_id"`
	ProjectID   text       `json:"project_id"`
	Name        text       `json:"name"`
	Description text       `json:"description"`
	RoadNames   list[text] `json:"road_names"`
	Direction   text       `json:"direction"`
	Updated     moment     `json:"update_date"`
	Related     list[struct {
		Type text `json:"type"`
		ID   text `json:"id"`
	}] `json:"related_road_events"`
}

type lane struct {
	Order        number            `json:"order"`
	Type         text              `json:"type"`
	Status       text              `json:"status"`
	Restrictions list[restriction] `json:"restrictions"`
}

// eventZone reads a road event.
func eventZone(f *feature, e *event, limits Limits, clock clock) (*WorkZone, string) {
	c := e.Core
	z := &WorkZone{ID: string(f.ID), EventType: kindOf(c.EventType), SourceID: name(c.SourceID), ProjectID: name(c.ProjectID),
		Name:        name(c.Name),
		Description: shortened(string(c.Description), descriptionRunes), Direction: kindOf(c.Direction), LocationMethod: kindOf(e.LocationMethod),
		WorkZoneType: kindOf(e.WorkZoneType), VehicleImpact: kindOf(e.VehicleImpact), CrossStreetFrom: name(e.CrossStreetFrom),
		CrossStreetTo: name(e.CrossStreetTo), StartVerified: bool(e.StartVerified || e.StartAccuracy),
		EndVerified:           bool(e.EndVerified || e.EndAccuracy),
		StartPositionVerified: bool(e.FromVerified || e.FromAccuracy), EndPositionVerified: bool(e.ToVerified || e.ToAccuracy)}
	if z.EventType != "work-zone" && z.EventType != "detour" {
		return nil, NotAWorkZone
	}
	for _, road := range c.RoadNames[:min(len(c.RoadNames), 20)] {
		if road := name(road); road != "" {
			z.RoadNames = append(z.RoadNames, road)
		}
	}
	for _, r := range c.Related[:min(len(c.Related), 100)] {
		z.Related = append(z.Related, Related{word(r.Type), name(r.ID)})
	}
	for _, l := range e.Lanes[:min(len(e.Lanes), 50)] {
		if word(l.Type) != "" || word(l.Status) != "" { // else it is no lane as the standard has it, and no open one either
			z.Lanes = append(z.Lanes, Lane{l.Order.upTo(1000), word(l.Type), word(l.Status)})
		}
	}
	z.knownImpact()
	z.narrowed(e)
	z.UpdatedAt = clock.known(c.Updated)
	if reason := z.status(e.Status); reason != "" {
		return nil, reason
	}
	return z.judged(f, e.Start, e.End, limits, clock)
}

// plainZone reads a feature with the words of our own closures.geojson.
func plainZone(f *feature, limits Limits, clock clock) (*WorkZone, string) {
	var p struct {
		Description, Direction, Status text
		RoadName                       text         `json:"road_name"`
		StreetStart                    text         `json:"street_start"`
		StreetEnd                      text         `json:"street_end"`
		VehicleImpact                  text         `json:"vehicle_impact"`
		ImpactedLanes                  list[number] `json:"impacted_lanes"`
		TotalLanes                     number       `json:"total_lanes"`
		Start                          moment       `json:"start_time"`
		End                            moment       `json:"end_time"`
		Updated                        moment       `json:"updated_at"`
		External                       text         `json:"external_id"`

		InService  text            `json:"is_in_service"`
		Deleted    flag            `json:"is_deleted"`
		Recurrence json.RawMessage `json:"recurrence"`
		Schedule   json.RawMessage `json:"schedule"`
		Flat       text            `json:"road_event_id"` // of WZDx 2 and 3, whose events have no core_details
		FlatStart  moment          `json:"start_date"`
	}
	if json.Unmarshal(f.Properties, &p) != nil {
		return nil, Invalid
	}
	if p.Start == "" && (p.Flat != "" || p.FlatStart != "" && p.VehicleImpact != "") {
		return nil, VersionUnknown
	}
	if p.Start == "" && p.VehicleImpact == "" && p.RoadName == "" {
		return nil, NotAWorkZone
	}
	z := &WorkZone{ID: string(p.External), EventType: "work-zone", Description: shortened(string(p.Description), descriptionRunes),
		CrossStreetFrom: name(p.StreetStart), CrossStreetTo: name(p.StreetEnd), VehicleImpact: kindOf(p.VehicleImpact),
		EndVerified:   p.Status == "ended",
		StartVerified: p.Status == "ended" || p.Status == "active"}
	if z.ID == "" {
		z.ID = string(f.ID)
	}
	if road := name(p.RoadName); road != "" {
		z.RoadNames = []string{road}
	}
	for direction, letter := range letters {
		if string(p.Direction) == letter {
			z.Direction = direction
		}
	}
	impacted := map[number]bool{}
	for _, order := range p.ImpactedLanes {
		impacted[order] = true
	}
	for order := number(1); order <= min(p.TotalLanes, 50); order++ {
		l := Lane{int(order), "general", "open"}
		if impacted[order] {
			l.Status = "closed"
		}
		z.Lanes = append(z.Lanes, l)
	}
	z.knownImpact()
	z.UpdatedAt = clock.known(p.Updated)
	switch reason := z.status(p.Status); {
	case reason != "":
		return nil, reason
	case bool(p.Deleted), slices.Contains([]string{"false", "0", "no"}, lowWord(string(p.InService))):
		return nil, Cancelled
	case said(p.Recurrence), said(p.Schedule): // its form is unknown
		return nil, ScheduleWrong
	}
	return z.judged(f, p.Start, p.End, limits, clock)
}

// said reports whether a member has a value.
func said(raw json.RawMessage) bool {
	switch string(raw) {
	case "", "null", `""`, "{}", "[]":
		return false
	}
	return true
}

// judged gives a work zone its id, line and times, or returns why it cannot have them.
func (z *WorkZone) judged(f *feature, start, end moment, limits Limits, clock clock) (*WorkZone, string) {
	if reason := z.route(f, limits); reason != "" {
		return nil, reason
	}
	if fleet.IsNoTime(string(start)) {
		return nil, TimeMissing
	}
	return z.times(start, end, clock)
}

func (z *WorkZone) times(start, end moment, clock clock) (*WorkZone, string) {
	var known [2]bool
	z.ID = strings.TrimSpace(z.ID)
	z.StartAt, known[0] = clock.at(start)
	z.EndAt, known[1] = clock.at(end)
	switch {
	case z.ID == "":
		return nil, IDMissing
	case len(z.ID) > idRunes:
		return nil, IDTooLong
	case !known[0] || !known[1]:
		return nil, TimeInvalid
	case z.EndAt != 0 && z.EndAt < z.StartAt:
		return nil, EndBeforeStart
	}
	return z, ""
}

// route reads a LineString, a MultiPoint or a Point, also as the only one of a list or a collection, or in parts that meet.
func (z *WorkZone) route(f *feature, limits Limits) string {
	kind, coordinates, err := file.Geometry(context.Background(), f.Geometry)
	if err != nil || kind != "GeometryCollection" && (len(coordinates) == 0 || string(coordinates) == "null") {
		return NoGeometry
	}
	if _, isOurs := fleet.CoordinateSystem(f.System); !isOurs {
		return BadGeometry
	}
	var points []position
	switch kind {
	case "LineString", "MultiPoint":
		err = json.Unmarshal(coordinates, &points)
	case "Point":
		points = make([]position, 1)
		err = json.Unmarshal(coordinates, &points[0])
	default:
		return BadGeometry
	}
	if err != nil {
		return BadGeometry
	}
	z.OnlyEnds = kind == "Point" || kind == "MultiPoint"
	for _, p := range points {
		if !p.isOne() {
			return BadGeometry
		}
		z.Route = append(z.Route, fleet.LatLng{Lat: float64(p[1]), Lng: float64(p[0])})
	}
	return placed(z.Route, limits)
}

// position is one of GeoJSON: longitude, latitude, and what else there may be.
type position []coordinate

// isOne: anything may follow the latitude.
func (p position) isOne() bool {
	return len(p) >= 2 && !math.IsNaN(float64(p[0])) && !math.IsNaN(float64(p[1]))
}

// coordinate is a number, NaN for null, which package json would take for 0.
type coordinate float64

func (c *coordinate) UnmarshalJSON(raw []byte) error {
	if string(raw) == "null" {
		*c = coordinate(math.NaN())
		return nil
	}
	return json.Unmarshal(raw, (*float64)(c))
}

// placed judges a route by its positions.
func placed(route []fleet.LatLng, limits Limits) string {
	switch {
	case len(route) == 0:
		return NoGeometry
	case len(route) > limits.Points:
		return TooManyPoints
	}
	if AreSwapped(route) {
		return Swapped
	}
	for i, at := range route {
		if !(math.Abs(at.Lat) <= 90) || !(math.Abs(at.Lng) <= 180) {
			return OutOfRange
		}
		if at.Lat == 0 && at.Lng == 0 {
			return NoFix
		}
		if i > 0 && fleet.DistanceM(route[i-1].Lat, route[i-1].Lng, at.Lat, at.Lng) > mostStretch {
			return BadGeometry
		}
	}
	return ""
}

// mostStretch is more than lies between two positions of any road (meters):
// numbers that are in another order, or too many, make a line around the world.
const mostStretch = 1e6

// AreSwapped recognizes a line whose latitudes and longitudes are exchanged, from end to end.
func AreSwapped(route []fleet.LatLng) bool {
	for _, at := range route {
		if !fleet.IsSwapped(at.Lat, at.Lng) {
			return false
		}
	}
	return len(route) > 0
}

func name(said text) string { return shortened(string(said), nameRunes) }

// word is a text of an enumeration: longer texts than any of its values are none.
func word(said text) string {
	if len(said) > 60 {
		return ""
	}
	return strings.TrimSpace(string(said))
}
