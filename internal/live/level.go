package live

import "lightbar/internal/fleet"

// level is how much of an asset has changed, in the order in which the columns of a snapshot end: each level includes those after
// it.
type level int

const (
	profiled level = iota // what people edit, and possibly everything else
	stood                 // status, alerting, incident, station, run
	moved                 // position
	heard                 // only a sign of life
	same
)

// stamps are when each level below heard last changed; for heard that is
// State.ChangedAt. 0 = not since the start.
type stamps [heard]fleet.Instant

// stamp notes at each level what differs between two states of an asset.
func (l *stamps) stamp(before, after *fleet.State, at fleet.Instant) {
	if shownStatusOf(before) != shownStatusOf(after) {
		l[stood] = at
	}
	if movementOf(before) != movementOf(after) {
		l[moved] = at
	}
}

// changed is the level at which an entry has changed at or after an instant.
func (e *entry) changed(since fleet.Instant) level {
	if e.state.ChangedAt < since {
		return same
	}
	for l, at := range e.levels {
		if at >= since {
			return level(l)
		}
	}
	return heard
}

// shownStatus is what the columns of that level show of a state.
type shownStatus struct {
	status                     fleet.Status
	alerting, position, course bool
	at, arrived, runStart      fleet.Instant
	locationID, stationID, run string
}

func shownStatusOf(s *fleet.State) shownStatus {
	v := shownStatus{status: s.Status, alerting: s.Alerting, position: s.HasPosition, course: s.HasCourse, at: s.StatusAt,
		stationID: s.StationID}
	if s.LocationID != "" {
		v.locationID, v.arrived = s.LocationID, s.ArrivedAt
	}
	if r, ok := fleet.PresentRun(s); ok {
		v.run, v.runStart = r.ID, r.StartAt
	}
	return v
}

// movement is what the columns of that level show of a state.
type movement struct {
	lat, lng, course, speed, accuracy float64
	at, received                      fleet.Instant
	street                            string
	runPoints                         int64
}

func movementOf(s *fleet.State) movement {
	v := movement{lat: s.Lat, lng: s.Lng, at: s.At, received: s.ReceivedAt, street: s.Street, accuracy: -1}
	if s.HasCourse {
		v.course = s.CourseDeg
	}
	if s.HasSpeed {
		v.speed = s.SpeedMS
	}
	if s.HasAccuracy {
		v.accuracy = s.AccuracyM
	}
	if r, ok := fleet.PresentRun(s); ok {
		v.runPoints = r.Points
	}
	return v
}
