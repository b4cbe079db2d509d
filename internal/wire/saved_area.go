package wire

// SavedAreas are a user's bookmarks of areas (GET and PUT /user/saved_areas).
type SavedAreas struct {
	AreaIDs []string `json:"area_ids" doc:"areas in reach, in the user's order"`
}

// SavedAreasWrite replaces them.
type SavedAreasWrite struct {
	AreaIDs []ID `json:"area_ids" doc:"at most 100; areas in reach"`
}
