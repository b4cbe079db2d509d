package fleet

import "lightbar/catalog"

var refusalsFor = catalog.LimitMs("ingest", "refusalsMs")

// Refusals are reports of an asset that were not taken: how many, and the last
// of them. They are counted from the first on that no week without one follows.
type Refusals struct {
	Count int64
	At    Instant // when the last one was received
	Code  string
}

// NoteRefused counts refused reports, received at an instant.
func NoteRefused(s *State, code string, n int64, at Instant) Change {
	if at.Sub(s.RefusedAt) > refusalsFor {
		s.RefusedCount = 0
	}
	s.RefusedCount += n
	s.RefusedAt, s.RefusedCode = at, code
	if wrongClock[code] {
		s.Skewed = true
	}
	return ChangeRefused
}

// wrongClock are the codes that mean that a device's clock is wrong.
var wrongClock = map[string]bool{"at_too_old": true, "at_too_far_ahead": true}

// RefusalsOf are an asset's refused reports; ok is false when there are none.
func RefusalsOf(s *State) (r Refusals, ok bool) {
	return Refusals{Count: s.RefusedCount, At: s.RefusedAt, Code: s.RefusedCode}, s.RefusedCount > 0
}

// RefusedBecause puts into words why a report was refused, for people who look after the asset; the sentences of the refusals
// themselves are for the sender's programmer.
func RefusedBecause(code string) string {
	if reason, known := catalog.RefusedBecause(code); known {
		return reason
	}
	return code
}
