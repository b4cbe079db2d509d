package read

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"unicode"

	"lightbar/internal/fleet"
)

// cifsIncident is one of CIFS: with its location inside or beside it.
type cifsIncident struct {
	ID          text   `json:"id"`
	Type        text   `json:"type"`
	Subtype     text   `json:"subtype"`
	Polyline    text   `json:"polyline"`
	Street      text   `json:"street"`
	Direction   text   `json:"direction"`
	Start       moment `json:"starttime"`
	End         moment `json:"endtime"`
	Created     moment `json:"creationtime"`
	Updated     moment `json:"updatetime"`
	Description text   `json:"description"`
	Location    object[struct {
		Polyline  text `json:"polyline"`
		Street    text `json:"street"`
		Direction text `json:"direction"`
	}] `json:"location"`
	Lanes object[struct {
		Lane list[lane] `json:"lane"`
	}] `json:"lanes"`
	Impact object[struct {
		Closed number `json:"total_closed_lanes"`
		Side   text   `json:"roadside"`
	}] `json:"lane_impact"`
	Schedule json.RawMessage      `json:"schedule"`
	Incident object[cifsIncident] `json:"incident"`
}

func incidentZone(raw []byte, limits Limits, clock clock) (*WorkZone, string) {
	// Without a type it is no incident: nothing is made of it, as there may be very many. A name may be escaped.
	if bytes.HasPrefix(raw, []byte("{")) && !bytes.Contains(bytes.ToLower(raw), []byte("type")) && !bytes.Contains(raw, []byte(`\u`)) {
		return nil, NotAWorkZone
	}
	var in cifsIncident
	if json.Unmarshal(raw, &in) != nil {
		return nil, Invalid
	}
	if in.Incident.is != nil {
		in = *in.Incident.is
	}
	if l := in.Location.is; l != nil {
		in.Polyline, in.Street, in.Direction = in.Polyline+l.Polyline, in.Street+l.Street, in.Direction+l.Direction
	}
	if word(in.Type) == "" {
		return nil, NotAWorkZone
	}
	z := &WorkZone{ID: string(in.ID), EventType: word(in.Type), Subtype: word(in.Subtype), Description: shortened(string(in.Description),
		descriptionRunes),
		Direction: "unknown", BothDirections: word(in.Direction) == "BOTH_DIRECTIONS", VehicleImpact: "unknown"}
	switch {
	case z.EventType == "ROAD_CLOSED":
		z.VehicleImpact = "all-lanes-closed"
	case z.Subtype == "HAZARD_ON_ROAD_LANE_CLOSED":
		z.VehicleImpact = "some-lanes-closed"
	}
	if street := name(in.Street); street != "" {
		z.RoadNames = []string{street}
	}
	if in.Lanes.is != nil {
		for _, l := range in.Lanes.is.Lane[:min(len(in.Lanes.is.Lane), 50)] {
			z.Lanes = append(z.Lanes, Lane{l.Order.upTo(1000), laneTypes[strings.ToUpper(word(l.Type))], word(l.Status)})
		}
	}
	var reason string
	if z.Route, reason = Polyline(string(in.Polyline)); reason == "" {
		reason = placed(z.Route, limits)
	}
	if reason != "" {
		return nil, reason
	}
	in.narrow(z)
	z.UpdatedAt = clock.known(in.Updated)
	if fleet.IsNoTime(string(in.Start)) && z.EventType != "ROAD_CLOSED" && z.IsClosure() {
		in.Start = moment(either(string(in.Created), string(in.Updated))) // CIFS: without a start it has already begun
	}
	if z, reason = z.times(in.Start, in.End, clock); reason != "" {
		return nil, reason
	}
	if z.StartAt == 0 && z.IsClosure() {
		return nil, TimeMissing
	}
	return z, z.schedule(in.Schedule, clock.zoneOf(in.Start, in.End))
}

// narrow puts into words on which side of the road an incident is, and in which lanes.
func (in *cifsIncident) narrow(z *WorkZone) {
	switch way := word(in.Direction); {
	case z.BothDirections:
		z.say("both directions")
	case way != "" && way != "ONE_DIRECTION":
		z.say("direction: " + way)
	}
	if i := in.Impact.is; i != nil {
		if n := i.Closed.upTo(50); n > 0 {
			z.say(strconv.Itoa(n) + map[bool]string{true: " lane closed", false: " lanes closed"}[n == 1])
		}
		if side := strings.ToLower(word(i.Side)); side != "" {
			z.say("side: " + side)
		}
		if z.VehicleImpact == "unknown" && i.Closed > 0 {
			z.VehicleImpact = "some-lanes-closed"
		}
	}
	z.say(z.besideWords()...)
}

// schedule reads when within its times an incident holds.
func (z *WorkZone) schedule(raw []byte, zone string) (reason string) {
	times, wrong := Schedule(raw)
	switch {
	case wrong != "":
		return ScheduleWrong
	case len(times) == 0:
		return ""
	}
	var ok bool
	if z.Schedule, ok = fleet.NewSchedule(times, zone); !ok {
		return ScheduleWrong
	}
	if z.Schedule != nil {
		z.say(scheduleWords(z.Schedule)...)
	}
	return ""
}

var laneTypes = map[string]string{"LANE": "general", "SHOULDER": "shoulder"}

// Polyline reads the line of CIFS: "lat lng lat lng", also with commas. The
// reason is empty, or why it is none.
func Polyline(said string) ([]fleet.LatLng, string) {
	var route []fleet.LatLng
	var lat float64
	count := 0
	said = strings.ReplaceAll(said, "−", "-")
	for number := range strings.FieldsFuncSeq(said, func(r rune) bool { return unicode.IsSpace(r) || r == ',' || r == ';' }) {
		v, err := strconv.ParseFloat(number, 64)
		if err != nil {
			return nil, BadGeometry
		}
		if count++; count%2 == 1 {
			lat = v
		} else {
			route = append(route, fleet.LatLng{Lat: lat, Lng: v})
		}
	}
	if count%2 != 0 {
		return nil, BadGeometry
	}
	return route, ""
}
