package api

func (s *server) zoneRoutes() {
	zones := group{s, "Zones"}
	const path = "/organization/alerting_zones"
	resource(zones, "Zone", "Zones", path, "alerting zone", s.app.Zones)
	undo(zones, "Zone", path, "an alerting zone. A deleted one comes back; undoing that deletes it again", s.app.Zones.Undo)
}
