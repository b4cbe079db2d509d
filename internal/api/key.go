package api

import (
	"context"
	"net/http"
	"strings"

	"lightbar/internal/access"
	"lightbar/internal/wire"
)

// keyCreateInput is the verb's own to repeat: the secret is shown once, and an
// answer that is kept would keep it.
type keyCreateInput struct {
	Once string `header:"Idempotency-Key" doc:"a repeat within a day creates no second key: the answer is 409 key_made, which names the key; its token is not stored and can't be shown again"`
	Body wire.KeyCreate
}

func (s *server) keyRoutes() {
	keys := group{s, "Keys"}
	list(keys, "listKeys", "/keys", "API keys of organizations, never their secrets.", byOrgs, s.app.ListKeys)
	create(keys, "createKey", "/keys",
		"Create an API key; its secret is shown once. A repeat with the same Idempotency-Key answers 409 key_made without the token.",
		whole, s.createKey, http.StatusConflict)
	remove(keys, "deleteKey", "/keys/{id}", "Revoke an API key.", byID, s.app.RevokeKey)
}

func (s *server) createKey(ctx context.Context, actor *access.Actor, in *keyCreateInput) (wire.NewKey, error) {
	in.Body.Once = in.Once
	key, secret, err := s.app.CreateKey(ctx, actor, in.Body)
	return wire.NewKey{Key: key, Token: secret}, err
}

// showsSecret reports whether an answer holds a secret that is shown once: it
// must not be kept for an Idempotency-Key.
func showsSecret(path string) bool {
	switch path = strings.TrimSuffix(path, "/"); path {
	case "/api/keys", "/api/session/link", "/api/session/totp", "/api/session/recovery_codes", "/api/session/step_up/sso":
		return true
	}
	return copiesInvitation(path)
}
