package file

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"lightbar/internal/fleet"
)

// An export is a file of tables. A noun defines its columns and cells once (point.go, closure.go), a format writes any table. Cells
// are texts, bool, int64, float64, fleet.Instant, or nil where nothing is known.

// ExportTable is a table that is about to be written.
type ExportTable struct {
	Name    string // of its file, without ending: the kind of its rows, an underscore, and their owner and period
	Columns []string
}

// kind is the kind of a table's rows, in the plural.
func (t *ExportTable) kind() string {
	kind, _, _ := strings.Cut(t.Name, "_")
	return kind
}

// ExportWriter writes an export in a format.
type ExportWriter interface {
	// Table begins a table; rows that follow are its own.
	Table(ExportTable) error
	// Row writes a row, with its GeoJSON geometry or nil.
	Row(cells []any, geometry any) error
	// Close ends the file; about describes it, a line each.
	Close(about []string) error
}

// ResumableExport is a writer whose file another one can go on with, also after a crash.
type ResumableExport interface {
	ExportWriter
	// Mark hands all tables to the file, whole; a table begins next.
	Mark() (ExportMark, error)
	// Resume makes a new writer go on behind a mark, where its file ends. The mark may come from a disk.
	Resume(ExportMark) error
}

// ExportMark is how far the file of an export is whole.
type ExportMark struct {
	Bytes     int64  // of the file
	Entries   int    // in it
	Directory []byte // of the entries, as the file's end will have it
}

// ExportRow takes a row: its cells, and its GeoJSON geometry or nil.
type ExportRow func(cells []any, geometry any) error

// known is a value, or nothing if it was not given.
func known[T any](is bool, v T) any {
	if !is {
		return nil
	}
	return v
}

// seconds is how long something took, nothing while it lasts.
func seconds(from, to fleet.Instant) any { return known(to != 0, int64(to.Sub(from).Seconds())) }

// ExportFormats are the formats of exports by their name on the wire.
var ExportFormats = map[string]struct {
	Ending string
	Media  string
	// PointBytes is about what a point takes.
	PointBytes int64
	// Resumes: its writers are a ResumableExport.
	Resumes bool
	New     func(to io.Writer, zone *time.Location, at time.Time) ExportWriter
}{
	"csv":     {"zip", "application/zip", 15, true, newExportCSV},
	"xlsx":    {"xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", 45, false, newExportXLSX},
	"geojson": {"geojson", "application/geo+json", 390, true, newExportGeoJSON},
	"gpx":     {"gpx.zip", "application/zip", 14, true, newExportGPX},
	"kml":     {"kml.zip", "application/zip", 8, true, newExportKML},
	"parquet": {"parquet", "application/vnd.apache.parquet", 16, false, newExportParquet},
}

// exportInstant writes an instant with the offset of its zone.
func exportInstant(at fleet.Instant, zone *time.Location) string {
	return at.Time().In(zone).Format("2006-01-02T15:04:05.000Z07:00")
}

// exportGeoJSON is a FeatureCollection (RFC 7946); a feature has its table in "table".
type exportGeoJSON struct {
	*bufio.Writer
	to    io.Writer
	zone  *time.Location
	table ExportTable
	bytes int64 // written
	n     int   // features
}

func newExportGeoJSON(to io.Writer, zone *time.Location, _ time.Time) ExportWriter {
	w := &exportGeoJSON{Writer: bufio.NewWriter(to), to: to, zone: zone}
	w.add(`{"type":"FeatureCollection","features":[`)
	return w
}

// add writes texts; the writer remembers its error.
func (w *exportGeoJSON) add(texts ...string) {
	for _, text := range texts {
		n, _ := w.WriteString(text)
		w.bytes += int64(n)
	}
}

func (w *exportGeoJSON) Mark() (ExportMark, error) {
	err := w.Flush()
	return ExportMark{Bytes: w.bytes, Entries: w.n}, err
}

func (w *exportGeoJSON) Resume(m ExportMark) error {
	if len(m.Directory) != 0 || m.Entries < 0 || m.Bytes <= 0 {
		return errMark
	}
	w.Reset(w.to) // the head is in the file
	w.bytes, w.n = m.Bytes, m.Entries
	return nil
}

func (w *exportGeoJSON) Table(t ExportTable) error {
	w.table = t
	return nil
}

func (w *exportGeoJSON) Row(cells []any, geometry any) error {
	properties := make(map[string]any, len(cells)+1)
	for i, c := range cells {
		if at, is := c.(fleet.Instant); is {
			if c = nil; at != 0 {
				c = exportInstant(at, w.zone)
			}
		}
		properties[w.table.Columns[i]] = c
	}
	properties["table"] = w.table.Name
	text, err := json.Marshal(map[string]any{"type": "Feature", "geometry": geometry, "properties": properties})
	if err != nil {
		return fmt.Errorf("file: a feature of %s: %w", w.table.Name, err)
	}
	if w.n++; w.n > 1 {
		w.add(",")
	}
	w.add("\n")
	n, err := w.Write(text)
	w.bytes += int64(n)
	return err
}

func (w *exportGeoJSON) Close(about []string) error {
	text, err := json.Marshal(about)
	if err != nil {
		return err
	}
	w.add("\n],\"about\":", string(text), "}\n")
	return w.Flush()
}

// pointOf and lineOf are geometries of RFC 7946.
func pointOf(lat, lng float64) any {
	return map[string]any{"type": "Point", "coordinates": [2]float64{lng, lat}}
}

func lineOf(route []fleet.LatLng) any {
	if len(route) < 2 {
		return nil
	}
	line := make([][2]float64, len(route))
	for i, p := range route {
		line[i] = [2]float64{p.Lng, p.Lat}
	}
	return map[string]any{"type": "LineString", "coordinates": line}
}

// wktOf is a line as well-known text (OGC 06-103r4, section 7.2), which GIS programs read out of a cell.
func wktOf(route []fleet.LatLng) any {
	if len(route) < 2 {
		return nil
	}
	var b strings.Builder
	b.WriteString("LINESTRING (")
	for i, p := range route {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(strconv.FormatFloat(p.Lng, 'f', -1, 64) + " " + strconv.FormatFloat(p.Lat, 'f', -1, 64))
	}
	return b.String() + ")"
}
