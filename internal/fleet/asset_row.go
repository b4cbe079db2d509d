package fleet

import "regexp"

// roundedNumber is what a spreadsheet makes of a long number: 356307000000000 becomes 3.56307E+14.
var roundedNumber = regexp.MustCompile(`^\d[.,]\d+[Ee]\+\d+$`)

// CheckIdentifierCell is the law of an identifier in a file, beside that of the
// identifier itself: empty, or why no device can ever have it.
func CheckIdentifierCell(text string) (sentence string) {
	if roundedNumber.MatchString(text) {
		return "A spreadsheet (such as Excel) rounded this number. Format the column as text and enter the number again."
	}
	return ""
}
