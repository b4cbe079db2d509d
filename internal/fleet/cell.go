package fleet

import "strings"

// NeutralCell makes a text safe in a cell of a spreadsheet: one that begins
// like a formula gets a leading apostrophe (OWASP, CSV injection).
func NeutralCell(s string) string {
	if s != "" && strings.ContainsRune("=+-@\t\r'", rune(s[0])) {
		return "'" + s
	}
	return s
}

// PlainCell takes off what NeutralCell put on.
func PlainCell(s string) string {
	if len(s) > 1 && s[0] == '\'' && strings.ContainsRune("=+-@\t\r'", rune(s[1])) {
		return s[1:]
	}
	return s
}
