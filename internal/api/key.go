package api

import (
	"context"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/wire"
)

type (
	// keyCreateInput is the verb's own to repeat: the secret is shown once, and an
	// answer that is kept would keep it.
	keyCreateInput struct {
		Once string `header:"Idempotency-Key" doc:"a repeat within a day makes no second key: it is answered 409 key_made, which names the key; its token is not kept and not shown again"`
		Body wire.KeyCreate
	}
)

func (s *server) keyRoutes() {
	tags := []string{"Keys"}
	signedIn(s, huma.Operation{OperationID: "listKeys", Method: http.MethodGet, Path: "/keys", Tags: tags,
		Summary: "API keys of organizations, never their secrets", Description: "Ours."}, s.listKeys)
	signedIn(s, huma.Operation{OperationID: "createKey", Method: http.MethodPost, Path: "/keys", Tags: tags, DefaultStatus: http.StatusCreated,
		Summary: "Make an API key; its secret is shown once", Description: "Ours. Repeated with its Idempotency-Key it answers 409 key_made and no token.", Errors: []int{409}}, s.createKey)
	signedIn(s, huma.Operation{OperationID: "deleteKey", Method: http.MethodDelete, Path: "/keys/{id}", Tags: tags,
		Summary: "Revoke an API key", Description: "Ours."}, s.deleteKey)
}

func (s *server) listKeys(ctx context.Context, actor *app.Actor, in *orgsInput) (*listOf[wire.Key], error) {
	return many(s.app.ListKeys(ctx, actor, texts(in.OrgIDs)))
}

func (s *server) createKey(ctx context.Context, actor *app.Actor, in *keyCreateInput) (*oneOf[wire.NewKey], error) {
	var expires fleet.Instant
	if in.Body.ExpiresAt != nil {
		var err error
		if expires, err = parseSince("expires_at", *in.Body.ExpiresAt); err != nil {
			return nil, err
		}
	}
	thing := in.Body.ThingID.String()
	if scope := in.Body.Scope; scope != "" && (scope != "ingest" || thing != "") && (scope != "thing" || thing == "") {
		return nil, refuseField("scope", "The scope is ingest, or thing with an asset in thing_id.")
	}
	return one(s.app.AddKey(ctx, actor, app.NewKey{OrganizationID: in.Body.OrganizationID.String(), Description: in.Body.Description,
		Scopes: in.Body.Scopes, ThingID: thing, ExpiresAt: expires, Once: in.Once}))
}

func (s *server) deleteKey(ctx context.Context, actor *app.Actor, in *idInput) (*doneOutput, error) {
	return &doneOutput{}, s.app.RevokeKey(ctx, actor, in.ID.String())
}

// showsSecret tells whether an answer holds a secret that is shown once: it
// must not be kept for an Idempotency-Key.
func showsSecret(path string) bool {
	switch strings.TrimSuffix(path, "/") {
	case "/api/keys", "/api/session/link", "/api/session/totp", "/api/session/recovery_codes", "/api/session/step_up/sso":
		return true
	}
	return false
}
