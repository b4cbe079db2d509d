package fleet

import (
	"time"

	"lightbar/catalog"
)

// ClosureAnswers are the possible answers to the question about a closure.
var ClosureAnswers = []string{"still", "moved", "finished"}

// askBeforeEnd is how long before its end a closure is asked about.
var askBeforeEnd = catalog.LimitMs("closure", "askBeforeEndMs")

// ClosureAskEvery is how long after the last confirmation of a closure its user is asked again.
func ClosureAskEvery() time.Duration { return closureAskEvery.Duration() }

var closureAskEvery = catalog.Setting("closure", "askEveryMs")

// Verify notes that someone or something sees that the closure is active.
func (c *Closure) Verify(by Verifier, now Instant) { c.VerifiedAt, c.VerifiedBy = now, &by }

// IsAskDue reports whether the user who is responsible for a closure must be asked now whether it is still active: so long after
// its last confirmation, and before its end. While a question is open there is no second one.
func (c *Closure) IsAskDue(now Instant) bool {
	is := c.SpanAt(now)
	if !is.IsActive || is.IsAsked || c.ResponsibleUserID == "" || c.ThingID != "" {
		return false
	}
	last, before := max(is.From, c.VerifiedAt), is.To.Add(-askBeforeEnd)
	return now >= last.Add(ClosureAskEvery()) || last < before && before <= now
}

// Confirm takes an answer of ClosureAnswers: the closure is still active (with end until then, 0 = as long as was set), or it is
// over. One that has ended begins again only with an end. What is wrong is noted by the names of the wire.
func (c *Closure) Confirm(wrong map[string]string, answer string, end Instant, by Verifier, now Instant) {
	isActive := c.IsActiveAt(now)
	switch {
	case c.Kind == ClosureAutomated:
		wrong["answer"] = "An automated closure is controlled by its asset"
	case answer == "still" && !isActive && end == 0:
		wrong["end_time"] = "This closure has ended. Say when it ends now"
	case answer == "still":
		c.Verify(by, now)
		if end != 0 {
			c.Schedule(wrong, ClosureTimes{Active: true, EndAt: end}, now)
		}
	case answer != "moved" && answer != "finished":
		wrong["answer"] = "still, moved or finished"
	case isActive:
		c.begin(0, 0, now)
		if answer == "moved" {
			c.EndReason = ClosureMoved
		}
	}
}
