package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"lightbar/internal/app"
	"lightbar/internal/durable"
	"lightbar/internal/people"
	"lightbar/internal/record"
	"lightbar/internal/store"
	"lightbar/internal/store/engine"
)

// keyFile holds the secret of this installation in the data folder: 32 bytes in
// hexadecimal, made at the first start, readable by the owner alone.
const keyFile = "server.key"

// withoutKey ends a sentence about an installation that lost its key.
const withoutKey = "everybody signs in again, authenticator apps no longer open a second factor, " +
	"mails that wait are lost and the audit's seals cannot be checked"

// newKeyHint is the way out of an installation whose key is lost for good.
const newKeyHint = "put the key of a backup there; if it is lost for good, lightbar server-key new makes another: then " + withoutKey

func keyPath(e *env) string { return filepath.Join(e.common.Data, keyFile) }

// serverKey reads the key of a data folder; nil without an error where there is none.
func serverKey(data string) ([]byte, error) { return readKey(filepath.Join(data, keyFile)) }

func readKey(path string) ([]byte, error) {
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, place("The key %s cannot be read: %v.", path, errors.Unwrap(err))
	}
	st, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if st.Mode().Perm()&0o077 != 0 {
		return nil, place("The key %s can be read by others (mode %04o); run chmod 600 on it.", path, st.Mode().Perm())
	}
	key, err := hex.DecodeString(strings.TrimSpace(string(b)))
	if err != nil || len(key) != 32 {
		return nil, place("The key %s has %d bytes and is not 64 hexadecimal digits; move it away and %s.", path, len(b), newKeyHint)
	}
	return key, nil
}

// keyOfInstallation reads the key where a database is; a mistyped folder is said to be that.
func keyOfInstallation(e *env) ([]byte, error) {
	if e.common.Database == "" {
		if path := e.common.SQLitePath(); missing(path) {
			return nil, place("There is no database at %s; name the installation's folder with --data.", path)
		}
	}
	key, err := serverKey(e.common.Data)
	if err == nil && key == nil {
		err = place("The key %s is missing; name the installation's folder with --data, or %s.", keyPath(e), newKeyHint)
	}
	return key, err
}

// keyFits refuses a key and a database that are not of one installation.
func keyFits(ctx context.Context, e *env, r store.Reader, schema int64, key []byte) error {
	err := people.CheckServerKey(ctx, r, schema, key)
	lacking, foreign := errors.Is(err, people.ErrKeyMissing), errors.Is(err, people.ErrKeyForeign)
	if lacking || foreign {
		if err := cutOff(ctx, e, r, schema, key); err != nil {
			return err // which no server can have open
		}
	}
	if err != nil && e.common.Database != "" {
		if holder := engine.LeaseHolder(ctx, r, time.Now()); holder != "" {
			return &engine.LockedError{Holder: holder} // the key is in that server's folder
		}
	}
	if !lacking && !foreign {
		return err
	}
	hint := newKeyHint
	if wanted, err := people.WantedKey(ctx, r); err != nil {
		return err
	} else if wanted != "" {
		hint = strings.Replace(hint, "there;", "there (the one with the fingerprint "+wanted+");", 1)
	}
	if lacking {
		return place("The database %s has a key, and %s is missing; %s.", databaseName(e), keyPath(e), hint)
	}
	return place("The key %s is of another installation than the database %s; move it away and %s.", keyPath(e), databaseName(e), hint)
}

// databaseName is the database as an operator knows it.
func databaseName(e *env) string {
	if e.common.Database != "" {
		return engine.HiddenURL(e.common.Database.Reveal())
	}
	return e.common.SQLitePath()
}

// orphanKey refuses to make an installation where there was one.
func orphanKey(e *env) error {
	return place("There is a key %s but no database %s; put the database back or restore a backup with lightbar restore; "+
		"to begin anew, move the key away.", keyPath(e), databaseName(e))
}

// ownKey settles the key of the database that this process owns by now: it is
// made at the first start alone, and noted in the database once it is on the disk.
func ownKey(e *env, s *store.Store) ([]byte, error) {
	schema, err := s.Version(e.ctx)
	if err != nil {
		return nil, err
	}
	key, err := serverKey(e.common.Data)
	if err == nil {
		err = keyFits(e.ctx, e, s.Reader(), schema, key) // once more: nobody else writes now
	}
	if err == nil && key == nil {
		key, err = makeServerKey(keyPath(e))
	}
	if err != nil {
		return nil, err
	}
	noted, err := app.New(app.Options{Base: record.Base{Store: s, ServerKey: key}}).KeepServerKey(e.ctx)
	if noted {
		e.log.Info("the database knows its key from now on", "key", keyPath(e))
	}
	if !missing(nextKeyPath(e)) {
		e.log.Warn("a rotation of the key was cut off before it took effect; the key is the earlier one", "left", nextKeyPath(e),
			"next", "run lightbar server-key rotate again, or remove the file")
	}
	return key, err
}

func makeServerKey(path string) ([]byte, error) {
	key := newServerKey()
	if err := writeServerKey(path, key); err != nil {
		return nil, err
	}
	return key, nil
}

func newServerKey() []byte {
	key := make([]byte, 32)
	_, _ = rand.Read(key) // never fails (crypto/rand)
	return key
}

func writeServerKey(path string, key []byte) error { return putKey(durable.Create, path, key) }

// replaceServerKey is writeServerKey where an unused key may lie.
func replaceServerKey(path string, key []byte) error { return putKey(durable.Write, path, key) }

func putKey(put func(path string, b []byte) error, path string, key []byte) error {
	if err := put(path, []byte(hex.EncodeToString(key)+"\n")); err != nil {
		return place("The key %s cannot be written: %v.", path, err)
	}
	return nil
}

// keyless says on standard error that a copy or a restored folder lacks the key.
func keyless(e *env, dir, remedy string) {
	if missing(filepath.Join(dir, keyFile)) {
		_, _ = fmt.Fprintf(e.stderr, "lightbar: %s lacks %s, this installation's key: without it %s. %s.\n", dir, keyFile, withoutKey, remedy)
	}
}
