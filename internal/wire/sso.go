package wire

import "lightbar/internal/fleet"

// SignInMethods says how people may sign in (ours).
type SignInMethods struct {
	Password  bool             `json:"password"`
	Providers []SignInProvider `json:"providers"`
	// Whether a sign-in link asks "Continue as …" before it signs in (POST /sign_in_link).
	LinkConfirmation bool `json:"link_confirmation"`
	// The rules that a new password is judged by (docs/security.md); screens show them, the server judges.
	PasswordPolicy string `json:"password_policy" enum:"specified,nist"`
}

// SignInProvider is an identity provider on the sign-in screen.
type SignInProvider struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	Start string `json:"start" doc:"address to open in the browser; may carry ?origin=/dashboard/…"`
}

// ProviderName is the provider that can confirm who the user of a session is.
type ProviderName struct {
	ID    string `json:"id"`
	Title string `json:"title"`
}

// ProviderVisit is a step-up that has begun: once the session's verified_at is
// not before begun_at, the provider has confirmed it.
type ProviderVisit struct {
	URL     string        `json:"url" doc:"address at the provider, to be opened by the browser that asked"`
	BegunAt fleet.Instant `json:"begun_at" nullable:"false"`
}
