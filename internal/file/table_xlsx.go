package file

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"lightbar/catalog"
	"lightbar/internal/fleet"
)

var sheetRows = int(catalog.LimitInt("export", "sheetRows"))

// sheetText is how many UTF-16 units a cell of Excel holds ("Excel specifications and limits").
const sheetText = 32_767

// exportXLSX is a workbook (ECMA-376, part 1, SpreadsheetML) that is written as its rows come: no sheet is in memory. Tables of one kind
// follow one another in a sheet; a full sheet goes on as another. Instants are Excel's dates, by the clock of the export's zone.
type exportXLSX struct {
	*archive
	zone  *time.Location
	names []string // of the sheets, in order
	sheet string   // of the table
	part  int      // of the sheet, from 1
	rows  int      // of the part, the head not counted
	head  []string // of the table; none of About
	out   *bufio.Writer
	cell  []byte
}

func newExportXLSX(to io.Writer, zone *time.Location, at time.Time) ExportWriter {
	return &exportXLSX{archive: newArchive(to, at), zone: zone}
}

const (
	xlsxMain   = `xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"`
	xlsxLinks  = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	xlsxHead   = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` + "\n"
	xlsxType   = "application/vnd.openxmlformats-officedocument.spreadsheetml."
	xlsxFrozen = `<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>` +
		`</sheetView></sheetViews>`
)

// The types of all parts, which come first, before it is known how many sheets there are: a part is a sheet unless it is named.
const xlsxTypes = xlsxHead + `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">` +
	`<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
	`<Default Extension="xml" ContentType="` + xlsxType + `worksheet+xml"/>` +
	`<Override PartName="/xl/workbook.xml" ContentType="` + xlsxType + `sheet.main+xml"/>` +
	`<Override PartName="/xl/styles.xml" ContentType="` + xlsxType + `styles+xml"/></Types>`

// Styles of cells: 0 plain, 1 a date, 2 the head of a column.
const xlsxStyles = xlsxHead + `<styleSheet ` + xlsxMain + `><numFmts count="1">` +
	`<numFmt numFmtId="164" formatCode="yyyy\-mm\-dd\ hh:mm:ss.000"/></numFmts>` +
	`<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>` +
	`<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>` +
	`<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>` +
	`<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>` +
	`<cellXfs count="3"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>` +
	`<xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>` +
	`<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/></cellXfs></styleSheet>`

const (
	plainCell = 0
	dateCell  = 1
	headCell  = 2
)

func (w *exportXLSX) Table(t ExportTable) error {
	kind := t.kind()
	if kind == w.sheet {
		return nil // it goes on
	}
	w.sheet, w.part, w.head = kind, 1, t.Columns
	return w.begin(kind, t.Columns, xlsxFrozen)
}

// begin begins a sheet, whose name is no other's.
func (w *exportXLSX) begin(name string, head []string, views string) error {
	if err := w.end(); err != nil {
		return err
	}
	if len(w.names) == 0 {
		if err := w.whole("[Content_Types].xml", xlsxTypes); err != nil {
			return err
		}
	}
	w.names = append(w.names, name)
	to, err := w.entry(fmt.Sprintf("xl/worksheets/sheet%d.xml", len(w.names)))
	if err != nil {
		return err
	}
	w.out, w.rows = bufio.NewWriterSize(to, 32<<10), -1
	_, _ = w.out.WriteString(xlsxHead + `<worksheet ` + xlsxMain + `>` + views + `<cols>`) // the writer remembers its error
	for i, column := range head {
		_, _ = fmt.Fprintf(w.out, `<col min="%d" max="%d" width="%d" customWidth="1"/>`, i+1, i+1, max(12, min(len(column)+4, 40)))
	}
	if len(head) == 0 {
		_, _ = w.out.WriteString(`<col min="1" max="1" width="100" customWidth="1"/>`)
	}
	_, _ = w.out.WriteString(`</cols><sheetData>`)
	if len(head) == 0 {
		w.rows = 0
		return nil
	}
	cells := make([]any, len(head))
	for i, column := range head {
		cells[i] = column
	}
	return w.row(cells, headCell)
}

func (w *exportXLSX) end() error {
	if w.out == nil {
		return nil
	}
	_, _ = w.out.WriteString("</sheetData></worksheet>")
	err := w.out.Flush()
	w.out = nil
	return err
}

func (w *exportXLSX) Row(cells []any, _ any) error {
	if w.rows >= sheetRows {
		w.part++
		if err := w.begin(w.sheet+" "+strconv.Itoa(w.part), w.head, xlsxFrozen); err != nil {
			return err
		}
	}
	return w.row(cells, plainCell)
}

func (w *exportXLSX) row(cells []any, style int) error {
	w.rows++
	number := w.rows + 1
	if len(w.head) == 0 {
		number = w.rows
	}
	b := fmt.Appendf(w.cell[:0], `<row r="%d">`, number)
	for i, c := range cells {
		if at, is := c.(fleet.Instant); c == nil || is && at == 0 {
			continue
		}
		b = append(appendColumn(append(b, `<c r="`...), i), strconv.Itoa(number)...)
		b = w.appendCell(b, c, style)
	}
	w.cell = append(b, "</row>"...)
	_, err := w.out.Write(w.cell)
	return err
}

// appendColumn appends the letters of a column, the first of which is A.
func appendColumn(b []byte, i int) []byte {
	if i >= 26 {
		b = appendColumn(b, i/26-1)
	}
	return append(b, byte('A'+i%26))
}

// appendCell appends what follows a cell's place: its style, type, and value.
func (w *exportXLSX) appendCell(b []byte, cell any, style int) []byte {
	switch v := cell.(type) {
	case string:
		if style != plainCell {
			b = fmt.Appendf(b, `" s="%d`, style)
		}
		return append(appendSheetText(append(b, `" t="inlineStr"><is><t xml:space="preserve">`...), v), "</t></is></c>"...)
	case bool:
		value := `" t="b"><v>0</v></c>`
		if v {
			value = `" t="b"><v>1</v></c>`
		}
		return append(b, value...)
	case int64:
		return append(strconv.AppendInt(append(b, `"><v>`...), v, 10), "</v></c>"...)
	case float64:
		return append(strconv.AppendFloat(append(b, `"><v>`...), v, 'f', -1, 64), "</v></c>"...)
	case fleet.Instant:
		b = fmt.Appendf(b, `" s="%d"><v>`, dateCell)
		return append(strconv.AppendFloat(b, sheetDate(v.Time().In(w.zone)), 'f', 9, 64), "</v></c>"...)
	}
	return append(b, `"/>`...)
}

// sheetDate is an instant as Excel counts: days since Dec-30-1899 of a clock without a zone.
func sheetDate(t time.Time) float64 {
	clock := time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), time.UTC)
	days := clock.Sub(time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC))
	return days.Hours() / 24
}

// appendSheetText appends a text as a cell may have it: what XML cannot contain is replaced by U+FFFD, what Excel would take for an
// escape (ECMA-376, part 1, 22.9.2.19: _x0041_) is escaped, and a text that is too long ends with an ellipsis.
func appendSheetText(b []byte, text string) []byte {
	units := 0
	for i, r := range text {
		units++
		if r >= 0x10000 { // a pair
			units++
		}
		if units >= sheetText && i < len(text)-1 {
			return append(b, "…"...)
		}
		switch {
		case r == '&':
			b = append(b, "&amp;"...)
		case r == '<':
			b = append(b, "&lt;"...)
		case r == '>':
			b = append(b, "&gt;"...)
		case r == '\r':
			b = append(b, "&#13;"...)
		case r == '_' && strings.HasPrefix(text[i:], "_x"):
			b = append(b, "_x005F_"...)
		case r < 0x20 && r != '\t' && r != '\n' || r == 0xFFFE || r == 0xFFFF:
			b = append(b, "\uFFFD"...)
		default:
			b = utf8.AppendRune(b, r)
		}
	}
	return b
}

// Close adds a sheet that describes the workbook, and the parts that bind the sheets together.
func (w *exportXLSX) Close(about []string) error {
	w.head = nil
	if err := w.begin("About", nil, ""); err != nil {
		return err
	}
	about = append(about, "Dates have no offset: they are of the clock of "+w.zone.String()+
		". Where the hour that a clock repeats matters, export in UTC.")
	for _, line := range about {
		if err := w.row([]any{line}, plainCell); err != nil {
			return err
		}
	}
	if err := w.end(); err != nil {
		return err
	}
	var sheets, links strings.Builder
	for i, name := range w.names {
		fmt.Fprintf(&sheets, `<sheet name="%s" sheetId="%d" r:id="rId%d"/>`, appendSheetText(nil, name), i+1, i+1)
		fmt.Fprintf(&links, `<Relationship Id="rId%d" Type="%s/worksheet" Target="worksheets/sheet%d.xml"/>`, i+1, xlsxLinks, i+1)
	}
	fmt.Fprintf(&links, `<Relationship Id="rId%d" Type="%s/styles" Target="styles.xml"/>`, len(w.names)+1, xlsxLinks)
	const linksHead = xlsxHead + `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">`
	for _, part := range [][2]string{
		{"xl/styles.xml", xlsxStyles},
		{"xl/workbook.xml", xlsxHead + `<workbook ` + xlsxMain + ` xmlns:r="` + xlsxLinks + `"><sheets>` + sheets.String() +
			`</sheets></workbook>`},
		{"xl/_rels/workbook.xml.rels", linksHead + links.String() + `</Relationships>`},
		{"_rels/.rels", linksHead + `<Relationship Id="rId1" Type="` + xlsxLinks + `/officeDocument" Target="xl/workbook.xml"/></Relationships>`},
	} {
		if err := w.whole(part[0], part[1]); err != nil {
			return err
		}
	}
	return w.archive.Close()
}
