package wire

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"

	"lightbar/internal/fleet"
)

// TripPoint is one report of a position.
type TripPoint struct {
	Lat       float64       `json:"lat"`
	Lng       float64       `json:"lng"`
	Course    *float64      `json:"course" doc:"degrees clockwise from north, null when unknown"`
	Speed     float64       `json:"speed" doc:"m/s, 0 when unknown"`
	Timestamp fleet.Instant `json:"timestamp" nullable:"false"`
	// HasSpeed tells files that a speed of 0 was said.
	HasSpeed bool `json:"-"`
}

// Stretch is a stretch of time.
type Stretch struct {
	Start fleet.Instant `json:"start" nullable:"false"`
	End   fleet.Instant `json:"end" nullable:"false" doc:"excluded"`
}

// TripStop is where an asset stood for two minutes or more.
type TripStop struct {
	Stretch
	Lat float64 `json:"lat"`
	Lng float64 `json:"lng"`
}

// TripSpan is a stretch of time in which an asset did one thing.
type TripSpan struct {
	Stretch
	State string `json:"state" enum:"moving,standing,on_scene,silent" doc:"silent: nothing is known"`
}

// Trip is a run, or a movement outside of runs: section 3, and what we add.
type Trip struct {
	RunID       string        `json:"run_id" doc:"of a movement outside of runs it begins with other-"`
	RunStart    fleet.Instant `json:"run_start" nullable:"false"`
	RunEnd      fleet.Instant `json:"run_end" nullable:"false"`
	RunDuration int64         `json:"run_duration" doc:"seconds, of the whole run"`
	Drivers     *int64        `json:"drivers_alerted" doc:"drivers who were shown an alert that began in the run, each once an alert, of the whole run; null: not measured, or outside of runs"`
	IsActive    bool          `json:"is_active" doc:"it goes on"`
	IsClipped   bool          `json:"is_clipped" doc:"a part of it lies outside of the asked time; what follows is of the part inside"`
	Distance    float64       `json:"distance" doc:"meters; what nobody saw (a gap of more than two minutes) is not counted"`
	TopSpeed    *float64      `json:"top_speed" doc:"m/s, null when no point says its speed"`
	LightsOn    int64         `json:"lights_on" doc:"seconds"`
	StreetStart string        `json:"street_start"`
	StreetEnd   string        `json:"street_end"`
	Stops       []TripStop    `json:"stops" nullable:"false"`
	Points      []TripPoint   `json:"points" nullable:"false" doc:"oldest first; more than two minutes between two is a gap"`
}

// ThingTrips is what an asset did in the asked time, as far as the caller may see it.
type ThingTrips struct {
	ThingID    string     `json:"thing_id"`
	Runs       []Trip     `json:"runs" nullable:"false" doc:"newest first"`
	Other      []Trip     `json:"other" nullable:"false" doc:"movement outside of runs, newest first"`
	Spans      []TripSpan `json:"spans" nullable:"false" doc:"oldest first, until now at most; holes only where the asset was another's"`
	Lights     []Stretch  `json:"lights" nullable:"false" doc:"when its lights were on, oldest first"`
	Unreadable []Stretch  `json:"unreadable" nullable:"false" doc:"hours whose stored points cannot be read: there may have been more"`
}

// Trips is the answer of a trip query.
type Trips struct {
	Data ThingTrips `json:"data"`
}

// TripOf is a trip on the wire, but for what only the picture knows: whether it
// goes on, and its streets.
func TripOf(t *fleet.Trip, asked fleet.Stretch) Trip {
	out := Trip{RunID: t.RunID, RunStart: t.StartAt, RunEnd: t.EndAt, RunDuration: int64(t.EndAt.Sub(t.StartAt).Seconds()),
		IsClipped: t.StartAt < asked.Start || t.EndAt >= asked.End, Distance: t.DistanceM, LightsOn: int64(t.LightsOn.Seconds()),
		Stops: make([]TripStop, 0, len(t.Stops)), Points: make([]TripPoint, len(t.Points))}
	if t.RunID == "" {
		out.RunID = "other-" + t.StartAt.String()
	}
	if t.HasSpeed {
		top := t.TopSpeedMS
		out.TopSpeed = &top
	}
	for _, s := range t.Stops {
		out.Stops = append(out.Stops, TripStop{Stretch(s.Stretch), s.Lat, s.Lng})
	}
	courses := make([]float64, len(t.Points)) // of their own: an answer that is read slowly must not hold all that was stored
	for i := range t.Points {
		p := &t.Points[i]
		out.Points[i] = TripPoint{Lat: p.Lat, Lng: p.Lng, Speed: p.SpeedMS, Timestamp: p.EffectiveAt(), HasSpeed: p.HasSpeed}
		if p.HasCourse {
			courses[i] = p.CourseDeg
			out.Points[i].Course = &courses[i]
		}
	}
	return out
}

// WriteJSON writes the answer as encoding/json would: points, of which there may
// be a day's at one a second, without reflection and not as one piece in memory.
func (t Trips) WriteJSON(to io.Writer) error {
	out := bufio.NewWriterSize(to, 32<<10)
	lists := [2][]Trip{t.Data.Runs, t.Data.Other}
	t.Data.Runs, t.Data.Other = nil, nil
	rest, err := json.Marshal(t)
	if err != nil {
		return err
	}
	for _, list := range lists {
		before, after, _ := bytes.Cut(rest, []byte("null")) // no value before it can be null or contain the word
		rest = after
		out.Write(before)
		out.WriteByte('[')
		for i := range list {
			if i > 0 {
				out.WriteByte(',')
			}
			if err := list[i].write(out); err != nil {
				return err
			}
		}
		out.WriteByte(']')
	}
	out.Write(rest)
	out.WriteByte('\n')
	return out.Flush()
}

func (t Trip) write(out *bufio.Writer) error {
	points := t.Points
	t.Points = []TripPoint{}
	head, err := json.Marshal(t)
	if err != nil {
		return err
	}
	out.Write(head[:len(head)-len("]}")])
	for i := range points {
		if i > 0 {
			out.WriteByte(',')
		}
		if out.Available() < 160 {
			if err := out.Flush(); err != nil {
				return err
			}
		}
		out.Write(appendTripPoint(out.AvailableBuffer(), &points[i]))
	}
	_, err = out.WriteString("]}")
	return err
}

func appendTripPoint(b []byte, p *TripPoint) []byte {
	b = number(append(b, `{"lat":`...), p.Lat)
	b = number(append(b, `,"lng":`...), p.Lng)
	b = pointer(append(b, `,"course":`...), p.Course)
	b = number(append(b, `,"speed":`...), p.Speed)
	return append(instant(append(b, `,"timestamp":`...), p.Timestamp), '}')
}

// Coverage tells when there are reports of an asset's positions.
type Coverage struct {
	ThingID string         `json:"thing_id"`
	Spans   []CoverageSpan `json:"spans" nullable:"false" doc:"oldest first"`
}

// CoverageSpan is a stretch of time without an hour that has no point.
type CoverageSpan struct {
	Start  fleet.Instant `json:"start" nullable:"false" doc:"of the first point"`
	End    fleet.Instant `json:"end" nullable:"false" doc:"of the last point"`
	Points int64         `json:"points"`
}
