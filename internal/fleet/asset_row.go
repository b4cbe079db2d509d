package fleet

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

var (
	// roundedNumber is the form in which a spreadsheet shows a long number: 356307000000000 becomes 3.56307E+14. One without a plus
	// and decimals could be a name.
	roundedNumber = regexp.MustCompile(`^[+-]?(\d[.,]\d+[Ee][+-]?\d+|\d+[Ee]\+\d+)$`)
	// cellErrors are the texts in cells whose formula failed, in the language of their author, or whose column is too narrow.
	cellErrors = regexp.MustCompile(`^(#(N/A|NV|N/D|#+|GETTING_DATA|[¡¿]?[\p{L}/0_. ]{3,20}[!?])|(ERR|FEHLER):\d{3})$`)
	// dateCell is what a spreadsheet makes of 4-1 or of 12/3, and floatCell of a number in a column with an empty cell.
	dateCell = regexp.MustCompile(`(?i)^(\d{1,2}[-. ]{1,2}` + monthCell + `([- ]\d{2,4})?|` + monthCell + `[- ]\d{2}` +
		`|\d{4}-\d\d-\d\d( 00:00(:00)?)?|\d{1,2}[/.]\d{1,2}[/.](\d\d|\d{4}))$`)
	floatCell = regexp.MustCompile(`^\d+[.,]0+$`)
	longCell  = regexp.MustCompile(`^\d{15}0+$`)
	// groupedCell is a number as a spreadsheet shows it.
	groupedCell = regexp.MustCompile(`^\d{1,3}([,.'  ]\d{3}){2,}$`)
)

// monthCell is a month as spreadsheets of Western Europe shorten it.
const monthCell = `(jan|feb|m[aä]r|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz]|mrz|mrt|mei|f[eé]v|avr|jui|ao[uû]|déc` +
	`|ene|abr|ago|dic|gen|mag|giu|lug|set|ott|out)[a-zéûô.]*`

// CheckTextCell is the law of a text in a file, beside that of the text itself:
// empty, or why it cannot be what somebody entered.
func CheckTextCell(text string) (sentence string) {
	switch {
	case roundedNumber.MatchString(text):
		return "A spreadsheet (such as Excel) rounded this number. Format the column as text and enter the number again."
	case cellErrors.MatchString(strings.ToUpper(text)):
		return "This is an error of a spreadsheet. Enter the value as text."
	}
	return ""
}

// DoubtTextCell returns what looks as if a spreadsheet had changed it; it may be right.
func DoubtTextCell(text string) (sentence string) {
	switch {
	case dateCell.MatchString(text):
		return "This looks like a date that a spreadsheet made of another text."
	case floatCell.MatchString(text):
		return "A program may have added the decimals to this number."
	case groupedCell.MatchString(text):
		return "A spreadsheet may have put the separators into this number."
	case longCell.MatchString(text):
		return "A spreadsheet keeps 15 digits of a number: the last ones may have become 0."
	case strings.ContainsRune(text, utf8.RuneError):
		return "A program couldn't read a letter of this text. Save the file as UTF-8 and enter it again."
	}
	if was := misread(text); was != "" {
		return "A spreadsheet may have read " + was + " with another encoding. Open the file as UTF-8."
	}
	return ""
}

// misread is the text that a program made another of, because it took UTF-8 for Windows-1252: Zoë of ZoÃ«; empty = none.
func misread(text string) string {
	was, err := charmap.Windows1252.NewEncoder().String(text)
	if err != nil || was == text || !utf8.ValidString(was) {
		return ""
	}
	return was
}

// LostZeros reports whether a text is another one, a number, without its leading zeros.
func LostZeros(text, whole string) bool {
	return len(text) < len(whole) && text == strings.TrimLeft(whole, "0") && isDigits(text)
}

func isDigits(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == ""
}
