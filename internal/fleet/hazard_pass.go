package fleet

import "lightbar/catalog"

// PassWithinM is how near a unit drives past stopped traffic that it proves to be gone.
var PassWithinM = catalog.Limit("hazard", "passWithinM")

// metersPerSecond of one mile an hour.
const metersPerSecond = 0.44704

var (
	passSpeed    = catalog.Limit("hazard", "passMph") * metersPerSecond
	passAccuracy = catalog.Limit("hazard", "passWithinM")
)

// Passing is what a point says of stopped traffic.
type Passing uint8

// What a point may say.
const (
	NotThere Passing = iota // elsewhere, too inaccurate, or of an earlier time
	TooSlow
	Passes
)

// StopsTraffic tells whether units that drive through would prove the hazard wrong.
func (h *Hazard) StopsTraffic() bool {
	return h.Kind == "stopped_traffic" && h.EndedAt == 0 && h.DeletedAt == 0
}

// ToldAt is when somebody last said that the hazard is there: only what comes later speaks against it.
func (h *Hazard) ToldAt() Instant { return max(h.StartAt, h.SaidAt, h.ConfirmedAt) }

// Pass judges a point of a unit, which has a speed.
func (h *Hazard) Pass(p *Point) Passing {
	at := p.EffectiveAt()
	switch {
	case at <= h.ToldAt() || at >= h.ExpiresAt || p.HasAccuracy && p.AccuracyM > passAccuracy,
		DistanceM(p.Lat, p.Lng, h.Lat, h.Lng) > PassWithinM:
		return NotThere
	case p.SpeedMS < passSpeed:
		return TooSlow
	}
	return Passes
}

// Withdraw ends stopped traffic through which a unit drove, the first time seen
// at from. It tells whether it did: not what has ended or was confirmed since.
func (h *Hazard) Withdraw(by HazardHand, from, now Instant) bool {
	if is := h.At(now); !is.StopsTraffic() || from <= h.ToldAt() {
		return false
	}
	h.end(now, HazardWithdrawn, &by)
	return true
}
