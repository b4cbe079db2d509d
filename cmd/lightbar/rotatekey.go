package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/audit"
	"lightbar/internal/durable"
	"lightbar/internal/people"
	"lightbar/internal/record"
	"lightbar/internal/store"
	"lightbar/internal/store/engine"
)

// nextKeyFile holds the key that a rotation is about to put in the place of
// server.key. The database's fingerprint says which of the two counts.
const nextKeyFile = "server.key.next"

// shownFaults bounds what a rotation says of an audit whose check failed.
const shownFaults = 10

// atStep hears where a rotation is. Tests end the process there.
var atStep = func(string) {}

type serverKeyRotateCmd struct{}

// Help implements kong.HelpProvider.
func (serverKeyRotateCmd) Help() string {
	return `Use this if someone else may have the key, for example after a lost backup, a stolen disk, or an employee's departure.
It creates a new key and re-encrypts authenticator apps and waiting emails, in one transaction. Everyone signs in again;
API keys, passkeys, and passwords stay. The audit is checked first and continues under the new key. Earlier seals can
still be verified, and nobody with the earlier key can rewrite them unnoticed. If the check fails, that is printed and
recorded, and the key is rotated anyway. The server must not be running. If interrupted, run the command again.

Anyone who had both the database and the key knows what was in it: reset the authenticator apps, and revoke emailed
links. Earlier backups contain the earlier key and open with it: keep them secret, and make a new one. With PostgreSQL,
copy server.key and audit.head to the other machines that may start a server.

  lightbar server-key rotate --data /var/lib/lightbar`
}

func (serverKeyRotateCmd) Run(e *env) error {
	o := storeOptions(e, false)
	o.Existing, o.Erase = true, true
	if err := waitForCommands(e.ctx, o.Path, "lightbar server-key"); err != nil {
		return err
	}
	o.Examine = func(ctx context.Context, r store.Reader, schema int64) error {
		keys, err := keysOf(ctx, e, r, schema)
		if err == nil && !keys.taken && schema < engine.SchemaVersion() {
			err = place("The database %s is at schema %d of %d; start the server once, which upgrades it.", databaseName(e), schema,
				engine.SchemaVersion())
		}
		return err
	}
	o.BeforeCommit = func() { atStep("commit") }
	s, err := store.Open(e.ctx, o)
	if err != nil {
		return err
	}
	defer func() { _ = s.Close() }()
	if err := s.LockServer(e.ctx, "lightbar server-key"); err != nil {
		return err
	}
	keys, err := keysOf(e.ctx, e, s.Reader(), engine.SchemaVersion()) // once more: nobody else writes now
	if err != nil {
		return err
	}
	if !keys.taken {
		if err := keys.rotate(e, s); err != nil {
			return err
		}
	}
	return keys.putInPlace(e, s)
}

// rotating are the keys of a folder.
type rotating struct {
	key, next []byte
	taken     bool // the database belongs to next: a rotation was cut off after its commit
}

func keysOf(ctx context.Context, e *env, r store.Reader, schema int64) (k rotating, err error) {
	if k.key, err = serverKey(e.common.Data); err != nil {
		return k, err
	}
	if k.next = takenKey(ctx, e, r, schema, k.key); k.next != nil {
		k.taken = true
		return k, nil
	}
	if err = keyFits(ctx, e, r, schema, k.key); err == nil && k.key == nil {
		err = place("The database %s has no key yet; the first start makes it.", databaseName(e))
	}
	return k, err
}

// takenKey is the next key where the database belongs to it by now, and not to key; else nil.
func takenKey(ctx context.Context, e *env, r store.Reader, schema int64, key []byte) []byte {
	next, err := readKey(nextKeyPath(e))
	if err != nil || next == nil || people.CheckServerKey(ctx, r, schema, next) != nil {
		return nil
	}
	if key != nil && people.CheckServerKey(ctx, r, schema, key) == nil {
		return nil // a database that takes any key
	}
	return next
}

// cutOff is the sentence about a rotation that the database has taken and the folder has not.
func cutOff(ctx context.Context, e *env, r store.Reader, schema int64, key []byte) error {
	if takenKey(ctx, e, r, schema, key) == nil {
		return nil
	}
	return place("A rotation of the key %s was cut off when the database %s had taken the new one, %s; "+
		"run lightbar server-key rotate again, which finishes it.",
		keyPath(e), databaseName(e), nextKeyFile)
}

func nextKeyPath(e *env) string { return filepath.Join(e.common.Data, nextKeyFile) }

// rotate makes the next key and gives it to the database. Its file comes first:
// cut off before the commit, the key was never used; after it, it is on the disk.
func (k *rotating) rotate(e *env, s *store.Store) error {
	k.next = newServerKey()
	if err := replaceServerKey(nextKeyPath(e), k.next); err != nil {
		return err
	}
	atStep("next key written")
	a := app.New(app.Options{
		Base:          record.Base{Store: s, ServerKey: k.key, Log: e.log, Now: time.Now, NewID: app.NewID},
		AuditHeadPath: auditHeadPath(e),
	})
	done, err := a.RotateServerKey(e.ctx, access.System(), k.next)
	if err != nil {
		return err // the next key stays: a lost answer may be that of a commit
	}
	atStep("committed")
	say := func(format string, args ...any) { _, _ = fmt.Fprintf(e.stdout, format+"\n", args...) }
	sayFaults(e, done.Audit)
	if len(done.Audit.Faults) > 0 {
		say("The audit check failed before the rotation: %s. The rotation's row in the audit says so, "+
			"and lightbar audit verify goes on naming what was altered.",
			strings.Join(done.Audit.Kinds(), ", "))
	} else {
		say("The audit check passed: %s in %s.", counted(done.Audit.Rows, "row"), counted(done.Audit.Seals, "seal"))
	}
	if done.Audit.Unchecked > 0 {
		say("Of these, %s had been sealed with a key that was lost, and checked only since it was replaced.",
			counted(done.Audit.Unchecked, "row"))
	}
	say("Sessions ended: %d. Re-encrypted: authenticator apps %d, waiting mails %d, addresses of feeds %d, secrets of integrations %d.",
		done.Sessions, done.Secrets, done.Mails, done.Feeds, done.Integrations)
	if done.Closed > 0 {
		say("Not opened by the earlier key either, and left as they are: %d.", done.Closed)
	}
	say("The earlier key had the fingerprint %s.", done.Earlier)
	return nil
}

// putInPlace brings the files of the folder into accord with the database.
func (k *rotating) putInPlace(e *env, s *store.Store) error {
	a := app.New(app.Options{
		Base:          record.Base{Store: s, ServerKey: k.next, Log: e.log, Now: time.Now, NewID: app.NewID},
		AuditHeadPath: auditHeadPath(e),
	})
	err := a.Audit.KeepRotatedHead(e.ctx)
	var fault *audit.Fault
	if errors.As(err, &fault) {
		_, _ = fmt.Fprintln(e.stdout, fault.Text)
	} else if err != nil {
		return place("The audit's head %s cannot be written: %v; run lightbar server-key rotate again.", auditHeadPath(e), err)
	}
	atStep("head written")
	if err := durable.Rename(nextKeyPath(e), keyPath(e)); err != nil {
		return place("%s cannot be put in the place of %s: %v; run lightbar server-key rotate again.", nextKeyPath(e), keyPath(e), err)
	}
	atStep("key in place")
	_, err = fmt.Fprintf(e.stdout, "%s is new, with the fingerprint %s. "+
		"Make a new backup now. Earlier backups still need the old key.\n", keyPath(e), people.KeyFingerprint(k.next))
	return err
}

type serverKeyFingerprintCmd struct{}

// Help implements kong.HelpProvider.
func (serverKeyFingerprintCmd) Help() string {
	return `A database records the fingerprint of its key, and a refused start names it. This prints the fingerprint of a folder's
server.key, also in a backup's folder, so that you can find the right key. It reveals nothing else about the key.

  lightbar server-key fingerprint --data /mnt/backups/lightbar-20261121T020000Z`
}

func (serverKeyFingerprintCmd) Run(e *env) error {
	key, err := serverKey(e.common.Data)
	if err != nil {
		return err
	}
	if key == nil {
		return place("There is no key %s.", keyPath(e))
	}
	_, err = fmt.Fprintln(e.stdout, people.KeyFingerprint(key))
	return err
}
