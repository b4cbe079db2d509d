package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"lightbar/internal/app"
	"lightbar/internal/wire"
)

type (
	stepUpInput     struct{ Body wire.StepUp }
	totpCodeInput   struct{ Body wire.TOTPCode }
	newPasskeyInput struct{ Body wire.NewPasskey }
	passkeyPath     struct {
		ID string `path:"id" maxLength:"1400" doc:"the passkey's id"`
	}
)

func (s *server) factorRoutes() {
	s.stepUpRoutes()
	s.passkeyRoutes()
	signedIn(s, huma.Operation{OperationID: "getSecondFactor", Method: http.MethodGet, Path: "/session/second_factor", Tags: []string{"Sign-in"},
		Summary: "One's own second factors", Description: "Ours."},
		func(ctx context.Context, actor *app.Actor, _ *noInput) (*oneOf[wire.SecondFactor], error) {
			return one(s.app.SecondFactor(ctx, actor))
		})
	signedIn(s, huma.Operation{OperationID: "beginTOTP", Method: http.MethodPost, Path: "/session/totp", Tags: []string{"Sign-in"},
		Summary: "Begin to set up an authenticator app", Description: "Ours. Needs a step-up."},
		func(ctx context.Context, actor *app.Actor, _ *noInput) (*oneOf[wire.TOTPSecret], error) {
			return one(s.app.BeginTOTP(ctx, actor))
		})
	signedIn(s, huma.Operation{OperationID: "confirmTOTP", Method: http.MethodPut, Path: "/session/totp", Tags: []string{"Sign-in"},
		Summary: "Set up the authenticator app with its first code", Description: "Ours. Needs a step-up; answers recovery codes, told once."},
		func(ctx context.Context, actor *app.Actor, in *totpCodeInput) (*oneOf[wire.RecoveryCodes], error) {
			return one(s.app.ConfirmTOTP(ctx, actor, in.Body.Code))
		})
	signedIn(s, huma.Operation{OperationID: "removeTOTP", Method: http.MethodDelete, Path: "/session/totp", Tags: []string{"Sign-in"},
		Summary: "Remove the authenticator app", Description: "Ours. Needs a step-up.", Errors: []int{404}},
		func(ctx context.Context, actor *app.Actor, _ *noInput) (*doneOutput, error) {
			return done(s.app.RemoveTOTP(ctx, actor))
		})
	signedIn(s, huma.Operation{OperationID: "newRecoveryCodes", Method: http.MethodPost, Path: "/session/recovery_codes", Tags: []string{"Sign-in"},
		Summary: "Replace the recovery codes", Description: "Ours. Needs a step-up; the codes are told once."},
		func(ctx context.Context, actor *app.Actor, _ *noInput) (*oneOf[wire.RecoveryCodes], error) {
			return one(s.app.NewRecoveryCodes(ctx, actor))
		})
	signedIn(s, huma.Operation{OperationID: "resetSecondFactor", Method: http.MethodDelete, Path: "/users/{id}/second_factor", Tags: []string{"People"},
		Summary: "Take a user's second factors away", Description: "Ours: for a lost phone or key. Needs a step-up; ends the user's sessions."},
		func(ctx context.Context, actor *app.Actor, in *userPath) (*doneOutput, error) {
			return done(s.app.ResetSecondFactor(ctx, actor, in.ID.String()))
		})
}

func (s *server) stepUpRoutes() {
	signedIn(s, huma.Operation{OperationID: "stepUp", Method: http.MethodPost, Path: "/session/step_up", Tags: []string{"Sign-in"},
		Summary: "Prove again who is there", Description: "Ours. Password, code, or a passkey's answer; with unlock for the lock screen alone, where a password does. " +
			"With extend the session's absolute end moves to 24 h from now; renew the tokens afterwards."},
		func(ctx context.Context, actor *app.Actor, in *stepUpInput) (*oneOf[wire.Verified], error) {
			b := in.Body
			return one(s.app.StepUp(ctx, actor, app.StepUp{Password: b.Password, Code: b.Code, Challenge: b.Challenge, Credential: b.Credential,
				Extend: b.Extend, Unlock: b.Unlock, Caller: callOf(ctx).caller()}))
		})
	signedIn(s, huma.Operation{OperationID: "beginStepUpPasskey", Method: http.MethodPost, Path: "/session/step_up/passkey", Tags: []string{"Sign-in"},
		Summary: "Begin a step-up with a passkey", Description: "Ours."},
		func(ctx context.Context, actor *app.Actor, _ *noInput) (*oneOf[wire.PasskeyChallenge], error) {
			return one(s.app.StepUpPasskey(ctx, actor))
		})
}

func (s *server) passkeyRoutes() {
	signedIn(s, huma.Operation{OperationID: "beginPasskey", Method: http.MethodPost, Path: "/session/passkeys/challenge", Tags: []string{"Sign-in"},
		Summary: "Begin to register a passkey", Description: "Ours. Needs a step-up."},
		func(ctx context.Context, actor *app.Actor, _ *noInput) (*oneOf[wire.PasskeyChallenge], error) {
			return one(s.app.BeginPasskey(ctx, actor))
		})
	signedIn(s, huma.Operation{OperationID: "addPasskey", Method: http.MethodPost, Path: "/session/passkeys", Tags: []string{"Sign-in"},
		Summary: "Register a passkey", Description: "Ours. Needs a step-up."},
		func(ctx context.Context, actor *app.Actor, in *newPasskeyInput) (*oneOf[wire.Passkey], error) {
			return one(s.app.AddPasskey(ctx, actor, in.Body))
		})
	signedIn(s, huma.Operation{OperationID: "removePasskey", Method: http.MethodDelete, Path: "/session/passkeys/{id}", Tags: []string{"Sign-in"},
		Summary: "Remove a passkey", Description: "Ours. Needs a step-up."},
		func(ctx context.Context, actor *app.Actor, in *passkeyPath) (*doneOutput, error) {
			return done(s.app.RemovePasskey(ctx, actor, in.ID))
		})
}
