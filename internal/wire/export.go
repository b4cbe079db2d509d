package wire

import (
	"lightbar/internal/fleet"
)

// Export is a file of what happened, and how far it is (requirements 3.export).
type Export struct {
	ID              string        `json:"id"`
	OrganizationID  string        `json:"organization_id"`
	RequestedBy     string        `json:"requested_by" doc:"the user who asked for it"`
	RequestedByName string        `json:"requested_by_name" doc:"as they were called then"`
	Kind            string        `json:"export_type"`
	Title           string        `json:"title"`
	StartAt         fleet.Instant `json:"export_start_time" doc:"null where is_deleted"`
	EndAt           fleet.Instant `json:"export_end_time" doc:"excluded; null where is_deleted"`
	UseUTC          bool          `json:"use_utc" doc:"its days and instants are UTC, else of the organization's time zone"`
	TimeZone        string        `json:"time_zone" doc:"of its days and instants, an IANA name"`
	ThingIDs        []string      `json:"thing_uuids" doc:"empty: all assets of the organization"`
	WithoutThings   bool          `json:"include_no_thing_il" doc:"incidents without assets, too"`
	ClosureTypes    []string      `json:"closures_to_include" doc:"automated, feed, manual"`
	Formats         []string      `json:"formats"`
	Mails           bool          `json:"mail_when_done" doc:"who asked for it gets a mail when it is completed or errored"`
	Status          string        `json:"status" doc:"requested, in_progress, completed, errored"`
	Progress        float64       `json:"progress" doc:"0 to 1"`
	RowCount        int64         `json:"rows"`
	Error           *string       `json:"error" doc:"why it errored; null otherwise"`
	FileID          *string       `json:"file_id" doc:"of the first of its files; null until it is completed"`
	Files           []ExportFile  `json:"files" doc:"each is whole; empty until it is completed"`
	RequestedAt     fleet.Instant `json:"requested_at" doc:"null where is_deleted"`
	CompletedAt     fleet.Instant `json:"completed_at" doc:"null until it is completed or errored"`
	Version         int64         `json:"version"`
	UpdatedAt       fleet.Instant `json:"updated_at" doc:"null where is_deleted"`
	IsDeleted       bool          `json:"is_deleted,omitempty" doc:"deleted; then only id is meaningful"`
}

// ExportFile is a file of an export.
type ExportFile = fleet.ExportFile

// ExportWrite asks for an export (requirements 7.export).
type ExportWrite struct {
	ID             *ID            `json:"id,omitempty" format:"uuid" doc:"of the new export: sent again as it was, it makes no second one"`
	Kind           string         `json:"export_type" doc:"incident, point, asset or closure"`
	Title          *string        `json:"title,omitempty" text:"name,required"`
	StartAt        *fleet.Instant `json:"export_start_time,omitempty" doc:"an instant of the past"`
	EndAt          *fleet.Instant `json:"export_end_time,omitempty" doc:"excluded; at most 31 days later, and not in the future"`
	UseUTC         bool           `json:"use_utc,omitempty" doc:"days and instants in UTC, else in the organization's time zone"`
	OrganizationID *ID            `json:"organization_id,omitempty" format:"uuid" doc:"default the own one"`
	ThingIDs       []ID           `json:"thing_uuids,omitempty" doc:"assets that were the organization's in this time; none = all; of points, at least one"`
	WithoutThings  bool           `json:"include_no_thing_il,omitempty" doc:"of incidents: those without assets, too"`
	ClosureTypes   []string       `json:"closures_to_include,omitempty" doc:"of closures: automated, feed, manual; at least one, or an asset"`
	Formats        []string       `json:"formats,omitempty" doc:"csv (default; a ZIP file of tables), xlsx, geojson; of points also gpx, kml (ZIP files of tracks), parquet"`
	Mails          bool           `json:"mail_when_done,omitempty" doc:"send the caller a mail when it is completed or errored"`
}

// ExportOf is an export without the name of who asked for it.
func ExportOf(x *fleet.Export) (out Export) {
	Same(&out, x)
	for _, list := range []*[]string{&out.ThingIDs, &out.ClosureTypes, &out.Formats} {
		if *list == nil {
			*list = []string{}
		}
	}
	out.Error, out.Files = nil, append([]ExportFile{}, x.Files...)
	if x.Error != "" {
		out.Error = &x.Error
	}
	if len(x.Files) > 0 {
		out.FileID = &out.Files[0].FileID
	}
	return out
}

// FileLink is where a file is downloaded from, for a few minutes.
type FileLink struct {
	FileURL string `json:"file_url"`
}

// ExportEstimate tells how large an export would be.
type ExportEstimate struct {
	Rows  *int64 `json:"rows" doc:"of points; null for other exports, which are small"`
	Bytes *int64 `json:"bytes" doc:"about, of all its files; null as rows"`
}
