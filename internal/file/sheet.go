package file

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"lightbar/internal/fleet"
)

// sheet is a table of CSV that people fill in: a header names the columns in any order, and each line below is a row.
type sheet struct {
	columns []string
	aliases map[string]string // further names of columns
	key     string            // the column that each row must have
	keyIs   string            // what for
	texts   []string          // columns whose texts a spreadsheet must not have taken for numbers or dates
}

// sheetRow is a line of a sheet after reading.
type sheetRow interface {
	cell(column string) *string
	Refuse(column, sentence string)
	Note(column, sentence string)
}

// sheetLine is the line that was read last.
type sheetLine struct {
	*sheet
	line   int
	header []string
	cells  []string
	in     *csvRows
}

// noteFirst stores the first sentence of a column.
func noteFirst(at *map[string]string, column, sentence string) {
	if *at == nil {
		*at = map[string]string{}
	}
	if (*at)[column] == "" {
		(*at)[column] = sentence
	}
}

// read passes on each row of a file of at most 1 MiB and 10 000 rows. If the whole file is unusable, that is a refusal (too_large,
// validation_failed with field csv).
func (s *sheet) read(ctx context.Context, text string, row func(*sheetLine)) error {
	if len(text) > importBytes {
		return fleet.Refuse("too_large", "csv", "The file is larger than 1 MiB. Split it and try again.")
	}
	if !utf8.ValidString(text) {
		return refuseCSV(`The file is not UTF-8 text. Please save it as "CSV UTF-8".`)
	}
	w := work{ctx: ctx}
	in := newCSVRows(text)
	head, _, err := in.next()
	if err != nil {
		return refuseCSV("The file is empty. Its first line names the columns: " + strings.Join(s.columns, ", ") + ".")
	}
	header, err := s.header(head, in)
	if err != nil {
		return err
	}
	rows := 0
	for ; ; rows++ {
		cells, line, err := in.next()
		if err != nil {
			break
		}
		if err := w.step(); err != nil {
			return err
		}
		if rows == importRows {
			return refuseCSV("The file has more than " + strconv.Itoa(importRows) + " rows. Please split it.")
		}
		row(&sheetLine{s, line, header, cells, in})
		if err := w.made(rowBytes); err != nil {
			return err
		}
	}
	if rows == 0 {
		return refuseCSV("The file has no rows below the header.")
	}
	return nil
}

// rowBytes is about what a row takes.
const rowBytes = 400

// header checks the names of the columns. A column without a name, which spreadsheets add at the end, is skipped as long as it is
// empty.
func (s *sheet) header(head []string, in *csvRows) ([]string, error) {
	if in.isBroken {
		return nil, refuseCSV("The first line has a misplaced quotation mark. It names the columns.")
	}
	all := strings.Join(s.columns, ", ") + "."
	if in.more > 0 {
		return nil, refuseCSV("The file has more than " + strconv.Itoa(csvColumns) + " columns. The columns are " + all)
	}
	columns := make([]string, len(head))
	for i, said := range head {
		name := strings.ToLower(strings.TrimFunc(said, func(r rune) bool { return unicode.IsSpace(r) || fleet.Invisible(r) }))
		name = strings.NewReplacer(" ", "_", "-", "_").Replace(name)
		if full, ok := s.aliases[name]; ok {
			name = full
		}
		switch {
		case name == "":
			continue
		case !slices.Contains(s.columns, name):
			return nil, refuseCSV("The column " + strconv.Quote(shorten(said, 100)) + " is unknown. The columns are " + all)
		case slices.Contains(columns[:i], name):
			return nil, refuseCSV("The column " + name + " appears twice.")
		}
		columns[i] = name
	}
	if !slices.Contains(columns, s.key) {
		return nil, refuseCSV("The column " + s.key + " is missing. " + s.keyIs)
	}
	for columns[len(columns)-1] == "" {
		columns = columns[:len(columns)-1]
	}
	return columns, nil
}

// fill reads the cells into a row.
func (l *sheetLine) fill(row sheetRow) {
	columns, cells := l.header, l.cells
	if l.in.isBroken {
		row.Refuse(RowError, "The row has a misplaced quotation mark. Inside a quoted cell, write it twice.")
	}
	said, count := len(cells), len(cells)+l.in.more
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
		if slices.Contains(l.texts, column) {
			if sentence := fleet.CheckTextCell(value); sentence != "" {
				row.Refuse(column, sentence)
			}
			row.Note(column, fleet.DoubtTextCell(value))
		}
		*row.cell(column) = strings.Clone(value) // of a long file nothing else is to be held
	}
	if *row.cell(l.key) == "" {
		row.Refuse(l.key, "Required")
	}
}
