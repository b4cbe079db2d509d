package wire

import "lightbar/internal/fleet"

// MonthlyReport is a row of the list of monthly reports (requirements 3.report).
type MonthlyReport struct {
	ID               string        `json:"id" doc:"equals file_id: messages of the stream carry an id"`
	FileID           string        `json:"file_id"`
	OrganizationID   string        `json:"organization_id"`
	OrganizationName string        `json:"organization_name"`
	Year             int           `json:"year" doc:"from 2014"`
	Month            int           `json:"month" doc:"1 to 12"`
	TimeZone         string        `json:"time_zone" doc:"of its days, an IANA name"`
	StartAt          fleet.Instant `json:"start_at" nullable:"false"`
	EndAt            fleet.Instant `json:"end_at" nullable:"false" doc:"excluded"`
	MadeAt           fleet.Instant `json:"made_at" nullable:"false"`
	FinalAt          fleet.Instant `json:"final_at" nullable:"false" doc:"until then late reports may make it anew"`
	Version          int64         `json:"version" doc:"grows when it is made anew with other figures"`
	UpdatedAt        fleet.Instant `json:"updated_at" nullable:"false"`
	IsDeleted        bool          `json:"is_deleted,omitempty"`
}

// MonthlyReports is a page of monthly reports, and whose reports the caller is mailed.
type MonthlyReports struct {
	Data []MonthlyReport `json:"data"`
	Meta Meta            `json:"meta"`
	Mail []MonthlyMail   `json:"mail" doc:"each organization that was asked for, also if it has no report yet, by name"`
}

// MonthlyMail reports whether the caller is mailed the monthly reports of an organization.
type MonthlyMail struct {
	OrganizationID   string `json:"organization_id"`
	OrganizationName string `json:"organization_name"`
	Mail             bool   `json:"mail" doc:"the caller is mailed each report when it is first made"`
}

// MonthlyMailChoice says whether the caller is mailed an organization's monthly reports.
type MonthlyMailChoice struct {
	Mail bool `json:"mail"`
}

// MonthlyReportWhole is a report with its figures and those of the months that it is compared with.
type MonthlyReportWhole struct {
	MonthlyReport
	Mail          bool                  `json:"mail" doc:"the caller is mailed the reports of this organization"`
	Figures       fleet.MonthlyFigures  `json:"figures"`
	PreviousMonth *fleet.MonthlyFigures `json:"previous_month" doc:"null: there is no report of it"`
	PreviousYear  *fleet.MonthlyFigures `json:"previous_year" doc:"the same month of the year before; null: there is no report of it"`
}
