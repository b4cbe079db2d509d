package file

import (
	"bufio"
	"encoding/csv"
	"errors"
	"strings"
)

// csvRows reads CSV as spreadsheets of all countries write it: cells are apart
// by commas, semicolons or tabs, which the first line shows. A quote that nobody
// closed costs its own line and never swallows those after it.
type csvRows struct {
	rest  string // not yet given to in
	line  int    // of the first line of rest, from 1
	comma rune
	in    *csv.Reader
	// Both are used again for each broken row: a file of nothing else would make millions.
	whole, broken *bufio.Reader
}

func newCSVRows(text string) *csvRows {
	text = strings.TrimPrefix(text, "\ufeff")
	if !strings.Contains(text, "\n") {
		text = strings.ReplaceAll(text, "\r", "\n")
	}
	r := &csvRows{rest: text, line: 1, whole: bufio.NewReader(nil), broken: bufio.NewReader(nil)}
	first := firstLine(text)
	// Excel's own word for it.
	if said := strings.ToLower(strings.TrimRight(first, "\r\n")); said == "sep=," || said == "sep=;" || said == "sep=\t" {
		r.comma = rune(said[4])
		r.skip(len(first))
	} else {
		r.comma = commaOf(first)
	}
	r.open()
	return r
}

func firstLine(text string) string {
	if at := strings.IndexByte(text, '\n'); at >= 0 {
		return text[:at+1]
	}
	return text
}

// commaOf is what keeps the cells of a line apart: what stands there most often outside of quotes.
func commaOf(line string) rune {
	counts, isQuoted := map[rune]int{}, false
	for _, c := range line {
		if c == '"' {
			isQuoted = !isQuoted
		} else if !isQuoted {
			counts[c]++
		}
	}
	comma := ','
	for _, other := range ";\t" {
		if counts[other] > counts[comma] {
			comma = other
		}
	}
	return comma
}

func (r *csvRows) open() {
	r.in = r.reader(r.whole, r.rest)
	r.in.ReuseRecord = true
}

func (r *csvRows) reader(buffer *bufio.Reader, text string) *csv.Reader {
	buffer.Reset(strings.NewReader(text))
	in := csv.NewReader(buffer)
	in.Comma, in.FieldsPerRecord = r.comma, -1
	return in
}

func (r *csvRows) skip(bytes int) {
	r.line += strings.Count(r.rest[:bytes], "\n")
	r.rest = r.rest[bytes:]
}

// next reads a row and the line where it begins. io.EOF after the last one.
func (r *csvRows) next() (cells []string, line int, err error) {
	began := int(r.in.InputOffset())
	cells, err = r.in.Read()
	if err == nil {
		line, _ = r.in.FieldPos(0)
		return cells, r.line + line - 1, nil
	}
	var broken *csv.ParseError
	if !errors.As(err, &broken) {
		return nil, 0, err
	}
	// Blank lines before the row were read with it.
	for text := r.rest[began:]; strings.Trim(firstLine(text), "\r\n") == "" && text != ""; text = r.rest[began:] {
		began += len(firstLine(text))
	}
	raw := r.rest[began:int(r.in.InputOffset())]
	if errors.Is(err, csv.ErrQuote) {
		raw = firstLine(raw)
	}
	r.skip(began)
	line = r.line
	lenient := r.reader(r.broken, raw)
	lenient.LazyQuotes = true
	cells, err = lenient.Read()
	r.skip(len(raw))
	r.open()
	return cells, line, err
}
