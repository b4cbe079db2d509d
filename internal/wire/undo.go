package wire

import "lightbar/internal/fleet"

// Undo takes back a change of a record.
type Undo struct {
	Version int64 `json:"version" minimum:"1" doc:"the version that the change made; when there is another one by now, it answers 409 with the present state"`
}

// Undoable is the last change of a record, which can be undone for 24 hours.
type Undoable struct {
	Noun           string        `json:"noun"`
	ID             string        `json:"id"`
	OrganizationID string        `json:"organization_id"`
	Name           string        `json:"name" doc:"what it is called; empty when it has no name"`
	Verb           string        `json:"verb" enum:"edit,delete,restore,import" doc:"restore: a deletion was undone; to undo that deletes it again. import: of a file, as a whole"`
	At             fleet.Instant `json:"at" nullable:"false"`
	By             string        `json:"by" doc:"who changed it, as far as the caller may know; else empty"`
	Version        int64         `json:"version" doc:"the version that the change made"`
}
