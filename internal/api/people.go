package api

import (
	"context"
	"net/http"

	"lightbar/internal/wire"
)

// Version is the answer of GET /version.
type Version struct {
	Version string `json:"version"`
}

func (s *server) peopleRoutes() {
	read(group{s, "People"}, "getProfile", "/profile", "Who is signed in, with the organizations in reach", nothing, actorOnly(s.app.Profile))
	server := group{s, "Server"}
	open(server, http.MethodGet, "getVersion", "/version", "The running version",
		func(context.Context, *call, *noInput) (*bareOf[Version], error) {
			return bare(Version{Version: s.options.Version}, nil)
		}, 503)
	open(server, http.MethodGet, "getBrand", "/brand",
		"The installation's name, support, and links. Open, because the sign-in screen shows it.",
		func(ctx context.Context, _ *call, _ *noInput) (*oneOf[wire.Brand], error) {
			return one(s.app.Brand(ctx))
		}, 503)
}
