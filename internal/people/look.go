package people

import (
	"context"
	"slices"
	"sync"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/audit"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
)

// looks remembers which foreign organizations a super user was already audited for.
type looks struct {
	mu sync.Mutex
	at map[string]fleet.Instant
}

const (
	// superLookEvery bounds the audit of a screen that polls: one row for each
	// session, organization and noun in this time.
	superLookEvery = 15 * time.Minute
	// superNamesEvery is the same of the lists that name every organization
	// there is: each reload of the page asks for them.
	superNamesEvery = 24 * time.Hour
	superNames      = "organizations"

	lookWithin = 5 * time.Second
)

// NoteLooks audits the organizations that a watched actor reached, whatever the
// outcome of the request: a refusal may reveal something too. A full disk must
// not stop reading; then only the log records it.
func (a *Accounts) NoteLooks(ctx context.Context, actor *access.Actor, noun string, l *access.Looks) {
	ids := slices.DeleteFunc(l.IDs(), func(id string) bool { _, there := a.Live.Organization(id); return !there })
	a.NoteSuperAccess(ctx, actor, noun, ids)
}

// NoteSuperAccess audits that an actor reached organizations through
// haas:manage only (decisions.md: "Super: every organization, each access
// audited"). It ignores actors who are not super users. It continues after its
// request ends, so that nobody avoids the row by disconnecting.
func (a *Accounts) NoteSuperAccess(ctx context.Context, actor *access.Actor, noun string, organizationIDs []string) {
	if !actor.Super || actor.UserID == "" {
		return
	}
	now, every := a.now(), superLookEvery
	if noun == superNames {
		every = superNamesEvery
	}
	var fresh []string
	l := &a.memory.looks
	l.mu.Lock()
	if l.at == nil || len(l.at) > 100_000 {
		l.at = map[string]fleet.Instant{}
	}
	for _, id := range organizationIDs {
		k := actor.SessionID + "|" + noun + "|" + id
		if at, seen := l.at[k]; actor.Organizations[id] != access.Full && (!seen || now.Sub(at) >= every) {
			l.at[k] = now
			fresh = append(fresh, id)
		}
	}
	l.mu.Unlock()
	if len(fresh) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lookWithin)
	defer cancel()
	err := a.Store.Write(ctx, func(tx *store.Tx) error {
		for _, id := range fresh {
			if err := a.Audit.Write(ctx, tx, actor, audit.Row{Verb: "look", Noun: noun, OrganizationID: id}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil { // not noted: the next look must try again
		a.Log.Error("access by a super user not audited", "user", actor.UserID, "noun", noun, "organizations", fresh, "error", err)
		l.mu.Lock()
		defer l.mu.Unlock()
		for _, id := range fresh {
			delete(l.at, actor.SessionID+"|"+noun+"|"+id)
		}
	}
}
