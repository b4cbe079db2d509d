package fleet

import (
	"strconv"

	"lightbar/catalog"
)

var (
	closureMonths = int(catalog.LimitInt("closure", "activeMonths"))
	// answerWait is how long a question waits for its answer, unansweredStays how long the closure then remains active.
	answerWait      = catalog.LimitMs("closure", "answerWaitMs")
	unansweredStays = catalog.LimitMs("closure", "unansweredStaysMs")
)

// Why a closure ended; empty = at its end.
const (
	ClosureEnded      = "ended" // by hand
	ClosureMoved      = "moved"
	ClosureUnanswered = "unanswered" // nobody confirmed that it is still active
)

// ClosureSpan is when a closure is, was and will be active, as of an instant.
type ClosureSpan struct {
	Span          // the present time, else the next, else the last; zero = inactive
	Last     Span // the time that began last
	EndedAt  Instant
	Reason   string // why it ended the last time; only with EndedAt
	Guessed  bool   // the end of Span is an estimate
	IsActive bool
	IsAsked  bool // someone was asked in this time whether it is still active, and has not answered
}

// SpanAt returns when the closure is active, as of an instant. There is no stored flag and no job has to run: each reader calls
// this.
func (c *Closure) SpanAt(now Instant) (out ClosureSpan) {
	begun, next := c.times(now)
	out.Last, out.EndedAt, out.Reason = Span{c.LastStartAt, c.EndedAt}, c.EndedAt, c.EndReason
	if begun.From != 0 {
		out.Last, out.EndedAt, out.Reason = begun.Span, begun.To, ""
		if begun.isOwn {
			out.Reason = c.EndReason
		}
		if begun.isCut {
			out.Reason = ClosureUnanswered
		}
		if begun.isSilent {
			out.Reason = endedBySilent
		}
	}
	out.Span, out.Guessed = begun.Span, begun.isOwn && c.EndEstimated || begun.isGuessed
	switch {
	case begun.holds(now):
		out.IsActive, out.IsAsked, out.EndedAt, out.Reason = true, c.isAsked(begun.Span), 0, ""
	case next.From != 0:
		out.Span, out.Guessed = next.Span, next.isOwn && c.EndEstimated
	}
	return out
}

// closureTime is a time of a closure: its own, which a hand or a board gave it, or one of its pattern.
type closureTime struct {
	Span
	isOwn            bool
	isCut, isGuessed bool // because a question was not answered
	isSilent         bool // it was cut because its feed fell silent
}

// times are the last time of the closure that has begun and the next one.
func (c *Closure) times(now Instant) (begun, next closureTime) {
	if c.Weekly != nil {
		return c.scheduled(now)
	}
	own := c.cut(closureTime{Span: Span{c.StartAt, c.EndAt}, isOwn: true}, now)
	if c.Kind == ClosureOfFeed {
		own = c.confirmed(own, now)
	}
	if c.StartAt > now {
		next = own
	} else if c.StartAt != 0 {
		begun = own
	}
	if c.Recurrence == nil {
		return begun, next
	}
	last, coming := c.Recurrence.around(now, c.counts)
	if last := c.cut(closureTime{Span: last}, now); last.To > begun.To {
		begun = last
	}
	if next.From == 0 || coming.From != 0 && coming.From < next.From {
		next = closureTime{Span: coming}
	}
	return begun, next
}

// scheduled are the times of a feed's closure that is in force at times of the week only.
func (c *Closure) scheduled(now Instant) (begun, next closureTime) {
	begun.Span, next.Span = c.Weekly.around(now, Span{c.StartAt, c.EndAt})
	for _, t := range []*closureTime{&begun, &next} {
		t.isOwn = t.To != 0 && t.To == c.EndAt
		*t = c.confirmed(*t, now)
	}
	return begun, next
}

// Touch notes when the row of the closure is written and published, and when the clock next changes it.
func (c *Closure) Touch(at Instant) {
	if c.UpdatedAt, c.NextChangeAt = at, 0; c.Weekly != nil && c.DeletedAt == 0 {
		c.NextChangeAt = c.NextChange(at)
	}
}

// cut ends a time an hour after a question that was put in it was not answered in time.
func (c *Closure) cut(t closureTime, now Instant) closureTime {
	if !c.isAsked(t.Span) || now < c.AskedAt.Add(answerWait) {
		return t
	}
	t.isGuessed = true
	if end := c.AskedAt.Add(answerWait + unansweredStays); end < t.To {
		t.To, t.isCut = end, true
	}
	return t
}

// isAsked reports whether someone was asked in a time of the closure and has not answered.
func (c *Closure) isAsked(s Span) bool { return c.AskedAt > c.VerifiedAt && s.holds(c.AskedAt) }

// counts reports whether a time of the pattern counts: those before it was agreed
// do not, nor those in which someone began or ended the closure by hand.
func (c *Closure) counts(s Span) bool {
	if s.To <= c.RecursSince {
		return false
	}
	return s.From > c.StartAt && (c.EndedAt < c.RecursSince || s.From > c.EndedAt)
}

// IsActiveAt reports whether the closure is active at an instant: one that nobody ended ends by the clock.
func (c *Closure) IsActiveAt(now Instant) bool { return c.SpanAt(now).IsActive }

// LastStartedAt is when the closure began the last time, 0 = never.
func (c *Closure) LastStartedAt(now Instant) Instant { return c.SpanAt(now).Last.From }

// LastEndedAt is when the closure ended the last time: by hand, or by the clock
// at its end; 0 while it is active, or to come for the first time, or never was.
func (c *Closure) LastEndedAt(now Instant) Instant { return c.SpanAt(now).EndedAt }

// At is the closure as of an instant with its times written out: it has one
// time and no pattern. Documents show it.
func (c *Closure) At(now Instant) *Closure {
	out, is := *c, c.SpanAt(now)
	out.StartAt, out.EndAt, out.LastStartAt, out.EndedAt = is.From, is.To, is.Last.From, is.EndedAt
	out.EndReason, out.EndEstimated, out.Recurrence, out.Weekly, out.AskedAt = is.Reason, is.Guessed, nil, nil, 0
	return &out
}

// NextChange is when the clock changes the result of SpanAt, 0 = never.
func (c *Closure) NextChange(now Instant) (next Instant) {
	begun, coming := c.times(now)
	spans := []Span{begun.Span, coming.Span}
	if c.Kind == ClosureOfFeed && c.StartAt != 0 {
		unheard := c.VerifiedAt.Add(closureSilent)
		if spans = append(spans, Span{unheard, unheard}); c.Weekly == nil {
			spans = append(spans, Span{c.StartAt, unheard})
		}
	}
	if c.isAsked(begun.Span) {
		spans = append(spans, Span{c.AskedAt.Add(answerWait), c.AskedAt.Add(answerWait + unansweredStays)})
	}
	for _, s := range spans {
		for _, at := range []Instant{s.From, s.To} {
			if at > now && (next == 0 || at < next) {
				next = at
			}
		}
	}
	return next
}

// mostTurns limits how often a closure may turn in a period: a pattern has two turns a day.
const mostTurns = 1000

// LastedIn reports whether a closure was active at some time of a period, as far as its row alone shows: by its own time, by the
// last one, or by its pattern until it was deleted.
func (c *Closure) LastedIn(s Stretch) bool {
	if c.DeletedAt != 0 {
		s.End = min(s.End, c.DeletedAt)
	}
	touches := func(from, to Instant) bool { return from != 0 && from < s.End && (to == 0 || to >= s.Start) }
	if touches(c.StartAt, c.EndAt) || c.EndedAt != 0 && touches(c.LastStartAt, c.EndedAt) {
		return true
	}
	at := s.Start
	for turn := 0; turn < mostTurns && at < s.End; turn++ {
		if c.SpanAt(at).IsActive {
			return true
		}
		if at = c.NextChange(at); at == 0 {
			return false
		}
	}
	return false
}

// ClosureTimes are the times from a form: Active = from now to EndAt; both times = scheduled; neither = inactive.
type ClosureTimes struct {
	Active         bool
	StartAt, EndAt Instant
}

// Schedule gives the closure other times: a recurring one is begun or ended for this time. What is wrong is noted by the names of
// the wire, and the closure then stays as it is.
func (c *Closure) Schedule(wrong map[string]string, t ClosureTimes, now Instant) {
	start, is := t.StartAt, c.SpanAt(now)
	switch {
	case !t.Active && start == 0 && t.EndAt == 0:
		c.begin(0, 0, now)
		return
	case t.Active && is.IsActive && t.EndAt == is.To:
		return
	case t.Active && is.IsActive:
		start = is.From // a later end does not begin it again
	case t.Active:
		start = now
	case c.Recurrence != nil:
		wrong["start_time"] = "A repeating closure takes its times from its pattern"
		return
	case start == 0:
		wrong["start_time"] = "Start date required"
	}
	end := t.EndAt
	switch {
	case end == 0:
		wrong["end_time"] = "End date required"
	case start != 0 && end <= start:
		wrong["end_time"] = "End time must be after Start time"
	case end <= now:
		wrong["end_time"] = "End time must be in the future"
	case start != 0 && end > InstantOf(start.Time().AddDate(0, closureMonths, 0)):
		wrong["end_time"] = "End date must be within " + strconv.Itoa(closureMonths) + " months"
	case start != 0:
		c.begin(start, end, now)
	}
}

// begin sets the times, and remembers a closure that has been.
func (c *Closure) begin(start, end, now Instant) {
	is := c.SpanAt(now)
	if start != is.From {
		c.LastStartAt = is.Last.From
	}
	switch {
	case start != 0:
		c.EndedAt, c.EndReason = 0, ""
	case is.IsActive:
		c.EndedAt, c.EndReason = now, ClosureEnded
	default:
		c.EndedAt, c.EndReason = is.EndedAt, is.Reason
	}
	c.StartAt, c.EndAt, c.EndEstimated, c.AskedAt = start, end, false, 0
}

// Recur gives the closure a pattern, nil = it does not recur: an active time then lasts to its end. Past times stay known. A
// pattern that would never begin is noted as wrong.
func (c *Closure) Recur(wrong map[string]string, r *Recurrence, now Instant) {
	is := c.SpanAt(now)
	if r == nil {
		c.Recurrence, c.RecursSince = nil, 0
		if is.IsActive {
			c.StartAt, c.EndAt, c.EndedAt, c.EndReason = is.From, is.To, 0, ""
		} else if c.StartAt <= now { // what has been was perhaps the pattern's
			c.StartAt, c.EndAt, c.LastStartAt, c.EndedAt, c.EndReason = 0, 0, is.Last.From, is.EndedAt, is.Reason
		}
		return
	}
	next := *c
	next.Recurrence, next.RecursSince = r, now
	next.StartAt, next.EndAt, next.EndedAt, next.LastStartAt, next.AskedAt = 0, 0, 0, is.Last.From, 0
	next.EndReason, next.EndEstimated = "", false
	stands := next.SpanAt(now)
	if stands.Span == (Span{}) {
		wrong["recurrence.until"] = "It never starts with this pattern. Choose later days."
		return
	}
	if !stands.IsActive {
		if next.EndedAt, next.EndReason = is.EndedAt, is.Reason; is.IsActive {
			next.EndedAt, next.EndReason = now, ClosureEnded
		}
	}
	*c = next
}
