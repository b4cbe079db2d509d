package file

import (
	"strconv"
	"strings"

	"lightbar/internal/fleet"
)

// The tables of exports: their columns, with units in their names, and how a noun fills them.

// ExportRow takes a row: its cells, and its GeoJSON geometry or nil.
type ExportRow func(cells []any, geometry any) error

// ExportAsset is an asset in an export, with what its time saw of it.
type ExportAsset struct {
	fleet.Thing
	Owned                []fleet.Stretch // when it was the organization's, inside of the export's time; an open end is the export's
	FirstAt, LastAt      fleet.Instant   // of its points
	PointCount           int64
	RunCount, RunSeconds int64
}

// Name is what an asset is called.
func (a *ExportAsset) Name() string {
	if a.Nickname != "" {
		return a.Nickname
	}
	return strings.ToUpper(a.SystemName)
}

// PointColumns are of a table of points: one asset's of one day.
var PointColumns = []string{"timestamp", "received_at", "asset", "thing_id", "lat", "lng", "speed_mps", "course_deg", "accuracy_m",
	"is_alerting", "is_clock_skewed"}

// WritePointRow writes a point of an asset.
func WritePointRow(row ExportRow, a *ExportAsset, p *fleet.Point) error {
	return row([]any{p.At, p.ReceivedAt, a.Name(), a.ID, p.Lat, p.Lng, known(p.HasSpeed, p.SpeedMS), known(p.HasCourse, p.CourseDeg),
		known(p.HasAccuracy, p.AccuracyM), known(p.HasAlerting, p.Alerting), p.ClockSkew}, pointOf(p.Lat, p.Lng))
}

// known is a value, or nothing where it was not said.
func known[T any](is bool, v T) any {
	if !is {
		return nil
	}
	return v
}

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

// seconds is how long something took, nothing while it lasts.
func seconds(from, to fleet.Instant) any { return known(to != 0, int64(to.Sub(from).Seconds())) }

// ClosureColumns are of the table of closures.
var ClosureColumns = []string{"id", "closure_type", "external_id", "description", "alert_message", "road_name", "street_start",
	"street_end", "direction", "impacted_lanes", "total_lanes", "vehicle_impact", "location_method", "is_wzdx_compliant", "group_id",
	"start_time", "end_time", "ended_at", "end_reason", "is_end_estimated", "recurs", "verified_at", "thing_id", "source", "out_of_service",
	"deleted_at", "route_wkt"}

// WriteClosureRow writes a closure; its times are of the last time that it was planned or closed.
func WriteClosureRow(row ExportRow, c *fleet.Closure) error {
	route := c.CalculatedRoute
	if len(route) < 2 {
		route = c.UserRoute
	}
	lanes := make([]string, len(c.ImpactedLanes))
	for i, n := range c.ImpactedLanes {
		lanes[i] = strconv.Itoa(n)
	}
	return row([]any{c.ID, c.Kind, c.ExternalID, c.Description, c.AlertMessage, c.RoadName, c.StreetStart, c.StreetEnd, c.Direction,
		strings.Join(lanes, " "), known(c.TotalLanes > 0, int64(c.TotalLanes)), c.VehicleImpact, c.LocationMethod, c.IsPublished, c.GroupID,
		c.StartAt, c.EndAt, c.EndedAt, c.EndReason, c.EndEstimated, c.Recurrence != nil || c.Weekly != nil, c.VerifiedAt, c.ThingID, c.Source,
		c.OutOfService, c.DeletedAt, wktOf(route)}, lineOf(route))
}

// AssetExportColumns are of the table of assets: what they are now, and what they did in the export's time.
var AssetExportColumns = []string{"thing_id", "haas_id", "external_id", "nickname", "thing_type", "device_type", "vin_number",
	"license_plate_number", "registry_number", "in_service", "owned_from", "owned_until", "points", "first_point_at", "last_point_at", "runs",
	"run_s"}

// WriteAssetRow writes an asset; kind is the name of its type.
func WriteAssetRow(row ExportRow, a *ExportAsset, kind string) error {
	return row([]any{a.ID, a.SystemName, a.ExternalID, a.Nickname, kind, a.DeviceType, a.VIN, a.Plate, a.Registry, a.InService,
		a.Owned[0].Start, a.Owned[len(a.Owned)-1].End, a.PointCount, a.FirstAt, a.LastAt, a.RunCount, a.RunSeconds}, nil)
}
