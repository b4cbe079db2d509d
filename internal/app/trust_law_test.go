package app

import (
	"testing"
	"time"

	"lightbar/internal/fleet"
)

// What was looked up before a session was ended must not be trusted after it,
// however late the look-up's answer comes.
func TestALookUpThatBeganBeforeTheEndIsNotTrusted(t *testing.T) {
	const now = fleet.Instant(1_800_000_000_000)
	var tokens trust
	v := trusted{actor: &Actor{SessionID: "s"}, loadedAt: now, expiresAt: now.Add(time.Hour)}
	began := tokens.begin()
	tokens.drop(func(a *Actor) bool { return a.SessionID == "s" })
	tokens.put("hash", v, began)
	if _, ok := tokens.get("hash", now); ok {
		t.Error("the old answer is trusted")
	}
	tokens.put("hash", v, tokens.begin())
	for at, want := range map[fleet.Instant]bool{now: true, now.Add(trustFor - time.Millisecond): true, now.Add(trustFor): false, now - 1: false} {
		if _, ok := tokens.get("hash", at); ok != want {
			t.Errorf("%v after the look-up: trusted %v", at.Sub(now), ok)
		}
	}
	if trustFor >= 5*time.Second {
		t.Errorf("an end acts within 5 s everywhere; a look-up is trusted for %v", trustFor)
	}
}
