package wire

import "lightbar/internal/fleet"

// MonthlyRows is a page of the rows behind a monthly report: one list is there, the one that was asked for.
type MonthlyRows struct {
	Assets    []fleet.MonthlyAssetRow    `json:"assets" doc:"by name; null: not asked for"`
	Incidents []fleet.MonthlyIncidentRow `json:"incidents" doc:"oldest first; null: not asked for"`
	Runs      []fleet.MonthlyRunRow      `json:"runs" doc:"oldest first; null: not asked for"`
	Closures  []fleet.MonthlyClosureRow  `json:"closures" doc:"oldest first; null: not asked for"`
	Meta      Meta                       `json:"meta"`
}
