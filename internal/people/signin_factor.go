package people

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"lightbar/internal/fleet"
	"lightbar/internal/secret"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

// newTOTP makes a secret for an authenticator app: as shown to the user, and sealed for storing.
func (a *Accounts) newTOTP(ctx context.Context, u fleet.User) (*wire.TOTPSecret, string, error) {
	brand, err := a.Brand(ctx)
	if err != nil {
		return nil, "", err
	}
	secret := newTOTPSecret()
	sealed, err := a.ServerKey.Seal(totpPurpose, u.ID, secret)
	if err != nil {
		return nil, "", err
	}
	return &wire.TOTPSecret{Secret: base32Plain.EncodeToString(secret), URL: totpURL(brand.Name, u.Email, secret)}, sealed, nil
}

// keepChallenge stores what an answer will be checked against, bound to a user
// and a purpose, for five minutes; it deletes expired ones.
func (a *Accounts) keepChallenge(ctx context.Context, tx *store.Tx, purpose, token, userID string, payload any) error {
	text, err := encodePayload(payload)
	if err != nil {
		return err
	}
	now := a.now()
	if err := tx.PurgeOneTimes(ctx, purpose, now); err != nil {
		return err
	}
	return tx.InsertOneTime(ctx, store.OneTime{Hash: secret.Hash(token), Purpose: purpose, UserID: userID, CreatedAt: now,
		ExpiresAt: now.Add(challengeLife),
		Payload:   text})
}

func encodePayload(v any) (string, error) {
	text, err := json.Marshal(v)
	return string(text), err
}

func decodePayload(text string, v any) error {
	if err := json.Unmarshal([]byte(text), v); err != nil {
		return fmt.Errorf("a stored challenge cannot be read: %w", err)
	}
	return nil
}

// openChallenge reads a valid challenge into payload and returns its user; empty when it is unknown, used or too old.
func (a *Accounts) openChallenge(ctx context.Context, purpose, token string, payload any) (userID string, err error) {
	if !secret.WellFormed(prefixChallenge, token) {
		return "", nil
	}
	row, err := store.OneTimeByHash(ctx, a.Store.Reader(), secret.Hash(token), purpose)
	if errors.Is(err, store.ErrNotFound) || (err == nil && (row.UsedAt != 0 || a.now() >= row.ExpiresAt)) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	return row.UserID, decodePayload(row.Payload, payload)
}

// MFA is the second step of a sign-in.
type MFA struct {
	Challenge  string
	Method     string // totp, recovery, passkey, totp_setup
	Code       string
	Credential json.RawMessage
	Caller     Caller
}

func refuseChallenge() *fleet.Refusal {
	return fleet.Refuse("mfa_challenge_expired", "", "The sign-in took too long. Please sign in again.")
}

func refuseFactor() *fleet.Refusal {
	return fleet.Refuse("mfa_failed", "", "The code is incorrect.")
}

// SignInMFA answers a challenge of SignIn and begins the session (POST
// /user_token, grant_type mfa). A challenge works from any network, for its own
// user, once. Refusals: mfa_challenge_expired, mfa_failed, locked_out, and those
// of SignIn when the account has changed meanwhile.
func (a *Accounts) SignInMFA(ctx context.Context, in MFA) (Grant, error) {
	var pending pendingEntry
	userID, err := a.openChallenge(ctx, "mfa", in.Challenge, &pending)
	if err != nil {
		return Grant{}, err
	}
	if userID == "" {
		return Grant{}, refuseChallenge()
	}
	// One at a time for each user: parallel guesses must not outrun the counter.
	defer a.memory.signIns.Lock("factor " + userID)()
	u, o, err := a.stillPending(ctx, userID, pending)
	if err != nil {
		return Grant{}, err
	}
	from, err := a.factorFrom(ctx, u, in.Caller)
	if err != nil {
		return Grant{}, err
	}
	if err := a.mayAttempt(ctx, from); err != nil {
		return Grant{}, err
	}
	if err := a.mayEnter(u, o, pending.Awareness); err != nil {
		return Grant{}, a.refusedEntry(ctx, u, err, in.Caller)
	}
	f, err := a.factorsOf(ctx, a.Store.Reader(), u.ID)
	if err != nil {
		return Grant{}, err
	}
	method, use, codes, err := a.secondStep(u, f, pending, in)
	if err != nil {
		return Grant{}, err
	}
	if use == nil {
		return Grant{}, a.failedFactor(ctx, u, from, in)
	}
	g, err := a.startSession(ctx, u, entry{Method: method, Awareness: pending.Awareness}, in.Caller, func(tx *store.Tx) error {
		return a.finishMFA(ctx, tx, u, o, from, in, use)
	})
	if errors.Is(err, errNotProved) {
		return Grant{}, a.failedFactor(ctx, u, from, in)
	}
	g.RecoveryCodes = codes
	return g, err
}

// stillPending reads the current user and organization of a challenge; a
// password changed since then ends it.
func (a *Accounts) stillPending(ctx context.Context, userID string, pending pendingEntry) (fleet.User, fleet.Organization, error) {
	u, err := store.UserByID(ctx, a.Store.Reader(), userID)
	if errors.Is(err, store.ErrNotFound) || (err == nil && int64(u.PasswordChangedAt) != pending.PasswordAt) {
		return u, fleet.Organization{}, refuseChallenge()
	}
	if err != nil {
		return u, fleet.Organization{}, err
	}
	o, err := store.OrganizationByID(ctx, a.Store.Reader(), u.OrganizationID)
	return u, o, err
}

// secondStep checks the answer; a nil proof means a wrong one. Only a user
// without a second factor may set one up here, with the secret of this
// challenge.
func (a *Accounts) secondStep(u fleet.User, f factors, pending pendingEntry, in MFA) (method string, use proof, codes []string, err error) {
	if in.Method != "totp_setup" {
		if !f.any() {
			return in.Method, nil, nil, nil
		}
		use, err = a.prove(u, f, answer{method: in.Method, code: in.Code, credential: in.Credential, session: pending.Passkey, caller: in.Caller})
		return in.Method, use, nil, err
	}
	if pending.Secret == "" || f.any() {
		return "totp", nil, nil, nil
	}
	secret, err := a.ServerKey.Open(totpPurpose, u.ID, pending.Secret)
	if err != nil {
		return "totp", nil, nil, err
	}
	step, ok := totpMatch(secret, in.Code, a.now(), 0)
	if !ok {
		return "totp", nil, nil, nil
	}
	codes, hashes := newRecoveryCodes(u.ID)
	return "totp", func(ctx context.Context, tx *store.Tx) (bool, error) {
		return true, a.installTOTP(ctx, tx, u, pending.Secret, step, hashes)
	}, codes, nil
}

// finishMFA consumes challenge and proof and resets the count of wrong answers.
func (a *Accounts) finishMFA(ctx context.Context, tx *store.Tx, u fleet.User, o fleet.Organization, from attemptFrom, in MFA,
	use proof) error {
	used, err := tx.UseOneTime(ctx, secret.Hash(in.Challenge), "mfa", a.now())
	if err != nil {
		return err
	}
	if !used {
		return refuseChallenge()
	}
	if ok, err := use(ctx, tx); err != nil {
		return err
	} else if !ok {
		return errNotProved
	}
	if err := tx.ClearAttempts(ctx, from.account, from.source()); err != nil {
		return err
	}
	return a.alarmBreakGlass(ctx, tx, u, o, in.Caller)
}

func (a *Accounts) failedFactor(ctx context.Context, u fleet.User, from attemptFrom, in MFA) error {
	if err := a.wrongFactor(ctx, u, from, "mfa_refused", in.Method, in.Caller); err != nil {
		return err
	}
	return refuseFactor()
}
