package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"lightbar/internal/app"
	"lightbar/internal/wire"
)

type (
	sessionPath struct {
		ID ID `path:"id" maxLength:"100" doc:"the session's id"`
	}
	userPath struct {
		ID ID `path:"id" maxLength:"100" doc:"the user's id"`
	}
	linkInput struct{ Body wire.LinkTexts }
)

// linkPath is where somebody who holds a sign-in link asks about it.
const linkPath = "/sign_in_link"

func (s *server) sessionsRoutes() {
	signedIn(s, huma.Operation{OperationID: "listSessions", Method: http.MethodGet, Path: "/sessions", Tags: []string{"Sign-in"},
		Summary: "Where one is signed in", Description: "Ours."},
		func(ctx context.Context, actor *app.Actor, _ *noInput) (*listOf[wire.SessionRow], error) {
			return many(s.app.Sessions(ctx, actor))
		})
	signedIn(s, huma.Operation{OperationID: "endSession", Method: http.MethodDelete, Path: "/sessions/{id}", Tags: []string{"Sign-in"},
		Summary: "End one of one's own sessions", Description: "Ours."},
		func(ctx context.Context, actor *app.Actor, in *sessionPath) (*doneOutput, error) {
			return done(s.app.EndSession(ctx, actor, in.ID.String()))
		})
	signedIn(s, huma.Operation{OperationID: "endOtherSessions", Method: http.MethodDelete, Path: "/sessions", Tags: []string{"Sign-in"},
		Summary: "Sign out everywhere else", Description: "Ours."},
		func(ctx context.Context, actor *app.Actor, _ *noInput) (*doneOutput, error) {
			return done(s.app.EndOtherSessions(ctx, actor))
		})
	signedIn(s, huma.Operation{OperationID: "listUserSessions", Method: http.MethodGet, Path: "/users/{id}/sessions", Tags: []string{"People"},
		Summary: "Where a user is signed in", Description: "Ours."},
		func(ctx context.Context, actor *app.Actor, in *userPath) (*listOf[wire.SessionRow], error) {
			return many(s.app.UserSessions(ctx, actor, in.ID.String()))
		})
	signedIn(s, huma.Operation{OperationID: "endUserSessions", Method: http.MethodDelete, Path: "/users/{id}/sessions", Tags: []string{"People"},
		Summary: "Sign a user out everywhere", Description: "Ours."},
		func(ctx context.Context, actor *app.Actor, in *userPath) (*doneOutput, error) {
			return done(s.app.EndUserSessions(ctx, actor, in.ID.String()))
		})
	signedIn(s, huma.Operation{OperationID: "createSignInLink", Method: http.MethodPost, Path: "/session/link", Tags: []string{"Sign-in"},
		Summary: "Make a sign-in link", Description: "Ours. Needs a step-up; works once, for a minute."},
		func(ctx context.Context, actor *app.Actor, _ *noInput) (*oneOf[wire.SignInLink], error) {
			return one(s.app.MintSignInLink(ctx, actor))
		})
	open(s, huma.Operation{OperationID: "lookUpSignInLink", Method: http.MethodPost, Path: linkPath, Tags: []string{"Sign-in"},
		Summary: "Whom a sign-in link would sign in", Description: "Ours. The link stays as it is: POST /user_token with grant_type link exchanges it.",
		Errors: []int{400, 401, 403, 422, 429, 503}},
		func(ctx context.Context, c *call, in *linkInput) (*oneOf[wire.LinkOwner], error) {
			return one(s.app.LookUpLink(ctx, in.Body.AccessToken, in.Body.RefreshToken, c.caller()))
		})
	open(s, huma.Operation{OperationID: "discardSignInLink", Method: http.MethodPost, Path: linkPath + "/discard", Tags: []string{"Sign-in"},
		Summary: "Use up a sign-in link", Description: "Ours: nobody is signed in by it. A link that does not work any more is no error.", Errors: []int{400, 422, 429, 503}},
		func(ctx context.Context, c *call, in *linkInput) (*doneOutput, error) {
			return done(s.app.DiscardLink(ctx, in.Body.AccessToken, in.Body.RefreshToken, c.caller()))
		})
}
