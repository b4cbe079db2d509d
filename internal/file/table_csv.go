package file

import (
	"bufio"
	"encoding/csv"
	"io"
	"math"
	"strconv"
	"time"

	"lightbar/internal/fleet"
)

// exportCSV is a ZIP file of CSV files (RFC 4180), which spreadsheets open as they are.
type exportCSV struct {
	*archive
	out   *bufio.Writer // into the entry
	table *csv.Writer   // over out
	cells []string
	// Of points, which are written without cells.
	clock clock
	asset *ExportAsset
	whose []byte // the cells of the asset
	line  []byte
}

func newExportCSV(to io.Writer, zone *time.Location, at time.Time) ExportWriter {
	return &exportCSV{archive: newArchive(to, at), out: bufio.NewWriterSize(nil, 32<<10), clock: clock{zone: zone}}
}

func (w *exportCSV) Table(t ExportTable) error {
	if err := w.end(); err != nil {
		return err
	}
	to, err := w.entry(t.Name + ".csv")
	if err != nil {
		return err
	}
	w.out.Reset(to)
	table, err := newCSVWriter(w.out)
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
		w.cells = append(w.cells, csvCell(c, w.clock.zone))
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

// point writes the same as Row for the cells of PointColumns, in a third of the time: exports have millions.
func (w *exportCSV) point(a *ExportAsset, p *fleet.Point) error {
	if w.asset != a {
		whose, err := csvLine("", a.Name(), a.ID, "")
		if err != nil {
			return err
		}
		w.asset, w.whose = a, whose
	}
	b := append(w.clock.append(w.line[:0], p.At), ',')
	b = append(w.clock.append(b, p.ReceivedAt), w.whose...)
	b = append(strconv.AppendFloat(b, p.Lat, 'f', -1, 64), ',')
	b = append(strconv.AppendFloat(b, p.Lng, 'f', -1, 64), ',')
	b = appendKnown(b, p.HasSpeed, p.SpeedMS)
	b = appendKnown(b, p.HasCourse, p.CourseDeg)
	b = appendKnown(b, p.HasAccuracy, p.AccuracyM)
	if p.HasAlerting {
		b = strconv.AppendBool(b, p.Alerting)
	}
	b = append(strconv.AppendBool(append(b, ','), p.ClockSkew), "\r\n"...)
	w.line = b
	_, err := w.out.Write(b)
	return err
}

func appendKnown(b []byte, is bool, v float64) []byte {
	if is {
		b = strconv.AppendFloat(b, v, 'f', -1, 64)
	}
	return append(b, ',')
}

// end hands the table to its entry.
func (w *exportCSV) end() error {
	if w.table == nil {
		return nil
	}
	w.table.Flush()
	err := w.table.Error()
	w.table = nil
	return err
}

func (w *exportCSV) Mark() (ExportMark, error) {
	if err := w.end(); err != nil {
		return ExportMark{}, err
	}
	return w.mark()
}

func (w *exportCSV) Close(about []string) error {
	if err := w.end(); err != nil {
		return err
	}
	return w.closeAbout(about)
}

// clock writes instants of a zone as exportInstant does. It reuses what one has in common with the next: offset and day.
type clock struct {
	zone        *time.Location
	from, until int64 // when the offset holds, ms
	offset      int64 // ms
	ending      []byte
	day         int64
	date        []byte
}

const dayMs = 86_400_000

func (c *clock) append(b []byte, at fleet.Instant) []byte {
	if at == 0 {
		return b
	}
	ms := int64(at)
	if ms < c.from || ms >= c.until {
		c.turn(at)
	}
	ms += c.offset
	day := ms / dayMs
	if ms < 0 && ms%dayMs != 0 {
		day--
	}
	if day != c.day {
		c.day, c.date = day, time.UnixMilli(day*dayMs).UTC().AppendFormat(c.date[:0], "2006-01-02T")
	}
	ms -= day * dayMs
	b = append(two(append(b, c.date...), ms/3_600_000), ':')
	b = append(two(b, ms/60_000%60), ':')
	b = append(two(b, ms/1000%60), '.', byte('0'+ms/100%10))
	return append(two(b, ms%100), c.ending...)
}

// turn learns the offset of an instant.
func (c *clock) turn(at fleet.Instant) {
	t := at.Time().In(c.zone)
	c.from, c.until, c.day = math.MinInt64, math.MaxInt64, math.MinInt64
	from, until := t.ZoneBounds()
	if !from.IsZero() {
		c.from = from.UnixMilli()
	}
	if !until.IsZero() {
		c.until = until.UnixMilli()
	}
	_, seconds := t.Zone()
	c.offset, c.ending = int64(seconds)*1000, t.AppendFormat(nil, "Z07:00")
}

func two(b []byte, n int64) []byte { return append(b, byte('0'+n/10), byte('0'+n%10)) }
