package main

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"lightbar/internal/durable"
)

// keyFile holds the secret of this installation in the data folder: 32 bytes in
// hexadecimal, made at the first start, readable by the owner alone.
const keyFile = "server.key"

// withoutKey ends a sentence about an installation that lost its key.
const withoutKey = "everybody signs in again, authenticator apps no longer open a second factor, mails that wait are lost and the audit's seals cannot be checked"

// serverKey reads the key or makes it.
func serverKey(data string) ([]byte, error) {
	path := filepath.Join(data, keyFile)
	if missing(path) {
		return makeServerKey(path)
	}
	return readServerKey(data)
}

// readServerKey reads the key of an installation that must have one.
func readServerKey(data string) ([]byte, error) {
	path := filepath.Join(data, keyFile)
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, place("The key %s is missing; name the installation's folder with --data, or put the key of a backup there. A start of the server makes a new one: then %s.", path, withoutKey)
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
		return nil, place("The key %s is not 64 hexadecimal digits; restore it from a backup. Without it %s.", path, withoutKey)
	}
	return key, nil
}

func makeServerKey(path string) ([]byte, error) {
	key := make([]byte, 32)
	_, _ = rand.Read(key) // never fails (crypto/rand)
	// Of two first starts at once only one makes it.
	if err := durable.Create(path, []byte(hex.EncodeToString(key)+"\n")); err != nil {
		return nil, place("The key %s cannot be written: %v.", path, err)
	}
	return key, nil
}

// keyless says on standard error that a copy or a restored folder lacks the key.
func keyless(e *env, dir, remedy string) {
	if missing(filepath.Join(dir, keyFile)) {
		_, _ = fmt.Fprintf(e.stderr, "lightbar: %s lacks %s, this installation's key: without it %s. %s.\n", dir, keyFile, withoutKey, remedy)
	}
}
