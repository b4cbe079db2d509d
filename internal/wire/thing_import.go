package wire

import "lightbar/internal/fleet"

// ThingsImport is the body of POST /organization/things/import.
type ThingsImport struct {
	OrganizationID ID     `json:"organization_id,omitempty" doc:"the owner of rows that name none; none = the own organization"`
	CSV            string `json:"csv" doc:"the file's text: RFC 4180, UTF-8, a header; at most 1 MiB and 10 000 rows; an empty cell leaves a value as it is"`
	Digest         string `json:"digest,omitempty" doc:"none = preview; the preview's digest = apply exactly what it showed"`
}

// ImportResult is what an import would do, or (applied) did.
type ImportResult struct {
	Digest    string      `json:"digest" doc:"of the file and the present state of the assets it touches"`
	Create    int         `json:"create"`
	Update    int         `json:"update"`
	Unchanged int         `json:"unchanged"`
	Refused   int         `json:"refused" doc:"with one refused row the file cannot be applied"`
	Applied   bool        `json:"applied"`
	Rows      []ImportRow `json:"rows"`
	// Of an import that has changed something: how to take it back.
	ImportID  string        `json:"import_id,omitempty" doc:"for POST /organization/things/import/{id}/undo"`
	UndoUntil fleet.Instant `json:"undo_until,omitempty" nullable:"false" doc:"until when it can be undone"`
}

// ImportRow is one line of the file.
type ImportRow struct {
	Line    int                     `json:"line" doc:"where the row begins in the file, from 1, the header included"`
	Action  string                  `json:"action" enum:"create,update,unchanged,refused"`
	HaasID  string                  `json:"haas_id"`
	Changes map[string]ImportChange `json:"changes" doc:"by column"`
	Errors  map[string]string       `json:"errors" doc:"by column; row = the line as a whole"`
	Notes   map[string]string       `json:"notes,omitempty" doc:"by column: what looks as if a spreadsheet had changed it, to be looked at before the file is applied"`
}

// ImportChange is a value before and after.
type ImportChange struct {
	From string `json:"from"`
	To   string `json:"to"`
}

// ImportUndo is what taking an import back did (ours).
type ImportUndo struct {
	Deleted  int          `json:"deleted" doc:"assets the import had registered, which never reported"`
	Restored int          `json:"restored" doc:"assets that are again as they were before the import"`
	Left     []ImportLeft `json:"left" doc:"what stays as it is, with the reason"`
}

// ImportLeft is an asset that an undo does not touch.
type ImportLeft struct {
	ThingID string `json:"thing_id"`
	HaasID  string `json:"haas_id"`
	Reason  string `json:"reason"`
}
