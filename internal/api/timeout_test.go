package api

import (
	"testing"
	"time"
)

// Files of thousands of rows, and what takes them back, may take longer than other calls.
func TestFilesMayTakeLongerThanOtherCalls(t *testing.T) {
	for path, want := range map[string]time.Duration{
		"/api" + areasImportPath: fileTimeout, "/api" + areasImportPath + "/x/undo": fileTimeout, "/api" + hazardImportPath: fileTimeout,
		"/api" + hazardImportPath + "/x/undo": fileTimeout, "/api" + areasPath: callTimeout, "/api" + areasImportPath + "s": callTimeout,
		"/api" + hazardsPath + "/x/confirm": callTimeout, exportPath: exportTimeout,
	} {
		if got := timeoutOf(path); got != want {
			t.Errorf("%s may take %v, want %v", path, got, want)
		}
	}
}
