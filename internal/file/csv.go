package file

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"slices"
	"strings"

	"lightbar/internal/fleet"
)

// csvRows reads CSV as spreadsheets of all countries write it: cells are separated by commas, semicolons, tabs or bars, as the
// first line shows. Empty rows are skipped. An unclosed quote affects only its own line, never those after it. Nothing is copied
// except cells with quotes in them.
type csvRows struct {
	text  string // not yet read
	line  int    // of its beginning, from 1
	comma byte
	cells []string
	// Of the row that was read last.
	isBroken bool // a quotation mark is misplaced
	more     int  // cells behind the last one that is stored
}

// csvColumns is how many cells of a row are stored: no table of ours has a tenth of it.
const csvColumns = 1000

func newCSVRows(text string) *csvRows {
	text = strings.TrimPrefix(text, "\ufeff")
	if !strings.Contains(text, "\n") {
		text = strings.ReplaceAll(text, "\r", "\n")
	}
	r := &csvRows{text: text, line: 1}
	first := firstLine(text)
	// Excel's own word for it; with the commas of the columns behind it, when a program has saved it as a row.
	if said := strings.ToLower(strings.Trim(first, "\"\r\n")); len(said) > 4 && strings.HasPrefix(said, "sep=") &&
		strings.Contains(",;\t|", said[4:5]) && strings.Trim(said[5:], "\",;\t|") == "" {
		r.comma = said[4]
		r.skip(len(first))
	} else {
		for rest := text; strings.Trim(first, " \r\n\",;\t|") == "" && first != ""; first = firstLine(rest) {
			rest = rest[len(first):]
		}
		r.comma = commaOf(first)
	}
	return r
}

func firstLine(text string) string {
	if at := strings.IndexByte(text, '\n'); at >= 0 {
		return text[:at+1]
	}
	return text
}

// commaOf is the separator of a line's cells: the one that is most frequent outside of quotes.
func commaOf(line string) byte {
	var counts [256]int
	isQuoted := false
	for i := range len(line) {
		if line[i] == '"' {
			isQuoted = !isQuoted
		} else if !isQuoted {
			counts[line[i]]++
		}
	}
	comma := byte(',')
	for _, other := range []byte(";\t|") {
		if counts[other] > counts[comma] {
			comma = other
		}
	}
	return comma
}

func (r *csvRows) skip(bytes int) {
	r.line += strings.Count(r.text[:bytes], "\n")
	r.text = r.text[bytes:]
}

// next reads a row and the line where it begins; the cells count until the next one. io.EOF after the last one.
func (r *csvRows) next() (cells []string, line int, err error) {
	for {
		if cells, line, err = r.any(); err != nil || r.isBroken || !r.isBlank() {
			return cells, line, err
		}
	}
}

func (r *csvRows) any() (cells []string, line int, err error) {
	for {
		first := firstLine(r.text)
		if first == "" {
			return nil, 0, io.EOF
		}
		if strings.Trim(first, "\r\n") != "" {
			break
		}
		r.skip(len(first))
	}
	line = r.line
	length, whole := r.row(r.text, false)
	if r.isBroken = !whole; r.isBroken {
		length, _ = r.row(firstLine(r.text), true)
	}
	r.skip(length)
	return r.cells, line, nil
}

// isBlank reports whether the row that was read last is empty, as spreadsheets leave rows behind.
func (r *csvRows) isBlank() bool {
	return r.more == 0 && !slices.ContainsFunc(r.cells, func(cell string) bool { return strings.TrimSpace(cell) != "" })
}

// row reads the cells of the row at the beginning of a text, and returns its length; false when a quotation mark is misplaced,
// which lenient lets pass.
func (r *csvRows) row(text string, lenient bool) (length int, whole bool) {
	r.cells, r.more = r.cells[:0], 0
	for at := 0; ; {
		cell, n, ok := r.cell(text[at:], lenient)
		if !ok {
			return 0, false
		}
		if len(r.cells) < csvColumns {
			r.cells = append(r.cells, cell)
		} else {
			r.more++
		}
		if at += n; at == len(text) {
			return at, true
		}
		at++ // the comma, or the end of the line
		if text[at-1] == '\n' {
			return at, true
		}
	}
}

// cell is the cell at the beginning of a text, and how far it goes.
func (r *csvRows) cell(text string, lenient bool) (cell string, n int, ok bool) {
	if !strings.HasPrefix(text, `"`) {
		for n < len(text) && text[n] != r.comma && text[n] != '\n' {
			n++
		}
		return withoutReturn(text[:n], text[n:]), n, true
	}
	hasQuotes := false
	for n = 1; ; n++ {
		to := strings.IndexByte(text[n:], '"')
		if to < 0 {
			if !lenient {
				return "", 0, false
			}
			n = len(text)
			cell = strings.TrimRight(text[1:], "\r\n")
			break
		}
		n += to
		rest := text[n+1:]
		if strings.HasPrefix(rest, `"`) {
			hasQuotes = true
			n++
			continue
		}
		end := strings.TrimLeft(rest, "\r") // two where a program has converted line ends that were converted
		if rest == "" || rest[0] == r.comma || end == "" || end[0] == '\n' {
			cell = text[1:n]
			n = len(text) - len(end)
			if rest != "" && rest[0] == r.comma {
				n = len(text) - len(rest)
			}
			break
		}
		if !lenient {
			return "", 0, false
		}
	}
	if hasQuotes {
		cell = strings.ReplaceAll(cell, `""`, `"`)
	}
	return cell, n, true
}

// withoutReturn is a cell without the carriage return of its line's end.
func withoutReturn(cell, rest string) string {
	if rest == "" || rest[0] == '\n' {
		return strings.TrimRight(cell, "\r")
	}
	return cell
}

// csvWriter writes rows of CSV (RFC 4180) that every spreadsheet opens as they are: as UTF-8, marked by a byte order mark, and no
// cell as a formula.
type csvWriter struct {
	*csv.Writer
	safe []string
}

func newCSVWriter(to io.Writer) (*csvWriter, error) {
	_, err := io.WriteString(to, "\ufeff")
	w := &csvWriter{Writer: csv.NewWriter(to)}
	w.UseCRLF = true // RFC 4180, section 2
	return w, err
}

func (w *csvWriter) row(cells ...string) error {
	w.safe = w.safe[:0]
	for _, cell := range cells {
		w.safe = append(w.safe, fleet.NeutralCell(cell))
	}
	return w.Write(w.safe)
}

// csvLine is a row without its end.
func csvLine(cells ...string) ([]byte, error) {
	var line bytes.Buffer
	w, err := newCSVWriter(&line)
	if err == nil {
		err = errors.Join(w.row(cells...), w.end())
	}
	return bytes.TrimSuffix(bytes.TrimPrefix(line.Bytes(), []byte("\ufeff")), []byte("\r\n")), err
}

func (w *csvWriter) end() error {
	w.Flush()
	return w.Error()
}
