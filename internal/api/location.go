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
	locationsOutput struct{ Body wire.List[wire.Location] }
)

func (s *server) locationRoutes() {
	tags := []string{"Locations"}
	signedIn(s, huma.Operation{OperationID: "listLocations", Method: http.MethodGet, Path: "/locations", Tags: tags, Summary: "Events of a window"}, s.listLocations)
	signedIn(s, huma.Operation{OperationID: "listActiveLocations", Method: http.MethodGet, Path: "/locations/active", Tags: tags, Summary: "Active events"}, s.activeLocations)
}

func (s *server) listLocations(ctx context.Context, actor *app.Actor, in *locationsInput) (*locationsOutput, error) {
	from, err := parseSince("last_updated_timestamp", in.LastUpdated)
	if err != nil {
		return nil, err
	}
	start, err := parseSince("start_date", in.StartDate)
	if err != nil {
		return nil, err
	}
	data, meta, err := s.app.ListLocations(ctx, actor, app.LocationQuery{OrganizationIDs: texts(in.OrgIDs), Start: start, Since: from, Page: in.Page, PerPage: in.PerPage})
	if err != nil {
		return nil, err
	}
	return &locationsOutput{Body: wire.List[wire.Location]{Data: listed(data), Meta: meta}}, nil
}

func (s *server) activeLocations(ctx context.Context, actor *app.Actor, in *orgsInput) (*locationsOutput, error) {
	data, meta, err := s.app.ActiveLocations(ctx, actor, texts(in.OrgIDs))
	if err != nil {
		return nil, err
	}
	return &locationsOutput{Body: wire.List[wire.Location]{Data: listed(data), Meta: meta}}, nil
}
