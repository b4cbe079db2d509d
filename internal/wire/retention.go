package wire

import "lightbar/internal/fleet"

// LegalHold keeps data longer than its time.
type LegalHold struct {
	ID             string        `json:"id"`
	OrganizationID string        `json:"organization_id"`
	ThingID        *string       `json:"thing_id" doc:"the one asset whose data it keeps; null: all of the organization"`
	ThingName      string        `json:"thing_name"`
	FromAt         fleet.Instant `json:"from" doc:"keeps data from here on; null: from the beginning"`
	ToAt           fleet.Instant `json:"to" doc:"included; null: without end"`
	Reason         string        `json:"reason"`
	EndsAt         fleet.Instant `json:"ends_at" doc:"when it ends by itself; null: when it is lifted"`
	PlacedAt       fleet.Instant `json:"placed_at" nullable:"false"`
	PlacedBy       string        `json:"placed_by" doc:"a user"`
	PlacedByName   string        `json:"placed_by_name"`
	LiftedAt       fleet.Instant `json:"lifted_at" doc:"null: it was not"`
	LiftedBy       *string       `json:"lifted_by"`
	LiftedByName   string        `json:"lifted_by_name"`
	Stands         bool          `json:"stands" doc:"neither lifted nor ended"`
}

// LegalHoldCreate is the body of POST /organization/legal_holds.
type LegalHoldCreate struct {
	OrganizationID ID             `json:"organization_id,omitempty" doc:"the asset's, or the caller's own, when left out"`
	ThingID        ID             `json:"thing_id,omitempty" doc:"keeps the data of this asset alone: its points, runs, stays, and closures"`
	FromAt         *fleet.Instant `json:"from,omitempty" doc:"default: from the beginning"`
	ToAt           *fleet.Instant `json:"to,omitempty" doc:"included; default: without end"`
	Reason         string         `json:"reason" text:"holdReason,required"`
	EndsAt         *fleet.Instant `json:"ends_at,omitempty" doc:"default: when it is lifted"`
}

// Retention tells what of an organization goes when.
type Retention struct {
	Kinds     []KeptData    `json:"kinds"`
	NextTurn  fleet.Instant `json:"next_turn" nullable:"false" doc:"when the clock next deletes what has had its time"`
	HoldsMost int           `json:"holds_most" doc:"how many legal holds may stand at once"`
}

// KeptData is a kind of data: how long it is kept, and when its oldest row goes.
type KeptData struct {
	Kind      string        `json:"kind" doc:"points (with signals), runs, events, visits, closures, hazards, commands (of devices), findings (of the watchdog), deleted (areas, zones, feeds and exports that someone deleted), exports, feed_reads, mails, sessions, refusals, audit"`
	KeptDays  *int          `json:"kept_days" doc:"null: as long as the installation lasts"`
	OldestAt  fleet.Instant `json:"oldest_at" doc:"of its oldest row; null: it has none"`
	NextPurge fleet.Instant `json:"next_purge_at" doc:"when that goes, unless a legal hold keeps it; null: never"`
	Holds     int           `json:"holds" doc:"how many legal holds that stand keep rows of this kind"`
	IsHeld    bool          `json:"is_held" doc:"a legal hold of the whole organization keeps the oldest row"`
}

// Storage tells what the data of this installation takes of its disk.
type Storage struct {
	Bytes         int64         `json:"bytes" doc:"of the database"`
	JournalBytes  int64         `json:"journal_bytes"`
	ExportBytes   int64         `json:"export_bytes" doc:"of the files of exports"`
	DiskBytes     int64         `json:"disk_bytes" doc:"of the disk of the data folder"`
	DiskFree      int64         `json:"disk_free_bytes"`
	PerDay        int64         `json:"bytes_per_day" doc:"about: what was added in a day of the last week"`
	DaysUntilFull *int          `json:"days_until_full" doc:"about; null: not within ten years, or the database is on another machine"`
	Kinds         []StoredKind  `json:"kinds"`
	NextTurn      fleet.Instant `json:"next_turn" nullable:"false"`
}

// StoredKind is what a kind of data takes, all organizations together. Figures are estimates.
type StoredKind struct {
	KeptData
	Rows   int64 `json:"rows"`
	Bytes  int64 `json:"bytes" doc:"with its indexes"`
	PerDay int64 `json:"bytes_per_day"`
	Purged int64 `json:"purged_rows" doc:"by the last turn of the clock since the server started"`
	Held   int64 `json:"held_rows" doc:"that would have gone then and were held"`
}
