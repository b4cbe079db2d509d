package wire

import "lightbar/internal/fleet"

// Failure is every error answer of the API.
type Failure struct {
	Error            string            `json:"error" doc:"machine code, never changes once released"`
	Message          string            `json:"message"`
	Fields           map[string]string `json:"fields,omitempty"`
	Current          any               `json:"current,omitempty" doc:"409: the present state, as a success would answer it; key_made: the key that was made"`
	ChangedBy        string            `json:"changed_by,omitempty" doc:"409: who made the present state, as far as the caller may know"`
	ChangedAt        fleet.Instant     `json:"changed_at,omitempty" nullable:"false" doc:"409: when"`
	RequestID        string            `json:"request_id"`
	ErrorDescription string            `json:"error_description,omitempty" doc:"token endpoint only (RFC 6749)"`
	Challenge        string            `json:"challenge,omitempty" doc:"mfa_required, mfa_setup_required: for grant_type mfa"`
	Methods          []string          `json:"methods,omitempty" doc:"mfa_required: totp, passkey, recovery"`
	Passkey          any               `json:"passkey,omitempty" doc:"mfa_required: {publicKey: request options} (WebAuthn)"`
	TOTP             *TOTPSecret       `json:"totp,omitempty" doc:"mfa_setup_required: what the authenticator app needs"`
}
