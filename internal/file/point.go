package file

import "lightbar/internal/fleet"

// PointColumns are of a table of points: one asset's of one day.
var PointColumns = []string{"timestamp", "received_at", "asset", "thing_id", "lat", "lng", "speed_mps", "course_deg", "accuracy_m",
	"is_alerting", "is_clock_skewed"}

// pointRow is a row of a table of points, as formats of positions take it. Unknown values are nil.
type pointRow struct {
	At, ReceivedAt          fleet.Instant
	Asset, ThingID          string
	Lat, Lng                float64
	Speed, Course, Accuracy *float64 // m/s, degrees clockwise from north, meters
	Alerting                *bool
	IsSkewed                bool
}

// pointRowOf reads the cells of PointColumns.
func pointRowOf(cells []any) (r pointRow) {
	r.At, _ = cells[0].(fleet.Instant)
	r.ReceivedAt, _ = cells[1].(fleet.Instant)
	r.Asset, _ = cells[2].(string)
	r.ThingID, _ = cells[3].(string)
	r.Lat, _ = cells[4].(float64)
	r.Lng, _ = cells[5].(float64)
	r.Speed, r.Course, r.Accuracy = cellOf[float64](cells[6]), cellOf[float64](cells[7]), cellOf[float64](cells[8])
	r.Alerting = cellOf[bool](cells[9])
	r.IsSkewed, _ = cells[10].(bool)
	return r
}

func cellOf[T any](cell any) *T {
	if v, is := cell.(T); is {
		return &v
	}
	return nil
}

// pointWriter is a format that takes points without cells.
type pointWriter interface {
	point(a *ExportAsset, p *fleet.Point) error
}

// WritePoint writes a point of an asset in each format.
func WritePoint(to []ExportWriter, a *ExportAsset, p *fleet.Point) error {
	var cells []any
	for _, w := range to {
		if direct, is := w.(pointWriter); is {
			if err := direct.point(a, p); err != nil {
				return err
			}
			continue
		}
		if cells == nil {
			cells = []any{p.At, p.ReceivedAt, a.Name(), a.ID, p.Lat, p.Lng, known(p.HasSpeed, p.SpeedMS), known(p.HasCourse, p.CourseDeg),
				known(p.HasAccuracy, p.AccuracyM), known(p.HasAlerting, p.Alerting), p.ClockSkew}
		}
		if err := w.Row(cells, pointOf(p.Lat, p.Lng)); err != nil {
			return err
		}
	}
	return nil
}
