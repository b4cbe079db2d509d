package fleet

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

// boardWord is a report of a board: a sign of life, and its state where it says it.
type boardWord struct {
	at       Instant
	says, on bool
}

// stretchesOf is the slow model: it looks at all reports of a board, in order,
// and at nothing that was known meanwhile.
func stretchesOf(words []boardWord, now Instant) (start, lastStart, ended Instant, reason string) {
	var heard Instant
	on := false
	finish := func(at Instant, why string) { start, lastStart, ended, reason = 0, start, at, why }
	for _, w := range words {
		if start != 0 && w.at.Sub(heard) >= closureSilent {
			finish(heard.Add(closureSilent), "silent")
		}
		if w.says {
			on = w.on
		}
		switch {
		case start != 0 && !on:
			finish(w.at, "board")
		case start == 0 && on:
			start, ended, reason = w.at, 0, ""
		}
		heard = w.at
	}
	if start != 0 && now.Sub(heard) >= closureSilent {
		finish(heard.Add(closureSilent), "silent")
	}
	return start, lastStart, ended, reason
}

// Whenever reports come in, however late, and whenever the clock runs between
// them, the closure is in the end what all reports say. Its estimated end moves
// with what is heard, and no two writes of it come within half an hour while
// nothing changes.
//
// spec: D.closure.03 D.closure.04
func TestAnAutomatedClosureIsWhatItsBoardSaid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		now := Instant(1_000_000_000_000)
		c := Closure{Kind: ClosureAutomated}
		var s State
		var words []boardWord
		said := now.Add(-3 * 24 * time.Hour) // of the newest report
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			if rapid.Bool().Draw(t, "clock") {
				now = now.Add(time.Duration(rapid.SampledFrom([]int{1, 20, 61, 479, 481, 600}).Draw(t, "minutes")) * time.Minute)
				if rapid.Bool().Draw(t, "job") {
					c.FollowClock(s.HeartbeatAt, now)
				}
				continue
			}
			said = min(now, said.Add(time.Duration(rapid.SampledFrom([]int{1, 10, 31, 59, 481, 2000}).Draw(t, "later"))*time.Minute))
			if len(words) > 0 && said <= words[len(words)-1].at {
				continue
			}
			w := boardWord{at: said, says: rapid.Bool().Draw(t, "says"), on: rapid.IntRange(0, 3).Draw(t, "on") > 0}
			words = append(words, w)
			kind := SignalHeartbeat
			if w.says {
				kind = SignalClosure
			}
			before := s.HeartbeatAt
			AdvanceSignal(&s, &Signal{Kind: kind, At: w.at, ReceivedAt: now, On: w.on})
			was := c
			changed := c.Follow(Driver{On: s.BoardActive, At: s.BoardAt, HeartbeatAt: s.HeartbeatAt, Before: before}, now)
			if changed && now < was.EndAt && c.StartAt == was.StartAt && was.EndAt == was.VerifiedAt.Add(closureEstimate) &&
				c.EndAt == c.VerifiedAt.Add(closureEstimate) && c.EndAt.Sub(was.EndAt) < closureRoll {
				t.Fatalf("written again after %v", c.EndAt.Sub(was.EndAt))
			}
			// Judged at any instant, no job having run: what the model says.
			seen := c
			seen.FollowClock(s.HeartbeatAt, now)
			start, last, ended, reason := stretchesOf(words, now)
			if seen.StartAt != start || seen.EndedAt != ended || seen.EndReason != reason || start == 0 && seen.LastStartAt != last {
				t.Fatalf("%d–(%d) %q last %d, want %d–(%d) %q last %d", seen.StartAt, seen.EndedAt, seen.EndReason, seen.LastStartAt, start, ended, reason, last)
			}
			if seen.IsActiveAt(now) != (start != 0) || start != 0 && (!seen.EndEstimated || seen.EndAt <= now || seen.EndAt.Sub(s.HeartbeatAt) > closureSilent) {
				t.Fatalf("stands %v until %d at %d, heard at %d", seen.IsActiveAt(now), seen.EndAt, now, s.HeartbeatAt)
			}
		}
	})
}

// spec: 4.closure.01
func TestTheStatusOfAnAutomatedClosure(t *testing.T) {
	now := Instant(1_000_000_000_000)
	for silent, want := range map[time.Duration]string{7 * time.Hour: "standby", 8 * time.Hour: "standby", 9 * time.Hour: "pending",
		95 * time.Hour: "pending", 97 * time.Hour: "offline"} {
		if got := ClosureStatus(false, now.Add(-silent), now); got != want {
			t.Errorf("silent for %v: %s", silent, got)
		}
		if got := ClosureStatus(true, now.Add(-silent), now); got != "active" {
			t.Errorf("it stands: %s", got)
		}
	}
	if got := ClosureStatus(false, 0, now); got != "offline" {
		t.Errorf("never heard: %s", got)
	}
}

// The stored estimate lags; answers do not: the end is an hour after the last
// sign of life, then where the silence ends it, and no instant lies between.
//
// spec: D.closure.04
func TestAnEndIsEstimatedWithoutAWriter(t *testing.T) {
	at := Instant(1_000_000_000_000)
	c := Closure{Kind: ClosureAutomated}
	if !c.Follow(Driver{On: true, At: at, HeartbeatAt: at}, at) || c.StartAt != at || c.EndAt != at.Add(time.Hour) {
		t.Fatalf("begun %+v", c)
	}
	heard := at.Add(29 * time.Minute)
	if c.Follow(Driver{On: true, At: at, HeartbeatAt: heard, Before: at}, heard) {
		t.Error("written within half an hour")
	}
	for minutes, end := range map[int]time.Duration{1: 60, 59: 60, 60: 89, 88: 89, 89: 509, 508: 509} {
		seen := c
		seen.FollowClock(heard, at.Add(time.Duration(minutes)*time.Minute))
		if seen.EndAt != at.Add(end*time.Minute) || seen.StartAt != at {
			t.Errorf("after %d min: it ends at %v", minutes, seen.EndAt.Sub(at))
		}
	}
	c.FollowClock(heard, at.Add(509*time.Minute))
	if c.StartAt != 0 || c.EndedAt != heard.Add(8*time.Hour) || c.EndReason != "silent" || c.LastStartAt != at {
		t.Errorf("after 8 h of silence %+v", c)
	}
}
