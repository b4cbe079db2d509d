package people

import (
	"context"

	"lightbar/internal/access"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
)

// endSessionIn ends a family and leaves an audit row; sockets and cached
// look-ups are ended by sessionEnded after the commit.
func (a *Accounts) endSessionIn(ctx context.Context, tx *store.Tx, s fleet.Session, reason, verb string, c Caller) error {
	ended, err := tx.EndSession(ctx, s.ID, a.now(), reason)
	if err != nil || !ended {
		return err
	}
	return tx.InsertAudit(ctx, fleet.AuditRow{ID: a.NewID(), At: a.now(), ActorUserID: s.UserID, OrganizationID: s.OrganizationID,
		Network: c.Network, Verb: verb, Noun: "session", NounID: s.ID, RequestID: c.RequestID})
}

// sessionEnded applies the end of a family: it drops cached lookups and closes
// sockets.
func (a *Accounts) sessionEnded(sessionID string) {
	a.memory.tokens.drop(func(actor *access.Actor) bool { return actor.SessionID == sessionID })
	a.Bus.EndSession(sessionID)
}

// endSessionsOf ends a user's families but one (keep may be empty), in the transaction that requires it, and returns their ids for
// sessionsEnded.
func (a *Accounts) endSessionsOf(ctx context.Context, tx *store.Tx, userID, keep, reason string) ([]string, error) {
	ids, err := store.LiveSessionsOf(ctx, tx, userID)
	if err != nil {
		return nil, err
	}
	var ended []string
	for _, id := range ids {
		if id == keep {
			continue
		}
		if _, err := tx.EndSession(ctx, id, a.now(), reason); err != nil {
			return nil, err
		}
		ended = append(ended, id)
	}
	return ended, nil
}

// sessionsEnded applies the end of families; call it after the commit.
func (a *Accounts) sessionsEnded(ids []string) {
	for _, id := range ids {
		a.sessionEnded(id)
	}
}

// AccessChanged applies a changed role, suspension, reach or setting to live sessions: of a user, or of everyone who reaches an
// organization (either may be empty). Sockets check their access again at once and notify browsers that the profile has changed.
// Call it after the commit.
func (a *Accounts) AccessChanged(userID, organizationID string) {
	a.memory.tokens.drop(func(x *access.Actor) bool {
		return (userID != "" && x.UserID == userID) || (organizationID != "" && x.Reach(organizationID) != access.None)
	})
	a.Bus.AccessChanged(userID, organizationID)
}
