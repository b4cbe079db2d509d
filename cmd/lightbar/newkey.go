package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/audit"
	"lightbar/internal/people"
	"lightbar/internal/record"
	"lightbar/internal/store"
)

type serverKeyCmd struct {
	Rotate      serverKeyRotateCmd      `cmd:"" help:"Replace a key that someone else may have, and re-encrypt its data."`
	New         serverKeyNewCmd         `cmd:"" help:"Create a new key if the old one is lost for good."`
	Fingerprint serverKeyFingerprintCmd `cmd:"" help:"Print the fingerprint of a folder's key."`
}

type serverKeyNewCmd struct{}

// Help implements kong.HelpProvider.
func (serverKeyNewCmd) Help() string {
	return `A database belongs to the server.key of its first start and is refused without it. If that key is lost for good and no
backup has it, this command creates another and records it in the database. Data encrypted with the lost key stays
unreadable: everyone signs in again, authenticator apps stop working (an administrator resets them), and waiting emails
are lost. The audit's earlier chain ends: what the lost key sealed is not checkable any more, and audit verify says so
with exit code 4. Anything altered after the replacement is still found. An existing key is never replaced: move it away
first. The server must not be running.

  lightbar server-key new --data /var/lib/lightbar`
}

func (serverKeyNewCmd) Run(e *env) error {
	o := storeOptions(e, false)
	o.Existing = true
	if err := waitForCommands(e.ctx, o.Path, "lightbar server-key"); err != nil {
		return err
	}
	if !missing(keyPath(e)) {
		return place("The key %s is there; move it away first if it is not the right one.", keyPath(e))
	}
	o.Examine = func(ctx context.Context, r store.Reader, schema int64) error {
		err := people.CheckServerKey(ctx, r, schema, nil)
		if err == nil {
			return place("The database %s has no key yet; the first start makes it.", databaseName(e))
		}
		if errors.Is(err, people.ErrKeyMissing) {
			return nil
		}
		return err
	}
	s, err := store.Open(e.ctx, o)
	if err != nil {
		return err
	}
	defer func() { _ = s.Close() }()
	if err := s.LockServer(e.ctx, "lightbar server-key"); err != nil {
		return err
	}
	// The database first: cut off in between, the new key was never used, and the command can run again.
	a := app.New(app.Options{
		Base:          record.Base{Store: s, ServerKey: newServerKey(), Log: e.log, Now: time.Now, NewID: app.NewID},
		AuditHeadPath: auditHeadPath(e),
	})
	proof, err := a.ReplaceServerKey(e.ctx, access.System())
	if err != nil {
		return err
	}
	if err := a.Audit.KeepRotatedHead(e.ctx); err != nil {
		return err
	}
	if err := writeServerKey(keyPath(e), a.ServerKey); err != nil {
		return err
	}
	sayLost(e, proof)
	_, err = fmt.Fprintf(e.stdout, "%s is new. Reset two-factor authentications of those who had an authenticator app, "+
		"and keep a copy of the key.\n", keyPath(e))
	return err
}

// sayLost says what a lost key means for the audit, and what can be told of its chain without that key.
func sayLost(e *env, proof audit.Proof) {
	sayFaults(e, proof)
	if len(proof.Faults) > 0 {
		_, _ = fmt.Fprintf(e.stdout, "The audit chain was not whole before the key was replaced: %s. The row of the audit about "+
			"the key says so.\n", strings.Join(proof.Kinds(), ", "))
	}
	if proof.Seals > 0 {
		_, _ = fmt.Fprintf(e.stdout, "The lost key sealed %s of the audit in %s. Whether one of them was altered is not checkable "+
			"any more; from now on it is.\n", counted(proof.Rows, "row"), counted(proof.Seals, "seal"))
	}
}

// sayFaults prints the first faults of an audit.
func sayFaults(e *env, proof audit.Proof) {
	for _, fault := range proof.Faults[:min(len(proof.Faults), shownFaults)] {
		_, _ = fmt.Fprintln(e.stdout, fault.Text)
	}
}
