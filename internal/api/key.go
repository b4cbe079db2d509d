package api

import (
	"context"
	"net/http"
	"strings"

	"lightbar/internal/access"
	"lightbar/internal/fleet"
	"lightbar/internal/people"
	"lightbar/internal/wire"
)

// keyCreateInput is the verb's own to repeat: the secret is shown once, and an
// answer that is kept would keep it.
type keyCreateInput struct {
	Once string `header:"Idempotency-Key" doc:"a repeat within a day makes no second key: it is answered 409 key_made, which names the key; its token is not kept and not shown again"`
	Body wire.KeyCreate
}

func (s *server) keyRoutes() {
	keys := group{s, "Keys"}
	list(keys, "listKeys", "/keys", "API keys of organizations, never their secrets. Ours.", byOrgs, s.app.ListKeys)
	create(keys, "createKey", "/keys",
		"Make an API key; its secret is shown once. Ours. Repeated with its Idempotency-Key it answers 409 key_made and no token.",
		whole, s.createKey, http.StatusConflict)
	remove(keys, "deleteKey", "/keys/{id}", "Revoke an API key. Ours.", byID, s.app.RevokeKey)
}

func (s *server) createKey(ctx context.Context, actor *access.Actor, in *keyCreateInput) (key wire.NewKey, err error) {
	var expires fleet.Instant
	if in.Body.ExpiresAt != nil {
		if expires, err = parseSince("expires_at", *in.Body.ExpiresAt); err != nil {
			return key, err
		}
	}
	thing := in.Body.ThingID.String()
	if scope := in.Body.Scope; scope != "" && (scope != "ingest" || thing != "") && (scope != "thing" || thing == "") {
		return key, refuseField("scope", "The scope is ingest, or thing with an asset in thing_id.")
	}
	return s.app.AddKey(ctx, actor, people.NewKey{OrganizationID: in.Body.OrganizationID.String(), Description: in.Body.Description,
		Scopes: in.Body.Scopes, ThingID: thing, ExpiresAt: expires, Once: in.Once})
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
