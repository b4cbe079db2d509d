package demo

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"lightbar/internal/durable"
	"lightbar/internal/people"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

// unfinishedName lies in the data folder while the demo is prepared, and after
// that when a crash cut the preparation off.
const unfinishedName = "demo.unfinished"

// Why a demo cannot begin where it was asked to.
var (
	ErrOther      = errors.New("demo: the database holds an installation that is not the demo")
	ErrUnfinished = errors.New("demo: the preparation was not done to its end")
)

// Prepared reports whether an earlier start prepared the demo in dir to its end.
func Prepared(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, FileName))
	return err == nil
}

// MayBegin answers ErrOther or ErrUnfinished where a demo without demo.json
// must not be prepared: its accounts, one of which owns everything, would come
// into somebody's installation. It only reads.
func MayBegin(ctx context.Context, s *store.Store, dir string) error {
	found, err := store.AnyOrganization(ctx, s.Reader())
	if err != nil || !found {
		return err // organizations come first: without one nothing was made
	}
	if _, err := os.Stat(filepath.Join(dir, unfinishedName)); err == nil {
		return ErrUnfinished
	}
	return ErrOther
}

// CheckPassword refuses a password that one of the demo's accounts could not
// have; "" is none. Refusals: password_rules, password_common.
func CheckPassword(password string) error {
	if password == "" {
		return nil
	}
	for _, u := range append(accounts[:len(accounts):len(accounts)], outsider) {
		if err := people.CheckSpecifiedPassword(password, wire.UserCreate{Email: u.email(), FirstName: u.first, LastName: u.last}); err != nil {
			return err
		}
	}
	return nil
}

func begin(dir string) error {
	return durable.Write(filepath.Join(dir, unfinishedName), nil)
}

func finish(dir string) error { return os.Remove(filepath.Join(dir, unfinishedName)) }
