package api

import "lightbar/internal/wire"

func (s *server) zoneRoutes() {
	quiet(group{s, "Zones"}, "Zone", "Zones", "/organization/alerting_zones", "alerting zone", quietVerbs[wire.Zone, wire.ZoneWrite]{
		s.app.ListZones, s.app.Zone, s.app.CreateZone, s.app.UpdateZone, s.app.DeleteZone})
}
