package fleet

import (
	"fmt"
	"slices"
	"time"

	"lightbar/catalog"
)

// States of an export (requirements 4.export).
const (
	ExportRequested  = "requested"
	ExportInProgress = "in_progress"
	ExportCompleted  = "completed"
	ExportErrored    = "errored"
)

// What an export has rows of (requirements 9.list).
const (
	ExportIncidents = "incident"
	ExportPoints    = "point"
	ExportAssets    = "asset"
	ExportClosures  = "closure"
)

// Export is a file of what happened in a period, made in the background.
type Export struct {
	ID              string
	OrganizationID  string
	RequestedBy     string // a user
	RequestedByName string // as it was then
	Kind            string
	Title           string
	StartAt, EndAt  Instant // EndAt excluded
	UseUTC          bool
	TimeZone        string   // IANA: the organization's when it was requested, or UTC
	ThingIDs        []string // none = all assets of the organization
	WithoutThings   bool     // incidents without assets, too
	ClosureTypes    []string
	Formats         []string
	Mails           bool // the person who requested it gets a mail when it is done
	Status          string
	Attempts        int     // how often a server began to make it
	Progress        float64 // 0 to 1
	RowCount        int64
	Error           string // why it errored, a sentence
	Files           []ExportFile
	RequestedAt     Instant
	CompletedAt     Instant // 0 until it is completed or errored
	Version         int64
	UpdatedAt       Instant
	DeletedAt       Instant
}

// ExportFile is a whole file of an export.
type ExportFile struct {
	Format string `json:"format"`
	FileID string `json:"file_id"`
	Name   string `json:"name" doc:"as it is saved"`
	Bytes  int64  `json:"bytes"`
}

var (
	exportDays   = int(catalog.LimitInt("export", "days"))
	exportThings = int(catalog.LimitInt("export", "things"))
	closureTypes = []string{ClosureAutomated, ClosureOfFeed, ClosureManual}
)

// HasEnded reports whether nothing more becomes of an export.
func (x *Export) HasEnded() bool { return x.Status == ExportCompleted || x.Status == ExportErrored }

// Zone is where the export's days begin.
func (x *Export) Zone() *time.Location {
	zone, err := time.LoadLocation(x.TimeZone)
	if err != nil {
		return time.UTC
	}
	return zone
}

// Check checks an export by its law (requirements 5.export) and notes what is wrong by the names of the wire.
func (x *Export) Check(wrong map[string]string, now Instant) {
	note := func(field, sentence string, is bool) {
		if is && wrong[field] == "" {
			wrong[field] = sentence
		}
	}
	note("title", "Required", x.Title == "")
	note("export_type", "Unknown type", !slices.Contains(catalog.AllEnums().ExportTypes, x.Kind))
	note("export_start_time", "Required", x.StartAt == 0)
	note("export_end_time", "Required", x.EndAt == 0)
	if x.StartAt != 0 && x.EndAt != 0 {
		note("export_end_time", "Dates must be different", x.EndAt == x.StartAt)
		note("export_end_time", "End time must be after Start time", x.EndAt < x.StartAt)
		note("export_end_time", "Must be past date", x.EndAt > now)
		// Days of the calendar: one with a change of clocks is a day.
		note("export_end_time", "Exceeds max time range", x.EndAt.Time().After(x.StartAt.Time().In(x.Zone()).AddDate(0, 0, exportDays)))
	}
	note("thing_uuids", "Must select at least 1 Asset", x.Kind == ExportPoints && len(x.ThingIDs) == 0)
	note("thing_uuids", fmt.Sprintf("%d Assets max", exportThings), len(x.ThingIDs) > exportThings)
	note("closures_to_include", "Must include at least 1 Closure type or Asset",
		x.Kind == ExportClosures && len(x.ClosureTypes) == 0 && len(x.ThingIDs) == 0)
	for _, t := range x.ClosureTypes {
		note("closures_to_include", "Unknown type", !slices.Contains(closureTypes, t))
	}
	note("formats", "Choose at least one format", len(x.Formats) == 0)
	for i, f := range x.Formats {
		isOfPoints := slices.Contains(catalog.AllEnums().PointFormats, f)
		note("formats", "This format is for points only", isOfPoints && x.Kind != ExportPoints)
		note("formats", "Unknown format", !isOfPoints && !slices.Contains(catalog.AllEnums().ExportFormats, f))
		note("formats", "Each format once", slices.Contains(x.Formats[:i], f))
	}
}
