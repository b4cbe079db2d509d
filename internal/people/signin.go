package people

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/go-webauthn/webauthn/webauthn"

	"lightbar/internal/access"
	"lightbar/internal/audit"
	"lightbar/internal/fleet"
	"lightbar/internal/secret"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

// SignIn is what a person types.
type SignIn struct {
	Email       string
	Password    string
	UnlockToken string
	// Awareness requests the situational-awareness mode: no idle and no absolute end.
	Awareness bool
	Caller    Caller
}

// SignIn checks a password and begins a session (requirements 7.auth). Refusals, with the texts of requirements 8.signin: invalid_grant,
// user_suspended, locked_out, password_expired, expired, dashboard_forbidden,
// not_safetycloud_enabled, not_authorized_method, awareness_not_allowed, busy;
// mfa_required and mfa_setup_required carry a wire.MFAChallenge for MFA.
func (a *Accounts) SignIn(ctx context.Context, in SignIn) (Grant, error) {
	key := fleet.EmailKey(in.Email)
	if key == "" || in.Password == "" || len(in.Password) > passwordMax || len(key) > 320 {
		return Grant{}, refuseCredentials()
	}
	u, err := store.UserByEmailKey(ctx, a.Store.Reader(), key)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return Grant{}, err
	}
	account := u.ID
	if account == "" {
		account = secret.Hash("account " + key)
	}
	from := attemptFrom{account: account, network: fleet.LimitNetwork(in.Caller.Network)}
	if from.device, err = a.knownDevice(ctx, in.Caller.Device, u.ID); err != nil {
		return Grant{}, err
	}
	if from.isKnownNetwork, err = a.isKnownNetwork(ctx, from.network, u.ID); err != nil {
		return Grant{}, err
	}
	leave, err := a.memory.hashing.admit(from.standing())
	if err != nil {
		return Grant{}, err
	}
	defer leave()
	defer a.memory.signIns.Lock(from.queue())()
	if in.UnlockToken != "" && u.ID != "" {
		if err := a.unlock(ctx, in.UnlockToken, u, in.Caller); err != nil {
			return Grant{}, err
		}
	}
	if err := a.mayAttempt(ctx, from); err != nil {
		return Grant{}, err
	}
	match, stale, err := a.matchPassword(ctx, from.standing(), in.Password, u.PasswordHash)
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

func (a *Accounts) rehash(ctx context.Context, u fleet.User, password string) {
	hash, err := a.hashPassword(ctx, password)
	if err == nil {
		err = a.Store.Write(ctx, func(tx *store.Tx) error { return tx.RehashUserPassword(ctx, u.ID, hash, u.PasswordHash) })
	}
	if err != nil {
		a.Log.Warn("password not hashed anew", "user", u.ID, "error", err) // the old hash still works
	}
}

// admit lets a user in whose password is correct, unless the account is not
// allowed to sign in.
func (a *Accounts) admit(ctx context.Context, u fleet.User, from attemptFrom, in SignIn) (Grant, error) {
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
	return a.startSession(ctx, u, entry{Method: "password", Awareness: in.Awareness}, in.Caller, func(tx *store.Tx) error {
		if err := tx.ClearAttempts(ctx, from.account, from.source()); err != nil {
			return err
		}
		return a.alarmBreakGlass(ctx, tx, u, o, in.Caller)
	})
}

// mayEnter checks everything that may keep out a user with the correct
// password.
func (a *Accounts) mayEnter(u fleet.User, o fleet.Organization, awareness bool) error {
	if err := a.mayBeIn(u, o); err != nil {
		return err
	}
	if err := a.mayUsePassword(u, o); err != nil {
		return err
	}
	return mayUseAwareness(u, o, awareness)
}

// mayBeIn checks the conditions of requirements 8.signin that apply to every way
// of signing in, in the order of its table. Refusals: user_suspended,
// dashboard_forbidden, not_safetycloud_enabled, expired.
func (a *Accounts) mayBeIn(u fleet.User, o fleet.Organization) error {
	active := max(u.LastSignInAt, u.PasswordChangedAt)
	switch {
	case u.Suspended:
		return refuseSuspended()
	case len(access.Dashboard(access.PermissionsOf(u.RoleID))) == 0:
		return fleet.Refuse("dashboard_forbidden", "", "Your user is not authorized to access {brand} Dashboard.")
	case o.DeletedAt != 0:
		return fleet.Refuse("not_safetycloud_enabled", "", "Your user is not authorized to access {brand} Dashboard.")
	case active != 0 && a.now().Sub(active) >= accountIdleLife.Duration():
		return fleet.Refuse("expired", "", "Your account has expired due to inactivity. Please contact the provider to restore your account.")
	}
	return nil
}

// mayUsePassword refuses passwords where the organization uses single sign-on,
// except for break-glass users, and passwords that have expired. Refusals:
// not_authorized_method, password_expired.
func (a *Accounts) mayUsePassword(u fleet.User, o fleet.Organization) error {
	switch end := a.passwordExpiresAt(u); {
	case o.SSOOnly && !u.BreakGlass:
		return refuseMethod()
	case end != 0 && a.now() >= end:
		return fleet.Refuse("password_expired", "", fmt.Sprintf("Your password is older than %d days. Please choose a new one.",
			int(passwordLife.Hours()/24)))
	}
	return nil
}

// refusedEntry leaves an audit row of a sign-in that the account's state refused.
func (a *Accounts) refusedEntry(ctx context.Context, u fleet.User, err error, c Caller) error {
	var refusal *fleet.Refusal
	if !errors.As(err, &refusal) {
		return err
	}
	failed := a.Store.Write(ctx, func(tx *store.Tx) error {
		return a.Audit.Write(ctx, tx, c.as(u), audit.Row{Verb: "sign_in_refused", Noun: "user", NounID: u.ID,
			After: map[string]string{"code": refusal.Code}})
	})
	return cmp.Or(failed, err)
}

func refuseSuspended() *fleet.Refusal {
	return fleet.Refuse("user_suspended", "", "User is suspended.")
}

func refuseMethod() *fleet.Refusal {
	return fleet.Refuse("not_authorized_method", "",
		"Your organization is managing user access to the {brand} dashboard. Please contact your administrator for access.")
}

// pendingEntry is the state of a sign-in whose password was correct and that waits for the second step.
type pendingEntry struct {
	Awareness  bool                  `json:"awareness,omitempty"`
	PasswordAt int64                 `json:"password_at"`       // of the correct password
	Secret     string                `json:"secret,omitempty"`  // sealed, of the authenticator app to be set up
	Passkey    *webauthn.SessionData `json:"passkey,omitempty"` // the ceremony that was begun
}

// challengeFor returns mfa_required when the user has a second factor, mfa_setup_required when there is none but the organization
// requires one, and nil when the password is enough. Earlier wrong passwords are cleared.
func (a *Accounts) challengeFor(ctx context.Context, u fleet.User, o fleet.Organization, from attemptFrom,
	in SignIn) (*fleet.Refusal, error) {
	f, err := a.factorsOf(ctx, a.Store.Reader(), u.ID)
	if err != nil || (!f.any() && !o.MFARequired) {
		return nil, err
	}
	pending := pendingEntry{Awareness: in.Awareness, PasswordAt: int64(u.PasswordChangedAt)}
	out := wire.MFAChallenge{Challenge: secret.RandomToken(prefixChallenge, secretBytes)}
	refusal := fleet.Refuse("mfa_required", "", "Please confirm your second factor.")
	if f.any() {
		if out.Passkey, pending.Passkey, err = a.askPasskey(u, f.passkeys); err != nil {
			return nil, err
		}
		out.Methods = methodsOf(f, pending.Passkey != nil)
	} else {
		refusal = fleet.Refuse("mfa_setup_required", "", "Your organization requires two-factor authentication. Please set it up.")
		if out.TOTP, pending.Secret, err = a.newTOTP(ctx, u); err != nil {
			return nil, err
		}
	}
	err = a.Store.Write(ctx, func(tx *store.Tx) error {
		if err := tx.ClearAttempts(ctx, from.account, from.source()); err != nil {
			return err
		}
		return a.keepChallenge(ctx, tx, "mfa", out.Challenge, u.ID, pending)
	})
	refusal.Challenge = out
	return refusal, err
}

func methodsOf(f factors, passkey bool) []string {
	methods := []string{}
	if f.totp.UserID != "" {
		methods = append(methods, "totp")
	}
	if passkey {
		methods = append(methods, "passkey")
	}
	if f.codes > 0 {
		methods = append(methods, "recovery")
	}
	return methods
}

// startSession signs in a user who passed every check: it counts the sign-in,
// remembers the device, begins a session and leaves an audit row, all in one
// transaction with also (which may be nil and may refuse).
func (a *Accounts) startSession(ctx context.Context, u fleet.User, how entry, c Caller, also func(*store.Tx) error) (Grant, error) {
	known, err := a.knownDevice(ctx, c.Device, u.ID)
	if err != nil {
		return Grant{}, err
	}
	device, cookie := "", ""
	if known == "" {
		device, cookie = newDevice(c.Device)
	}
	var g Grant
	err = a.Store.Write(ctx, func(tx *store.Tx) error {
		if also != nil {
			if err := also(tx); err != nil {
				return err
			}
		}
		if device != "" {
			if err := tx.InsertKnownDevice(ctx, deviceHash(device, u.ID), u.ID, a.now()); err != nil {
				return err
			}
		}
		if err := tx.NoteSignIn(ctx, u.ID, a.now()); err != nil {
			return err
		}
		var err error
		if g, err = a.insertSession(ctx, tx, u, how, c); err != nil {
			return err
		}
		return a.Audit.Write(ctx, tx, c.as(u), audit.Row{Verb: "sign_in", Noun: "user", NounID: u.ID,
			After: map[string]string{"method": how.Method}})
	})
	g.Device = cookie
	return g, err
}
