package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"lightbar/internal/app"
	"lightbar/internal/wire"
)

type (
	noInput       struct{}
	versionOutput struct{ Body wire.Version }
)

func (s *server) peopleRoutes() {
	signedIn(s, huma.Operation{OperationID: "getProfile", Method: http.MethodGet, Path: "/profile", Tags: []string{"People"},
		Summary: "Who is signed in, with the organizations in reach"},
		func(ctx context.Context, actor *app.Actor, _ *noInput) (*oneOf[wire.Profile], error) {
			return one(s.app.Profile(ctx, actor))
		})
	open(s, huma.Operation{OperationID: "getVersion", Method: http.MethodGet, Path: "/version", Tags: []string{"Server"},
		Summary: "The running version", Errors: []int{503}},
		func(context.Context, *call, *noInput) (*versionOutput, error) {
			return &versionOutput{Body: wire.Version{Version: s.options.Version}}, nil
		})
	open(s, huma.Operation{OperationID: "getBrand", Method: http.MethodGet, Path: "/brand", Tags: []string{"Server"},
		Summary: "Name, support and links of the installation", Description: "Ours; open, because the sign-in screen shows it.", Errors: []int{503}},
		func(ctx context.Context, _ *call, _ *noInput) (*oneOf[wire.Brand], error) {
			return one(s.app.Brand(ctx))
		})
	signedIn(s, huma.Operation{OperationID: "getMapConfig", Method: http.MethodGet, Path: "/map/config", Tags: []string{"Map"},
		Summary: "Region, tiles and on-line providers of the map", Description: "Ours."}, s.mapConfig)
}
