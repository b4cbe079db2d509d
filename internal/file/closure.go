package file

import (
	"strconv"
	"strings"

	"lightbar/internal/fleet"
)

// ClosureColumns are of the table of closures.
var ClosureColumns = []string{"id", "closure_type", "external_id", "description", "alert_message", "road_name", "street_start",
	"street_end", "direction", "impacted_lanes", "total_lanes", "vehicle_impact", "location_method", "is_wzdx_compliant", "group_id",
	"start_time", "end_time", "ended_at", "end_reason", "is_end_estimated", "recurs", "verified_at", "thing_id", "source", "out_of_service",
	"deleted_at", "route_wkt"}

// WriteClosureRow writes a closure; its times are of the last time that it was planned or closed. One that somebody or its
// board ended has no planned time any more.
func WriteClosureRow(row ExportRow, c *fleet.Closure) error {
	start := c.StartAt
	if start == 0 {
		start = c.LastStartAt
	}
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
		start, c.EndAt, c.EndedAt, c.EndReason, c.EndEstimated, c.Recurrence != nil || c.Weekly != nil, c.VerifiedAt, c.ThingID, c.Source,
		c.OutOfService, c.DeletedAt, wktOf(route)}, lineOf(route))
}
