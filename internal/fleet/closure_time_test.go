package fleet_test

import (
	"testing"
	"time"

	"lightbar/internal/fleet"
)

var nights = fleet.Recurrence{Days: []int{1, 2, 3, 4, 5, 6, 7}, Start: "21:00", Minutes: 480, From: "2026-03-01", Until: "2026-03-31",
	Except: []string{"2026-03-04"}, Timezone: "UTC"}

func march(day, hour int) fleet.Instant {
	return fleet.InstantOf(time.Date(2026, 3, day, hour, 0, 0, 0, time.UTC))
}

// night is the closure of nights of a day of March.
func night(day int) fleet.Span { return fleet.Span{From: march(day, 21), To: march(day+1, 5)} }

// at holds a closure's times against what is expected.
func at(t *testing.T, what string, c *fleet.Closure, now fleet.Instant, span fleet.Span, isActive bool, ended fleet.Instant, reason string) {
	t.Helper()
	is := c.SpanAt(now)
	if is.Span != span || is.IsActive != isActive || is.EndedAt != ended || is.Reason != reason {
		t.Errorf("%s: %v to %v, active %v, ended %v %q", what, is.From, is.To, is.IsActive, is.EndedAt, is.Reason)
	}
	one := c.At(now) // what documents see says the same
	if was := one.SpanAt(now); was.Span != is.Span || was.IsActive != is.IsActive || was.EndedAt != is.EndedAt || was.Last.From != is.Last.From {
		t.Errorf("%s, written out: %+v and not %+v", what, was, is)
	}
}

// A closure that comes again, and what hands do to one night of it.
func TestNightsAndHands(t *testing.T) {
	wrong := map[string]string{}
	fresh := func() *fleet.Closure {
		c, own := &fleet.Closure{}, nights
		if c.Recur(wrong, &own, march(1, 22)); len(wrong) > 0 {
			t.Fatal(wrong)
		}
		return c
	}
	c := fresh()
	at(t, "made in the first night", c, march(1, 22), night(1), true, 0, "")
	at(t, "between", c, march(2, 6), night(2), false, march(2, 5), "")
	at(t, "at the start", c, march(2, 21), night(2), true, 0, "")
	at(t, "the night that it spares", c, march(4, 22), night(5), false, march(4, 5), "")
	at(t, "after all", c, march(31, 21)+1<<40, night(31), false, night(31).To, "")

	c = fresh()
	c.Schedule(wrong, fleet.ClosureTimes{}, march(1, 23))
	at(t, "ended for this night", c, march(1, 23), night(2), false, march(1, 23), "ended")
	at(t, "the next night", c, march(2, 23), night(2), true, 0, "")
	at(t, "the morning after", c, march(3, 6), night(3), false, march(3, 5), "")

	c = fresh()
	c.Schedule(wrong, fleet.ClosureTimes{Active: true, EndAt: march(2, 1)}, march(1, 23))
	at(t, "with an earlier end", c, march(1, 23), fleet.Span{From: night(1).From, To: march(2, 1)}, true, 0, "")
	at(t, "after it", c, march(2, 2), night(2), false, march(2, 1), "")

	c = fresh()
	c.Schedule(wrong, fleet.ClosureTimes{Active: true, EndAt: march(2, 22)}, march(2, 12))
	at(t, "by day, too", c, march(2, 13), fleet.Span{From: march(2, 12), To: march(2, 22)}, true, 0, "")
	at(t, "into the night", c, march(2, 22), night(2), true, 0, "")

	c = fresh()
	c.Schedule(wrong, fleet.ClosureTimes{Active: true, EndAt: night(1).To}, march(1, 23))
	if c.StartAt != 0 || len(wrong) > 0 {
		t.Errorf("the times that it has anyway: %+v %v", c, wrong)
	}
	c.Recur(wrong, nil, march(1, 23))
	at(t, "no more, in the night", c, march(1, 23), night(1), true, 0, "")
	at(t, "no more, in the morning", c, march(2, 6), night(1), false, march(2, 5), "")
	c = fresh()
	c.Recur(wrong, nil, march(2, 6))
	at(t, "no more, by day", c, march(2, 7), fleet.Span{}, false, march(2, 5), "")

	c, other := fresh(), nights
	other.Start = "20:00"
	c.Recur(wrong, &other, march(2, 6))
	at(t, "another pattern", c, march(2, 6), fleet.Span{From: march(2, 20), To: march(3, 4)}, false, march(2, 5), "")
	c, own := &fleet.Closure{StartAt: march(1, 10), EndAt: march(3, 10)}, nights
	c.Recur(wrong, &own, march(2, 10))
	at(t, "from one time to a pattern", c, march(2, 10), night(2), false, march(2, 10), "ended")
	if len(wrong) > 0 {
		t.Error(wrong)
	}
	if c.Recur(wrong, &own, march(31, 0)+1<<40); wrong["recurrence.until"] == "" {
		t.Error("a pattern that is over is taken")
	}
	if c.Schedule(wrong, fleet.ClosureTimes{StartAt: march(9, 1), EndAt: march(9, 2)}, march(2, 10)); wrong["start_time"] == "" {
		t.Error("a start beside a pattern is taken")
	}
}

// Whoever is responsible is asked after four hours and before the end, one question at a time; unanswered it ends.
func TestConfirmOrExpire(t *testing.T) {
	minute := func(n int) fleet.Instant { return march(1, 0).Add(time.Duration(n) * time.Minute) }
	by := fleet.Verifier{Kind: "user", ID: "u", Name: "Ann"}
	c := fleet.Closure{StartAt: minute(0), EndAt: minute(24 * 60), ResponsibleUserID: "u"}
	c.Verify(by, minute(10))
	for n, want := range map[int]bool{9: false, 249: false, 250: true, 24*60 - 1: true, 24 * 60: false} {
		if c.IsAskDue(minute(n)) != want {
			t.Errorf("after %d minutes it is to be asked: %v", n, !want)
		}
	}
	c.Verify(by, minute(23*60))
	for n, want := range map[int]bool{23*60 + 29: false, 23*60 + 30: true} {
		if c.IsAskDue(minute(n)) != want {
			t.Errorf("before its end, after %d minutes: %v", n, !want)
		}
	}
	for name, other := range map[string]fleet.Closure{"a board's": {ThingID: "t", ResponsibleUserID: "u"}, "nobody's": {}} {
		if other.StartAt, other.EndAt = minute(0), minute(24*60); other.IsAskDue(minute(600)) {
			t.Errorf("%s is asked about", name)
		}
	}

	c.Verify(by, minute(10))
	c.AskedAt = minute(250)
	span := func(end int) fleet.Span { return fleet.Span{From: minute(0), To: minute(end)} }
	for n, want := range map[int]struct {
		end      int
		guessed  bool
		isActive bool
		reason   string
	}{251: {24 * 60, false, true, ""}, 279: {24 * 60, false, true, ""}, 280: {340, true, true, ""}, 339: {340, true, true, ""},
		340: {340, true, false, "unanswered"}, 24 * 60: {340, true, false, "unanswered"}} {
		is := c.SpanAt(minute(n))
		if is.Span != span(want.end) || is.Guessed != want.guessed || is.IsActive != want.isActive || is.Reason != want.reason {
			t.Errorf("after %d minutes: %+v", n, is)
		}
		if is.IsActive != is.IsAsked || c.IsAskDue(minute(n)) {
			t.Errorf("after %d minutes: asked %v, again %v", n, is.IsAsked, c.IsAskDue(minute(n)))
		}
	}
	for from, want := range map[int]int{251: 280, 280: 340, 340: 0} {
		if next := c.NextChange(minute(from)); want == 0 && next != 0 || want != 0 && next != minute(want) {
			t.Errorf("after %d minutes the clock changes it at %v", from, next)
		}
	}
}

func TestAnswersOfAClosure(t *testing.T) {
	by, now := fleet.Verifier{Kind: "user", ID: "u"}, march(1, 12)
	live := fleet.Closure{StartAt: march(1, 1), EndAt: march(1, 20), AskedAt: march(1, 11) + 1}
	for name, c := range map[string]struct {
		from   fleet.Closure
		answer string
		end    fleet.Instant
		to     fleet.Instant // 0 = it does not stand
		reason string
		wrong  string
	}{
		"still": {from: live, answer: "still", to: march(1, 20)}, "longer": {from: live, answer: "still", end: march(2, 1), to: march(2, 1)},
		"moved": {from: live, answer: "moved", reason: "moved"}, "finished": {from: live, answer: "finished", reason: "ended"},
		"perhaps": {from: live, answer: "perhaps", wrong: "answer", to: march(1, 12) + 30*60_000 + 1}, "past": {from: live, answer: "still", end: march(1, 2), wrong: "end_time"},
		"over":  {answer: "still", wrong: "end_time"},
		"again": {from: fleet.Closure{StartAt: march(1, 1), EndAt: march(1, 2)}, answer: "still", end: march(1, 14), to: march(1, 14)},
	} {
		x, wrong := c.from, map[string]string{}
		x.Confirm(wrong, c.answer, c.end, by, now)
		if c.wrong != "" {
			if len(wrong) != 1 || wrong[c.wrong] == "" {
				t.Errorf("%s: %v", name, wrong)
			}
			continue
		}
		is := x.SpanAt(now)
		if is.IsActive != (c.to != 0) || is.IsActive && (is.To != c.to || x.VerifiedAt != now || *x.VerifiedBy != by || is.Guessed) || is.Reason != c.reason {
			t.Errorf("%s: %+v %+v", name, is, x)
		}
	}
}

// A question counts only the time in which it could be answered; times of the closure itself stay.
func TestAQuestionPutAgain(t *testing.T) {
	asked := march(1, 4)
	of := func(end fleet.Instant) *fleet.Closure {
		return &fleet.Closure{StartAt: march(1, 0), EndAt: end, AskedAt: asked, OthersAskedAt: asked, VerifiedAt: march(1, 0)}
	}
	for _, one := range []struct {
		what       string
		c          *fleet.Closure
		heard, now fleet.Instant
		put        bool
		asked      fleet.Instant
	}{
		{"open at the outage", of(march(2, 0)), asked + 60_000, asked + 60_000 + march(1, 3) - march(1, 0), true, march(1, 7)},
		{"asked after the last note", of(march(2, 0)), asked - 20_000, march(1, 7), true, march(1, 7)},
		{"ended before the outage", of(march(2, 0)), march(1, 6), march(1, 9), false, asked},
		{"the clock was set back", of(march(2, 0)), march(1, 5), march(1, 4), false, asked},
		{"its own end lies in the outage", of(march(1, 5)), asked + 60_000, march(1, 9), true, march(1, 5) - 1},
	} {
		if put := one.c.PutAgain(one.heard, one.now); put != one.put || one.c.AskedAt != one.asked || one.c.OthersAskedAt != one.c.AskedAt {
			t.Errorf("%s: %v, asked %v", one.what, put, one.c.AskedAt)
		}
	}
	c := of(march(1, 5))
	c.PutAgain(asked+60_000, march(1, 9))
	if is := c.SpanAt(march(1, 9)); is.IsActive || is.EndedAt != march(1, 5) || is.Reason != "" {
		t.Errorf("a closure that ended by itself meanwhile: %+v", is)
	}
}
