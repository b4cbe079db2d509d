package main

import (
	"time"

	"lightbar/internal/config"
	"lightbar/internal/sso"
)

// providers are the clients of the configured identity providers; answers come back to the public address alone.
func providers(cfg *config.Server) ([]*sso.Client, error) {
	if cfg.SSO == "" {
		return nil, nil
	}
	list, err := sso.ReadProviders(cfg.SSO)
	if err != nil {
		return nil, place("%s.", err)
	}
	out := make([]*sso.Client, len(list))
	for i, p := range list {
		out[i] = &sso.Client{Provider: p, RedirectURL: cfg.PublicURL + "/api/sso/" + p.ID + "/callback", Now: time.Now}
	}
	return out, nil
}
