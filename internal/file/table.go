package file

import (
	"archive/zip"
	"bufio"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"lightbar/internal/fleet"
)

// An export is a file of tables. A noun says its columns and cells once (point.go, closure.go), a format writes
// any table.
// Cells are texts, bool, int64, float64, fleet.Instant, or nil where nothing is known.

// ExportTable is a table that is about to be written.
type ExportTable struct {
	Name    string // of its file, without ending: what its rows are, an underscore, and whose and of when they are
	Columns []string
}

// kind is what the rows of a table are, in the plural.
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
	// Close ends the file; about tells what it is, a line each.
	Close(about []string) error
}

// ExportRow takes a row: its cells, and its GeoJSON geometry or nil.
type ExportRow func(cells []any, geometry any) error

// known is a value, or nothing where it was not said.
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
	New        func(to io.Writer, zone *time.Location, at time.Time) ExportWriter
}{
	"csv":     {"zip", "application/zip", 15, newExportCSV},
	"xlsx":    {"xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", 45, newExportXLSX},
	"geojson": {"geojson", "application/geo+json", 390, newExportGeoJSON},
	"gpx":     {"gpx.zip", "application/zip", 14, newExportGPX},
	"kml":     {"kml.zip", "application/zip", 8, newExportKML},
	"parquet": {"parquet", "application/vnd.apache.parquet", 16, newExportParquet},
}

// exportInstant writes an instant with the offset of its zone.
func exportInstant(at fleet.Instant, zone *time.Location) string {
	return at.Time().In(zone).Format("2006-01-02T15:04:05.000Z07:00")
}

// archive is a ZIP file of an export: an entry for each table, and one that tells what it is.
type archive struct {
	*zip.Writer
	at time.Time // of all entries
}

func newArchive(to io.Writer, at time.Time) archive { return archive{zip.NewWriter(to), at} }

func (a archive) entry(name string) (io.Writer, error) {
	return a.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: a.at})
}

// whole writes an entry of a text.
func (a archive) whole(name, text string) error {
	to, err := a.entry(name)
	if err != nil {
		return err
	}
	_, err = io.WriteString(to, text)
	return err
}

// closeAbout ends the archive with what tells about it.
func (a archive) closeAbout(about []string) error {
	if err := a.whole("about.txt", "\ufeff"+strings.Join(about, "\r\n")+"\r\n"); err != nil {
		return err
	}
	return a.Close()
}

// exportCSV is a ZIP file of CSV files (RFC 4180), which spreadsheets open as they are.
type exportCSV struct {
	archive
	zone  *time.Location
	table *csv.Writer
	cells []string
}

func newExportCSV(to io.Writer, zone *time.Location, at time.Time) ExportWriter {
	return &exportCSV{archive: newArchive(to, at), zone: zone}
}

func (w *exportCSV) Table(t ExportTable) error {
	if err := w.end(); err != nil {
		return err
	}
	to, err := w.entry(t.Name + ".csv")
	if err != nil {
		return err
	}
	table, err := newCSVWriter(to)
	if err != nil {
		return err
	}
	w.table = table.Writer
	return w.table.Write(t.Columns)
}

// Row writes texts so that no spreadsheet takes them for a formula; numbers stay numbers.
func (w *exportCSV) Row(cells []any, _ any) error {
	w.cells = w.cells[:0]
	for _, c := range cells {
		w.cells = append(w.cells, csvCell(c, w.zone))
	}
	return w.table.Write(w.cells)
}

func csvCell(cell any, zone *time.Location) string {
	switch v := cell.(type) {
	case string:
		return fleet.NeutralCell(v)
	case bool:
		return strconv.FormatBool(v)
	case int64:
		return strconv.FormatInt(v, 10)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case fleet.Instant:
		if v != 0 {
			return exportInstant(v, zone)
		}
	}
	return ""
}

func (w *exportCSV) end() error {
	if w.table == nil {
		return nil
	}
	w.table.Flush()
	return w.table.Error()
}

func (w *exportCSV) Close(about []string) error {
	if err := w.end(); err != nil {
		return err
	}
	return w.closeAbout(about)
}

// exportGeoJSON is a FeatureCollection (RFC 7946); a feature says its table in "table".
type exportGeoJSON struct {
	*bufio.Writer
	zone   *time.Location
	table  ExportTable
	before string
}

func newExportGeoJSON(to io.Writer, zone *time.Location, _ time.Time) ExportWriter {
	w := &exportGeoJSON{Writer: bufio.NewWriter(to), zone: zone, before: "\n"}
	_, _ = w.WriteString(`{"type":"FeatureCollection","features":[`)
	return w
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
	_, _ = w.WriteString(w.before) // the writer keeps its error
	_, err = w.Write(text)
	w.before = ",\n"
	return err
}

func (w *exportGeoJSON) Close(about []string) error {
	text, err := json.Marshal(about)
	if err != nil {
		return err
	}
	_, _ = w.WriteString("\n],\"about\":")
	_, _ = w.Write(text)
	_, _ = w.WriteString("}\n")
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
