package file

import (
	"context"
	"reflect"
)

// UserRow is a line of a file of people to invite (RFC 4180); empty fields mean nothing. A tag csv names the column, and after it
// another name that other programs' files use for it.
type UserRow struct {
	Line      int    // where it begins, from 1, the header included
	Email     string `csv:"email,e_mail"`
	FirstName string `csv:"first_name,firstname"`
	LastName  string `csv:"last_name,lastname"`
	Role      string `csv:"role"` // its label, as screens show it, or its id
	// Errors are sentences by column; RowError = the line as a whole.
	Errors map[string]string
}

var userColumns, userAliases, userCells = columnsOf(reflect.TypeFor[UserRow]())

// userSheet is how such a file is read.
var userSheet = sheet{columns: userColumns, aliases: userAliases, key: "email", keyIs: "Each row is invited there.",
	texts: []string{"first_name", "last_name"}}

func (r *UserRow) cell(column string) *string {
	return reflect.ValueOf(r).Elem().Field(userCells[column]).Addr().Interface().(*string)
}

// Refuse notes what is wrong with a cell; the first sentence of a column counts.
func (r *UserRow) Refuse(column, sentence string) { noteFirst(&r.Errors, column, sentence) }

// Note refuses what a spreadsheet seems to have changed: nobody is called so.
func (r *UserRow) Note(column, sentence string) {
	if sentence != "" {
		r.Refuse(column, sentence)
	}
}

// ReadUserCSV reads a file of at most 1 MiB and 10 000 rows, by the rules of ReadAssetCSV.
func ReadUserCSV(ctx context.Context, text string) (out []UserRow, err error) {
	err = userSheet.read(ctx, text, func(in *sheetLine) {
		row := UserRow{Line: in.line}
		in.fill(&row)
		out = append(out, row)
	})
	return out, err
}
