package file

import "lightbar/internal/fleet"

// IncidentColumns are of the table of incidents and events, IncidentAssetColumns of the stays of assets at them.
var (
	IncidentColumns = []string{"id", "external_id", "start_time", "end_time", "duration_s", "is_active", "lat", "lng", "street",
		"roadway_heading_deg", "alert_message", "wzdx_id", "is_geo_marker", "assets"}
	IncidentAssetColumns = []string{"incident_id", "thing_id", "asset", "start_time", "end_time", "duration_s"}
)

// WriteIncidentRow writes an incident with the stays that an export shows of it.
func WriteIncidentRow(row ExportRow, l *fleet.Location, stays []fleet.Presence) error {
	assets := map[string]bool{}
	for _, p := range stays {
		assets[p.ThingID] = true
	}
	return row([]any{l.ID, l.ExternalID, l.StartAt, l.EndAt, seconds(l.StartAt, l.EndAt), l.IsActive, l.Lat, l.Lng, l.Street,
		known(l.HasHeading, l.RoadwayHeading), l.AlertMessage, l.WZDxID, l.IsGeoMarker, int64(len(assets))}, pointOf(l.Lat, l.Lng))
}

// WriteIncidentAssetRow writes a stay of an asset at an incident.
func WriteIncidentAssetRow(row ExportRow, l *fleet.Location, p *fleet.Presence, name string) error {
	return row([]any{l.ID, p.ThingID, name, p.StartAt, p.EndAt, seconds(p.StartAt, p.EndAt)}, nil)
}
