package api

import (
	"context"

	"lightbar/internal/access"
	"lightbar/internal/wire"
)

func (s *server) areaRoutes() {
	areas := group{s, "Areas"}
	list(areas, "listAreaTypes", "/ez_types", "Types of areas", nothing, s.areaTypes)
	quiet(areas, "Area", "Areas", "/organization/exclusion_zone", "area", quietVerbs[wire.Area, wire.AreaWrite]{
		s.app.ListAreas, s.app.Area, s.app.CreateArea, s.app.UpdateArea, s.app.DeleteArea})
	undo(areas, "Area", "/organization/exclusion_zone", "an area. What was deleted comes back; to undo that deletes it again", s.app.UndoArea)
}

func (s *server) areaTypes(_ context.Context, actor *access.Actor, _ noInput) ([]wire.AreaType, wire.Meta, error) {
	return s.app.AreaTypes(actor)
}
