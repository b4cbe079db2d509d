package wire

import "lightbar/internal/fleet"

// Hazard is something dangerous on a road, as a sender reports it.
type Hazard struct {
	ID               string `json:"id"`
	ExternalID       string `json:"external_id" doc:"the sender's own name for it, unique in its organization"`
	OrganizationID   string `json:"organization_id"`
	OrganizationName string `json:"organization_name"`
	// Type is one of the catalog's hazardTypes.
	Type        string        `json:"type" enum:"slow_traffic,stopped_traffic,debris,disabled_vehicle,crash,wrong_way,animal,flooding,ice,snow,fog,fire,signal_out,road_damage,other"`
	Lat         float64       `json:"lat"`
	Lng         float64       `json:"lng"`
	Street      string        `json:"street"`
	Description string        `json:"description"`
	Source      string        `json:"source" doc:"who reported it last: the name of the API key, the import, or the feed"`
	ReportedBy  *string       `json:"reported_by" doc:"who reported it by hand, as confirmed_by; null: a sender, a file, or a feed did"`
	StartTime   fleet.Instant `json:"start_time" doc:"null where is_deleted"`
	ExpiresAt   fleet.Instant `json:"expires_at" doc:"null where is_deleted"`
	IsActive    bool          `json:"is_active" doc:"evaluated at each answer: never true after expires_at"`
	// Features are its shapes, where a sender has sent any.
	Features    *fleet.FeatureCollection `json:"features" doc:"GeoJSON; null where there are none"`
	ConfirmedAt fleet.Instant            `json:"confirmed_at" doc:"null: not confirmed"`
	ConfirmedBy *string                  `json:"confirmed_by" doc:"a name; if the person belongs to another organization, that organization's"`
	EndedAt     fleet.Instant            `json:"ended_at" doc:"null while it is active"`
	EndReason   *string                  `json:"end_reason" enum:"expired,cleared,withdrawn,source" doc:"null while it is active"`
	EndedBy     *HazardEnder             `json:"ended_by" doc:"null while it is active, or if it expired"`
	Version     int64                    `json:"version"`
	UpdatedAt   fleet.Instant            `json:"updated_at" doc:"null where is_deleted"`
	IsDeleted   bool                     `json:"is_deleted,omitempty" doc:"it ended a day ago and has left the lists; then only id is meaningful"`
}

// HazardWrite is a hazard that somebody reports by hand.
type HazardWrite struct {
	UUID           *ID            `json:"uuid,omitempty" format:"uuid" doc:"for a new hazard; sending the same request again creates no second one"`
	OrganizationID *ID            `json:"organization_id,omitempty" format:"uuid" doc:"for a new hazard; default the caller's organization"`
	Type           *string        `json:"type,omitempty" doc:"required for a new hazard"`
	Lat            *float64       `json:"lat,omitempty" doc:"degrees; required for a new hazard"`
	Lng            *float64       `json:"lng,omitempty" doc:"degrees; required for a new hazard"`
	Description    *string        `json:"description,omitempty" text:"description"`
	ExpiresAt      *fleet.Instant `json:"expires_at,omitempty" nullable:"true" doc:"at most 7 days ahead; default for a new hazard: as long as its type usually lasts"`
}

// HazardEnder is who ended a hazard.
type HazardEnder struct {
	Kind  string   `json:"kind" enum:"user,thing,key,feed" doc:"thing: an asset that drove through; feed: no longer listed"`
	ID    string   `json:"id" doc:"empty if the reader may not see it"`
	Name  string   `json:"name" doc:"the organization's, if the reader may not see more"`
	Speed *float64 `json:"speed" doc:"m/s, of an asset that drove through; else null"`
}

// HazardImport is a file of hazards and how to read it.
type HazardImport struct {
	OrganizationID ID             `json:"organization_id,omitempty" format:"uuid" doc:"their owner; default the caller's organization"`
	Format         string         `json:"format" enum:"geojson,csv"`
	Name           string         `json:"name" doc:"of the file, at most 100 characters"`
	Content        string         `json:"content" doc:"the file's text; at most 10 MB and 50 000 rows"`
	Columns        *HazardColumns `json:"columns,omitempty"`
	// Types translate the file's words.
	Types      map[string]string `json:"types,omitempty" doc:"what the file calls a type: a type of hazards; other words are other"`
	Timezone   string            `json:"timezone,omitempty" doc:"IANA, of instants without an offset; default the organization's"`
	TimeFormat string            `json:"time_format,omitempty" doc:"iso (default), unix, unix_ms, or a pattern such as yyyy/MM/dd hh:mm:ss a"`
	Preview    bool              `json:"preview,omitempty" doc:"true: nothing is written"`
	Guess      bool              `json:"guess,omitempty" doc:"true: missing columns, words in types, and time_format are guessed from the file; a field missing in columns is not in the file"`
}

// HazardColumns says what a CSV file calls its columns, or GeoJSON features
// their properties; empty = the field's own name.
type HazardColumns struct {
	ID          string `json:"id,omitempty" doc:"of GeoJSON by default also the feature's id"`
	Lat         string `json:"lat,omitempty" doc:"CSV"`
	Lng         string `json:"lng,omitempty" doc:"CSV"`
	Type        string `json:"type,omitempty"`
	Description string `json:"description,omitempty"`
	Start       string `json:"start,omitempty"`
	Updated     string `json:"updated,omitempty"`
}

// HazardImported is what an import did, or with preview would do.
type HazardImported struct {
	Total    int             `json:"total" doc:"rows of the file: kept and refused"`
	Kept     int             `json:"kept"`
	Refused  int             `json:"refused"`
	Reasons  []ReasonCount   `json:"reasons" doc:"how many rows were refused for what"`
	Problems []HazardProblem `json:"problems" doc:"the first 100 refused rows"`
	Rows     []Hazard        `json:"rows" doc:"in a preview, the first 20 hazards; otherwise none"`
	Reading  *HazardReading  `json:"reading,omitempty" doc:"with guess: how the file is read. A preview of a CSV file without a column for id, lat, or lng has no rows"`
	// Of a file that has changed hazards: how to take that back.
	ImportID  string        `json:"import_id,omitempty" doc:"for POST /organization/hazards/import/{id}/undo"`
	UndoUntil fleet.Instant `json:"undo_until,omitempty" nullable:"false" doc:"until when it can be undone"`
}

// HazardReading is how a file of hazards is read.
type HazardReading struct {
	Names      []string      `json:"names" doc:"the file's columns, or the properties of its features"`
	Columns    HazardColumns `json:"columns" doc:"a field that is missing is not in the file"`
	Types      []HazardWord  `json:"types" doc:"the first 40 words of the type column"`
	TimeFormat string        `json:"time_format"`
}

// HazardWord is what a word of the type column means.
type HazardWord struct {
	Word string `json:"word"`
	Type string `json:"type" doc:"one of the catalog's hazardTypes"`
}

// HazardImportUndo is what undoing an import of hazards did.
type HazardImportUndo struct {
	Deleted  int `json:"deleted" doc:"hazards that the import had added"`
	Restored int `json:"restored" doc:"hazards that are again as they were before the import"`
	Left     int `json:"left" doc:"hazards that stay as they are"`
	// Reasons are why hazards stay as they are.
	Reasons []HazardLeft `json:"reasons" doc:"at most 100"`
}

// HazardLeft is a hazard that an undo of an import leaves as it is.
type HazardLeft struct {
	ID     string `json:"id"`
	Name   string `json:"name" doc:"its external_id"`
	Reason string `json:"reason"`
}

// ReasonCount counts rows that were refused for one reason.
type ReasonCount struct {
	Reason string `json:"reason" enum:"id_missing,id_repeated,lat_lng_missing,out_of_range,coordinates_swapped,no_fix,time_invalid,too_old,not_a_point,too_many,invalid"`
	Count  int    `json:"count"`
}

// HazardProblem is a row that was refused.
type HazardProblem struct {
	Row     int    `json:"row" doc:"from 1: of CSV the line, of GeoJSON which feature it is"`
	Reason  string `json:"reason" enum:"id_missing,id_repeated,lat_lng_missing,out_of_range,coordinates_swapped,no_fix,time_invalid,too_old,not_a_point,too_many,invalid"`
	Message string `json:"message"`
}

// GoneHazard is the row of a hazard that has left the lists: only its id means something.
func GoneHazard(id string) Hazard { return Hazard{ID: id, Type: "other", IsDeleted: true} }
