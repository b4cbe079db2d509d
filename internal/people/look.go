package people

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/audit"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
)

// looks remembers which reads were already audited: of other organizations by a super user, and of an asset's past positions by
// anybody.
type looks struct {
	mu sync.Mutex
	at map[string]fleet.Instant
}

// isFresh reports whether a look must be audited, and notes it.
func (l *looks) isFresh(key string, now fleet.Instant, every time.Duration) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if at, seen := l.at[key]; seen && now.Sub(at) < every {
		return false
	}
	if l.at == nil || len(l.at) > 100_000 {
		l.at = map[string]fleet.Instant{}
	}
	l.at[key] = now
	return true
}

func (l *looks) forget(key string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.at, key)
}

const (
	// superLookEvery limits the audit of a screen that polls: one row for each session, organization and noun in this time.
	superLookEvery = 15 * time.Minute
	// superNamesEvery is the same limit for the lists that name every organization: each reload of the page requests them.
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
	for _, id := range organizationIDs {
		if actor.Organizations[id] != access.Full && a.memory.looks.isFresh(actor.SessionID+"|"+noun+"|"+id, now, every) {
			fresh = append(fresh, id)
		}
	}
	if len(fresh) == 0 {
		return
	}
	rows := make([]audit.Row, 0, len(fresh))
	for _, id := range fresh {
		rows = append(rows, audit.Row{Verb: "look", Noun: noun, OrganizationID: id})
	}
	if err := a.auditLooks(ctx, actor, rows); err != nil { // not noted: the next look must try again
		a.Log.Error("access by a super user not audited", "user", actor.UserID, "noun", noun, "organizations", fresh, "error", err)
		for _, id := range fresh {
			a.memory.looks.forget(actor.SessionID + "|" + noun + "|" + id)
		}
	}
}

// NoteRead audits that an actor read something whose every reader is recorded by name: where somebody was. One row for each
// session, resource and question in a quarter of an hour. As with NoteLooks, a full disk must not stop reading.
func (a *Accounts) NoteRead(ctx context.Context, actor *access.Actor, noun, id, organizationID string, asked any) {
	key := fmt.Sprintf("%s|%s|%s|%s|%s|%v", actor.SessionID, actor.KeyID, noun, id, organizationID, asked)
	if !a.memory.looks.isFresh(key, a.now(), superLookEvery) {
		return
	}
	row := audit.Row{Verb: "read", Noun: noun, NounID: id, OrganizationID: organizationID, After: asked}
	if err := a.auditLooks(ctx, actor, []audit.Row{row}); err != nil {
		a.Log.Error("reading not audited", "user", actor.UserID, "noun", noun, "id", id, "error", err)
		a.memory.looks.forget(key)
	}
}

// auditLooks continues after its request ends.
func (a *Accounts) auditLooks(ctx context.Context, actor *access.Actor, rows []audit.Row) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lookWithin)
	defer cancel()
	return a.Store.Write(ctx, func(tx *store.Tx) error {
		for _, row := range rows {
			if err := a.Audit.Write(ctx, tx, actor, row); err != nil {
				return err
			}
		}
		return nil
	})
}
