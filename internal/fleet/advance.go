package fleet

import (
	"time"

	"lightbar/catalog"
)

var (
	stationaryAfter   = catalog.LimitMs("status", "stationaryAfterMs")
	stationaryWithinM = catalog.Limit("status", "stationaryWithinM")
	accuracyM         = catalog.Limit("ingest", "accuracyM")
	accuracyStationM  = catalog.Limit("ingest", "accuracyAtStationM")
)

// Surroundings are what the laws know about an asset besides its reports: the stations of its owner, both nil when there are none,
// and whether it is in test mode.
type Surroundings struct {
	// Station is the id of the station at a position, of several the first by id; empty for none.
	Station func(lat, lng float64) (id string)
	// Near reports whether a station lies within a distance of a position.
	Near func(lat, lng, withinM float64) bool
	// Testing: the asset is in test mode. Its lights are a test, so it opens no incident by standing with them on.
	Testing bool
}

func (a Surroundings) stationAt(lat, lng float64) (id string) {
	if a.Station == nil {
		return ""
	}
	return a.Station(lat, lng)
}

// Change is what a report or the clock changed.
type Change uint16

// The changes.
const (
	ChangeHeartbeat Change = 1 << iota
	ChangePosition
	ChangeAlerting
	ChangeClosure
	ChangeStatus
	ChangeStation
	ChangeRun
	ChangeIncident
	ChangeLate    // a report older than the newest one was taken in
	ChangeRefused // a report was not taken
	ChangeConfig  // which configuration its device should have, has, or was sent
	ChangeCut     // its connection ended without a goodbye
)

// Outcome is what the caller must do after a law, besides storing the state.
type Outcome struct {
	Changes Change
	// Arrive requests to open an incident at a position, or to join one near it: the asset has been stopped there since ArriveAt.
	Arrive               bool
	ArriveAt             Instant
	ArriveLat, ArriveLng float64
	// LeaveAt ends the stay at the incident of LeaveID.
	LeaveID string
	LeaveAt Instant
	// NewRun requests an id for the run that began.
	NewRun bool
	// RunsFrom to RunsTo requests to compute the runs of this period from stored points (RunsOf), because the state is not enough
	// to decide them.
	RunsFrom, RunsTo Instant
	// Lights requests to find since when the lights are on from stored reports (LightsOf): a late one may have changed it.
	Lights bool
}

func (o *Outcome) history(from, to Instant) {
	if o.RunsTo == 0 {
		o.RunsFrom, o.RunsTo = from, to
		return
	}
	o.RunsFrom, o.RunsTo = min(o.RunsFrom, from), max(o.RunsTo, to)
}

// Usable reports whether a point may move the marker: accuracy at most 100 m, and at most 30 m while at a station, that is when the
// circle of its accuracy touches one (requirements 4.live). A point without an accuracy may. This depends on the point alone, never
// on the state, so that the same points give the same marker in any order, and a bad receiver that has clearly left the station is
// not held there.
func Usable(p *Point, around Surroundings) bool {
	if !p.HasAccuracy || p.AccuracyM <= accuracyStationM {
		return true
	}
	return p.AccuracyM <= accuracyM && (around.Near == nil || !around.Near(p.Lat, p.Lng, p.AccuracyM))
}

// AdvancePoint takes a point into the state. A late point enters runs and the
// trail but never moves the marker back; only points in order open and close
// incidents. Call Settle when all reports at hand are in.
func AdvancePoint(s *State, p *Point, around Surroundings) Outcome {
	var o Outcome
	at := p.EffectiveAt()
	inOrder := at >= s.HeartbeatAt
	s.heard(at, p.ReceivedAt, &o)
	s.Skewed = s.Skewed || at != p.At
	s.Sources.Note(p.Source, p.At, at, p.ReceivedAt)
	absentBefore, heard := s.AlertingAbsentAt, s.lightsReportedAt()
	if p.HasAlerting {
		s.say(at, p.Alerting, &o)
	} else {
		s.AlertingAbsentAt = max(s.AlertingAbsentAt, at)
	}
	s.lights(heard, at, p.HasAlerting, p.Alerting, &o)
	if Usable(p, around) {
		s.Trail.Add(at, p.Lat, p.Lng)
		if s.newer(at, p) {
			s.place(at, p)
			o.Changes |= ChangePosition
			if inOrder {
				s.stand(at, p, around, &o)
			}
		}
	}
	s.countRun(at, p, absentBefore, &o)
	return o
}

// AdvanceSignal takes a heartbeat, alert or closure message into the state.
func AdvanceSignal(s *State, g *Signal) Outcome {
	var o Outcome
	at := g.EffectiveAt()
	inOrder := at >= s.HeartbeatAt
	s.heard(at, g.ReceivedAt, &o)
	s.Skewed = s.Skewed || at != g.At
	s.Sources.Note(g.Source, g.At, at, g.ReceivedAt)
	switch g.Kind {
	case SignalAlert:
		heard := s.lightsReportedAt()
		s.say(at, g.On, &o)
		s.lights(heard, at, true, g.On, &o)
		if inOrder {
			s.noteLightsOff(at)
		}
		if s.EverAlerting && at <= s.AlertingAbsentAt {
			o.history(at, s.AlertingAbsentAt)
		}
	case SignalClosure:
		if at > s.BoardAt || at == s.BoardAt && g.On && !s.BoardActive {
			if s.BoardActive != g.On || s.BoardPattern != g.Pattern {
				o.Changes |= ChangeClosure
			}
			s.BoardAt, s.BoardActive, s.BoardPattern = at, g.On, g.Pattern
		}
	}
	return o
}

func (s *State) heard(at, received Instant, o *Outcome) {
	s.TakenAt = max(s.TakenAt, received)
	s.CutAt = 0 // an asset that reports is there, whatever instant the report has
	if at > s.HeartbeatAt {
		s.HeartbeatAt = at
		o.Changes |= ChangeHeartbeat
	} else if at < s.HeartbeatAt {
		o.Changes |= ChangeLate
	}
}

// say keeps the newest report about alerting; of two at one instant "on" counts.
func (s *State) say(at Instant, on bool, o *Outcome) {
	if on {
		switch {
		case !s.EverAlerting:
			s.EverAlerting, s.FirstOnAt = true, at
		case s.FirstOnAt != 0: // else nobody knows when it began
			s.FirstOnAt = min(s.FirstOnAt, at)
		}
	}
	if at < s.AlertingAt || at == s.AlertingAt && !on {
		return
	}
	if s.Alerting != on {
		o.Changes |= ChangeAlerting
	}
	s.AlertingAt, s.Alerting = at, on
}

// newer decides which of two positions is shown; equal instants are settled by the device's own time.
func (s *State) newer(at Instant, p *Point) bool {
	return !s.HasPosition || at > s.At || at == s.At && p.At > s.DeviceAt
}

func (s *State) place(at Instant, p *Point) {
	s.HasPosition, s.Lat, s.Lng = true, p.Lat, p.Lng
	s.At, s.DeviceAt, s.ReceivedAt, s.Sources.Shown = at, p.At, p.ReceivedAt, p.Source
	s.HasCourse, s.CourseDeg = p.HasCourse, p.CourseDeg
	s.HasSpeed, s.SpeedMS = p.HasSpeed, p.SpeedMS
	s.HasAccuracy, s.AccuracyM = p.HasAccuracy, p.AccuracyM
}

// countRun adds a point to the newest run, or requests history.
func (s *State) countRun(at Instant, p *Point, absentBefore Instant, o *Outcome) {
	if !s.EverAlerting {
		return
	}
	if p.HasAlerting && at <= absentBefore {
		o.history(at, absentBefore) // points without a value follow this report
		return
	}
	if !p.HasAlerting && at < s.AlertingAt || s.LeftAt != 0 && at <= s.LeftAt {
		o.history(at, at)
		return
	}
	alerting := s.Alerting
	if p.HasAlerting {
		alerting = p.Alerting
	}
	if s.LocationID != "" && at == s.ArrivedAt {
		o.history(at, at) // whether it begins a run is not in the state
		return
	}
	if !alerting || s.LocationID != "" && at > s.ArrivedAt {
		return
	}
	gap := Instant(runMaxGap.Milliseconds())
	switch {
	case s.RunStartAt == 0 || at > s.RunLastAt+gap:
		s.PrevRunEndAt = s.RunLastAt
		s.RunID, s.RunStartAt, s.RunLastAt, s.RunPointsCount, s.DwellPoints = "", at, at, 1, 0
		o.NewRun = true
	case at < s.RunStartAt-gap || s.PrevRunEndAt != 0 && at-gap <= s.PrevRunEndAt:
		o.history(at, at)
		return
	default:
		s.RunStartAt, s.RunLastAt = min(s.RunStartAt, at), max(s.RunLastAt, at)
		s.RunPointsCount++
	}
	if s.DwellAt != 0 && at > s.DwellAt {
		s.DwellPoints++
	}
	o.Changes |= ChangeRun
}

// Age moves the state by the clock alone: call it at DueAt, then Settle.
func Age(s *State, now Instant) Outcome {
	var o Outcome
	if s.LocationID != "" && s.LightsOffAt != 0 && now.Sub(s.LightsOffAt) >= incidentQuiet.Duration() {
		s.leave(s.LightsOffAt.Add(incidentQuiet.Duration()), &o)
	}
	return o
}

// Settle derives what follows from the registers at an instant: since when it is stopped, status, station and when the next of
// these changes by age alone.
func Settle(s *State, around Surroundings, now Instant) Change {
	var c Change
	if s.HasPosition {
		s.SinceAt = s.Trail.Since(s.Lat, s.Lng, stationaryWithinM)
		if s.SinceAt == 0 {
			s.SinceAt = s.At
		}
	}
	status, due := s.statusAt(now)
	if status != s.Status || s.StatusAt == 0 {
		s.Status, s.StatusAt = status, now
		c |= ChangeStatus
	}
	s.DueAt = due
	if station := s.stationBy(status, around); station != s.StationID {
		s.StationID = station
		c |= ChangeStation
	}
	return c
}

// statusAt computes the status at an instant and when it may next change by itself.
func (s *State) statusAt(now Instant) (Status, Instant) {
	age := now.Sub(s.HeartbeatAt)
	heard := s.HeartbeatAt != 0
	status := StatusOf(StatusInput{
		ClosuresActive: s.BoardActive && age <= standbyWindow,
		OnIncident:     s.LocationID != "",
		HasHeartbeat:   heard,
		HeartbeatAge:   age,
		Enroute:        s.Alerting && s.LocationID == "",
		Stationary:     s.HasPosition && now.Sub(s.SinceAt) >= stationaryAfter,
	})
	var due Instant
	at := func(i Instant) {
		if i > now && (due == 0 || i < due) {
			due = i
		}
	}
	if heard {
		at(s.HeartbeatAt.Add(offlineAfter))
		at(s.HeartbeatAt.Add(pendingAfter + time.Millisecond))
		if s.Alerting {
			at(s.HeartbeatAt.Add(activeWindow + time.Millisecond))
		}
	}
	if status == StatusStandby && s.HasPosition {
		at(s.SinceAt.Add(stationaryAfter))
	}
	if s.LocationID != "" && s.LightsOffAt != 0 {
		if end := s.LightsOffAt.Add(incidentQuiet.Duration()); end > now {
			at(end)
		} else {
			due = now
		}
	}
	return status, due
}
