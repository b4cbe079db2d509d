package check

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"lightbar/internal/feed"
	"lightbar/internal/feed/read"
	"lightbar/internal/fleet"
)

// subtypes are the words of CIFS: the types, and what each may be.
var subtypes = map[string][]string{
	"ROAD_CLOSED": {"HAZARD", "CONSTRUCTION", "EVENT"}, "ACCIDENT": {"MINOR", "MAJOR"}, "CHIT_CHAT": nil,
	"JAM": {"LIGHT_TRAFFIC", "MODERATE_TRAFFIC", "HEAVY_TRAFFIC", "STAND_STILL_TRAFFIC"}, "POLICE": {"VISIBLE", "HIDING",
		"WITH_MOBILE_CAMERA"},
	"HAZARD": {"ON_ROAD", "ON_ROAD_CAR_STOPPED", "ON_ROAD_CONSTRUCTION", "ON_ROAD_EMERGENCY_VEHICLE", "ON_ROAD_ICE", "ON_ROAD_LANE_CLOSED",
		"ON_ROAD_OBJECT", "ON_ROAD_OIL", "ON_ROAD_POT_HOLE", "ON_ROAD_ROAD_KILL", "ON_ROAD_TRAFFIC_LIGHT_FAULT", "ON_SHOULDER",
		"ON_SHOULDER_ANIMALS", "ON_SHOULDER_CAR_STOPPED", "ON_SHOULDER_MISSING_SIGN", "WEATHER", "WEATHER_FLOOD", "WEATHER_FOG",
		"WEATHER_FREEZING_RAIN", "WEATHER_HAIL", "WEATHER_HEAT_WAVE", "WEATHER_HEAVY_RAIN", "WEATHER_HEAVY_SNOW", "WEATHER_HURRICANE",
		"WEATHER_MONSOON", "WEATHER_TORNADO"},
}

const (
	cifsRunes  = 40 // of a description, and none of them may be the fortieth
	cifsIDMin  = 3
	cifsLayout = "2006-01-02T15:04:05-07:00"
)

// incident checks one of CIFS; the reader reports why it cannot accept it.
func (c *checker) incident(v map[string]any, refused string) {
	at := v
	if l, is := v["location"].(map[string]any); is { // the form of before
		at = l
	}
	for i, name := range []string{"type", "polyline", "street"} {
		if in := []map[string]any{v, at, at}[i]; strings.TrimSpace(textOf(in, name)) == "" {
			c.down(name, func() { c.note(all, memberMissing) })
		}
	}
	if v["id"] == nil {
		c.down("id", func() { c.note(all, memberMissing) })
	} else if id, is := v["id"].(string); is && id != "" && len(id) < cifsIDMin {
		c.down("id", func() { c.note(all, cifsID) })
	}
	c.words(v, at)
	c.incidentTimes(v, v["type"] == "ROAD_CLOSED" || refused == read.TimeMissing)
	if utf8.RuneCountInString(textOf(v, "description")) >= cifsRunes {
		c.down("description", func() { c.note(all, cifsText) })
	}
	if lanes, is := v["lanes"].(map[string]any); is {
		c.down("lanes.lane", func() { c.incidentLanes(lanes["lane"]) })
	}
	c.down("polyline", func() { c.polyline(textOf(at, "polyline")) })
}

func (c *checker) words(v, at map[string]any) {
	kind, subtype, way := textOf(v, "type"), textOf(v, "subtype"), textOf(at, "direction")
	known, is := subtypes[kind]
	if !is && kind != "" {
		c.down("type", func() { c.noteText(all, cifsType, kind) })
	}
	if is && subtype != "" {
		fits := false
		for _, end := range known {
			fits = fits || subtype == kind+"_"+end
		}
		if !fits {
			c.down("subtype", func() { c.noteText(all, cifsSubtype, subtype) })
		}
	}
	if way != "" && way != "ONE_DIRECTION" && way != "BOTH_DIRECTIONS" {
		c.down("direction", func() { c.noteText(all, cifsDirection, way) })
	}
}

func (c *checker) incidentTimes(v map[string]any, needsStart bool) {
	times := map[string]fleet.Instant{}
	for _, name := range []string{"starttime", "endtime", "updatetime"} {
		said := textOf(v, name)
		if name == "endtime" && c.isPlaceholder(v, name) {
			continue
		}
		at, ok := fleet.TimeOf(said, nil)
		c.down(name, func() {
			_, err := time.Parse(cifsLayout, said)
			switch {
			case said == "" && name == "starttime" && needsStart:
				c.note(all, memberMissing)
			case said == "" && name == "endtime":
				c.note(all, cifsOpenEnd)
			case said == "":
			case !ok:
				c.noteText(all, timeInvalid, said)
			case err != nil || strings.ContainsAny(said, "Z.,"):
				c.noteText(all, cifsTime, said)
			}
		})
		times[name] = at
	}
	c.down("endtime", func() {
		if times["endtime"] != 0 && times["endtime"] <= times["starttime"] {
			c.note(all, endFirst)
		}
		if times["endtime"] != 0 && c.now > times["endtime"].Add(lingersAfter) {
			c.note(all, lingers)
		}
	})
	c.schedule(v, times["starttime"], times["endtime"])
	c.updates(v, "updatetime")
	if times["updatetime"] > c.now.Add(aheadMost) {
		c.down("updatetime", func() { c.note(all, future) })
	}
}

// schedule looks at when, between its start and its end, an incident holds.
func (c *checker) schedule(v map[string]any, start, end fleet.Instant) {
	raw, err := json.Marshal(v["schedule"])
	if err != nil || v["schedule"] == nil {
		return
	}
	c.down("schedule", func() {
		times, wrong := read.Schedule(raw)
		if wrong == "" && len(times) == 0 {
			wrong = "It has no times."
		}
		if wrong != "" {
			c.note(all, cifsSchedule, wrong)
			return
		}
		zone := "+00:00"
		if at, err := time.Parse(cifsLayout, textOf(v, "starttime")); err == nil {
			zone = at.Format("-07:00")
		}
		if s, _ := fleet.NewSchedule(times, zone); s != nil && start != 0 && end > start && s.EndsBy(start, fleet.Span{From: start, To: end}) {
			c.note(all, cifsNever)
		}
	})
}

func (c *checker) incidentLanes(lanes any) {
	list, is := lanes.([]any)
	if !is {
		list = []any{lanes}
	}
	for i, l := range list {
		l, _ := l.(map[string]any)
		if kind, status := textOf(l, "type"), textOf(l, "status"); kind != "LANE" || status != "OPEN" && status != "CLOSED" {
			c.at(i, func() { c.note(all, cifsLaneWord, "“", short(kind), "”, “", short(status), "”.") })
		}
	}
	c.orders(list)
}

func (c *checker) polyline(said string) {
	if said == "" {
		return // already reported
	}
	route, reason := read.Polyline(said)
	if reason != "" || strings.ContainsAny(said, ",;") {
		c.noteText(all, cifsLine, said)
	}
	if len(route) == 0 {
		return
	}
	c.route(route, false)
	length, apart := feed.Extent(route)
	if length > feed.LongestM {
		c.note(all, cifsLong, strconv.Itoa(int(length/1000))+" km.")
	}
	if apart < feed.ShortestM && length > 0 {
		c.note(all, cifsRing)
	}
}
