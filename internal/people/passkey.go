package people

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"lightbar/internal/fleet"
	"lightbar/internal/store"
)

// relyingParty is this installation toward authenticators (WebAuthn Level 3):
// the host of PublicURL, and pages of PublicURL only. Nil when there is no
// address, or none that browsers make passkeys for (an IP address).
func (a *Accounts) relyingParty() *webauthn.WebAuthn {
	u, err := url.Parse(a.PublicURL)
	if err != nil || u.Hostname() == "" {
		return nil
	}
	rp, err := webauthn.New(&webauthn.Config{RPID: u.Hostname(), RPDisplayName: "Lightbar", RPOrigins: []string{u.Scheme + "://" + u.Host},
		AttestationPreference: protocol.PreferNoAttestation,
		AuthenticatorSelection: protocol.AuthenticatorSelection{ResidentKey: protocol.ResidentKeyRequirementPreferred,
			UserVerification: protocol.VerificationRequired}})
	if err != nil {
		return nil
	}
	return rp
}

// keyHolder is a user as the WebAuthn library sees one.
type keyHolder struct {
	user        fleet.User
	rows        []store.Passkey
	credentials []webauthn.Credential
}

// holderOf reads the stored credentials.
func holderOf(u fleet.User, rows []store.Passkey) (*keyHolder, error) {
	h := &keyHolder{user: u, rows: rows}
	for _, row := range rows {
		var c webauthn.Credential
		if err := json.Unmarshal([]byte(row.Credential), &c); err != nil {
			return nil, fmt.Errorf("the stored passkey %s cannot be read: %w", row.ID, err)
		}
		h.credentials = append(h.credentials, c)
	}
	return h, nil
}

// WebAuthnID is the user handle: the id, which says nothing about the person.
func (h *keyHolder) WebAuthnID() []byte { return []byte(h.user.ID) }

// WebAuthnName is what authenticators show beside the key.
func (h *keyHolder) WebAuthnName() string { return h.user.Email }

// WebAuthnDisplayName is the person's name.
func (h *keyHolder) WebAuthnDisplayName() string { return h.user.FirstName + " " + h.user.LastName }

// WebAuthnCredentials are the registered keys.
func (h *keyHolder) WebAuthnCredentials() []webauthn.Credential { return h.credentials }

// askPasskey makes the request options for a user's keys and the state that must be stored until the answer comes; nil options when
// the user has no usable key.
func (a *Accounts) askPasskey(u fleet.User, rows []store.Passkey) (options any, session *webauthn.SessionData, err error) {
	rp := a.relyingParty()
	if rp == nil || len(rows) == 0 {
		return nil, nil, nil
	}
	h, err := holderOf(u, rows)
	if err != nil {
		return nil, nil, err
	}
	assertion, session, err := rp.BeginLogin(h, webauthn.WithUserVerification(protocol.VerificationRequired))
	if err != nil {
		return nil, nil, err
	}
	return assertion, session, nil
}

// answered is a passkey's correct answer: the row before, the credential after.
type answered struct {
	before store.Passkey
	after  string // the credential as JSON, with the new counter and flags
	// regressed: the counter did not grow, as after copying a key. It is audited, not refused.
	regressed bool
}

// checkPasskey verifies an answer to askPasskey: challenge, origin, relying
// party, user verification, signature and ownership (WebAuthn Level 3, 7.2).
// ok is false for everything that is wrong with it.
func (a *Accounts) checkPasskey(u fleet.User, rows []store.Passkey, session *webauthn.SessionData,
	credential json.RawMessage) (out answered, ok bool, err error) {
	rp := a.relyingParty()
	if rp == nil || session == nil {
		return out, false, nil
	}
	h, err := holderOf(u, rows)
	if err != nil {
		return out, false, err
	}
	parsed, err := protocol.ParseCredentialRequestResponseBytes(credential)
	if err != nil {
		return out, false, nil
	}
	got, err := rp.ValidateLogin(h, *session, parsed)
	if err != nil {
		a.Log.Info("passkey refused", "user", u.ID, "reason", err.Error())
		return out, false, nil
	}
	out.regressed = got.Authenticator.CloneWarning
	got.Authenticator.CloneWarning = false // applies to this use only
	text, err := json.Marshal(got)
	if err != nil {
		return out, false, err
	}
	id := passkeyID(got.ID)
	for _, row := range rows {
		if row.ID == id {
			out.before, out.after = row, string(text)
			return out, true, nil
		}
	}
	return out, false, nil
}

// passkeyID is the text of a credential's id.
func passkeyID(raw []byte) string { return base64.RawURLEncoding.EncodeToString(raw) }
