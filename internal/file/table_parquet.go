package file

import (
	"io"
	"strings"
	"time"

	"github.com/parquet-go/parquet-go"
)

// parquetGroup is how many points are in memory before they are written as a row group.
const parquetGroup = 50_000

// parquetPoint is a point as programs that analyze tables read it: columns of PointColumns with types, instants in UTC.
type parquetPoint struct {
	Timestamp  int64    `parquet:"timestamp,delta,timestamp(millisecond)"`
	ReceivedAt int64    `parquet:"received_at,delta,timestamp(millisecond)"`
	Asset      string   `parquet:"asset,dict"`
	ThingID    string   `parquet:"thing_id,dict"`
	Lat        float64  `parquet:"lat"`
	Lng        float64  `parquet:"lng"`
	Speed      *float64 `parquet:"speed_mps,optional"`
	Course     *float64 `parquet:"course_deg,optional"`
	Accuracy   *float64 `parquet:"accuracy_m,optional"`
	Alerting   *bool    `parquet:"is_alerting,optional"`
	IsSkewed   bool     `parquet:"is_clock_skewed"`
}

// exportParquet is one Parquet file (https://parquet.apache.org/docs/file-format/) of all points.
type exportParquet struct {
	*parquet.GenericWriter[parquetPoint]
	rows []parquetPoint
}

func newExportParquet(to io.Writer, zone *time.Location, _ time.Time) ExportWriter {
	return &exportParquet{GenericWriter: parquet.NewGenericWriter[parquetPoint](to, parquet.Compression(&parquet.Zstd),
		parquet.MaxRowsPerRowGroup(parquetGroup), parquet.KeyValueMetadata("time_zone", zone.String()))}
}

func (w *exportParquet) Table(t ExportTable) error {
	if t.kind() != "points" {
		return errOnlyPoints
	}
	return nil
}

func (w *exportParquet) Row(cells []any, _ any) error {
	r := pointRowOf(cells)
	w.rows = append(w.rows, parquetPoint{int64(r.At), int64(r.ReceivedAt), r.Asset, r.ThingID, r.Lat, r.Lng, r.Speed, r.Course, r.Accuracy,
		r.Alerting, r.IsSkewed})
	if len(w.rows) < 1000 {
		return nil
	}
	return w.write()
}

func (w *exportParquet) write() error {
	_, err := w.Write(w.rows)
	w.rows = w.rows[:0]
	return err
}

func (w *exportParquet) Close(about []string) error {
	if err := w.write(); err != nil {
		return err
	}
	w.SetKeyValueMetadata("about", strings.Join(about, "\n"))
	return w.GenericWriter.Close()
}
