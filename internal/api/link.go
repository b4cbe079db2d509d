package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"lightbar/internal/app"
)

type (
	emailInput struct {
		Body struct {
			Email string `json:"email" maxLength:"320" doc:"the address the account signs in with"`
		}
	}
	choosePasswordInput struct {
		Body struct {
			Token    string `json:"token" maxLength:"600" doc:"of the mailed link"`
			Password string `json:"password" maxLength:"1024"`
		}
	}
	changePasswordInput struct {
		Body struct {
			CurrentPassword string `json:"current_password" maxLength:"1024"`
			Password        string `json:"password" maxLength:"1024"`
		}
	}
	// doneOutput answers an empty object: there is nothing to tell.
	doneOutput struct{ Body struct{} }
)

// linkRoutes are the ways to a password by mail (specification section 7), and
// the change of one's own.
func (s *server) linkRoutes() {
	open(s, huma.Operation{OperationID: "forgotPassword", Method: http.MethodPost, Path: "/forgot_password", Tags: []string{"Sign-in"},
		Summary: "Mail a link to choose a new password", Description: "404 for an unknown address, unless the operator answers all addresses alike.",
		Errors: []int{400, 404, 422, 429, 503}}, s.forgotPassword)
	open(s, huma.Operation{OperationID: "unlockAccount", Method: http.MethodPost, Path: "/unlock_account", Tags: []string{"Sign-in"},
		Summary: "Mail a link to sign in after too many wrong passwords", Description: "Its token is the unlock_token of POST /user_token.",
		Errors: []int{400, 404, 422, 429, 503}}, s.unlockAccount)
	open(s, huma.Operation{OperationID: "resetPassword", Method: http.MethodPut, Path: "/reset_password", Tags: []string{"Sign-in"},
		Summary: "Choose a new password by a mailed link", Description: "The token works once. All sessions of the user end; nobody is signed in.",
		Errors: []int{400, 401, 404, 422, 429, 503}}, s.resetPassword)
	open(s, huma.Operation{OperationID: "acceptInvitation", Method: http.MethodPut, Path: "/accept_invitation", Tags: []string{"Sign-in"},
		Summary: "Choose the first password by an invitation", Description: "The token works once. Nobody is signed in.",
		Errors: []int{400, 401, 422, 429, 503}}, s.acceptInvitation)
	signedIn(s, huma.Operation{OperationID: "changePassword", Method: http.MethodPut, Path: "/session/password", Tags: []string{"Session"},
		Summary: "Change the own password", Description: "The user's other sessions end."}, s.changePassword)
}

func (s *server) forgotPassword(ctx context.Context, c *call, in *emailInput) (*doneOutput, error) {
	return done(s.app.ForgotPassword(ctx, in.Body.Email, c.caller()))
}

func (s *server) unlockAccount(ctx context.Context, c *call, in *emailInput) (*doneOutput, error) {
	return done(s.app.UnlockAccount(ctx, in.Body.Email, c.caller()))
}

func (s *server) resetPassword(ctx context.Context, c *call, in *choosePasswordInput) (*doneOutput, error) {
	return done(suspendedIs401(s.app.ResetPassword(ctx, in.Body.Token, in.Body.Password, c.caller())))
}

func (s *server) acceptInvitation(ctx context.Context, c *call, in *choosePasswordInput) (*doneOutput, error) {
	return done(suspendedIs401(s.app.AcceptInvitation(ctx, in.Body.Token, in.Body.Password, c.caller())))
}

func (s *server) changePassword(ctx context.Context, actor *app.Actor, in *changePasswordInput) (*doneOutput, error) {
	return done(s.app.ChangePassword(ctx, actor, in.Body.CurrentPassword, in.Body.Password))
}

func done(err error) (*doneOutput, error) {
	if err != nil {
		return nil, err
	}
	return &doneOutput{}, nil
}

// suspendedIs401 gives user_suspended the status that the specification has for
// links; at sign-in the same code is 400 (section 8, "Token and password").
func suspendedIs401(err error) error {
	if err == nil {
		return nil
	}
	f := failureOf(err)
	if f.Failure.Error != "user_suspended" {
		return err
	}
	out := *f
	out.status = http.StatusUnauthorized
	return &out
}
