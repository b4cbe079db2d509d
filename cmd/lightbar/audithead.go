package main

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/audit"
	"lightbar/internal/fleet"
	"lightbar/internal/record"
	"lightbar/internal/store"
	"lightbar/internal/store/backup"
)

// auditHeadPath is where this installation keeps the head of its audit.
func auditHeadPath(e *env) string { return filepath.Join(e.common.Data, backup.AuditHeadName) }

type auditHeadCmd struct{}

// Help implements kong.HelpProvider.
func (auditHeadCmd) Help() string {
	return `Prints the newest audit seal as kept in audit.head, outside the database: its number, time, and hash. Copy it to another
machine. Later, audit verify --expect HASH tells whether the chain still contains it.

  lightbar audit head --data /var/lib/lightbar`
}

func (c *auditHeadCmd) Run(e *env) error {
	var kept headAnswer
	if err := call(e, auditHeadVerb, struct{}{}, &kept); err != nil {
		return err
	}
	if kept.Fault != "" {
		_, _ = fmt.Fprintln(e.stdout, kept.Fault)
	}
	if kept.Head == nil {
		_, _ = fmt.Fprintln(e.stdout, "Nothing was sealed yet.")
	} else {
		_, _ = fmt.Fprintf(e.stdout, "seal %d of %s\nhead %s\n", kept.Head.No, kept.Head.At, kept.Head.Hash)
	}
	if kept.Fault != "" {
		return quietExit(exitFailed)
	}
	return nil
}

const auditHeadVerb = "audit-head"

type headAnswer struct {
	Head  *fleet.AuditHead
	Fault string
}

func auditHead(ctx context.Context, a *app.App, _ struct{}) (out headAnswer, err error) {
	var fault *audit.Fault
	if out.Head, fault, err = a.Audit.HeadKept(ctx, access.System()); fault != nil {
		out.Fault = fault.Text
	}
	return out, err
}

// audit compares the database with the head that is kept beside it. It reads
// only the end of the chain; lightbar audit verify reads all of it.
func (d *doctor) audit(ctx context.Context, s *store.Store, schema int64) {
	key, err := serverKey(d.e.common.Data)
	if err != nil || key == nil || schema < auditSchema {
		return // said already, or nothing is sealed
	}
	if cutOff(ctx, d.e, s.Reader(), schema, key) != nil {
		return // said already
	}
	a := app.New(app.Options{
		Base:          record.Base{Store: s, ServerKey: key, Log: d.e.log, Now: time.Now, NewID: app.NewID},
		AuditHeadPath: auditHeadPath(d.e),
	})
	h, fault, err := a.Audit.CompareHead(ctx, access.System())
	switch {
	case err != nil:
		d.say("audit", wrong, "%v", err)
	case fault != nil:
		d.say("audit", wrong, "%s: %s", fault.Kind, fault.Text)
	case h == nil:
		d.say("audit", good, "%s does not exist yet; the server makes it when it seals the next rows", backup.AuditHeadName)
	default:
		d.say("audit", good, "the database holds the head that is kept beside it: seal %d of %s", h.No, h.At)
	}
}
