package wire

import "lightbar/internal/fleet"

// ThingCreate is the body of POST /things.
type ThingCreate struct {
	OrganizationID     ID     `json:"organization_id,omitempty" doc:"the owner; none = the own organization"`
	HaasID             string `json:"haas_id" at:"SystemName" doc:"system name, unique within the organization, letter case aside"`
	ExternalID         string `json:"external_id,omitempty"`
	Nickname           string `json:"nickname,omitempty"`
	ThingTypeID        ID     `json:"thing_type_id" at:"Type"`
	ThingSubtypeID     ID     `json:"thing_subtype_id,omitempty" at:"Subtype"`
	DeviceType         string `json:"device_type,omitempty" doc:"api (none = this), ha5 or ha7"`
	VINNumber          string `json:"vin_number,omitempty" at:"VIN"`
	LicensePlateNumber string `json:"license_plate_number,omitempty" at:"Plate"`
	RegistryNumber     string `json:"registry_number,omitempty" at:"Registry"`
}

// ThingTransfer is the body of PUT /things/{id}/organization.
type ThingTransfer struct {
	OrganizationID ID `json:"organization_id" doc:"the new owner"`
}

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

// DeviceConfig is how a light device is wired and reports (specification section 3).
type DeviceConfig struct {
	Model             string `json:"model"`
	Platform          string `json:"platform"`
	FileName          string `json:"file_name"`
	HeartbeatInterval int64  `json:"heartbeat_interval" doc:"seconds"`
	WarningLightPin   int64  `json:"warning_light_pin"`
	IndicatorPin      int64  `json:"indicator_pin"`
	LocationType      string `json:"location_type"`
	Version           int64  `json:"version" doc:"0 = never configured; the other fields mean nothing then"`
}

// DeviceConfigWrite is the body of PUT /things/{id}/device_config; every field is required.
type DeviceConfigWrite struct {
	Model             string `json:"model"`
	Platform          string `json:"platform"`
	FileName          string `json:"file_name"`
	HeartbeatInterval int64  `json:"heartbeat_interval" doc:"seconds"`
	WarningLightPin   int64  `json:"warning_light_pin"`
	IndicatorPin      int64  `json:"indicator_pin" doc:"not the warning light's pin"`
	LocationType      string `json:"location_type"`
}

// DeviceConfigOf makes the wire shape.
func DeviceConfigOf(c fleet.DeviceConfig) DeviceConfig {
	return DeviceConfig{Model: c.Model, Platform: c.Platform, FileName: c.FileName, HeartbeatInterval: c.HeartbeatIntervalS,
		WarningLightPin: c.WarningLightPin, IndicatorPin: c.IndicatorPin, LocationType: c.LocationType, Version: c.Version}
}

// GoneLocation is the row of an incident that left the reader's sight: only its id means something.
func GoneLocation(id string) Location {
	return Location{ID: id, ThingsActive: []LocationThing{}, ThingsInactive: []LocationThing{}, IsDeleted: true}
}
