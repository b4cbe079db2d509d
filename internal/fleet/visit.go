package fleet

// Visit is a stay of an asset at a station of its organization.
type Visit struct {
	AreaID         string
	ThingID        string
	OrganizationID string // the owner of both, then
	ThingTypeID    string // what the asset was, then
	ArrivedAt      Instant
	LeftAt         Instant // 0 while it is there
	// CountedTo is until when the asset counted for the station's cover: in service and reporting; 0 while it is there, or if it
	// never did.
	CountedTo Instant
}

// Dwell is how long the stay lasted, at now if it still does, in milliseconds.
func (v Visit) Dwell(now Instant) Instant {
	until := v.LeftAt
	if until == 0 {
		until = now
	}
	return max(0, until-v.ArrivedAt)
}

// stationBy is the station that an asset is at with a status (requirements
// 4.station): any above ACTIVE is looked for, and an asset at an incident is at
// none.
func (s *State) stationBy(status Status, around Surroundings) string {
	if status > StatusActive && s.LocationID == "" && s.HasPosition {
		return around.stationAt(s.Lat, s.Lng)
	}
	return ""
}

// MatchStation is the part of Settle that determines where an asset is, as of a report: of several reports in one change, for each
// but the last. It reports whether that changed.
func MatchStation(s *State, around Surroundings, at Instant) bool {
	status, _ := s.statusAt(at)
	station := s.stationBy(status, around)
	if station == s.StationID {
		return false
	}
	s.StationID = station
	return true
}

// Moved notes when the asset came to its station, or left the one before: at an instant, but never before the last such note. It
// returns the stay that ended and the one that began; the area of either may be empty.
func (s *State) Moved(from string, at Instant) (ended, begun Visit) {
	at = max(at, s.StationAt)
	ended = Visit{AreaID: from, ThingID: s.ThingID, ArrivedAt: s.StationAt, LeftAt: at, CountedTo: at}
	begun = Visit{AreaID: s.StationID, ThingID: s.ThingID, ArrivedAt: at}
	s.StationAt = at
	return ended, begun
}

// OutSince returns since when an asset at its station does not count for the station's cover, because it is out of service or not
// reporting: 0 = it has not counted since it came. It uses the state before what ends the stay.
func OutSince(t *Thing, s *State) (since Instant, out bool) {
	if !t.InService {
		since, out = t.OutOfServiceAt, true
	}
	if s.Status == StatusOffline && (!out || s.StatusAt < since) {
		since, out = s.StatusAt, true
	}
	if since < s.StationAt {
		since = 0
	}
	return since, out
}
