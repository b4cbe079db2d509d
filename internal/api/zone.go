package api

func (s *server) zoneRoutes() {
	zones := s.noun("Zones", "Alerting zones: active while an alerting asset of the organization is in them.")
	const path = "/organization/alerting_zones"
	resource(zones, "Zone", "Zones", path, "alerting zone", s.app.Zones)
	undo(zones, "Zone", path, "an alerting zone. A deleted one comes back; undoing that deletes it again", s.app.Zones.Undo)
}
