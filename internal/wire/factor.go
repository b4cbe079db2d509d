package wire

import (
	"encoding/json"

	"lightbar/internal/fleet"
)

// MFAChallenge is what a sign-in whose password was right must answer next; its
// fields stand at the top of the failure's body.
type MFAChallenge struct {
	Challenge string
	Methods   []string
	Passkey   any
	TOTP      *TOTPSecret
}

// TOTPSecret is what an authenticator app needs (RFC 6238).
type TOTPSecret struct {
	Secret string `json:"secret" doc:"base32, for typing"`
	URL    string `json:"url" doc:"otpauth://totp/…, for a QR code"`
}

// RecoveryCodes are shown once.
type RecoveryCodes struct {
	RecoveryCodes []string `json:"recovery_codes"`
}

// Passkey is one WebAuthn credential of a user.
type Passkey struct {
	ID         string        `json:"id"`
	Name       string        `json:"name"`
	CreatedAt  fleet.Instant `json:"created_at" nullable:"false"`
	LastUsedAt fleet.Instant `json:"last_used_at" doc:"null = never"`
}

// PasskeyChallenge begins a WebAuthn ceremony: creation or request options.
type PasskeyChallenge struct {
	Challenge string `json:"challenge" doc:"send it back with the credential"`
	Passkey   any    `json:"passkey" doc:"{publicKey: …}, as navigator.credentials takes it (JSON form)"`
}

// NewPasskey is the body of POST /session/passkeys.
type NewPasskey struct {
	Challenge  string          `json:"challenge"`
	Name       string          `json:"name"`
	Credential json.RawMessage `json:"credential" doc:"PublicKeyCredential as JSON (WebAuthn RegistrationResponseJSON)"`
}

// SecondFactor is the answer of GET /session/second_factor.
type SecondFactor struct {
	TOTP              bool      `json:"totp"`
	Passkeys          []Passkey `json:"passkeys"`
	RecoveryCodesLeft int       `json:"recovery_codes_left"`
	Required          bool      `json:"required" doc:"the organization requires a second factor"`
}

// Verified is the answer of POST /session/step_up.
type Verified struct {
	VerifiedAt fleet.Instant `json:"verified_at" doc:"null: not since a sign-in by link"`
	Until      fleet.Instant `json:"until" doc:"how long calls that ask for it are satisfied"`
	EndsAt     fleet.Instant `json:"ends_at" doc:"the session's absolute end; null in awareness mode"`
}
