package people

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/go-webauthn/webauthn/webauthn"

	"lightbar/catalog"
	"lightbar/internal/audit"
	"lightbar/internal/fleet"
	"lightbar/internal/secret"
	"lightbar/internal/store"
)

var (
	challengeLife = catalog.LimitMs("session", "mfaChallengeMs")
	recoveryCount = int(catalog.LimitInt("session", "recoveryCodes"))
	passkeysMost  = int(catalog.LimitInt("session", "passkeysPerUser"))
)

// recoveryBytes gives 16 letters and digits: 80 bits, enough for storing only a plain hash.
const recoveryBytes = 10

// factors are a user's second factors.
type factors struct {
	totp     store.TOTP // without UserID: there is none
	passkeys []store.Passkey
	codes    int // recovery codes left
}

// any reports whether there is a second factor; recovery codes alone do not count.
func (f factors) any() bool { return f.totp.UserID != "" || len(f.passkeys) > 0 }

func (a *Accounts) factorsOf(ctx context.Context, r store.Reader, userID string) (factors, error) {
	var f factors
	t, err := store.TOTPOf(ctx, r, userID)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return f, err
	}
	if err == nil && t.ConfirmedAt != 0 {
		f.totp = t
	}
	if f.passkeys, err = store.PasskeysOf(ctx, r, userID); err != nil {
		return f, err
	}
	f.codes, err = store.RecoveryCodesLeft(ctx, r, userID)
	return f, err
}

// answer is a proof that somebody offers.
type answer struct {
	method     string // password, totp, recovery, passkey
	code       string
	credential json.RawMessage
	session    *webauthn.SessionData // of the challenge the credential answers
	caller     Caller
}

// proof is a correct answer that has not been consumed yet. It is consumed in the transaction that it permits; false when another
// request consumed it first.
type proof func(ctx context.Context, tx *store.Tx) (bool, error)

// errNotProved undoes a transaction whose proof was consumed by another request.
var errNotProved = errors.New("the proof has been used")

// prove checks an answer against a user's second factors; nil for a wrong one.
func (a *Accounts) prove(u fleet.User, f factors, in answer) (proof, error) {
	switch in.method {
	case "totp":
		return a.proveTOTP(u, f, in.code)
	case "recovery":
		hash := recoveryHash(u.ID, in.code)
		return func(ctx context.Context, tx *store.Tx) (bool, error) {
			return tx.UseRecoveryCode(ctx, u.ID, hash, a.now())
		}, nil
	case "passkey":
		got, ok, err := a.checkPasskey(u, f.passkeys, in.session, in.credential)
		if err != nil || !ok {
			return nil, err
		}
		return func(ctx context.Context, tx *store.Tx) (bool, error) {
			used, err := tx.UsePasskey(ctx, got.before, got.after, a.now())
			if err != nil || !used || !got.regressed {
				return used, err
			}
			return true, a.Audit.Write(ctx, tx, in.caller.as(u), audit.Row{Verb: "passkey_counter", Noun: "user", NounID: u.ID,
				After: map[string]string{"passkey": got.before.ID}})
		}, nil
	}
	return nil, nil
}

func (a *Accounts) proveTOTP(u fleet.User, f factors, code string) (proof, error) {
	if f.totp.UserID == "" {
		return nil, nil
	}
	secret, err := a.ServerKey.Open(totpPurpose, u.ID, f.totp.Secret)
	if err != nil {
		return nil, err
	}
	step, ok := totpMatch(secret, code, a.now(), f.totp.LastStep)
	if !ok {
		return nil, nil
	}
	return func(ctx context.Context, tx *store.Tx) (bool, error) { return tx.UseTOTPStep(ctx, f.totp, step) }, nil
}

// factorFrom is the counter for second factors and step-ups. It is separate from the one for passwords, so that neither can lock
// out the other.
func (a *Accounts) factorFrom(ctx context.Context, u fleet.User, c Caller) (attemptFrom, error) {
	device, err := a.knownDevice(ctx, c.Device, u.ID)
	return attemptFrom{account: "factor " + u.ID, network: fleet.LimitNetwork(c.Network), device: device}, err
}

// wrongFactor counts a wrong second factor or step-up and leaves an audit row.
func (a *Accounts) wrongFactor(ctx context.Context, u fleet.User, from attemptFrom, verb, method string, c Caller) error {
	return a.Store.Write(ctx, func(tx *store.Tx) error {
		if err := tx.PurgeAttempts(ctx, a.now().Add(-2*time.Hour)); err != nil {
			return err
		}
		if err := tx.InsertAttempt(ctx, from.account, from.source(), a.now(), a.NewID()); err != nil {
			return err
		}
		return a.Audit.Write(ctx, tx, c.as(u), audit.Row{Verb: verb, Noun: "user", NounID: u.ID, After: map[string]string{"method": method}})
	})
}

// newRecoveryCodes makes codes that are easy to read and type, in groups of four letters, and their hashes.
func newRecoveryCodes(userID string) (codes, hashes []string) {
	for range recoveryCount {
		raw := make([]byte, recoveryBytes)
		_, _ = rand.Read(raw) // crypto/rand never fails
		text := base32Plain.EncodeToString(raw)
		code := text[0:4] + "-" + text[4:8] + "-" + text[8:12] + "-" + text[12:16]
		codes, hashes = append(codes, code), append(hashes, recoveryHash(userID, code))
	}
	return codes, hashes
}

// recoveryHash is the stored form of a recovery code: bound to the user and
// independent of how it was typed. Digits that base32 does not have are read as
// the letters they resemble.
func recoveryHash(userID, code string) string {
	plain := strings.NewReplacer("0", "O", "1", "I", "8", "B").Replace(typedCode(code))
	return secret.Hash("recovery " + userID + " " + plain)
}
