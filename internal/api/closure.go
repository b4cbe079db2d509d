package api

import "lightbar/internal/wire"

func (s *server) closureRoutes() {
	quiet(group{s, "Closures"}, "Closure", "Closures", "/organization/closure", "closure", quietVerbs[wire.Closure, wire.ClosureWrite]{
		s.app.ListClosures, s.app.Closure, s.app.CreateClosure, s.app.UpdateClosure, s.app.DeleteClosure})
}
