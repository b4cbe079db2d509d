package catalog

// ErrorRow is one machine code of errors.json: the HTTP status it answers with
// and the sentence said when a verb says none.
type ErrorRow struct {
	Status  int    `json:"status"`
	Message string `json:"message"`
}

var errorRows = must[map[string]ErrorRow]("errors.json")

// ErrorByCode finds a machine code.
func ErrorByCode(code string) (ErrorRow, bool) {
	row, ok := errorRows[code]
	return row, ok
}

var refusedReasons = must[map[string]string]("refused.json")

// RefusedBecause says in words why a report of an asset was not taken, by its machine code.
func RefusedBecause(code string) (reason string, known bool) {
	reason, known = refusedReasons[code]
	return reason, known
}
