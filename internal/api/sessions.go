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
	list(own, "listSessions", "/sessions", "The caller's sessions.", nothing, actorOnlyList(s.app.Sessions))
	remove(own, "endSession", "/sessions/{id}", "End one of the caller's sessions.", bySession, s.app.EndSession)
	remove(own, "endOtherSessions", "/sessions", "Sign out everywhere else.", nothing, actorOnlyNoContent(s.app.EndOtherSessions))
	list(people, "listUserSessions", "/users/{id}/sessions", "A user's sessions.", byUser, s.app.UserSessions)
	remove(people, "endUserSessions", "/users/{id}/sessions", "Sign a user out everywhere.", byUser, s.app.EndUserSessions)
	do(own, http.MethodPost, "createSignInLink", "/session/link", "Create a sign-in link. Needs a step-up; works once, for a minute.",
		nothing, actorOnly(s.app.MintSignInLink))
	open(own, http.MethodPost, "lookUpSignInLink", linkPath,
		"Whom a sign-in link would sign in. This doesn't use up the link: POST /user_token with grant_type link exchanges it.",
		func(ctx context.Context, c *call, in *bodyOf[LinkTexts]) (*oneOf[wire.LinkOwner], error) {
			return one(s.app.LookUpLink(ctx, in.Body.AccessToken, in.Body.RefreshToken, c.caller()))
		}, 400, 401, 403, 422, 429, 503)
	open(own, http.MethodPost, "discardSignInLink", linkPath+"/discard",
		"Use up a sign-in link without signing anyone in. An invalid link is not an error.",
		func(ctx context.Context, c *call, in *bodyOf[LinkTexts]) (*doneOutput, error) {
			return done(s.app.DiscardLink(ctx, in.Body.AccessToken, in.Body.RefreshToken, c.caller()))
		}, 400, 422, 429, 503)
}
