package main

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// keyFile holds the secret of this installation in the data folder: 32 bytes in
// hexadecimal, made at the first start, readable by the owner alone.
const keyFile = "server.key"

// serverKey reads the key or makes it.
func serverKey(data string) ([]byte, error) {
	path := filepath.Join(data, keyFile)
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return makeServerKey(path)
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
		return nil, place("The key %s is not 64 hexadecimal digits; restore it from a backup, or remove it (everybody then signs in again).", path)
	}
	return key, nil
}

func makeServerKey(path string) ([]byte, error) {
	key := make([]byte, 32)
	_, _ = rand.Read(key) // never fails (crypto/rand)
	// Linked into place complete: a crash leaves no half key, and of two first
	// starts at once only one makes it.
	temp := path + ".new"
	err := os.WriteFile(temp, []byte(hex.EncodeToString(key)+"\n"), 0o600)
	if err == nil {
		err = os.Link(temp, path)
	}
	if err := errors.Join(err, os.Remove(temp)); err != nil {
		return nil, place("The key %s cannot be written: %v.", path, err)
	}
	return key, nil
}
