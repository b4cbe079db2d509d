package api

import "lightbar/internal/wire"

func (s *server) zoneRoutes() {
	zones := group{s, "Zones"}
	const path = "/organization/alerting_zones"
	resource(zones, "Zone", "Zones", path, "alerting zone", resourceVerbs[wire.Zone, wire.ZoneWrite]{
		s.app.Zones.List, s.app.Zones.Read, s.app.Zones.Create, s.app.Zones.Edit, s.app.Zones.Remove, s.app.Zones.Needs})
	undo(zones, "Zone", path, "an alerting zone. A deleted one comes back; undoing that deletes it again", s.app.Zones.Undo)
}
