package api

import (
	"context"
	"net/http"

	"lightbar/internal/wire"
)

type (
	sessionPath struct {
		ID ID `path:"id" maxLength:"100" doc:"the session's id"`
	}
	userPath struct {
		ID ID `path:"id" maxLength:"100" doc:"the user's id"`
	}
)

// LinkTexts are the two texts of a sign-in link.
type LinkTexts struct {
	AccessToken  string `json:"access_token" maxLength:"600"`
	RefreshToken string `json:"refresh_token" maxLength:"600"`
}

func bySession(in *sessionPath) (string, error) { return in.ID.String(), nil }
func byUser(in *userPath) (string, error)       { return in.ID.String(), nil }

// linkPath is where somebody who holds a sign-in link asks about it.
const linkPath = "/sign_in_link"

func (s *server) sessionsRoutes() {
	own, people := group{s, "Sign-in"}, group{s, "People"}
	list(own, "listSessions", "/sessions", "Where one is signed in. Ours.", nothing, aloneList(s.app.Sessions))
	remove(own, "endSession", "/sessions/{id}", "End one of one's own sessions. Ours.", bySession, s.app.EndSession)
	remove(own, "endOtherSessions", "/sessions", "Sign out everywhere else. Ours.", nothing, aloneEnd(s.app.EndOtherSessions))
	list(people, "listUserSessions", "/users/{id}/sessions", "Where a user is signed in. Ours.", byUser, s.app.UserSessions)
	remove(people, "endUserSessions", "/users/{id}/sessions", "Sign a user out everywhere. Ours.", byUser, s.app.EndUserSessions)
	do(own, http.MethodPost, "createSignInLink", "/session/link", "Make a sign-in link. Ours. Needs a step-up; works once, for a minute.",
		nothing, alone(s.app.MintSignInLink))
	open(own, http.MethodPost, "lookUpSignInLink", linkPath,
		"Whom a sign-in link would sign in. Ours. The link stays as it is: POST /user_token with grant_type link exchanges it.",
		func(ctx context.Context, c *call, in *bodyOf[LinkTexts]) (*oneOf[wire.LinkOwner], error) {
			return one(s.app.LookUpLink(ctx, in.Body.AccessToken, in.Body.RefreshToken, c.caller()))
		}, 400, 401, 403, 422, 429, 503)
	open(own, http.MethodPost, "discardSignInLink", linkPath+"/discard",
		"Use up a sign-in link. Ours: nobody is signed in by it. A link that does not work any more is no error.",
		func(ctx context.Context, c *call, in *bodyOf[LinkTexts]) (*doneOutput, error) {
			return done(s.app.DiscardLink(ctx, in.Body.AccessToken, in.Body.RefreshToken, c.caller()))
		}, 400, 422, 429, 503)
}
