package wire

import "lightbar/internal/fleet"

// UsersImport is the body of POST /users/import.
type UsersImport struct {
	OrganizationID ID     `json:"organization_id,omitempty" doc:"whose users they become; none = the own organization"`
	CSV            string `json:"csv" doc:"the file's text: RFC 4180, UTF-8, a header with email, first_name, last_name, and role (the label of a role, or its id); at most 1 MiB and 10 000 rows"`
	Digest         string `json:"digest,omitempty" doc:"none = preview; the preview's digest = do exactly what it showed"`
}

// UserImport is whom a file would invite, or (applied) invited.
type UserImport struct {
	Digest      string          `json:"digest" doc:"of the file and what it would do now"`
	Invite      int             `json:"invite"`
	Unchanged   int             `json:"unchanged" doc:"who is a user of the organization already stays as they are"`
	Refused     int             `json:"refused" doc:"rows with errors; the others are invited all the same"`
	Applied     bool            `json:"applied"`
	Invitations string          `json:"invitations" enum:"mailed,waiting,none" doc:"mailed = a mail server gets them; waiting = they lie on the server, because no mail server is set up; none = the organization signs in with its provider"`
	Rows        []UserImportRow `json:"rows" nullable:"false"`
	ImportID    string          `json:"import_id,omitempty" doc:"for POST /users/import/{id}/undo"`
	UndoUntil   fleet.Instant   `json:"undo_until,omitempty" nullable:"false" doc:"until when it can be undone"`
}

// UserImportRow is one line of the file.
type UserImportRow struct {
	Line      int               `json:"line" doc:"where the row begins in the file, from 1, the header included"`
	Action    string            `json:"action" enum:"invite,unchanged,refused"`
	Email     string            `json:"email"`
	FirstName string            `json:"firstname" doc:"as the user has it, if unchanged"`
	LastName  string            `json:"lastname" doc:"as the user has it, if unchanged"`
	RoleID    string            `json:"role_id" doc:"as the user has it, if unchanged; empty: the row names none"`
	Errors    map[string]string `json:"errors" doc:"by column; row = the line as a whole"`
}

// UserImportUndo is what taking an import back did.
type UserImportUndo struct {
	Deleted int              `json:"deleted" doc:"who was invited and had not accepted"`
	Left    []UserImportLeft `json:"left" nullable:"false" doc:"who stays, with the reason"`
}

// UserImportLeft is somebody whom an undo does not remove.
type UserImportLeft struct {
	Email  string `json:"email"`
	Reason string `json:"reason"`
}
