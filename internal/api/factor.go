package api

import (
	"context"
	"encoding/json"
	"net/http"

	"lightbar/internal/access"
	"lightbar/internal/people"
	"lightbar/internal/wire"
)

type passkeyPath struct {
	ID string `path:"id" maxLength:"1400" doc:"the passkey's id"`
}

// TOTPCode is the body of PUT /session/totp.
type TOTPCode struct {
	Code string `json:"code" doc:"six digits"`
}

// StepUp is the body of POST /session/step_up: a password (of those without a
// second factor, or to unlock the screen), a code of the authenticator app or a recovery code, or a
// passkey's answer to a challenge.
type StepUp struct {
	Password   string          `json:"password,omitempty" doc:"for users without a second factor; with unlock, for everyone"`
	Code       string          `json:"code,omitempty" doc:"of the authenticator app, or a recovery code"`
	Challenge  string          `json:"challenge,omitempty"`
	Credential json.RawMessage `json:"credential,omitempty"`
	Extend     bool            `json:"extend,omitempty" doc:"extend the session's absolute end to 24 h from now"`
	Unlock     bool            `json:"unlock,omitempty" doc:"only for the lock screen; it proves nothing else"`
}

func byPasskey(in *passkeyPath) (string, error) { return in.ID, nil }

func (s *server) factorRoutes() {
	s.stepUpRoutes()
	s.passkeyRoutes()
	factors := group{s, "Sign-in"}
	read(factors, "getSecondFactor", "/session/second_factor", "The caller's second factors.", nothing, actorOnly(s.app.SecondFactor))
	do(factors, http.MethodPost, "beginTOTP", "/session/totp", "Start setting up an authenticator app. Needs a step-up.",
		nothing, actorOnly(s.app.BeginTOTP))
	do(factors, http.MethodPut, "confirmTOTP", "/session/totp",
		"Set up the authenticator app with its first code. Needs a step-up; returns recovery codes, shown once.", body, s.confirmTOTP)
	remove(factors, "removeTOTP", "/session/totp", "Remove the authenticator app. Needs a step-up.",
		nothing, actorOnlyNoContent(s.app.RemoveTOTP), http.StatusNotFound)
	do(factors, http.MethodPost, "newRecoveryCodes", "/session/recovery_codes",
		"Replace the recovery codes. Needs a step-up; the codes are shown once.", nothing, actorOnly(s.app.NewRecoveryCodes))
	remove(group{s, "People"}, "resetSecondFactor", "/users/{id}/second_factor",
		"Remove a user's second factors, for example after a lost phone or key. Needs a step-up; ends the user's sessions.",
		byUser, s.app.ResetSecondFactor)
}

func (s *server) stepUpRoutes() {
	proofs := group{s, "Sign-in"}
	do(proofs, http.MethodPost, "stepUp", "/session/step_up",
		"Confirm the caller's identity again. Password, code, or a passkey's answer. "+
			"With unlock, only for the lock screen, where a password is enough. "+
			"With extend, the session's absolute end moves to 24 h from now; then renew the tokens.", body, s.stepUp)
	do(proofs, http.MethodPost, "beginStepUpPasskey", "/session/step_up/passkey", "Start a step-up with a passkey.",
		nothing, actorOnly(s.app.StepUpPasskey))
}

func (s *server) passkeyRoutes() {
	passkeys := group{s, "Sign-in"}
	do(passkeys, http.MethodPost, "beginPasskey", "/session/passkeys/challenge", "Start registering a passkey. Needs a step-up.",
		nothing, actorOnly(s.app.BeginPasskey))
	do(passkeys, http.MethodPost, "addPasskey", "/session/passkeys", "Register a passkey. Needs a step-up.", body, s.app.AddPasskey)
	remove(passkeys, "removePasskey", "/session/passkeys/{id}", "Remove a passkey. Needs a step-up.", byPasskey, s.app.RemovePasskey)
}

func (s *server) confirmTOTP(ctx context.Context, actor *access.Actor, b TOTPCode) (wire.RecoveryCodes, error) {
	return s.app.ConfirmTOTP(ctx, actor, b.Code)
}

func (s *server) stepUp(ctx context.Context, actor *access.Actor, b StepUp) (wire.Verified, error) {
	return s.app.StepUp(ctx, actor, people.StepUp{Password: b.Password, Code: b.Code, Challenge: b.Challenge, Credential: b.Credential,
		Extend: b.Extend, Unlock: b.Unlock, Caller: callOf(ctx).caller()})
}
