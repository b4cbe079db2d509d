package file

import (
	"encoding/json"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode"

	"lightbar/catalog"
	"lightbar/internal/fleet"
)

var (
	hazardRows      = int(catalog.LimitInt("hazard", "importRows"))
	hazardText      = int(catalog.LimitInt("text", "description"))
	hazardFileBytes = int(catalog.LimitInt("hazard", "importBytes"))
)

// HazardFile is a file of hazards and how to read it.
type HazardFile struct {
	Format  string // geojson or csv
	Content string
	// Columns name the columns of a CSV file, or the properties of GeoJSON features; empty = the field's own name.
	Columns fleet.HazardColumns
	Types   map[string]string // what the file calls a type: a type of the catalog
	Zone    *time.Location    // of instants without an offset
	// Standing: it is a feed, and whatever it lists stands now, however long ago that was told first.
	Standing bool
	// TimeFormat is iso (RFC 3339, also without offset), unix, unix_ms, or a
	// pattern such as "yyyy/MM/dd hh:mm:ss a"; empty = iso.
	TimeFormat string
}

// HazardRow is one row of a file: a checked report, or why it is refused.
type HazardRow struct {
	Row     int // from 1: of CSV the line where it begins, of GeoJSON which feature it is
	Report  fleet.HazardReport
	Reason  string // empty: it is taken
	Message string
}

func (r *HazardRow) refuse(reason, message string) { r.Reason, r.Message = reason, message }

// hazardReader reads a file row by row.
type hazardReader struct {
	HazardFile
	now   fleet.Instant
	seen  map[string]bool
	rows  int
	parse func(text string) (fleet.Instant, bool)
	types map[string]string
	visit func(*HazardRow)
}

// ReadHazards reads a file of hazards row by row and judges each by itself.
// Refusals (validation_failed): content, columns.…, time_format, format, when
// the file cannot be read at all.
func ReadHazards(file HazardFile, now fleet.Instant, visit func(*HazardRow)) error {
	r, err := newHazardReader(file, now, visit)
	if err != nil {
		return err
	}
	if err := checkFileSize(file.Content, hazardFileBytes); err != nil {
		return err
	}
	switch file.Format {
	case "csv":
		return r.readCSV()
	case "geojson":
		return r.readGeoJSON()
	}
	return fleet.RefuseFields(map[string]string{"format": "Use geojson or csv"})
}

func newHazardReader(file HazardFile, now fleet.Instant, visit func(*HazardRow)) (*hazardReader, error) {
	r := &hazardReader{HazardFile: file, now: now, seen: map[string]bool{}, visit: visit, types: map[string]string{}}
	for text, kind := range file.Types {
		r.types[foldCell(text)] = fleet.HazardKind(kind)
	}
	if r.parse = fleet.TimeParser(file.TimeFormat, file.Zone); r.parse == nil {
		return nil, fleet.RefuseFields(map[string]string{"time_format": "Use iso, unix, unix_ms or a pattern such as yyyy/MM/dd HH:mm:ss"})
	}
	return r, nil
}

// HazardFeatures reads points of GeoJSON one by one. Refusals (validation_failed): time_format.
func HazardFeatures(file HazardFile, now fleet.Instant, visit func(*HazardRow)) (read func(feature []byte), err error) {
	r, err := newHazardReader(file, now, visit)
	if err != nil {
		return nil, err
	}
	return func(feature []byte) { r.feature(feature) }, nil
}

func foldCell(text string) string { return strings.ToLower(strings.TrimSpace(text)) }

// hazardCells are the texts of a row, by field.
type hazardCells struct{ id, kind, description, start, updated string }

// row judges what CSV and GeoJSON have in common, and hands the row on.
func (r *hazardReader) row(row *HazardRow, cells hazardCells) {
	defer r.visit(row)
	if r.rows++; row.Reason != "" {
		return
	}
	m := &row.Report
	m.ID, m.HasLat, m.HasLng, m.HasKind, m.HasDescription = strings.TrimSpace(cells.id), true, true, true, true
	m.Kind = foldCell(cells.kind)
	if kind, known := r.types[m.Kind]; known {
		m.Kind = kind
	}
	m.Description = shorten(cells.description, hazardText)
	for _, said := range []struct {
		text string
		at   *fleet.Instant
	}{{cells.start, &m.StartAt}, {cells.updated, &m.At}} {
		text, ok := strings.TrimSpace(said.text), true
		if text == "" {
			continue
		}
		if *said.at, ok = r.parse(text); !ok {
			row.refuse(fleet.RowTimeInvalid, "This time isn't in the import's format: "+shorten(text, 40))
			return
		}
	}
	switch m.At = max(m.At, m.StartAt); {
	case r.Standing:
		m.At = r.now
	case m.At == 0:
		m.At, m.Timeless = r.now, true
	}
	r.judge(row)
}

func (r *hazardReader) judge(row *HazardRow) {
	m := &row.Report
	switch {
	case r.rows > hazardRows:
		row.refuse(fleet.RowTooMany, "A file can have at most "+strconv.Itoa(hazardRows)+" rows.")
		return
	case m.ID != "" && r.seen[m.ID]:
		row.refuse(fleet.RowIDRepeated, "An earlier row has this ID: "+shorten(m.ID, 40))
		return
	}
	if reason, message := m.CheckRow(r.now); reason != "" {
		row.refuse(reason, message)
		return
	}
	r.seen[m.ID] = true
}

func (r *hazardReader) readCSV() error {
	in := newCSVRows(r.Content)
	header, _, err := in.next()
	if err != nil {
		return fleet.RefuseFields(map[string]string{"content": "The file has no header row"})
	}
	at, err := r.columnsOf(header)
	if err != nil {
		return err
	}
	for {
		record, line, err := in.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		row := &HazardRow{Row: line}
		cell := func(name string) string {
			if i, ok := at[name]; ok && i < len(record) {
				return record[i]
			}
			return ""
		}
		row.position(cell("lat"), cell("lng"))
		r.row(row, hazardCells{cell("id"), cell("type"), cell("description"), cell("start"), cell("updated")})
	}
}

// columnsOf finds the columns in a header. id, lat and lng must be there, and every column that was named.
func (r *hazardReader) columnsOf(header []string) (map[string]int, error) {
	byName := map[string]int{}
	for i := len(header) - 1; i >= 0; i-- { // of two that are called alike the first one counts
		byName[foldCell(header[i])] = i
	}
	at, wrong := map[string]int{}, map[string]string{}
	for _, c := range r.Columns.Named() {
		i, found := byName[foldCell(c.As)]
		switch {
		case found:
			at[c.Field] = i
		case c.Said || c.Field == "id" || c.Field == "lat" || c.Field == "lng":
			wrong["columns."+c.Field] = "The file has no column " + shorten(c.As, 40)
		}
	}
	if len(wrong) > 0 {
		return nil, fleet.RefuseFields(wrong)
	}
	return at, nil
}

// position reads a position of two texts.
func (r *HazardRow) position(lat, lng string) {
	lat, lng = strings.TrimSpace(lat), strings.TrimSpace(lng)
	if lat == "" || lng == "" {
		r.refuse(fleet.RowNoPosition, "The row has no position.")
		return
	}
	var wrong [2]error
	r.Report.Lat, wrong[0] = degrees(lat)
	r.Report.Lng, wrong[1] = degrees(lng)
	if wrong[0] != nil || wrong[1] != nil {
		r.refuse(fleet.RowInvalid, "The position isn't a pair of numbers: "+shorten(lat+", "+lng, 60))
	}
}

// degrees reads a number; half the world writes a comma before its decimals.
func degrees(text string) (float64, error) {
	if strings.Count(text, ",") == 1 && !strings.Contains(text, ".") {
		text = strings.Replace(text, ",", ".", 1)
	}
	return strconv.ParseFloat(text, 64)
}

// hazardFeature is a feature of a GeoJSON file.
type hazardFeature struct {
	Type     string
	ID       any
	Geometry *struct {
		Type        string
		Coordinates json.RawMessage
	}
	Properties map[string]any
}

// readGeoJSON reads the features one by one: the file is never held as a tree.
func (r *hazardReader) readGeoJSON() error {
	in := json.NewDecoder(strings.NewReader(strings.TrimPrefix(r.Content, "\ufeff")))
	in.UseNumber()
	unreadable := fleet.RefuseFields(map[string]string{"content": "The file is not a GeoJSON FeatureCollection"})
	if t, err := in.Token(); err != nil || t != json.Delim('{') {
		return unreadable
	}
	found := false
	for in.More() {
		name, err := in.Token()
		if err != nil {
			return unreadable
		}
		if name != "features" {
			var skipped json.RawMessage
			if in.Decode(&skipped) != nil {
				return unreadable
			}
			continue
		}
		if t, err := in.Token(); err != nil || t != json.Delim('[') || found {
			return unreadable
		}
		found = true
		for in.More() {
			var text json.RawMessage
			if in.Decode(&text) != nil {
				return unreadable
			}
			r.feature(text)
		}
		if _, err := in.Token(); err != nil {
			return unreadable
		}
	}
	if _, err := in.Token(); err != nil || !found {
		return unreadable
	}
	return nil
}

func (r *hazardReader) feature(text json.RawMessage) {
	row := &HazardRow{Row: r.rows + 1}
	var f hazardFeature
	in := json.NewDecoder(strings.NewReader(string(text)))
	in.UseNumber()
	var at []*float64 // null is no 0
	switch err := in.Decode(&f); {
	case err != nil || f.Type != "Feature":
		row.refuse(fleet.RowInvalid, "This isn't a GeoJSON Feature.")
	case f.Geometry == nil:
		row.refuse(fleet.RowNoPosition, "The feature has no geometry.")
	case f.Geometry.Type != "Point":
		row.refuse(fleet.RowNotAPoint, "The geometry is a "+shorten(f.Geometry.Type, 40)+". Only points can be imported.")
	case json.Unmarshal(f.Geometry.Coordinates, &at) != nil || len(at) < 2 || at[0] == nil || at[1] == nil:
		row.refuse(fleet.RowNoPosition, "The point has no coordinates.")
	default:
		row.Report.Lng, row.Report.Lat = *at[0], *at[1]
	}
	said := map[string]string{}
	for _, c := range r.Columns.Named() {
		said[c.Field] = cellOf(f.Properties[c.As])
	}
	if said["id"] == "" && r.Columns.ID == "" {
		said["id"] = cellOf(f.ID)
	}
	r.row(row, hazardCells{said["id"], said["type"], said["description"], said["start"], said["updated"]})
}

// cellOf is a value of JSON as the text of a cell.
func cellOf(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	}
	return ""
}

// shorten makes one line of a text, of at most so many characters that can be printed.
func shorten(text string, most int) string {
	text = strings.Join(strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || fleet.Unprintable(r) }), " ")
	if runes := []rune(text); len(runes) > most {
		return strings.TrimSpace(string(runes[:most-1])) + "…"
	}
	return text
}
