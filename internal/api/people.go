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
	profileOutput struct{ Body wire.One[wire.Profile] }
	versionOutput struct{ Body wire.Version }
	brandOutput   struct{ Body wire.One[wire.Brand] }
	mapOutput     struct{ Body wire.One[wire.MapConfig] }
)

func (s *server) peopleRoutes() {
	signedIn(s, huma.Operation{OperationID: "getProfile", Method: http.MethodGet, Path: "/profile", Tags: []string{"People"},
		Summary: "Who is signed in, with the organizations in reach"},
		func(ctx context.Context, actor *app.Actor, _ *noInput) (*profileOutput, error) {
			p, err := s.app.Profile(ctx, actor)
			return &profileOutput{Body: wire.One[wire.Profile]{Data: p}}, err
		})
	open(s, huma.Operation{OperationID: "getVersion", Method: http.MethodGet, Path: "/version", Tags: []string{"Server"},
		Summary: "The running version", Errors: []int{503}},
		func(context.Context, *call, *noInput) (*versionOutput, error) {
			return &versionOutput{Body: wire.Version{Version: s.options.Version}}, nil
		})
	open(s, huma.Operation{OperationID: "getBrand", Method: http.MethodGet, Path: "/brand", Tags: []string{"Server"},
		Summary: "Name, support and links of the installation", Description: "Ours; open, because the sign-in screen shows it.", Errors: []int{503}},
		func(ctx context.Context, _ *call, _ *noInput) (*brandOutput, error) {
			b, err := s.app.Brand(ctx)
			return &brandOutput{Body: wire.One[wire.Brand]{Data: b}}, err
		})
	signedIn(s, huma.Operation{OperationID: "getMapConfig", Method: http.MethodGet, Path: "/map/config", Tags: []string{"Map"},
		Summary: "Region, tiles and on-line providers of the map", Description: "Ours."}, s.mapConfig)
}
