package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"lightbar/internal/app"
	"lightbar/internal/wire"
)

type (
	stepUpInput        struct{ Body wire.StepUp }
	verifiedOutput     struct{ Body wire.One[wire.Verified] }
	secondFactorOutput struct{ Body wire.One[wire.SecondFactor] }
	totpSecretOutput   struct{ Body wire.One[wire.TOTPSecret] }
	totpCodeInput      struct{ Body wire.TOTPCode }
	recoveryOutput     struct{ Body wire.One[wire.RecoveryCodes] }
	challengeOutput    struct {
		Body wire.One[wire.PasskeyChallenge]
	}
	newPasskeyInput struct{ Body wire.NewPasskey }
	passkeyOutput   struct{ Body wire.One[wire.Passkey] }
	passkeyPath     struct {
		ID string `path:"id" maxLength:"1400" doc:"the passkey's id"`
	}
)

func (s *server) factorRoutes() {
	s.stepUpRoutes()
	s.passkeyRoutes()
	signedIn(s, huma.Operation{OperationID: "getSecondFactor", Method: http.MethodGet, Path: "/session/second_factor", Tags: []string{"Sign-in"},
		Summary: "One's own second factors", Description: "Ours."},
		func(ctx context.Context, actor *app.Actor, _ *noInput) (*secondFactorOutput, error) {
			f, err := s.app.SecondFactor(ctx, actor)
			return &secondFactorOutput{Body: wire.One[wire.SecondFactor]{Data: f}}, err
		})
	signedIn(s, huma.Operation{OperationID: "beginTOTP", Method: http.MethodPost, Path: "/session/totp", Tags: []string{"Sign-in"},
		Summary: "Begin to set up an authenticator app", Description: "Ours. Needs a step-up."},
		func(ctx context.Context, actor *app.Actor, _ *noInput) (*totpSecretOutput, error) {
			t, err := s.app.BeginTOTP(ctx, actor)
			return &totpSecretOutput{Body: wire.One[wire.TOTPSecret]{Data: t}}, err
		})
	signedIn(s, huma.Operation{OperationID: "confirmTOTP", Method: http.MethodPut, Path: "/session/totp", Tags: []string{"Sign-in"},
		Summary: "Set up the authenticator app with its first code", Description: "Ours. Needs a step-up; answers recovery codes, told once."},
		func(ctx context.Context, actor *app.Actor, in *totpCodeInput) (*recoveryOutput, error) {
			codes, err := s.app.ConfirmTOTP(ctx, actor, in.Body.Code)
			return &recoveryOutput{Body: wire.One[wire.RecoveryCodes]{Data: codes}}, err
		})
	signedIn(s, huma.Operation{OperationID: "removeTOTP", Method: http.MethodDelete, Path: "/session/totp", Tags: []string{"Sign-in"},
		Summary: "Remove the authenticator app", Description: "Ours. Needs a step-up.", Errors: []int{404}},
		func(ctx context.Context, actor *app.Actor, _ *noInput) (*doneOutput, error) {
			return done(s.app.RemoveTOTP(ctx, actor))
		})
	signedIn(s, huma.Operation{OperationID: "newRecoveryCodes", Method: http.MethodPost, Path: "/session/recovery_codes", Tags: []string{"Sign-in"},
		Summary: "Replace the recovery codes", Description: "Ours. Needs a step-up; the codes are told once."},
		func(ctx context.Context, actor *app.Actor, _ *noInput) (*recoveryOutput, error) {
			codes, err := s.app.NewRecoveryCodes(ctx, actor)
			return &recoveryOutput{Body: wire.One[wire.RecoveryCodes]{Data: codes}}, err
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
		func(ctx context.Context, actor *app.Actor, in *stepUpInput) (*verifiedOutput, error) {
			b := in.Body
			v, err := s.app.StepUp(ctx, actor, app.StepUp{Password: b.Password, Code: b.Code, Challenge: b.Challenge, Credential: b.Credential,
				Extend: b.Extend, Unlock: b.Unlock, Caller: callOf(ctx).caller()})
			return &verifiedOutput{Body: wire.One[wire.Verified]{Data: v}}, err
		})
	signedIn(s, huma.Operation{OperationID: "beginStepUpPasskey", Method: http.MethodPost, Path: "/session/step_up/passkey", Tags: []string{"Sign-in"},
		Summary: "Begin a step-up with a passkey", Description: "Ours."},
		func(ctx context.Context, actor *app.Actor, _ *noInput) (*challengeOutput, error) {
			c, err := s.app.StepUpPasskey(ctx, actor)
			return &challengeOutput{Body: wire.One[wire.PasskeyChallenge]{Data: c}}, err
		})
}

func (s *server) passkeyRoutes() {
	signedIn(s, huma.Operation{OperationID: "beginPasskey", Method: http.MethodPost, Path: "/session/passkeys/challenge", Tags: []string{"Sign-in"},
		Summary: "Begin to register a passkey", Description: "Ours. Needs a step-up."},
		func(ctx context.Context, actor *app.Actor, _ *noInput) (*challengeOutput, error) {
			c, err := s.app.BeginPasskey(ctx, actor)
			return &challengeOutput{Body: wire.One[wire.PasskeyChallenge]{Data: c}}, err
		})
	signedIn(s, huma.Operation{OperationID: "addPasskey", Method: http.MethodPost, Path: "/session/passkeys", Tags: []string{"Sign-in"},
		Summary: "Register a passkey", Description: "Ours. Needs a step-up."},
		func(ctx context.Context, actor *app.Actor, in *newPasskeyInput) (*passkeyOutput, error) {
			p, err := s.app.AddPasskey(ctx, actor, in.Body)
			return &passkeyOutput{Body: wire.One[wire.Passkey]{Data: p}}, err
		})
	signedIn(s, huma.Operation{OperationID: "removePasskey", Method: http.MethodDelete, Path: "/session/passkeys/{id}", Tags: []string{"Sign-in"},
		Summary: "Remove a passkey", Description: "Ours. Needs a step-up."},
		func(ctx context.Context, actor *app.Actor, in *passkeyPath) (*doneOutput, error) {
			return done(s.app.RemovePasskey(ctx, actor, in.ID))
		})
}
