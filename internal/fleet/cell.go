package fleet

import (
	"strings"
	"unicode/utf8"
)

// formulaSigns begin a formula in some spreadsheet, the full-width ones in East
// Asian settings; the apostrophe is ours, so that it can be taken off again.
const formulaSigns = "=+-@\t\r\n'\uff1d\uff0b\uff0d\uff20"

func beginsFormula(s string) bool {
	first, _ := utf8.DecodeRuneInString(s)
	return s != "" && strings.ContainsRune(formulaSigns, first)
}

// NeutralCell makes a text safe in a cell of a spreadsheet: one that begins
// like a formula gets a leading apostrophe (OWASP, CSV injection).
func NeutralCell(s string) string {
	if beginsFormula(s) {
		return "'" + s
	}
	return s
}

// PlainCell removes what NeutralCell added, and what people add to numbers so that a spreadsheet leaves them as they are: '0042,
// ="0042". A text that was like this from the beginning comes with one more apostrophe.
func PlainCell(s string) string {
	if rest, quoted := strings.CutPrefix(s, "'"); quoted && (beginsFormula(rest) || isDigits(rest)) {
		return rest
	}
	if rest, is := strings.CutPrefix(s, `="`); is && rest != "" && strings.IndexByte(rest, '"') == len(rest)-1 {
		return rest[:len(rest)-1]
	}
	return s
}
