package fleet

// PutTimesBack gives a manual closure the times of an earlier version of it, for an undo. What has happened since stays true: a
// closure that is active and would not be by the earlier times ends now, and a time that has passed does not come back. now is the
// instant of the undo.
func (c *Closure) PutTimesBack(was *Closure, now Instant) {
	is, next := c.SpanAt(now), *c
	next.StartAt, next.EndAt, next.LastStartAt = was.StartAt, was.EndAt, was.LastStartAt
	next.EndedAt, next.EndReason, next.EndEstimated, next.AskedAt = was.EndedAt, was.EndReason, was.EndEstimated, 0
	if !was.Recurrence.Same(c.Recurrence) {
		next.Recurrence, next.RecursSince = was.Recurrence, was.RecursSince
	}
	if next.IsActiveAt(now) {
		if is.Last.From > next.SpanAt(now).From { // it has begun and ended since
			next.LastStartAt = is.Last.From
		}
		*c = next
		return
	}
	next.LastStartAt, next.EndedAt, next.EndReason = is.Last.From, is.EndedAt, is.Reason
	if is.IsActive {
		next.EndedAt, next.EndReason = now, ClosureEnded
	}
	if was.StartAt <= now {
		next.StartAt, next.EndAt, next.EndEstimated = 0, 0, false
	}
	*c = next
}
