package wire

import "lightbar/internal/fleet"

// AreasImport is the body of POST /organization/exclusion_zone/import.
type AreasImport struct {
	Format         string `json:"format" enum:"geojson,kml"`
	Content        string `json:"content" doc:"the file as text; at most 10 MB (settable)"`
	Preview        bool   `json:"preview,omitempty" doc:"only report what would happen"`
	OrganizationID ID     `json:"organization_id,omitempty" format:"uuid" doc:"the areas' owner; default the caller's organization"`
	NameFrom       string `json:"name_from,omitempty" maxLength:"200" doc:"the property that is the name of an area; default name"`
	EZTypeID       ID     `json:"ez_type_id,omitempty" doc:"the type for features without one"`
}

// AreaImportResult is what an import of areas did, or would do: made, changed,
// unchanged and refused are total.
type AreaImportResult struct {
	Total     int `json:"total" doc:"features in the file"`
	Made      int `json:"made"`
	Changed   int `json:"changed"`
	Unchanged int `json:"unchanged"`
	Refused   int `json:"refused"`
	Shortened int `json:"shortened" doc:"features whose name or description was shortened or rid of HTML"`
	LeftOut   int `json:"left_out" doc:"features whose address doesn't follow the rules, and was left out"`
	// Properties are what the file says of its features, and areas have not.
	Properties []string `json:"properties" nullable:"false" doc:"the file's properties that areas don't have, for name_from; at most 200"`
	// Problems are why features were refused.
	Problems []AreaProblem `json:"problems" doc:"at most 100"`
	Rows     []AreaRow     `json:"rows" doc:"the first 20 features, of a preview"`
	// Of a file that has made or changed areas: how to take that back.
	ImportID  string        `json:"import_id,omitempty" doc:"for POST /organization/exclusion_zone/import/{id}/undo"`
	UndoUntil fleet.Instant `json:"undo_until,omitempty" nullable:"false" doc:"until when it can be undone"`
}

// AreaImportUndo is what undoing an import of areas did.
type AreaImportUndo struct {
	Deleted  int `json:"deleted" doc:"areas that the import had made"`
	Restored int `json:"restored" doc:"areas that are again as they were before the import"`
	Left     int `json:"left" doc:"areas that stay as they are"`
	// Reasons are why areas stay as they are.
	Reasons []AreaLeft `json:"reasons" doc:"at most 100"`
}

// AreaLeft is an area that an undo of an import leaves as it is.
type AreaLeft struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	Reason string `json:"reason"`
}

// AreaProblem is why a feature of a file was refused.
type AreaProblem struct {
	Feature int    `json:"feature" doc:"its place in the file, from 1"`
	Name    string `json:"name" doc:"its name; empty when it has none"`
	Field   string `json:"field" doc:"of the area, as POST names it; empty: the feature as a whole"`
	Message string `json:"message"`
}

// AreaRow is what a preview shows of a feature.
type AreaRow struct {
	Feature int    `json:"feature"`
	Name    string `json:"name"`
	EZType  string `json:"ez_type" doc:"db_name; empty when it has none"`
	Shape   string `json:"shape" enum:"circle,line,polygon,none"`
	Action  string `json:"action" enum:"made,changed,unchanged,refused"`
}
