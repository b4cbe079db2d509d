package people

import (
	"cmp"
	"context"
	"errors"

	"lightbar/internal/access"
	"lightbar/internal/audit"
	"lightbar/internal/fleet"
	"lightbar/internal/secret"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

// mustBePerson refuses API keys where only a signed-in user makes sense.
func mustBePerson(actor *access.Actor) error {
	if actor.UserID == "" || actor.SessionID == "" {
		return fleet.Refuse("forbidden", "", "Sorry, you are not currently authorized to access this page.")
	}
	return nil
}

// ownUser reads the signed-in user and their organization.
func (a *Accounts) ownUser(ctx context.Context, r store.Reader, actor *access.Actor) (fleet.User, fleet.Organization, error) {
	u, err := store.UserByID(ctx, r, actor.UserID)
	if errors.Is(err, store.ErrNotFound) {
		return u, fleet.Organization{}, refuseToken()
	}
	if err != nil {
		return u, fleet.Organization{}, err
	}
	o, err := store.OrganizationByID(ctx, r, u.OrganizationID)
	return u, o, err
}

// changingFactors begins every change of one's own second factors: it requires a signed-in user with a fresh proof of identity.
func (a *Accounts) changingFactors(ctx context.Context, actor *access.Actor) (fleet.User, fleet.Organization, error) {
	if err := mustBePerson(actor); err != nil {
		return fleet.User{}, fleet.Organization{}, err
	}
	if err := a.MustBeFresh(ctx, actor); err != nil {
		return fleet.User{}, fleet.Organization{}, err
	}
	return a.ownUser(ctx, a.Store.Reader(), actor)
}

// SecondFactor returns what is set up. It needs no permission: everybody can read their own.
func (a *Accounts) SecondFactor(ctx context.Context, actor *access.Actor) (wire.SecondFactor, error) {
	if err := mustBePerson(actor); err != nil {
		return wire.SecondFactor{}, err
	}
	r := a.Store.Reader()
	u, o, err := a.ownUser(ctx, r, actor)
	if err != nil {
		return wire.SecondFactor{}, err
	}
	f, err := a.factorsOf(ctx, r, u.ID)
	out := wire.SecondFactor{TOTP: f.totp.UserID != "", Passkeys: []wire.Passkey{}, RecoveryCodesLeft: f.codes, Required: o.MFARequired}
	for _, p := range f.passkeys {
		out.Passkeys = append(out.Passkeys, passkeyWire(p))
	}
	return out, err
}

func passkeyWire(p store.Passkey) wire.Passkey {
	return wire.Passkey{ID: p.ID, Name: p.Name, CreatedAt: p.CreatedAt, LastUsedAt: p.LastUsedAt}
}

// BeginTOTP makes the secret of an authenticator app; it becomes valid with ConfirmTOTP, and an older one stays until then.
// Refusals: step_up_required.
func (a *Accounts) BeginTOTP(ctx context.Context, actor *access.Actor) (wire.TOTPSecret, error) {
	u, _, err := a.changingFactors(ctx, actor)
	if err != nil {
		return wire.TOTPSecret{}, err
	}
	shown, sealed, err := a.newTOTP(ctx, u)
	if err != nil {
		return wire.TOTPSecret{}, err
	}
	err = a.Store.Write(ctx, func(tx *store.Tx) error {
		if err := tx.DropOneTimes(ctx, "totp", u.ID, a.now()); err != nil {
			return err
		}
		return a.keepChallenge(ctx, tx, "totp", secret.RandomToken(prefixChallenge, secretBytes), u.ID, pendingEntry{Secret: sealed})
	})
	return *shown, err
}

// ConfirmTOTP sets up the authenticator app with its first code and returns ten recovery codes, shown only once; older ones stop
// working. Refusals: step_up_required, validation_failed.
func (a *Accounts) ConfirmTOTP(ctx context.Context, actor *access.Actor, code string) (wire.RecoveryCodes, error) {
	u, _, err := a.changingFactors(ctx, actor)
	if err != nil {
		return wire.RecoveryCodes{}, err
	}
	codes, hashes := newRecoveryCodes(u.ID)
	err = a.Store.Write(ctx, func(tx *store.Tx) error {
		row, err := store.LatestOneTime(ctx, tx, "totp", u.ID, a.now())
		if errors.Is(err, store.ErrNotFound) {
			return fleet.Refuse("validation_failed", "code", "This took too long. Please start again.")
		}
		if err != nil {
			return err
		}
		var pending pendingEntry
		if err := decodePayload(row.Payload, &pending); err != nil {
			return err
		}
		secret, err := a.ServerKey.Open(totpPurpose, u.ID, pending.Secret)
		if err != nil {
			return err
		}
		step, ok := totpMatch(secret, code, a.now(), 0)
		if !ok {
			return fleet.Refuse("validation_failed", "code", "The code is incorrect.")
		}
		if used, err := tx.UseOneTime(ctx, row.Hash, "totp", a.now()); err != nil || !used {
			return cmp.Or[error](err, fleet.Refuse("validation_failed", "code", "This took too long. Please start again."))
		}
		if err := a.installTOTP(ctx, tx, u, pending.Secret, step, hashes); err != nil {
			return err
		}
		return a.Audit.Write(ctx, tx, actor, audit.Row{Verb: "totp_set_up", Noun: "user", NounID: u.ID, OrganizationID: u.OrganizationID})
	})
	if err != nil {
		return wire.RecoveryCodes{}, err
	}
	return wire.RecoveryCodes{RecoveryCodes: codes}, nil
}

// installTOTP makes a sealed secret the user's authenticator app, with the step
// of its first code consumed, and replaces the recovery codes.
func (a *Accounts) installTOTP(ctx context.Context, tx *store.Tx, u fleet.User, sealed string, step int64, hashes []string) error {
	if err := a.endOverdue(ctx, tx, u); err != nil {
		return err
	}
	if err := tx.PutTOTP(ctx, store.TOTP{UserID: u.ID, Secret: sealed, ConfirmedAt: a.now(), LastStep: step}); err != nil {
		return err
	}
	if err := tx.PutRecoveryCodes(ctx, u.ID, hashes); err != nil {
		return err
	}
	return a.tellFactorChanged(ctx, tx, u, "an authenticator app was set up")
}

// RemoveTOTP removes the authenticator app. Refusals: step_up_required, not_found, last_factor.
func (a *Accounts) RemoveTOTP(ctx context.Context, actor *access.Actor) error {
	u, o, err := a.changingFactors(ctx, actor)
	if err != nil {
		return err
	}
	return a.Store.Write(ctx, func(tx *store.Tx) error {
		gone, err := tx.DeleteTOTP(ctx, u.ID)
		if err != nil {
			return err
		}
		if !gone {
			return fleet.Refuse("not_found", "", "No authenticator app is set up.")
		}
		return a.factorRemoved(ctx, tx, actor, u, o, "an authenticator app was removed",
			audit.Row{Verb: "totp_removed", Noun: "user", NounID: u.ID, OrganizationID: u.OrganizationID})
	})
}

// factorRemoved finishes the removal of a factor. If the organization requires
// one, the last factor cannot be removed; recovery codes go with the last
// factor.
func (a *Accounts) factorRemoved(ctx context.Context, tx *store.Tx, actor *access.Actor, u fleet.User, o fleet.Organization, what string,
	row audit.Row) error {
	left, err := store.HasFactor(ctx, tx, u.ID)
	if err != nil {
		return err
	}
	if !left {
		if o.MFARequired {
			return fleet.Refuse("last_factor", "", "Your organization requires two-factor authentication. Set up another method first.")
		}
		if err := tx.PutRecoveryCodes(ctx, u.ID, nil); err != nil {
			return err
		}
	}
	if err := a.Audit.Write(ctx, tx, actor, row); err != nil {
		return err
	}
	return a.tellFactorChanged(ctx, tx, u, what)
}

// NewRecoveryCodes replaces the recovery codes by ten new ones, shown only once. Refusals: step_up_required, validation_failed (no
// second factor).
func (a *Accounts) NewRecoveryCodes(ctx context.Context, actor *access.Actor) (wire.RecoveryCodes, error) {
	u, _, err := a.changingFactors(ctx, actor)
	if err != nil {
		return wire.RecoveryCodes{}, err
	}
	codes, hashes := newRecoveryCodes(u.ID)
	err = a.Store.Write(ctx, func(tx *store.Tx) error {
		has, err := store.HasFactor(ctx, tx, u.ID)
		if err != nil {
			return err
		}
		if !has {
			return fleet.Refuse("validation_failed", "", "Set up an authenticator app or a passkey first.")
		}
		if err := tx.PutRecoveryCodes(ctx, u.ID, hashes); err != nil {
			return err
		}
		if err := a.Audit.Write(ctx, tx, actor, audit.Row{Verb: "recovery_codes", Noun: "user", NounID: u.ID,
			OrganizationID: u.OrganizationID}); err != nil {
			return err
		}
		return a.tellFactorChanged(ctx, tx, u, "new recovery codes were made")
	})
	if err != nil {
		return wire.RecoveryCodes{}, err
	}
	return wire.RecoveryCodes{RecoveryCodes: codes}, nil
}

// tellFactorChanged mails the user what changed in their second factor.
func (a *Accounts) tellFactorChanged(ctx context.Context, tx *store.Tx, u fleet.User, what string) error {
	return a.QueueMail(ctx, tx, Mail{Kind: "second_factor_changed", UserID: u.ID, To: u.Email, Data: map[string]string{"what": what}})
}
