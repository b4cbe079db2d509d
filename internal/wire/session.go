package wire

import "lightbar/internal/fleet"

// TokenPair is the answer of POST /user_token (requirements 7.auth).
type TokenPair struct {
	AccessToken  string `json:"access_token"`
	RefreshToken string `json:"refresh_token,omitempty" doc:"absent when token_delivery is cookie"`
	TokenType    string `json:"token_type"`
	ExpiresIn    int64  `json:"expires_in" doc:"seconds"`
	CreatedAt    int64  `json:"created_at" doc:"seconds since the epoch"`
	// RecoveryCodes are told once, when the second factor was set up during the sign-in.
	RecoveryCodes []string `json:"recovery_codes,omitempty" doc:"mfa grant, totp_setup: shown once"`
}

// SessionRow is one signed-in device of a user.
type SessionRow struct {
	ID            string        `json:"id"`
	CreatedAt     fleet.Instant `json:"created_at" nullable:"false"`
	LastUsedAt    fleet.Instant `json:"last_used_at" nullable:"false"`
	Network       string        `json:"network"`
	UserAgent     string        `json:"user_agent"`
	Method        string        `json:"method"`
	AwarenessMode bool          `json:"awareness_mode"`
	Current       bool          `json:"current" doc:"the session that asks"`
}

// SignInLink is the answer of POST /session/link.
type SignInLink struct {
	URL       string        `json:"url"`
	ExpiresAt fleet.Instant `json:"expires_at" nullable:"false"`
}

// LinkOwner is who a sign-in link would sign in.
type LinkOwner struct {
	FirstName    string `json:"firstname"`
	LastName     string `json:"lastname"`
	Email        string `json:"email"`
	Organization string `json:"organization" doc:"its name"`
}
