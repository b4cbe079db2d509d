package outbound

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"
)

// taking takes places until none is free.
func taking(t *testing.T, p *Places, due []Visit, now time.Time) (out []string, places map[string]*Place, waiting map[string]context.Context) {
	t.Helper()
	places, waiting = map[string]*Place{}, map[string]context.Context{}
	for {
		ctx, place := p.Take(t.Context(), due, now)
		if place == nil {
			return out, places, waiting
		}
		if due[place.Index] != place.Visit {
			t.Fatalf("%d is not %+v", place.Index, place.Visit)
		}
		out, places[place.Key], waiting[place.Key] = append(out, place.Key), place, ctx
	}
}

func TestPlacesAreShared(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	due := []Visit{{"a1", "a", "x"}, {"a2", "a", "x"}, {"a3", "a", "x"}, {"b1", "b", "x"}, {"c1", "c", "x"}, {"d1", "d", "y"}, {"e1", "e", ""}}
	p := &Places{}
	got, places, waiting := taking(t, p, due, now)
	// One of each tenant before a second one of any; three of one server.
	if fmt.Sprint(got) != "[a1 b1 c1 d1]" {
		t.Fatal(got)
	}
	// All have become slow: the longest waiting go on apart, two of a server; the third one is put off.
	got, next, _ := taking(t, p, due[6:], now.Add(slowAfter+time.Second))
	if fmt.Sprint(got) != "[e1]" || !errors.Is(context.Cause(waiting["c1"]), ErrPutOff) || context.Cause(waiting["a1"]) != nil ||
		context.Cause(waiting["b1"]) != nil || context.Cause(waiting["d1"]) != nil {
		t.Fatal(got, context.Cause(waiting["c1"]))
	}
	later := now.Add(slowAfter + 2*time.Second)
	for _, at := range places {
		at.Done(later)
	}
	next["e1"].Done(later)
	// Tenants that had a slow one come after others, with one quick place; known slow ones have one place of a tenant apart.
	due = []Visit{{"a1", "a", "x"}, {"a2", "a", "z"}, {"a3", "a", "z"}, {"d1", "d", "y"}, {"f1", "f", "z"}, {"f2", "f", "w"}, {"f3", "f", "w"}}
	if got, places, _ = taking(t, p, due, later); fmt.Sprint(got) != "[f1 a2 f2 a1 d1]" {
		t.Fatal(got)
	}
	for _, at := range places { // a1 was quick this time: it is not held for slow
		at.Done(later)
	}
	if got, places, _ = taking(t, p, due[:1], later); fmt.Sprint(got) != "[a1]" || places["a1"].isSlow {
		t.Fatal(got)
	}
	// Nothing is remembered for ever.
	places["a1"].Done(later.Add(time.Minute))
	if got, places, _ = taking(t, p, due[:1], later.Add(2*time.Hour)); fmt.Sprint(got) != "[a1]" || places["a1"].isSlow || len(p.late) != 0 {
		t.Fatal(got, p.late)
	}
}

// However many slow ones there are, the callers of Take leave one free to look.
func TestSomebodyIsFreeToLook(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	p := &Places{}
	most, busy := 0, map[*Place]context.Context{}
	for round := range 20 {
		var due []Visit
		for n := range 10 {
			key := fmt.Sprint(round, "-", n)
			due = append(due, Visit{key, key, key})
		}
		_, places, waiting := taking(t, p, due, now)
		for key, at := range places {
			busy[at] = waiting[key]
		}
		most = max(most, len(busy))
		for at, waiting := range busy {
			if waiting.Err() != nil {
				at.Done(now)
				delete(busy, at)
			}
		}
		now = now.Add(slowAfter + time.Second)
	}
	if most != Workers-1 {
		t.Errorf("%d of %d callers wait", most, Workers)
	}
}
