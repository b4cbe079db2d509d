package fleet

import (
	"math"

	"lightbar/catalog"
)

// PassWithinM is how near a unit drives past stopped traffic that it proves to be gone.
var PassWithinM = catalog.Limit("hazard", "passWithinM")

// metersPerSecond of one mile an hour.
const metersPerSecond = 0.44704

var (
	passSpeed    = catalog.Limit("hazard", "passMph") * metersPerSecond
	passAccuracy = catalog.Limit("hazard", "passWithinM")
	passGap      = catalog.LimitMs("hazard", "passGapMs")
)

// Passing is what a point means for stopped traffic.
type Passing uint8

// What a point may mean.
const (
	NotThere Passing = iota // elsewhere, too inaccurate, or of an earlier time
	TooSlow
	Passes
)

// StopsTraffic reports whether units that drive through would prove the hazard wrong.
func (h *Hazard) StopsTraffic() bool {
	return h.Kind == "stopped_traffic" && h.EndedAt == 0 && h.DeletedAt == 0
}

// LastSeenAt is when somebody last reported that the hazard is there: only later points speak against it.
func (h *Hazard) LastSeenAt() Instant { return max(h.StartAt, h.ReportedAt, h.ConfirmedAt) }

// counts reports whether a point, by its time and accuracy, means anything for the hazard.
func (h *Hazard) counts(p *Point) bool {
	at := p.EffectiveAt()
	return at > h.LastSeenAt() && at < h.ExpiresAt && (!p.HasAccuracy || p.AccuracyM <= passAccuracy)
}

// Pass judges a point of a unit, which has a speed.
func (h *Hazard) Pass(p *Point) Passing {
	switch {
	case !h.counts(p) || DistanceM(p.Lat, p.Lng, h.Lat, h.Lng) > PassWithinM:
		return NotThere
	case p.SpeedMS < passSpeed:
		return TooSlow
	}
	return Passes
}

// PassesBetween judges the way between two points of a unit in a row: one that
// reports every 5 s has at most one point in the place that it drives through.
func (h *Hazard) PassesBetween(from, to *Point) bool {
	gap := to.EffectiveAt().Sub(from.EffectiveAt())
	return gap > 0 && gap <= passGap && h.counts(from) && h.counts(to) && min(from.SpeedMS, to.SpeedMS) >= passSpeed &&
		h.wayWithinM(from, to) >= PassWithinM
}

// wayWithinM is how much of the straight way between two points lies near the hazard, in meters.
func (h *Hazard) wayWithinM(from, to *Point) float64 {
	k := math.Cos(h.Lat*math.Pi/180) * metersPerDegree
	x, y := (from.Lng-h.Lng)*k, (from.Lat-h.Lat)*metersPerDegree
	dx, dy := (to.Lng-from.Lng)*k, (to.Lat-from.Lat)*metersPerDegree
	long, along := dx*dx+dy*dy, x*dx+y*dy
	root := along*along - long*(x*x+y*y-PassWithinM*PassWithinM)
	if long == 0 || root <= 0 {
		return 0
	}
	enters, leaves := max(0, (-along-math.Sqrt(root))/long), min(1, (-along+math.Sqrt(root))/long)
	return max(0, leaves-enters) * math.Sqrt(long)
}

// Withdraw ends stopped traffic through which a unit drove, the first time seen
// at from. It reports whether it did: not what has ended or was confirmed since.
func (h *Hazard) Withdraw(by HazardHand, from, now Instant) bool {
	if is := h.At(now); !is.StopsTraffic() || from <= h.LastSeenAt() {
		return false
	}
	h.end(now, HazardWithdrawn, &by)
	return true
}
