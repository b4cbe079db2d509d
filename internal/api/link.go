package api

import (
	"context"
	"net/http"

	"lightbar/internal/access"
)

type (
	emailInput struct {
		Body struct {
			Email string `json:"email" maxLength:"320" doc:"the address the account signs in with"`
		}
	}
	choosePasswordInput struct {
		Body struct {
			Token    string `json:"token" maxLength:"600" doc:"of the emailed link"`
			Password string `json:"password" maxLength:"1024"`
		}
	}
	changePasswordInput struct {
		Body struct {
			CurrentPassword string `json:"current_password" maxLength:"1024"`
			Password        string `json:"password" maxLength:"1024"`
		}
	}
)

// linkRoutes are the ways to a password by mail (requirements 7.auth), and
// the change of one's own.
func (s *server) linkRoutes() {
	links := group{s, "Sign-in"}
	open(links, http.MethodPost, "forgotPassword", "/forgot_password",
		"Email a link to choose a new password. 404 for an unknown address, unless the operator answers all addresses alike.",
		s.forgotPassword, 400, 404, 422, 429, 503)
	open(links, http.MethodPost, "unlockAccount", "/unlock_account",
		"Email a link to sign in after too many wrong passwords. Its token is the unlock_token of POST /user_token.",
		s.unlockAccount, 400, 404, 422, 429, 503)
	open(links, http.MethodPut, "resetPassword", "/reset_password",
		"Choose a new password with an emailed link. The token works once. All sessions of the user end; nobody is signed in.",
		s.resetPassword, 400, 401, 404, 422, 429, 503)
	open(links, http.MethodPut, "acceptInvitation", "/accept_invitation",
		"Choose the first password from an invitation. The token works once. Nobody is signed in.",
		s.acceptInvitation, 400, 401, 422, 429, 503)
	noContent(group{s, "Session"}, http.MethodPut, "changePassword", "/session/password",
		"Change the caller's password. The user's other sessions end.",
		whole, s.changePassword)
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

func (s *server) changePassword(ctx context.Context, actor *access.Actor, in *changePasswordInput) error {
	return s.app.ChangePassword(ctx, actor, in.Body.CurrentPassword, in.Body.Password)
}

// suspendedIs401 gives user_suspended the status that the requirements have for
// links; at sign-in the same code is 400 (requirements 8.token).
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
