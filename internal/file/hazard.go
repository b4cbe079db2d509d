package file

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"

	"lightbar/catalog"
	"lightbar/internal/fleet"
	"lightbar/internal/geo"
)

var (
	hazardRows      = int(catalog.LimitInt("hazard", "importRows"))
	hazardText      = int(catalog.LimitInt("text", "description"))
	hazardFileBytes = int(catalog.LimitInt("hazard", "importBytes"))
)

// saysUTC recognizes a column of times in UTC by its name: "Start (UTC)", start_utc, StartTimeUTC; none of "GMT-5".
var saysUTC = regexp.MustCompile(`(?:(?:^|[^A-Za-z])(?i:utc|gmt)|UTC|GMT)(?:[^A-Za-z0-9+ -][^0-9]*)?$`)

// HazardFile is a file of hazards and how to read it.
type HazardFile struct {
	Format  string // geojson or csv
	Content string
	// Columns name the columns of a CSV file, or the properties of GeoJSON features; empty = the field's own name.
	Columns fleet.HazardColumns
	// OnlyNamed: columns that Columns leaves out are not in the file, except those that every row of CSV needs.
	OnlyNamed bool
	Types     map[string]string // what the file calls a type: a type of the catalog
	Zone      *time.Location    // of instants without an offset, in columns that do not say UTC
	// Standing: it is a feed, and everything that it lists is active now, however long ago that was first reported.
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
	work
	HazardFile
	now   fleet.Instant
	seen  map[string]bool
	rows  int
	parse func(text string) (fleet.Instant, bool)
	inUTC func(text string) (fleet.Instant, bool) // of columns that say so
	isUTC [2]bool                                 // the columns of start and updated
	types map[string]string
	visit func(*HazardRow)
	one   HazardRow // that is read: visit stores only copies of it

	named   []fleet.HazardColumn
	longest int // of their names in JSON, each character of which may be written as \u0041
}

// ReadHazards reads a file of hazards row by row and judges each by itself.
// Refusals (validation_failed): content, columns.…, time_format, format, when
// the file cannot be read at all.
func ReadHazards(ctx context.Context, file HazardFile, now fleet.Instant, visit func(*HazardRow)) error {
	r, err := newHazardReader(ctx, file, now, visit)
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

func newHazardReader(ctx context.Context, file HazardFile, now fleet.Instant, visit func(*HazardRow)) (*hazardReader, error) {
	r := &hazardReader{work: work{ctx: ctx}, HazardFile: file, now: now, seen: map[string]bool{}, visit: visit, types: map[string]string{}}
	for _, c := range file.Columns.Named() {
		if file.OnlyNamed && !c.Said && !(file.Format == "csv" && isNeeded(c.Field)) {
			continue
		}
		r.named, r.longest = append(r.named, c), max(r.longest, 6*len(c.As)+2)
	}
	for text, kind := range file.Types {
		r.types[foldCell(text)] = fleet.HazardKind(kind)
	}
	r.inUTC = fleet.TimeReader(file.TimeFormat, time.UTC)
	r.isUTC = [2]bool{saysUTC.MatchString(file.Columns.Start), saysUTC.MatchString(file.Columns.Updated)}
	if r.parse = fleet.TimeReader(file.TimeFormat, file.Zone); r.parse == nil {
		return nil, fleet.RefuseFields(map[string]string{"time_format": "Use iso, unix, unix_ms or a pattern such as yyyy/MM/dd HH:mm:ss"})
	}
	return r, nil
}

// HazardFeatures reads points of GeoJSON one by one. Refusals (validation_failed): time_format.
func HazardFeatures(ctx context.Context, file HazardFile, now fleet.Instant, visit func(*HazardRow)) (
	read func(feature []byte) error, err error) {
	r, err := newHazardReader(ctx, file, now, visit)
	if err != nil {
		return nil, err
	}
	return func(feature []byte) error {
		if checkJSON(feature) > 0 {
			feature = nil
		}
		return r.feature(feature)
	}, nil
}

func foldCell(text string) string { return strings.ToLower(strings.TrimSpace(text)) }

// hazardCells are the texts of a row, by field.
type hazardCells struct{ id, kind, description, start, updated string }

// begin begins a row; one too many is refused unread.
func (r *hazardReader) begin(no int) *HazardRow {
	if r.one = (HazardRow{Row: no}); r.rows >= hazardRows {
		r.one.refuse(fleet.RowTooMany, tooManyRows)
	}
	return &r.one
}

// manyTimes the rows that are read are counted; a file with more of them is none.
const manyTimes = 10

var tooManyRows = "A file can have at most " + strconv.Itoa(hazardRows) + " rows."

// row judges what CSV and GeoJSON have in common, and hands the row on.
func (r *hazardReader) row(row *HazardRow, cells hazardCells) error {
	if r.rows++; row.Reason == "" {
		r.read(row, cells)
	} else if r.rows > manyTimes*hazardRows {
		return fleet.Refuse("too_large", "content", fmt.Sprintf("The file has more than %d rows.", manyTimes*hazardRows))
	}
	r.visit(row)
	if row.Reason != "" {
		return r.step()
	}
	if err := r.made(hazardBytes + len(row.Report.ID) + len(row.Report.Description)); err != nil {
		return err
	}
	return r.step()
}

// hazardBytes is roughly the memory of a row that is stored.
const hazardBytes = 400

// read reads the values of the cells, and judges them.
func (r *hazardReader) read(row *HazardRow, cells hazardCells) {
	m := &row.Report
	m.ID, m.HasLat, m.HasLng, m.HasKind, m.HasDescription = strings.TrimSpace(cells.id), true, true, true, true
	m.Kind = foldCell(cells.kind)
	if kind, known := r.types[m.Kind]; known {
		m.Kind = kind
	}
	m.Description = shorten(cells.description, hazardText)
	for i, said := range []struct {
		text string
		at   *fleet.Instant
	}{{cells.start, &m.StartAt}, {cells.updated, &m.At}} {
		text, ok := strings.TrimSpace(said.text), true
		if fleet.IsNoTime(text) {
			continue
		}
		parse := r.parse
		if r.isUTC[i] {
			parse = r.inUTC
		}
		if *said.at, ok = parse(text); !ok {
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
	if m.ID != "" && r.seen[m.ID] {
		row.refuse(fleet.RowIDRepeated, "An earlier row has this ID: "+shorten(m.ID, 40))
		return
	}
	if reason, message := m.CheckRow(r.now); reason != "" {
		row.refuse(reason, message)
		return
	}
	m.ID, m.Kind = strings.Clone(m.ID), strings.Clone(m.Kind) // of a long file nothing else is to be held
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
		if err != nil {
			return nil // the end
		}
		row := r.begin(line)
		cell := func(name string) string {
			if i, ok := at[name]; ok && i < len(record) {
				return fleet.PlainCell(record[i])
			}
			return ""
		}
		if why := fleet.CheckTextCell(strings.TrimSpace(cell("id"))); why != "" && !r.Standing {
			row.refuse(fleet.RowInvalid, why)
		}
		if row.Reason == "" {
			row.position(cell("lat"), cell("lng"), at["lat"] == at["lng"])
		}
		if err := r.row(row, hazardCells{cell("id"), cell("type"), cell("description"), cell("start"), cell("updated")}); err != nil {
			return err
		}
	}
}

// isNeeded reports whether a CSV file must have a column for a field.
func isNeeded(field string) bool { return field == "id" || field == "lat" || field == "lng" }

// columnsOf finds the columns in a header. id, lat and lng must be there, and every column that was named.
func (r *hazardReader) columnsOf(header []string) (map[string]int, error) {
	byName := map[string]int{}
	for i := len(header) - 1; i >= 0; i-- { // of two that are called alike the first one counts
		byName[foldCell(header[i])] = i
	}
	at, wrong := map[string]int{}, map[string]string{}
	for _, c := range r.named {
		i, found := byName[foldCell(c.As)]
		switch {
		case found:
			at[c.Field] = i
		case c.Said || isNeeded(c.Field):
			wrong["columns."+c.Field] = "The file has no column " + shorten(c.As, 40)
		}
	}
	if len(wrong) > 0 {
		return nil, fleet.RefuseFields(wrong)
	}
	return at, nil
}

// position reads a position of two cells, as numbers or as people write one. isOne: they are one cell, which has both.
func (r *HazardRow) position(lat, lng string, isOne bool) {
	lat, lng = strings.TrimSpace(lat), strings.TrimSpace(lng)
	if lat == "" || lng == "" {
		r.refuse(fleet.RowNoPosition, "The row has no position.")
		return
	}
	said := lat + "; " + lng
	if isOne {
		said = lat
	} else {
		var isLat, isLng bool
		r.Report.Lat, isLat = fleet.NumberOf(lat)
		r.Report.Lng, isLng = fleet.NumberOf(lng)
		if isLat && isLng {
			return
		}
	}
	at, ok := geo.ReadPosition(said)
	if !ok {
		r.refuse(fleet.RowInvalid, "The position isn't a pair of numbers: "+shorten(lat+", "+lng, 60))
		return
	}
	r.Report.Lat, r.Report.Lng = at.Lat, at.Lng
}

// readGeoJSON reads the features one by one: the file is never held as a tree.
func (r *hazardReader) readGeoJSON() error {
	if err := r.made(len(r.Content)); err != nil {
		return err
	}
	why, err := r.features([]byte(strings.TrimPrefix(r.Content, "\ufeff")), r.feature)
	if err == nil && why != "" {
		err = fleet.RefuseFields(map[string]string{"content": why})
	}
	return err
}

// feature reads a feature: its position, and those of its properties that have values.
func (r *hazardReader) feature(text []byte) error {
	row := r.begin(r.rows + 1)
	if row.Reason != "" {
		return r.row(row, hazardCells{})
	}
	var kind, system string
	var id, properties, geometry []byte
	if err := r.members(text, func(name, value []byte) error {
		switch {
		case isNamed(name, "type"):
			kind = kindOf(value)
		case isNamed(name, "id"):
			id = value
		case isNamed(name, "properties"):
			properties = value
		case isNamed(name, "geometry"):
			geometry = value
		case isNamed(name, "crs"):
			system = systemOf(value)
		}
		return nil
	}); err != nil {
		return err
	}
	g, err := r.geometry(geometry)
	if err != nil {
		return err
	}
	switch {
	case kind != "Feature" || !isObjectOrNull(properties):
		row.refuse(fleet.RowInvalid, "This isn't a GeoJSON Feature.")
	case isNull(geometry):
		row.refuse(fleet.RowNoPosition, "The feature has no geometry.")
	case system+g.system != "":
		row.refuse(fleet.RowInvalid, otherSystem(cmp.Or(system, g.system)))
	case g.kind != "Point":
		row.refuse(fleet.RowNotAPoint, "The geometry is a "+shorten(g.kind, 40)+". Only points can be imported.")
	default:
		if at, err := fleet.ReadOutline(g.kind, g.coordinates); err != nil {
			row.refuse(fleet.RowNoPosition, "The point has no coordinates.")
		} else {
			row.Report.Lng, row.Report.Lat = at.Polygons[0][0][0].Lng, at.Polygons[0][0][0].Lat
		}
	}
	cells, err := r.cellsOf(properties)
	if err != nil {
		return err
	}
	if cells.id == "" && r.Columns.ID == "" {
		cells.id = scalar(id)
	}
	return r.row(row, cells)
}

// cellsOf are the properties of a feature that have values. If names differ only in letter case, as shapefiles write them, the one
// with exactly the requested name counts.
func (r *hazardReader) cellsOf(properties []byte) (cells hazardCells, err error) {
	err = r.members(properties, func(name, value []byte) error {
		if len(name) > r.longest {
			return nil
		}
		said := plainJSON(name)
		for _, c := range r.named {
			at := cells.of(c.Field)
			if at != nil && (c.As == said || *at == "" && strings.EqualFold(strings.TrimSpace(c.As), strings.TrimSpace(said))) {
				*at = scalar(value)
			}
		}
		return nil
	})
	return cells, err
}

// of is the cell of a field; nil where a feature has none of it.
func (c *hazardCells) of(field string) *string {
	switch field {
	case "id":
		return &c.id
	case "type":
		return &c.kind
	case "description":
		return &c.description
	case "start":
		return &c.start
	case "updated":
		return &c.updated
	}
	return nil
}

// scalar is a text or a number of JSON as the text of a cell.
func scalar(value []byte) string {
	if text := plainJSON(value); text != "true" && text != "false" || value[0] == '"' {
		return text
	}
	return ""
}

// shorten makes one line of a text, of at most so many characters that can be printed.
func shorten(text string, most int) string {
	var out strings.Builder
	count, space := 0, false
	for _, r := range text {
		if unicode.IsSpace(r) || fleet.Unprintable(r) {
			space = true
			continue
		}
		if space && count > 0 {
			out.WriteByte(' ')
			count++
		}
		space = false
		out.WriteRune(r)
		if count++; count > most {
			break
		}
	}
	if count <= most {
		return out.String()
	}
	return strings.TrimSpace(string([]rune(out.String())[:most-1])) + "…"
}
