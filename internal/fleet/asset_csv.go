package fleet

import (
	"encoding/csv"
	"errors"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"lightbar/catalog"
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

// ReadAssetCSV reads a file of at most 1 MiB and 10 000 rows. What makes the
// whole file unusable is a refusal (too_large, validation_failed with field
// csv); what is wrong with one row stands in its Errors.
func ReadAssetCSV(text string) ([]AssetRow, error) {
	if len(text) > importBytes {
		return nil, Refuse("too_large", "csv", "The file is larger than 1 MiB. Split it and try again.")
	}
	if !utf8.ValidString(text) {
		return nil, refuseCSV(`The file is not UTF-8 text. Please save it as "CSV UTF-8".`)
	}
	r := csv.NewReader(strings.NewReader(strings.TrimPrefix(text, "\ufeff"))) // spreadsheets begin with a byte order mark
	r.FieldsPerRecord = -1
	head, err := r.Read()
	if errors.Is(err, io.EOF) {
		return nil, refuseCSV("The file is empty. Its first line names the columns: " + strings.Join(AssetColumns, ", ") + ".")
	}
	if err != nil {
		return nil, refuseLine(err)
	}
	columns, err := assetHeader(head)
	if err != nil {
		return nil, err
	}
	var out []AssetRow
	for {
		cells, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, refuseLine(err)
		}
		if len(out) == importRows {
			return nil, refuseCSV("The file has more than " + strconv.Itoa(importRows) + " rows. Please split it.")
		}
		line, _ := r.FieldPos(0)
		out = append(out, assetRow(line, columns, cells))
	}
	if len(out) == 0 {
		return nil, refuseCSV("The file has no rows below the header.")
	}
	return out, nil
}

// assetHeader checks the names of the columns.
func assetHeader(head []string) ([]string, error) {
	columns := make([]string, len(head))
	for i, said := range head {
		name := strings.ToLower(strings.TrimSpace(said))
		if full, ok := assetAliases[name]; ok {
			name = full
		}
		switch {
		case !slices.Contains(AssetColumns, name):
			return nil, refuseCSV("The column " + strconv.Quote(strings.TrimSpace(said)) + " is unknown. The columns are " +
				strings.Join(AssetColumns, ", ") + ".")
		case slices.Contains(columns[:i], name):
			return nil, refuseCSV("The column " + name + " appears twice.")
		}
		columns[i] = name
	}
	if !slices.Contains(columns, "haas_id") {
		return nil, refuseCSV("The column haas_id is missing. It identifies the asset in each row.")
	}
	return columns, nil
}

func assetRow(line int, columns, cells []string) AssetRow {
	row := AssetRow{Line: line}
	if len(cells) != len(columns) {
		row.Refuse(RowError, "The row has "+strconv.Itoa(len(cells))+" cells, the header has "+strconv.Itoa(len(columns))+".")
	}
	for i, column := range columns {
		if i == len(cells) {
			break
		}
		value := strings.TrimSpace(PlainCell(strings.TrimSpace(cells[i])))
		if strings.ContainsFunc(value, Invisible) {
			row.Refuse(column, "Please use printable characters")
			continue
		}
		*row.cell(column) = value
	}
	if row.SystemName == "" {
		row.Refuse("haas_id", "Required")
	}
	row.InService = strings.ToLower(row.InService)
	if row.InService != "" && row.InService != "true" && row.InService != "false" {
		row.Refuse("in_service", "Must be true or false")
	}
	return row
}

func refuseCSV(sentence string) error { return Refuse("validation_failed", "csv", sentence) }

// refuseLine says in words what encoding/csv found.
func refuseLine(err error) error {
	var parse *csv.ParseError
	if !errors.As(err, &parse) {
		return refuseCSV("The file can't be read.")
	}
	why := "cannot be read"
	switch {
	case errors.Is(parse.Err, csv.ErrQuote):
		why = `has a misplaced quotation mark; inside a quoted cell, write it twice`
	case errors.Is(parse.Err, csv.ErrBareQuote):
		why = `has a quotation mark in a cell without quotes`
	}
	return refuseCSV("The row of line " + strconv.Itoa(parse.StartLine) + " " + why + ".")
}

// WriteAssetCSV writes a file that ReadAssetCSV reads back to the same rows
// (cells trimmed, without control characters).
func WriteAssetCSV(to io.Writer, rows []AssetRow) error {
	w := csv.NewWriter(to)
	w.UseCRLF = true // RFC 4180, section 2
	if err := w.Write(AssetColumns); err != nil {
		return err
	}
	cells := make([]string, len(AssetColumns))
	for i := range rows {
		for n, column := range AssetColumns {
			cells[n] = NeutralCell(*rows[i].cell(column))
		}
		if err := w.Write(cells); err != nil {
			return err
		}
	}
	w.Flush()
	return w.Error()
}
