package file

import "lightbar/internal/fleet"

// PointColumns are of a table of points: one asset's of one day.
var PointColumns = []string{"timestamp", "received_at", "asset", "thing_id", "lat", "lng", "speed_mps", "course_deg", "accuracy_m",
	"is_alerting", "is_clock_skewed"}

// WritePointRow writes a point of an asset.
func WritePointRow(row ExportRow, a *ExportAsset, p *fleet.Point) error {
	return row([]any{p.At, p.ReceivedAt, a.Name(), a.ID, p.Lat, p.Lng, known(p.HasSpeed, p.SpeedMS), known(p.HasCourse, p.CourseDeg),
		known(p.HasAccuracy, p.AccuracyM), known(p.HasAlerting, p.Alerting), p.ClockSkew}, pointOf(p.Lat, p.Lng))
}
