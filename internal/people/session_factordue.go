package people

import (
	"context"

	"lightbar/catalog"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
)

// secondFactorGrace is how long a session without a second factor may continue after its organization began to require one.
var secondFactorGrace = catalog.LimitMs("session", "secondFactorDueMs")

// secondFactorDue returns when an open session ends because its organization began to require a second factor that its user does
// not have (has: the user has one); 0 = no factor is missing. Adding one before then lifts the end. Users of single sign-on have
// proved theirs at the provider, and a sign-in link made since then came from somebody who has one.
func secondFactorDue(s fleet.Session, o fleet.Organization, has bool) fleet.Instant {
	if !o.MFARequired || has || s.Method == "sso" || (s.Method == "link" && s.CreatedAt >= o.MFARequiredAt) {
		return 0
	}
	return o.MFARequiredAt.Add(secondFactorGrace)
}

// factorDue is secondFactorDue for a stored family; it costs nothing if the
// organization requires no second factor.
func (a *Accounts) factorDue(ctx context.Context, r store.Reader, s fleet.Session, o fleet.Organization) (fleet.Instant, error) {
	if secondFactorDue(s, o, false) == 0 {
		return 0, nil
	}
	has, err := store.HasFactor(ctx, r, s.UserID)
	return secondFactorDue(s, o, has), err
}

// endingAt is a family with an earlier absolute end, in awareness mode too. It
// is never stored, because adding a second factor lifts it.
func endingAt(s fleet.Session, due fleet.Instant) fleet.Session {
	if due != 0 && (s.AbsoluteAt == 0 || due < s.AbsoluteAt) {
		s.AbsoluteAt = due
	}
	return s
}

// standing is a family as its user and organization allow it now, and whether
// it has ended.
func (a *Accounts) standing(ctx context.Context, r store.Reader, s fleet.Session, u fleet.User,
	o fleet.Organization) (now fleet.Session, over bool, err error) {
	now = lawful(s, u, o)
	due, err := a.factorDue(ctx, r, now, o)
	now = endingAt(now, due)
	return now, now.AbsoluteAt != 0 && a.now() >= now.AbsoluteAt, err
}

// owesFactor reports whether the user of a family has yet to add a second factor.
func (a *Accounts) owesFactor(ctx context.Context, r store.Reader, sessionID string, o fleet.Organization) (bool, error) {
	s, err := store.SessionByID(ctx, r, sessionID)
	if err != nil {
		return false, err
	}
	due, err := a.factorDue(ctx, r, s, o)
	return due != 0, err
}

// endOverdue ends the families whose time without a second factor has run out.
// Call it before adding one: that lifts the end of open sessions and must not
// reopen ended ones.
func (a *Accounts) endOverdue(ctx context.Context, tx *store.Tx, u fleet.User) error {
	o, err := store.OrganizationByID(ctx, tx, u.OrganizationID)
	if err != nil || !o.MFARequired {
		return err
	}
	has, err := store.HasFactor(ctx, tx, u.ID)
	if err != nil || has {
		return err
	}
	all, err := store.SessionsOf(ctx, tx, u.ID)
	if err != nil {
		return err
	}
	for _, s := range all {
		if due := secondFactorDue(s, o, false); due == 0 || a.now() < due {
			continue
		}
		if _, err := tx.EndSession(ctx, s.ID, a.now(), "second factor overdue"); err != nil {
			return err
		}
	}
	return nil
}
