package people

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/audit"
	"lightbar/internal/fleet"
	"lightbar/internal/secret"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

var passkeyNameMost = int(catalog.LimitInt("text", "name"))

// pendingPasskey is the state of a registration in progress; it belongs to one
// session.
type pendingPasskey struct {
	SessionID string                `json:"session_id"`
	Ceremony  *webauthn.SessionData `json:"ceremony"`
}

func refusePasskey(field, sentence string) *fleet.Refusal {
	return fleet.Refuse("validation_failed", field, sentence)
}

// BeginPasskey begins the registration of a passkey: it returns the creation options for navigator.credentials, and the challenge
// that AddPasskey needs within five minutes. Refusals: step_up_required, validation_failed.
func (a *Accounts) BeginPasskey(ctx context.Context, actor *access.Actor) (wire.PasskeyChallenge, error) {
	u, _, err := a.changingFactors(ctx, actor)
	if err != nil {
		return wire.PasskeyChallenge{}, err
	}
	rp := a.relyingParty()
	if rp == nil {
		return wire.PasskeyChallenge{}, refusePasskey("", "Passkeys need a host name. They don't work with an IP address.")
	}
	rows, err := store.PasskeysOf(ctx, a.Store.Reader(), u.ID)
	if err != nil {
		return wire.PasskeyChallenge{}, err
	}
	if len(rows) >= passkeysMost {
		return wire.PasskeyChallenge{}, refusePasskey("", fmt.Sprintf("You have %d passkeys already. Remove one first.", len(rows)))
	}
	h, err := holderOf(u, rows)
	if err != nil {
		return wire.PasskeyChallenge{}, err
	}
	options, ceremony, err := rp.BeginRegistration(h, webauthn.WithExclusions(webauthn.Credentials(h.credentials).CredentialDescriptors()))
	if err != nil {
		return wire.PasskeyChallenge{}, err
	}
	token := secret.RandomToken(prefixChallenge, secretBytes)
	err = a.Store.Write(ctx, func(tx *store.Tx) error {
		return a.keepChallenge(ctx, tx, "passkey", token, u.ID, pendingPasskey{SessionID: actor.SessionID, Ceremony: ceremony})
	})
	return wire.PasskeyChallenge{Challenge: token, Passkey: options}, err
}

// AddPasskey registers the key that answered BeginPasskey (WebAuthn Level 3,
// 7.1). Refusals: step_up_required, validation_failed.
func (a *Accounts) AddPasskey(ctx context.Context, actor *access.Actor, in wire.NewPasskey) (wire.Passkey, error) {
	u, _, err := a.changingFactors(ctx, actor)
	if err != nil {
		return wire.Passkey{}, err
	}
	name := strings.TrimSpace(in.Name)
	if name == "" || len([]rune(name)) > passkeyNameMost {
		return wire.Passkey{}, refusePasskey("name", fmt.Sprintf("The name must have 1 to %d characters.", passkeyNameMost))
	}
	var pending pendingPasskey
	owner, err := a.openChallenge(ctx, "passkey", in.Challenge, &pending)
	if err != nil {
		return wire.Passkey{}, err
	}
	rp := a.relyingParty()
	if owner != u.ID || pending.SessionID != actor.SessionID || rp == nil {
		return wire.Passkey{}, refusePasskey("challenge", "This took too long. Please start again.")
	}
	row, err := a.createPasskey(rp, u, name, pending, in.Credential)
	if err != nil {
		return wire.Passkey{}, err
	}
	err = a.Store.Write(ctx, func(tx *store.Tx) error {
		used, err := tx.UseOneTime(ctx, secret.Hash(in.Challenge), "passkey", a.now())
		if err != nil {
			return err
		}
		if !used {
			return refusePasskey("challenge", "This took too long. Please start again.")
		}
		if err := a.endOverdue(ctx, tx, u); err != nil {
			return err
		}
		added, err := tx.InsertPasskey(ctx, row)
		if err != nil {
			return err
		}
		if !added {
			return refusePasskey("credential", "This passkey is already registered.")
		}
		if err := a.Audit.Write(ctx, tx, actor, audit.Row{Verb: "passkey_added", Noun: "passkey", NounID: row.ID,
			OrganizationID: u.OrganizationID,
			After:          map[string]string{"name": row.Name}}); err != nil {
			return err
		}
		return a.tellFactorChanged(ctx, tx, u, "a passkey was added")
	})
	return passkeyWire(row), err
}

func (a *Accounts) createPasskey(rp *webauthn.WebAuthn, u fleet.User, name string, pending pendingPasskey,
	credential json.RawMessage) (store.Passkey, error) {
	wrong := refusePasskey("credential", "The passkey couldn't be verified.")
	parsed, err := protocol.ParseCredentialCreationResponseBytes(credential)
	if err != nil {
		return store.Passkey{}, wrong
	}
	made, err := rp.CreateCredential(&keyHolder{user: u}, *pending.Ceremony, parsed)
	if err != nil {
		a.Log.Info("passkey not registered", "user", u.ID, "reason", err.Error())
		return store.Passkey{}, wrong
	}
	text, err := json.Marshal(made)
	if err != nil {
		return store.Passkey{}, err
	}
	return store.Passkey{ID: passkeyID(made.ID), UserID: u.ID, Name: name, Credential: string(text), CreatedAt: a.now()}, nil
}

// RemovePasskey removes one of one's own passkeys. Refusals: step_up_required,
// not_found, last_factor.
func (a *Accounts) RemovePasskey(ctx context.Context, actor *access.Actor, id string) error {
	u, o, err := a.changingFactors(ctx, actor)
	if err != nil {
		return err
	}
	return a.Store.Write(ctx, func(tx *store.Tx) error {
		gone, err := tx.DeletePasskey(ctx, id, u.ID)
		if err != nil {
			return err
		}
		if !gone {
			return fleet.Refuse("not_found", "", "Passkey not found")
		}
		return a.factorRemoved(ctx, tx, actor, u, o, "a passkey was removed",
			audit.Row{Verb: "passkey_removed", Noun: "passkey", NounID: id, OrganizationID: u.OrganizationID})
	})
}
