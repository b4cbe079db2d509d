package file

import (
	"context"
	"io"
	"reflect"
	"strconv"
	"strings"

	"lightbar/catalog"
	"lightbar/internal/fleet"
)

// Assets as a CSV file (RFC 4180): an import reads what an export writes. The header names the columns in any order; an empty cell
// leaves a value as it is; cells that a spreadsheet would take for a formula carry an apostrophe, which the import removes again
// (NeutralCell).

// AssetRow is one line of such a file; empty fields mean nothing. A tag csv names the column, and after it another name that other
// programs' files use for it.
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

// Value is the value of a column.
func (r *AssetRow) Value(column string) string { return *r.cell(column) }

// Refuse notes what is wrong with a cell; the first sentence of a column counts.
func (r *AssetRow) Refuse(column, sentence string) {
	noteFirst(&r.Errors, column, sentence)
}

// Note adds to a cell what people should check before it is imported.
func (r *AssetRow) Note(column, sentence string) {
	if sentence == "" {
		return
	}
	if r.Notes == nil {
		r.Notes = map[string]string{}
	}
	r.Notes[column] = sentence
}

// assetSheet is how such a file is read.
var assetSheet = sheet{columns: AssetColumns, aliases: assetAliases, key: "haas_id", keyIs: "It identifies the asset in each row.",
	texts: []string{"haas_id", "external_id", "nickname", "vin_number", "license_plate_number", "registry_number"}}

// ReadAssetCSV reads a file of at most 1 MiB and 10 000 rows. If the whole file is unusable, that is a refusal (too_large,
// validation_failed with field csv); what is wrong with one row is in its Errors.
func ReadAssetCSV(ctx context.Context, text string) (out []AssetRow, err error) {
	err = assetSheet.read(ctx, text, func(in *sheetLine) {
		row := AssetRow{Line: in.line}
		in.fill(&row)
		if on, ok := fleet.BooleanOf(row.InService); ok {
			row.InService = strconv.FormatBool(on)
		} else if row.InService != "" {
			row.Refuse("in_service", "Must be true or false")
		}
		for _, column := range assetSheet.texts {
			if text := row.Value(column); text != "" && fleet.IsUnknown(text) {
				row.Note(column, "Programs write this where there is no value. An empty cell says so here.")
			}
		}
		out = append(out, row)
	})
	return out, err
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
