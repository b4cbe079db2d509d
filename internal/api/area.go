package api

import (
	"context"
	"net/http"

	"lightbar/internal/access"
	"lightbar/internal/wire"
)

func (s *server) areaRoutes() {
	areas := group{s, "Areas"}
	list(areas, "listAreaTypes", "/ez_types", "Types of areas", nothing, s.areaTypes)
	quiet(areas, "Area", "Areas", "/organization/exclusion_zone", "area", quietVerbs[wire.Area, wire.AreaWrite]{
		s.app.ListAreas, s.app.Area, s.app.CreateArea, s.app.UpdateArea, s.app.DeleteArea})
	read(areas, "getSavedAreas", "/user/saved_areas", "The caller's bookmarks of areas", nothing, alone(s.app.SavedAreas))
	do(areas, http.MethodPut, "saveAreas", "/user/saved_areas", "Replace the caller's bookmarks of areas", written, s.app.SaveAreas)
}

func (s *server) areaTypes(_ context.Context, actor *access.Actor, _ noInput) ([]wire.AreaType, wire.Meta, error) {
	return s.app.AreaTypes(actor)
}
