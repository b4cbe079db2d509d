package fleet

// How far an asset is from where its street was looked up before that is done again.
const (
	streetEveryM  = 15  // while it moves
	streetStandsM = 40  // while it is stopped: two positions of a good receiver that does not move are nearer together
	standsBelowMS = 1.0 // slower than this is noise, not a drive
)

// StreetMark is where the street of an asset was looked up; the zero value is nowhere.
type StreetMark struct {
	Lat, Lng  float64
	IsStopped bool
	known     bool
}

// MarkStreet marks the place of the state as the one whose street it has.
func MarkStreet(s *State) StreetMark {
	return StreetMark{Lat: s.Lat, Lng: s.Lng, IsStopped: s.isStopped(), known: true}
}

// Known reports whether a street was looked up at all.
func (m StreetMark) Known() bool { return m.known }

// StillApplies reports whether an asset still has the street of the mark. While it moves, the street is that of a place within the last 15
// m. When it stops, the street is looked up once at that place, and stays within the noise of its receiver: at a corner the nearest
// street would change with every report.
func (m StreetMark) StillApplies(s *State) bool {
	within := float64(streetEveryM)
	if s.isStopped() {
		if !m.IsStopped {
			return false
		}
		within = streetStandsM
		if s.HasAccuracy { // both positions may be off by it
			within = max(within, min(2*s.AccuracyM, stationaryWithinM))
		}
	}
	return m.known && DistanceM(s.Lat, s.Lng, m.Lat, m.Lng) < within
}

// isStopped reports whether an asset is on scene, or reports that it does not move.
func (s *State) isStopped() bool {
	return s.LocationID != "" || s.HasSpeed && s.SpeedMS < standsBelowMS
}
