package wire

import "lightbar/internal/fleet"

// MonthlyRows is a page of the rows behind a monthly report: the list that was asked for, the others empty.
type MonthlyRows struct {
	Assets    []fleet.MonthlyAssetRow    `json:"assets" doc:"by name; empty also if not asked for"`
	Incidents []fleet.MonthlyIncidentRow `json:"incidents" doc:"oldest first; empty also if not asked for"`
	Runs      []fleet.MonthlyRunRow      `json:"runs" doc:"oldest first; empty also if not asked for"`
	Closures  []fleet.MonthlyClosureRow  `json:"closures" doc:"oldest first; empty also if not asked for"`
	Meta      Meta                       `json:"meta"`
}
