package people

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"lightbar/internal/audit"
	"lightbar/internal/fleet"
	"lightbar/internal/secret"
	"lightbar/internal/store"
)

// attemptFrom says whose password was tried and from where.
type attemptFrom struct {
	account string // user id, or a digest of an unknown address
	network string // /24 or /56
	device  string // hash of a known device; empty otherwise

	isKnownNetwork bool // the account has a session that began there
}

// standing is how well the sender is known.
func (f attemptFrom) standing() standing {
	switch {
	case f.device != "":
		return knownDevice
	case f.isKnownNetwork:
		return knownNetwork
	}
	return stranger
}

// source is the key by which wrong passwords are counted. A known device has
// its own counter, so that others behind the same address cannot lock it out.
func (f attemptFrom) source() string {
	if f.device != "" {
		return "device:" + f.device
	}
	return f.network
}

// queue is the name under which attempts run one at a time, so that parallel guesses cannot outrun a counter. All attempts on an
// account share one queue, because the limit of 50 counts them from everywhere. A known device has its own counter and queue, and
// waits for nobody. A known network has its own queue too: at most one guess from it runs beside the others and can exceed their
// 50.
func (f attemptFrom) queue() string {
	switch f.standing() {
	case knownDevice:
		return f.account + "|" + f.device
	case knownNetwork:
		return f.account + "|" + f.network
	}
	return f.account
}

// mayAttempt refuses (locked_out) when the limits of decisions.md are reached.
func (a *Accounts) mayAttempt(ctx context.Context, from attemptFrom) error {
	now := a.now()
	rows, err := store.AttemptsSince(ctx, a.Store.Reader(), from.account, now.Add(-time.Hour))
	if err != nil {
		return err
	}
	if until := lockedUntil(rows, from, now); until > now {
		seconds := int((until.Sub(now) + time.Second - 1) / time.Second)
		minutes := (seconds + 59) / 60
		text := fmt.Sprintf("Too many attempts. Your account is locked for %d minutes.", minutes)
		if minutes == 1 {
			text = "Too many attempts. Your account is locked for 1 minute."
		}
		return &fleet.Refusal{Code: "locked_out", Message: text, RetryAfterS: seconds}
	}
	return nil
}

// lockedUntil computes the limits: after five wrong passwords from one network, that account and network wait until 10 minutes
// after the last one; 50 within an hour from anywhere lock out every unknown device. rows are the attempts of the last hour, newest
// first. A known device is limited only by its own attempts.
func lockedUntil(rows []store.Attempt, from attemptFrom, now fleet.Instant) fleet.Instant {
	var mine, others []fleet.Instant
	for _, r := range rows {
		switch {
		case r.Network == from.source():
			mine = append(mine, r.At)
			others = append(others, r.At)
		case !strings.HasPrefix(r.Network, "device:"):
			others = append(others, r.At)
		}
	}
	if from.device != "" {
		if len(mine) >= attemptsDevice {
			return mine[attemptsDevice-1].Add(time.Hour)
		}
		return 0
	}
	var until fleet.Instant
	if len(mine) >= attemptsNetwork && mine[0].Sub(mine[attemptsNetwork-1]) < attemptsWait {
		until = mine[0].Add(attemptsWait)
	}
	if len(others) >= attemptsAccount {
		until = max(until, others[attemptsAccount-1].Add(time.Hour))
	}
	return until
}

func (a *Accounts) wrongPassword(ctx context.Context, u fleet.User, from attemptFrom, c Caller) error {
	err := a.Store.Write(ctx, func(tx *store.Tx) error {
		if err := tx.PurgeAttempts(ctx, a.now().Add(-2*time.Hour)); err != nil {
			return err
		}
		if err := tx.InsertAttempt(ctx, from.account, from.source(), a.now(), a.NewID()); err != nil {
			return err
		}
		if u.ID == "" {
			return nil // refusals of unknown accounts are counted, not listed
		}
		return a.Audit.Write(ctx, tx, c.as(u), audit.Row{Verb: "sign_in_refused", Noun: "user", NounID: u.ID,
			After: map[string]string{"code": "invalid_grant"}})
	})
	if err != nil {
		return err
	}
	return refuseCredentials()
}

// unlock clears the wrong passwords of an account when the token of its unlock mail is presented, and leaves an audit row.
func (a *Accounts) unlock(ctx context.Context, token string, u fleet.User, c Caller) error {
	return a.Store.Write(ctx, func(tx *store.Tx) error {
		row, err := store.OneTimeByHash(ctx, tx, secret.Hash(token), "unlock")
		if errors.Is(err, store.ErrNotFound) || (err == nil && row.UserID != u.ID) {
			return nil // the password is still checked, under the limits
		}
		if err != nil {
			return err
		}
		used, err := tx.UseOneTime(ctx, row.Hash, "unlock", a.now())
		if err != nil || !used {
			return err
		}
		if err := tx.ClearAccountAttempts(ctx, u.ID); err != nil {
			return err
		}
		return a.Audit.Write(ctx, tx, c.as(u), audit.Row{Verb: "unlock_account", Noun: "user", NounID: u.ID})
	})
}
