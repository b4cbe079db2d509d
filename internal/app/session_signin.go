package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"lightbar/catalog"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
)

// SignIn is what a person types.
type SignIn struct {
	Email       string
	Password    string
	UnlockToken string
	// Awareness asks for the situational-awareness mode: no idle and no absolute end.
	Awareness bool
	Caller    Caller
}

// SignIn checks a password and begins a session (specification section 7,
// POST /user_token). Refusals, with the texts of section 8: invalid_grant,
// user_suspended, locked_out, password_expired, expired, dashboard_forbidden,
// not_safetycloud_enabled, not_authorized_method, awareness_not_allowed, busy;
// mfa_required and mfa_setup_required carry a wire.MFAChallenge for MFA.
func (a *App) SignIn(ctx context.Context, in SignIn) (Grant, error) {
	key := emailKey(in.Email)
	if key == "" || in.Password == "" || len(in.Password) > passwordMax || len(key) > 320 {
		return Grant{}, refuseCredentials()
	}
	u, err := store.UserByEmailKey(ctx, a.Store.Reader(), key)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return Grant{}, err
	}
	account := u.ID
	if account == "" {
		account = hashOf("account " + key)
	}
	from := attemptFrom{account: account, network: fleet.LimitNetwork(in.Caller.Network)}
	if from.device, err = a.knownDevice(ctx, in.Caller.Device, u.ID); err != nil {
		return Grant{}, err
	}
	defer a.people.signIns.lock(from.queue())()
	if in.UnlockToken != "" && u.ID != "" {
		if err := a.unlock(ctx, in.UnlockToken, u, in.Caller); err != nil {
			return Grant{}, err
		}
	}
	if err := a.mayAttempt(ctx, from); err != nil {
		return Grant{}, err
	}
	match, stale, err := a.matchPassword(ctx, in.Password, u.PasswordHash)
	if err != nil {
		return Grant{}, err
	}
	if !match {
		return Grant{}, a.wrongPassword(ctx, u, from, in.Caller)
	}
	if stale {
		a.rehash(ctx, u, in.Password)
	}
	return a.admit(ctx, u, from, in)
}

// admit lets a user in whose password is right, unless the account says otherwise.
func (a *App) admit(ctx context.Context, u fleet.User, from attemptFrom, in SignIn) (Grant, error) {
	o, err := store.OrganizationByID(ctx, a.Store.Reader(), u.OrganizationID)
	if err != nil {
		return Grant{}, err
	}
	if err := a.mayEnter(u, o, in.Awareness); err != nil {
		return Grant{}, a.refusedEntry(ctx, u, err, in.Caller)
	}
	challenge, err := a.challengeFor(ctx, u, o, from, in)
	if err != nil {
		return Grant{}, err
	}
	if challenge != nil {
		return Grant{}, challenge
	}
	return a.welcome(ctx, u, entry{Method: "password", Awareness: in.Awareness}, in.Caller, func(tx *store.Tx) error {
		if err := tx.ClearAttempts(ctx, from.account, from.source()); err != nil {
			return err
		}
		return a.alarmBreakGlass(ctx, tx, u, o, in.Caller)
	})
}

// refusedEntry leaves an audit row of a sign-in that the account's state refused.
func (a *App) refusedEntry(ctx context.Context, u fleet.User, err error, c Caller) error {
	var refusal *fleet.Refusal
	if !errors.As(err, &refusal) {
		return err
	}
	if failed := a.auditSignIn(ctx, u, "sign_in_refused", refusal.Code, c); failed != nil {
		return failed
	}
	return err
}

// mayEnter is everything that may keep out somebody who has typed the right password.
func (a *App) mayEnter(u fleet.User, o fleet.Organization, awareness bool) error {
	if err := a.mayBeIn(u, o); err != nil {
		return err
	}
	if err := a.mayUsePassword(u, o); err != nil {
		return err
	}
	return mayUseAwareness(u, o, awareness)
}

// mayBeIn are the conditions of section 8 "Sign-in" that hold whatever the way
// in, in the order of its table. Refusals: user_suspended, dashboard_forbidden,
// not_safetycloud_enabled, expired.
func (a *App) mayBeIn(u fleet.User, o fleet.Organization) error {
	active := max(u.LastSignInAt, u.PasswordChangedAt)
	switch {
	case u.Suspended:
		return refuseSuspended()
	case len(dashboardAccess(permissionsOf(u.RoleID))) == 0:
		return fleet.Refuse("dashboard_forbidden", "", "Your user is not authorized to access {brand} Dashboard.")
	case o.DeletedAt != 0:
		return fleet.Refuse("not_safetycloud_enabled", "", "Your user is not authorized to access {brand} Dashboard.")
	case active != 0 && a.now().Sub(active) >= accountIdleLife.Duration():
		return fleet.Refuse("expired", "", "Your account has expired due to inactivity. Please contact the provider to restore your account.")
	}
	return nil
}

// mayUsePassword refuses passwords where the organization signs in by its
// provider, but for break-glass users, and passwords that are too old.
// Refusals: not_authorized_method, password_expired.
func (a *App) mayUsePassword(u fleet.User, o fleet.Organization) error {
	switch end := a.passwordExpiresAt(u); {
	case o.SSOOnly && !u.BreakGlass:
		return refuseMethod()
	case end != 0 && a.now() >= end:
		return fleet.Refuse("password_expired", "", fmt.Sprintf("Your password is older than %d days. Please choose a new one.", int(passwordLife.Hours()/24)))
	}
	return nil
}

func refuseSuspended() *fleet.Refusal {
	return fleet.Refuse("user_suspended", "", "User is suspended.")
}

func refuseMethod() *fleet.Refusal {
	return fleet.Refuse("not_authorized_method", "",
		"Your organization is managing user access to the {brand} dashboard. Please contact your administrator for access.")
}

// attemptFrom says whose password was tried and from where.
type attemptFrom struct {
	account string // user id, or a digest of an unknown address
	network string // /24 or /56
	device  string // hash of a known device; empty otherwise
}

// source is what wrong passwords are counted by. A known device has a counter
// of its own, so that a station behind one address is not locked out by others.
func (f attemptFrom) source() string {
	if f.device != "" {
		return "device:" + f.device
	}
	return f.network
}

// queue names whose attempts are made one at a time, so that parallel guesses do
// not outrun a counter: all of an account's, because 50 count from wherever they
// come, but for those of a known device, which has its own and waits for nobody.
func (f attemptFrom) queue() string {
	if f.device != "" {
		return f.account + "|" + f.device
	}
	return f.account
}

// mayAttempt refuses (locked_out) when the limits of decisions.md are reached.
func (a *App) mayAttempt(ctx context.Context, from attemptFrom) error {
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

// lockedUntil is the law of the limits: five wrong passwords from one network
// make that pair wait 10 minutes after the last; 50 within an hour from
// anywhere keep every unknown device out. rows are the attempts of the last
// hour, newest first. A known device answers only for itself.
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

func (a *App) wrongPassword(ctx context.Context, u fleet.User, from attemptFrom, c Caller) error {
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
		return tx.InsertAudit(ctx, a.signInRow(u, "sign_in_refused", map[string]string{"code": "invalid_grant"}, c))
	})
	if err != nil {
		return err
	}
	return refuseCredentials()
}

func (a *App) auditSignIn(ctx context.Context, u fleet.User, verb, code string, c Caller) error {
	return a.Store.Write(ctx, func(tx *store.Tx) error {
		return tx.InsertAudit(ctx, a.signInRow(u, verb, map[string]string{"code": code}, c))
	})
}

func (a *App) signInRow(u fleet.User, verb string, after map[string]string, c Caller) fleet.AuditRow {
	row := fleet.AuditRow{ID: a.NewID(), At: a.now(), ActorUserID: u.ID, OrganizationID: u.OrganizationID, Network: c.Network, Verb: verb,
		Noun: "user", NounID: u.ID, RequestID: c.RequestID}
	if len(after) > 0 {
		row.After, _ = json.Marshal(after) // a map of texts is always encoded
	}
	return row
}

// unlock clears the wrong passwords of an account when the token of its unlock
// mail is shown, and leaves an audit row.
func (a *App) unlock(ctx context.Context, token string, u fleet.User, c Caller) error {
	return a.Store.Write(ctx, func(tx *store.Tx) error {
		row, err := store.OneTimeByHash(ctx, tx, hashOf(token), "unlock")
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
		return tx.InsertAudit(ctx, a.signInRow(u, "unlock_account", nil, c))
	})
}

func (a *App) rehash(ctx context.Context, u fleet.User, password string) {
	hash, err := a.hashPassword(ctx, password)
	if err == nil {
		err = a.Store.Write(ctx, func(tx *store.Tx) error { return tx.RehashUserPassword(ctx, u.ID, hash, u.PasswordHash) })
	}
	if err != nil {
		a.Log.Warn("password not hashed anew", "user", u.ID, "error", err) // the old hash still works
	}
}

// emailKey is the canonical form of an address: what is unique and what is counted.
func emailKey(email string) string { return strings.ToLower(strings.TrimSpace(email)) }

// dashboardAccess lists the sections a set of permissions opens, in order
// (specification section 6, dashboard access list).
func dashboardAccess(permissions map[string]bool) []string {
	actor := Actor{UserID: "-", Permissions: permissions}
	out := []string{}
	for _, s := range catalog.AllPermissions().Sections {
		if actor.Meets(s.Requirement) {
			out = append(out, s.ID)
		}
	}
	return out
}
