package fleet

import (
	"math"
	"time"

	"lightbar/catalog"
)

// An automated closure follows its asset: it is active while the asset's board is on. Nobody sets its end, so that is estimated as
// long as the asset reports, and comes by itself when the asset falls silent (requirements D.closure).

// ClosureAutomated is the kind of closure that an asset drives.
const ClosureAutomated = "automated"

// ClosureManual is the kind of closures that people make and end.
const ClosureManual = "manual"

// ClosureSilent is how long after the last report of its board or feed a closure ends.
func ClosureSilent() time.Duration { return closureSilent }

// Why an automated closure ended.
const (
	endedByBoard  = "board"  // it was turned off
	endedBySilent = "silent" // nothing reported it
	endedByHand   = "ended"  // it was taken from the asset
)

var (
	closureEstimate = catalog.LimitMs("closure", "estimateMs")
	closureRoll     = catalog.LimitMs("closure", "rollMs")
	closureSilent   = catalog.LimitMs("closure", "silentMs")
	closureMoveM    = catalog.Limit("closure", "moveM")
)

// Driver is what the asset of an automated closure reports.
type Driver struct {
	On          bool     // its board is on
	At          Instant  // since when On has its value, or when that was last reported
	HeartbeatAt Instant  // its newest sign of life
	Before      Instant  // its sign of life before that
	Lost        bool     // it may not drive the closure anymore
	By          Verifier // the asset
}

// drivenTimes are the times of a closure that its asset changes.
type drivenTimes struct {
	start, end, lastStart, ended, verified Instant
	reason                                 string
}

func (c *Closure) drivenTimes() drivenTimes {
	return drivenTimes{c.StartAt, c.EndAt, c.LastStartAt, c.EndedAt, c.VerifiedAt, c.EndReason}
}

// Follow applies a report of an automated closure's asset to its times, and reports whether they changed. A closure whose asset was
// silent for 8 hours ended with that silence; a late report that fills the silence reverts the end.
func (c *Closure) Follow(d Driver, now Instant) (changed bool) {
	was := c.drivenTimes()
	heard, before := max(d.HeartbeatAt, c.VerifiedAt), max(d.Before, c.VerifiedAt)
	if c.StartAt != 0 && heard.Sub(before) >= closureSilent {
		c.finish(before.Add(closureSilent), endedBySilent)
	}
	switch {
	case d.Lost:
		c.Release(now)
	case c.StartAt != 0 && !d.On:
		c.finish(max(c.StartAt, d.At), endedByBoard)
	case c.StartAt == 0 && d.On:
		c.start(d, heard)
	case c.StartAt == 0 && c.EndReason == endedBySilent && d.At < c.EndedAt: // it was turned off while it was silent
		c.EndedAt, c.EndReason = max(c.LastStartAt, d.At), endedByBoard
	}
	if end := heard.Add(closureEstimate); c.StartAt != 0 && (c.EndAt > end || end.Sub(c.EndAt) >= closureRoll) {
		c.EndAt, c.VerifiedAt = end, heard
	}
	c.FollowClock(heard, now)
	if changed = c.drivenTimes() != was; changed && c.StartAt != 0 {
		by := d.By // here, so that nothing is made where nothing changes
		c.EndEstimated, c.VerifiedBy = true, &by
	}
	return changed
}

// start begins the closure with its board, or goes on where a silence did not end it.
func (c *Closure) start(d Driver, heard Instant) {
	at := d.At
	if at <= c.EndedAt {
		at = heard
	}
	if c.EndReason == endedBySilent && heard < c.EndedAt {
		at = c.LastStartAt
	}
	if at >= heard.Add(closureSilent) {
		return // nobody knows whether it is still on
	}
	c.StartAt, c.EndAt, c.EndedAt, c.EndReason, c.VerifiedAt = at, heard.Add(closureEstimate), 0, "", heard
}

// finish ends the closure at an instant.
func (c *Closure) finish(at Instant, reason string) {
	c.LastStartAt, c.EndedAt, c.EndReason = c.StartAt, at, reason
	c.StartAt, c.EndAt, c.EndEstimated = 0, 0, false
}

// Release ends what an asset made of the closure, which it drives no more.
func (c *Closure) Release(now Instant) {
	if c.StartAt != 0 {
		c.finish(max(c.StartAt, now), endedByHand)
	}
}

// FollowClock brings the times of an automated closure to an instant, without a report of its asset, which last reported at heard.
// The stored end is rewritten only now and then, and answers must not depend on that: code that shows the closure calls this first.
// After an hour of silence, the end is where the silence would end it; then it ends.
func (c *Closure) FollowClock(heard, now Instant) {
	if c.Kind != ClosureAutomated || c.StartAt == 0 || now < c.EndAt {
		return
	}
	c.VerifiedAt = max(c.VerifiedAt, heard)
	for _, after := range []Instant{c.VerifiedAt.Add(closureEstimate), c.VerifiedAt.Add(closureSilent)} {
		if now < after {
			c.EndAt = after
			return
		}
	}
	c.finish(max(c.StartAt, c.VerifiedAt.Add(closureSilent)), endedBySilent)
}

// ClosureStatus is the status of an automated closure (requirements 4.closure): while it is not active, how long ago its asset
// reported, 0 = never.
func ClosureStatus(active bool, heard, now Instant) string {
	switch age := now.Sub(heard); {
	case active:
		return "active"
	case heard != 0 && age <= standbyWindow:
		return "standby"
	case heard != 0 && age < offlineAfter:
		return "pending"
	}
	return "offline"
}

// Line is the closure's line: along the road where that is known, else as drawn.
func (c *Closure) Line() []LatLng {
	if len(c.CalculatedRoute) > 1 {
		return c.CalculatedRoute
	}
	return c.UserRoute
}

// BeginsAt reports whether the line begins at a position, or near enough.
func (c *Closure) BeginsAt(at LatLng) bool {
	line := c.Line()
	return len(line) > 0 && DistanceM(line[0].Lat, line[0].Lng, at.Lat, at.Lng) <= closureMoveM
}

// LineM is how long the line is, meters.
func (c *Closure) LineM() float64 { return max(lengthM(c.CalculatedRoute), lengthM(c.UserRoute)) }

func lengthM(line []LatLng) (m float64) {
	for i := 1; i < len(line); i++ {
		m += DistanceM(line[i-1].Lat, line[i-1].Lng, line[i].Lat, line[i].Lng)
	}
	return m
}

// Lay gives the closure the line of a road, from its asset's position in the direction of the traffic. The texts about its ends are
// not true there.
func (c *Closure) Lay(line []LatLng, road, direction string) {
	c.CalculatedRoute, c.StreetStart, c.StreetEnd = line, "", ""
	if len(c.GeocodedRoute) > 0 {
		c.GeocodedRoute = []LatLng{line[0], line[len(line)-1]}
	}
	c.RoadName, c.Direction = road, direction
}

// Shifted is the drawn line as it lies from another beginning.
func (c *Closure) Shifted(to LatLng) []LatLng {
	out := make([]LatLng, len(c.UserRoute))
	for i, at := range c.UserRoute {
		out[i] = LatLng{Lat: at.Lat + to.Lat - c.UserRoute[0].Lat, Lng: at.Lng + to.Lng - c.UserRoute[0].Lng}
	}
	return out
}

// directions are those of closures, degrees from north.
var directions = map[string]float64{"N": 0, "E": 90, "S": 180, "W": 270}

// Bearing is a direction of a closure, degrees from north; false for none.
func Bearing(direction string) (deg float64, ok bool) {
	deg, ok = directions[direction]
	return deg, ok
}

// Cardinal is the direction of a closure that is nearest to a bearing.
func Cardinal(deg float64) string {
	return [...]string{"N", "E", "S", "W"}[int(math.Round(math.Mod(deg+360, 360)/90))%4]
}
