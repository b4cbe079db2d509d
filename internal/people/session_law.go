package people

import (
	"time"

	"lightbar/catalog"
	"lightbar/internal/fleet"
)

var (
	accessLife        = catalog.LimitMs("session", "accessMs")
	awarenessLife     = catalog.LimitMs("session", "awarenessAccessMs")
	refreshLife       = catalog.LimitMs("session", "refreshMs")
	refreshGrace      = catalog.LimitMs("session", "refreshGraceMs")
	absoluteLife      = catalog.LimitMs("session", "absoluteMs")
	passwordLife      = catalog.LimitMs("session", "passwordExpiryMs")
	accountIdleLife   = catalog.Setting("session", "accountInactiveMs")
	attemptsWait      = catalog.LimitMs("session", "attemptsWaitMs")
	attemptsNetwork   = int(catalog.LimitInt("session", "attemptsPerNetwork"))
	attemptsAccount   = int(catalog.LimitInt("session", "attemptsPerAccountHour"))
	attemptsDevice    = int(catalog.LimitInt("session", "attemptsPerDeviceHour"))
	knownDeviceLife   = catalog.LimitMs("session", "knownDeviceMs")
	touchSessionEvery = 5 * time.Minute
	// refreshKept is how long the hash of a refresh token is stored: until outcomeOfRefresh no longer needs it.
	refreshKept = awarenessLife + 24*time.Hour
)

// refreshOutcome is what happens when a refresh token of a family is presented.
type refreshOutcome uint8

const (
	refreshRotate refreshOutcome = iota // the newest token: a new pair
	refreshRepeat                       // an older one whose answer may be repeated
	refreshReuse                        // an older one that nobody should still have: the family ends
	refreshEnded                        // the family is over
)

// outcomeOfRefresh is the law of rotation (decisions.md, "Tokens, sessions,
// passwords"): the newest token rotates; an older one gets its own pair again
// for 20 s after its rotation in any case, the previous one also until its
// successor has been used; anything else ends the family. successorAt is when
// the presented token was rotated (0 = not known any more).
func outcomeOfRefresh(s fleet.Session, generation int64, successorAt, now fleet.Instant) refreshOutcome {
	switch {
	case s.RevokedAt != 0 || (s.AbsoluteAt != 0 && now >= s.AbsoluteAt) || now >= s.LastUsedAt.Add(refreshLifeOf(s)):
		return refreshEnded
	case generation == s.Generation:
		return refreshRotate
	case successorAt != 0 && now.Sub(successorAt) <= refreshGrace:
		return refreshRepeat
	case generation == s.Generation-1 && !s.SuccessorOn:
		return refreshRepeat
	default:
		return refreshReuse
	}
}

func refreshLifeOf(s fleet.Session) time.Duration {
	if s.Awareness {
		return awarenessLife
	}
	return refreshLife
}

// accessExpiry is when an access token made at an instant ends: its own life, never past the family's end.
func accessExpiry(s fleet.Session, madeAt fleet.Instant) fleet.Instant {
	life := accessLife
	if s.Awareness {
		life = awarenessLife
	}
	end := madeAt.Add(life)
	if s.AbsoluteAt != 0 && end > s.AbsoluteAt {
		return s.AbsoluteAt
	}
	return end
}
