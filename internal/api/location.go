package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"lightbar/internal/app"
	"lightbar/internal/wire"
)

type (
	locationsInput struct {
		OrganizationFilter
		ChangeFilter
		PageFilter
		StartDate string `query:"start_date" doc:"events that ended before it are left out; 7 days back by default, 31 at most"`
	}
)

func (s *server) locationRoutes() {
	tags := []string{"Locations"}
	signedIn(s, huma.Operation{OperationID: "listLocations", Method: http.MethodGet, Path: "/locations", Tags: tags, Summary: "Events of a window"}, s.listLocations)
	signedIn(s, huma.Operation{OperationID: "listActiveLocations", Method: http.MethodGet, Path: "/locations/active", Tags: tags, Summary: "Active events"}, s.activeLocations)
}

func (s *server) listLocations(ctx context.Context, actor *app.Actor, in *locationsInput) (*listOf[wire.Location], error) {
	from, err := parseSince("last_updated_timestamp", in.LastUpdated)
	if err != nil {
		return nil, err
	}
	start, err := parseSince("start_date", in.StartDate)
	if err != nil {
		return nil, err
	}
	return many(s.app.ListLocations(ctx, actor, app.LocationQuery{OrganizationIDs: texts(in.OrgIDs), Start: start, Since: from, Page: in.Page, PerPage: in.PerPage}))
}

func (s *server) activeLocations(ctx context.Context, actor *app.Actor, in *orgsInput) (*listOf[wire.Location], error) {
	return many(s.app.ActiveLocations(ctx, actor, texts(in.OrgIDs)))
}
