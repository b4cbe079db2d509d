package app

import (
	"context"
	"errors"
	"time"

	"lightbar/internal/fleet"
	"lightbar/internal/store"
)

// auditAlarmEvery is how often a process raises an alarm of one kind.
const auditAlarmEvery = 24 * time.Hour

// sealFailed takes in why nothing was sealed. Where the chain is not the one
// that was sealed before, it makes noise; ingest goes on, as an attack on the
// audit must not stop fire engines.
func (a *App) sealFailed(ctx context.Context, err error) error {
	var fault *AuditFault
	if !errors.As(err, &fault) {
		return err
	}
	if before := a.audit.broken.Swap(fault); before == nil || before.Kind != fault.Kind {
		a.Log.Error("the audit is no longer sealed", "found", fault.Kind, "text", fault.Text, "next", "run lightbar audit verify; docs/operations.md, Audit")
		a.auditAlarm(ctx, fault)
	}
	return fault
}

// noteLate tells of rows that were refused. auditChain.mu is held.
func (a *App) noteLate(ctx context.Context, late []fleet.AuditRow) {
	if len(late) == 0 {
		return
	}
	a.audit.late.Add(int64(len(late)))
	first := late[0]
	a.Log.Error("audit rows turned up that should have been sealed long ago; they are not sealed", "rows", len(late),
		"first", first.ID, "at", first.At.String(), "verb", first.Verb, "noun", first.Noun)
	a.auditAlarm(ctx, auditFault(FaultPutIn, "%d rows were put in, or taken out of their seal.", len(late)))
}

// auditAlarm leaves a row and a letter to every super user. auditChain.mu is held.
func (a *App) auditAlarm(ctx context.Context, fault *AuditFault) {
	c, now := &a.audit, a.now()
	if at, told := c.told[fault.Kind]; told && now.Sub(at) < auditAlarmEvery {
		return
	}
	err := a.Store.Write(ctx, func(tx *store.Tx) error {
		supers, err := store.MembersOfRole(ctx, tx, superRoleID, now)
		if err != nil {
			return err
		}
		for _, m := range supers {
			if m.Suspended {
				continue
			}
			if err := a.queueMail(ctx, tx, Mail{Kind: "audit_broken", UserID: m.ID, To: m.Email, Data: map[string]string{"what": fault.Kind}}); err != nil {
				return err
			}
		}
		return a.writeAudit(ctx, tx, SystemActor(), audited{Verb: "alarm", Noun: "audit", After: map[string]string{"found": fault.Kind, "text": fault.Text}})
	})
	if err != nil {
		a.Log.Error("nobody could be told of the audit by mail", "error", err)
		return
	}
	if c.told == nil {
		c.told = map[string]fleet.Instant{}
	}
	c.told[fault.Kind] = now
}

// SayAuditHead writes the newest seal into the log, where another machine may
// keep it. It is called every hour and at the end.
func (a *App) SayAuditHead(context.Context) error {
	c := &a.audit
	c.mu.Lock()
	h := c.head
	c.mu.Unlock()
	if fault := a.AuditBroken(); fault != nil {
		a.Log.Error("the audit is not sealed", "found", fault.Kind, "text", fault.Text)
	} else if h != nil && h.No > 0 {
		a.Log.Info("audit head", "seal", h.No, "at", h.At.String(), "head", h.Hash, "database", h.Database)
	}
	return nil
}

// CloseAudit seals what waits as far as there is time, and says the head: rows
// that lie unsealed while the server is down can be changed unseen.
func (a *App) CloseAudit(ctx context.Context) error {
	var fault *AuditFault
	if err := a.SealAudit(ctx); err != nil && !errors.As(err, &fault) {
		a.Log.Warn("not all of the audit is sealed; the next start does it", "error", err)
	}
	return a.SayAuditHead(ctx)
}
