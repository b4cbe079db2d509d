package api

import (
	"context"
	"net/http"

	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/wire"
)

func (s *server) areaRoutes() {
	areas := group{s, "Areas"}
	list(areas, "listAreaTypes", "/ez_types", "Types of areas", nothing, s.areaTypes)
	quiet(areas, "Area", "Areas", "/organization/exclusion_zone", "area", quietVerbs[wire.Area, wire.AreaWrite]{
		s.app.ListAreas, s.app.Area, s.app.CreateArea, s.app.UpdateArea, s.app.DeleteArea})
	const one = "/organization/exclusion_zone/{id}"
	list(areas, "listVisits", one+"/visits", "Who was at a station, newest arrivals first. Ours.", (*visitsInput).query, s.app.Visits)
	list(areas, "listCovers", "/user/covers", "The stations that the caller asked to be told of. Ours.", nothing, aloneList(s.app.Covers))
	read(areas, "getCover", one+"/cover", "What the caller asked to be told of a station, and whether it has its units now. Ours.", byID,
		s.app.Cover)
	do(areas, http.MethodPut, "setCover", one+"/cover", "Ask to be told when a station is without its units. Ours.",
		(*coverInput).query, s.app.SetCover)
	gone := areas.op(http.MethodDelete, "deleteCover", one+"/cover", "End being told of a station. Ours.", nil)
	gone.DefaultStatus = http.StatusNoContent
	signedIn(s, gone, func(ctx context.Context, actor *access.Actor, in *idInput) (*struct{}, error) {
		return nil, s.app.DeleteCover(ctx, actor, in.ID.String())
	})
}

type visitsInput struct {
	At
	Since string `query:"since" doc:"stays that lasted until this instant or later; none = all that are kept"`
	PageFilter
}

func (in *visitsInput) query() (q app.VisitQuery, err error) {
	q = app.VisitQuery{AreaID: in.ID.String(), Page: in.Page, PerPage: in.PerPage}
	q.Since, err = parseSince("since", in.Since)
	return q, err
}

type coverInput struct {
	At
	Body wire.CoverWrite
}

func (in *coverInput) query() (app.CoverAsked, error) {
	return app.CoverAsked{AreaID: in.ID.String(), CoverWrite: in.Body}, nil
}

func (s *server) areaTypes(_ context.Context, actor *access.Actor, _ noInput) ([]wire.AreaType, wire.Meta, error) {
	return s.app.AreaTypes(actor)
}
