package api

import "lightbar/internal/wire"

func (s *server) zoneRoutes() {
	zones := group{s, "Zones"}
	const path = "/organization/alerting_zones"
	resource(zones, "Zone", "Zones", path, "alerting zone", resourceVerbs[wire.Zone, wire.ZoneWrite]{
		s.app.ListZones, s.app.Zone, s.app.CreateZone, s.app.UpdateZone, s.app.DeleteZone})
	undo(zones, "Zone", path, "an alerting zone. A deleted one comes back; undoing that deletes it again", s.app.UndoZone)
}
