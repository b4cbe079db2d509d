package wire

// AreasImport is the body of POST /organization/exclusion_zone/import.
type AreasImport struct {
	Format         string `json:"format" enum:"geojson,kml"`
	Content        string `json:"content" doc:"the file as text; at most 10 MB (settable)"`
	Preview        bool   `json:"preview,omitempty" doc:"only report what would happen"`
	OrganizationID ID     `json:"organization_id,omitempty" format:"uuid" doc:"the areas' owner; default the caller's organization"`
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
	// Problems are why features were refused.
	Problems []AreaProblem `json:"problems" doc:"at most 100"`
	Rows     []AreaRow     `json:"rows" doc:"the first 20 features, of a preview"`
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
