package file

import (
	"context"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"lightbar/catalog"
	"lightbar/internal/fleet"
)

// Assets as a CSV file (RFC 4180): what an export writes, an import reads. The
// header names the columns in any order; an empty cell leaves a value as it is;
// cells that a spreadsheet would take for a formula carry an apostrophe, which
// the import takes off again (NeutralCell).

// AssetRow is one line of such a file; empty fields say nothing. A tag csv names
// the column, and after it another name that files of other hands use for it.
type AssetRow struct {
	Line         int    // where it begins, from 1, the header included
	Organization string `csv:"organization_id,organization"`
	SystemName   string `csv:"haas_id,system_name"`
	ExternalID   string `csv:"external_id"`
	Nickname     string `csv:"nickname"`
	Type         string `csv:"thing_type,type"`       // name, alias or id of a type
	Subtype      string `csv:"thing_subtype,subtype"` // name or id of a subtype
	DeviceType   string `csv:"device_type"`
	VIN          string `csv:"vin_number,vin"`
	Plate        string `csv:"license_plate_number,plate"`
	Registry     string `csv:"registry_number,registry"`
	InService    string `csv:"in_service"` // true or false
	// Errors are sentences by column; RowError = the line as a whole.
	Errors map[string]string
	Notes  map[string]string // what looks as if a spreadsheet had changed it, by column
}

// RowError is the key of a sentence about a whole row.
const RowError = "row"

// AssetColumns are the columns in the order of an export; assetAliases are further names of them.
var AssetColumns, assetAliases, assetCells = columnsOf(reflect.TypeFor[AssetRow]())

func columnsOf(row reflect.Type) (columns []string, aliases map[string]string, cells map[string]int) {
	aliases, cells = map[string]string{}, map[string]int{}
	for i := range row.NumField() {
		column, alias, _ := strings.Cut(row.Field(i).Tag.Get("csv"), ",")
		if column == "" {
			continue
		}
		columns, aliases[alias], cells[column] = append(columns, column), column, i
	}
	delete(aliases, "")
	return columns, aliases, cells
}

var (
	importRows  = int(catalog.LimitInt("import", "rows"))
	importBytes = int(catalog.LimitInt("import", "csvBytes"))
)

// cell is the field of a column.
func (r *AssetRow) cell(column string) *string {
	return reflect.ValueOf(r).Elem().Field(assetCells[column]).Addr().Interface().(*string)
}

// Value is what stands in a column.
func (r *AssetRow) Value(column string) string { return *r.cell(column) }

// Refuse notes what is wrong with a cell; the first sentence of a column stands.
func (r *AssetRow) Refuse(column, sentence string) {
	if r.Errors == nil {
		r.Errors = map[string]string{}
	}
	if r.Errors[column] == "" {
		r.Errors[column] = sentence
	}
}

// Note says of a cell what people should look at before it is taken.
func (r *AssetRow) Note(column, sentence string) {
	if sentence == "" {
		return
	}
	if r.Notes == nil {
		r.Notes = map[string]string{}
	}
	r.Notes[column] = sentence
}

// ReadAssetCSV reads a file of at most 1 MiB and 10 000 rows. What makes the
// whole file unusable is a refusal (too_large, validation_failed with field
// csv); what is wrong with one row stands in its Errors.
func ReadAssetCSV(ctx context.Context, text string) ([]AssetRow, error) {
	if len(text) > importBytes {
		return nil, fleet.Refuse("too_large", "csv", "The file is larger than 1 MiB. Split it and try again.")
	}
	if !utf8.ValidString(text) {
		return nil, refuseCSV(`The file is not UTF-8 text. Please save it as "CSV UTF-8".`)
	}
	w := work{ctx: ctx}
	in := newCSVRows(text)
	head, _, err := in.next()
	if err != nil {
		return nil, refuseCSV("The file is empty. Its first line names the columns: " + strings.Join(AssetColumns, ", ") + ".")
	}
	columns, err := assetHeader(head, in)
	if err != nil {
		return nil, err
	}
	var out []AssetRow
	for {
		cells, line, err := in.next()
		if err != nil {
			break
		}
		if err := w.step(); err != nil {
			return nil, err
		}
		if len(out) == importRows {
			return nil, refuseCSV("The file has more than " + strconv.Itoa(importRows) + " rows. Please split it.")
		}
		out = append(out, assetRow(line, columns, cells, in))
		if err := w.made(rowBytes); err != nil {
			return nil, err
		}
	}
	if len(out) == 0 {
		return nil, refuseCSV("The file has no rows below the header.")
	}
	return out, nil
}

// rowBytes is about what a row takes.
const rowBytes = 400

// assetHeader checks the names of the columns. One without a name, which
// spreadsheets add at the end, is passed over as long as nothing stands in it.
func assetHeader(head []string, in *csvRows) ([]string, error) {
	if in.isBroken {
		return nil, refuseCSV("The first line has a misplaced quotation mark. It names the columns.")
	}
	if in.more > 0 {
		return nil, refuseCSV("The file has more than " + strconv.Itoa(csvColumns) + " columns. The columns are " +
			strings.Join(AssetColumns, ", ") + ".")
	}
	columns := make([]string, len(head))
	for i, said := range head {
		name := strings.ToLower(strings.TrimFunc(said, func(r rune) bool { return unicode.IsSpace(r) || fleet.Invisible(r) }))
		name = strings.NewReplacer(" ", "_", "-", "_").Replace(name)
		if full, ok := assetAliases[name]; ok {
			name = full
		}
		switch {
		case name == "":
			continue
		case !slices.Contains(AssetColumns, name):
			return nil, refuseCSV("The column " + strconv.Quote(shorten(said, 100)) + " is unknown. The columns are " +
				strings.Join(AssetColumns, ", ") + ".")
		case slices.Contains(columns[:i], name):
			return nil, refuseCSV("The column " + name + " appears twice.")
		}
		columns[i] = name
	}
	if !slices.Contains(columns, "haas_id") {
		return nil, refuseCSV("The column haas_id is missing. It identifies the asset in each row.")
	}
	for columns[len(columns)-1] == "" {
		columns = columns[:len(columns)-1]
	}
	return columns, nil
}

// texts are the columns whose texts a spreadsheet must not have taken for numbers or dates.
var texts = []string{"haas_id", "external_id", "nickname", "vin_number", "license_plate_number", "registry_number"}

// assetRow reads the cells of the row that was read last.
func assetRow(line int, columns, cells []string, in *csvRows) AssetRow {
	row := AssetRow{Line: line}
	if in.isBroken {
		row.Refuse(RowError, "The row has a misplaced quotation mark. Inside a quoted cell, write it twice.")
	}
	said, count := len(cells), len(cells)+in.more
	for said > len(columns) && said == count && strings.TrimSpace(cells[said-1]) == "" {
		said, count = said-1, count-1
	}
	if count != len(columns) {
		row.Refuse(RowError, "The row has "+strconv.Itoa(count)+" cells, the header has "+strconv.Itoa(len(columns))+".")
	}
	for i, column := range columns[:min(len(columns), len(cells))] {
		value := strings.TrimSpace(fleet.PlainCell(strings.TrimSpace(cells[i])))
		if column == "" {
			if value != "" {
				row.Refuse(RowError, "Column "+strconv.Itoa(i+1)+" has no name, but the row has a value in it.")
			}
			continue
		}
		if strings.ContainsFunc(value, fleet.Invisible) {
			row.Refuse(column, "Please use printable characters")
			continue
		}
		if slices.Contains(texts, column) {
			if sentence := fleet.CheckTextCell(value); sentence != "" {
				row.Refuse(column, sentence)
			}
			row.Note(column, fleet.DoubtTextCell(value))
		}
		*row.cell(column) = strings.Clone(value) // of a long file nothing else is to be held
	}
	if row.SystemName == "" {
		row.Refuse("haas_id", "Required")
	}
	if on, ok := fleet.BooleanOf(row.InService); ok {
		row.InService = strconv.FormatBool(on)
	} else if row.InService != "" {
		row.Refuse("in_service", "Must be true or false")
	}
	return row
}

func refuseCSV(sentence string) error { return fleet.Refuse("validation_failed", "csv", sentence) }

// WriteAssetCSV writes a file that ReadAssetCSV reads back to the same rows
// (cells trimmed, without control characters).
func WriteAssetCSV(to io.Writer, rows []AssetRow) error {
	w, err := newCSVWriter(to)
	if err != nil {
		return err
	}
	if err := w.row(AssetColumns...); err != nil {
		return err
	}
	cells := make([]string, len(AssetColumns))
	for i := range rows {
		for n, column := range AssetColumns {
			cells[n] = *rows[i].cell(column)
		}
		if err := w.row(cells...); err != nil {
			return err
		}
	}
	return w.end()
}
