package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/people"
	"lightbar/internal/store"
)

type serverKeyCmd struct {
	Rotate      serverKeyRotateCmd      `cmd:"" help:"Replace a key that somebody else may have; what it sealed is sealed anew."`
	New         serverKeyNewCmd         `cmd:"" help:"Create another key for an installation whose key is lost for good."`
	Fingerprint serverKeyFingerprintCmd `cmd:"" help:"Print the fingerprint of a folder's key."`
}

type serverKeyNewCmd struct{}

// Help implements kong.HelpProvider.
func (serverKeyNewCmd) Help() string {
	return `A database belongs to the key server.key of its first start and is refused without it. When that key is lost
for good, and no backup has it, this makes another one and notes it in the database. What the lost key sealed
stays closed: everybody signs in again, authenticator apps no longer open a second factor (an administrator
resets it), mails that wait are lost, and audit verify finds every seal of before at fault. A key that is
there is never replaced: move it away first. The server must not run.

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
	a := app.New(app.Options{Store: s, ServerKey: newServerKey(), Log: e.log, Now: time.Now, NewID: app.NewID,
		AuditHeadPath: auditHeadPath(e)})
	if err := a.ReplaceServerKey(e.ctx, access.System()); err != nil {
		return err
	}
	if err := a.Audit.KeepRotatedHead(e.ctx); err != nil {
		return err
	}
	if err := writeServerKey(keyPath(e), a.ServerKey); err != nil {
		return err
	}
	_, err = fmt.Fprintf(e.stdout, "%s is new. Reset two-factor authentications of those who had an authenticator app, "+
		"and keep a copy of the key.\n", keyPath(e))
	return err
}
