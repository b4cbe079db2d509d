package fleet

// MonthlyReport is about what happened in one month of an organization, in the organization's own time zone. Anything with a start
// belongs to the month in which it starts, however long it lasts.
type MonthlyReport struct {
	ID             string // also the id of its file; it stays when the report is made again
	OrganizationID string
	Year, Month    int
	TimeZone       string  // IANA, of the organization when the report was made
	StartAt, EndAt Instant // of the month; EndAt excluded
	Figures        MonthlyFigures
	MadeAt         Instant
	Version        int64 // grows when the report is made again with other figures
	UpdatedAt      Instant
}

// MonthlyMail is a person's request to be mailed the monthly reports of an organization, and what they were last mailed.
type MonthlyMail struct {
	UserID, OrganizationID string
	Wanted                 bool
	ReportID, MailID       string // the report and its mail; empty: none yet
	MailedAt               Instant
}

// MonthlyFigures are the figures of a month. Lengths of time are milliseconds, distances meters.
type MonthlyFigures struct {
	Assets    MonthlyAssets    `json:"assets"`
	Incidents MonthlyIncidents `json:"incidents"`
	Driving   MonthlyDriving   `json:"driving"`
	Closures  MonthlyClosures  `json:"closures"`
	Feeds     MonthlyFeeds     `json:"feeds"`
	Stations  MonthlyStations  `json:"stations"`
	Data      MonthlyData      `json:"data"`
	Days      []MonthlyDay     `json:"days" doc:"each day of the month"`
}

// MonthlyAssets counts the assets that the organization owned during the month.
type MonthlyAssets struct {
	Total     int           `json:"total" doc:"assets that were the organization's for some of the month"`
	InService int           `json:"in_service" doc:"at the end of the month"`
	ByType    []MonthlyType `json:"by_type" doc:"by number, most first"`
}

// MonthlyType counts the assets of a type.
type MonthlyType struct {
	Type      string `json:"type" doc:"the name of the asset type"`
	Total     int    `json:"total"`
	InService int    `json:"in_service"`
}

// MonthlyIncidents has the figures of the incidents that began in the month.
type MonthlyIncidents struct {
	Total   int           `json:"total"`
	ToScene MonthlySpread `json:"to_scene" doc:"from an asset's lights on to its arrival, where both are known"`
	OnScene MonthlySpread `json:"on_scene" doc:"of each asset's stay that has ended"`
}

// MonthlySpread has the distribution of durations; null without any.
type MonthlySpread struct {
	Count     int    `json:"count" doc:"how many lengths are known"`
	MedianMs  *int64 `json:"median_ms"`
	P90Ms     *int64 `json:"p90_ms" doc:"90% are at most as long"`
	LongestMs *int64 `json:"longest_ms"`
}

// MonthlyDriving has the figures of the organization's assets' driving in the month. A run belongs whole to the month in which it
// starts; driving outside of runs, to the month in which it happens.
type MonthlyDriving struct {
	Runs          int     `json:"runs" doc:"that started in the month"`
	RunMs         int64   `json:"run_ms" doc:"of these runs"`
	RunDistanceM  float64 `json:"run_distance_m" doc:"gaps and standing not counted"`
	OtherDistance float64 `json:"other_distance_m" doc:"driven outside of runs"`
	AlertingMs    int64   `json:"alerting_ms" doc:"lights on while reports came"`
	AlertPoints   int64   `json:"alert_points" doc:"points reported with lights on"`
}

// MonthlyClosures has the figures of the organization's own closures in the month; those from other publishers' feeds are not
// counted.
type MonthlyClosures struct {
	Total       int             `json:"total" doc:"that were active for some of the month"`
	ActiveMs    int64           `json:"active_ms" doc:"within the month"`
	PublishedMs int64           `json:"published_ms" doc:"of active_ms, in public feeds"`
	ByImpact    []MonthlyImpact `json:"by_impact" doc:"by active_ms, longest first"`
	Confirmed   int             `json:"confirmed" doc:"that somebody confirmed in the month"`
	Expired     int             `json:"expired" doc:"that ended in the month because nobody ended or extended them"`
}

// MonthlyImpact has the figures of the closures with one impact on vehicles.
type MonthlyImpact struct {
	Impact   string `json:"impact" doc:"a WZDx name, such as some-lanes-closed"`
	Total    int    `json:"total"`
	ActiveMs int64  `json:"active_ms"`
}

// MonthlyFeeds counts who read the organization's public feeds in the month.
type MonthlyFeeds struct {
	IsCounted bool              `json:"is_counted" doc:"false: requests were not counted for the whole of this month"`
	Requests  int64             `json:"requests"`
	Consumers []MonthlyConsumer `json:"consumers" doc:"by requests, most first"`
	// DriversAlerted counts each driver once for an alert; null: no app reported any.
	DriversAlerted *int64 `json:"drivers_alerted" doc:"drivers who were shown alerts, each counted once an alert; null: not measured"`
}

// MonthlyConsumer is a reader of public feeds: a key, or everybody without one.
type MonthlyConsumer struct {
	Name     string `json:"name" doc:"of the key; empty: readers without a key"`
	Requests int64  `json:"requests"`
	Days     int    `json:"days" doc:"on how many days"`
}

// MonthlyStations has how long stations were covered: an asset in service was there and reporting.
type MonthlyStations struct {
	Total     int              `json:"total"`
	CoveredMs int64            `json:"covered_ms" doc:"of all stations together"`
	OfMs      int64            `json:"of_ms" doc:"that there was to cover"`
	Rows      []MonthlyStation `json:"rows" doc:"least covered first"`
}

// MonthlyStation is a station's cover.
type MonthlyStation struct {
	AreaID    string `json:"area_id"`
	Name      string `json:"name"`
	CoveredMs int64  `json:"covered_ms"`
	OfMs      int64  `json:"of_ms" doc:"of the month, while it was a station"`
	Visits    int    `json:"visits" doc:"that began in the month"`
}

// MonthlyData is how complete the report's data are.
type MonthlyData struct {
	CoveredMs  int64 `json:"covered_ms" doc:"in which assets were heard of: no silence above 10 minutes"`
	OfMs       int64 `json:"of_ms" doc:"the month, for each asset while it was the organization's"`
	Points     int64 `json:"points"`
	SilentDays int   `json:"silent_days" doc:"days on which an asset was not heard of, over all assets"`
	// Refused is null if it was not counted for the month.
	Refused       *int64 `json:"refused" doc:"reports that were refused; null: not counted for this month"`
	DamagedBlocks int    `json:"damaged_blocks" doc:"blocks of stored points that could not be read: what was in them is missing here"`
}

// MonthlyDay is a day of the month, in the organization's time zone.
type MonthlyDay struct {
	Date       string  `json:"date" doc:"2026-11-25"`
	Incidents  int     `json:"incidents" doc:"that began"`
	Runs       int     `json:"runs" doc:"that started"`
	DistanceM  float64 `json:"distance_m" doc:"driven, in and outside of runs"`
	AlertingMs int64   `json:"alerting_ms"`
}

// Kinds of rows behind the figures of a month.
const (
	MonthlyRowsAssets    = "assets"
	MonthlyRowsIncidents = "incidents"
	MonthlyRowsRuns      = "runs"
	MonthlyRowsClosures  = "closures"
)

// MonthlyAssetRow is an asset and its part of the figures.
type MonthlyAssetRow struct {
	ThingID       string  `json:"thing_id"`
	Name          string  `json:"name" doc:"when the report was made"`
	Type          string  `json:"type"`
	InService     bool    `json:"in_service" doc:"at the end of the month"`
	Runs          int     `json:"runs"`
	RunDistanceM  float64 `json:"run_distance_m"`
	OtherDistance float64 `json:"other_distance_m"`
	AlertingMs    int64   `json:"alerting_ms"`
	AlertPoints   int64   `json:"alert_points"`
	Points        int64   `json:"points"`
	CoveredMs     int64   `json:"covered_ms"`
	OfMs          int64   `json:"of_ms"`
	SilentDays    int     `json:"silent_days"`
	Refused       *int64  `json:"refused"`
}

// MonthlyIncidentRow is an incident that began in the month.
type MonthlyIncidentRow struct {
	LocationID string        `json:"location_id"`
	Name       string        `json:"name" doc:"its type or event, as the list of incidents calls it"`
	Street     string        `json:"street"`
	Lat        float64       `json:"lat"`
	Lng        float64       `json:"lng"`
	StartAt    Instant       `json:"start_at" nullable:"false"`
	EndAt      Instant       `json:"end_at" doc:"null if it had not ended"`
	Stays      []MonthlyStay `json:"stays"`
}

// MonthlyStay is an asset's stay at an incident.
type MonthlyStay struct {
	ThingID   string `json:"thing_id"`
	Name      string `json:"name"`
	ToSceneMs *int64 `json:"to_scene_ms"`
	OnSceneMs *int64 `json:"on_scene_ms"`
}

// MonthlyRunRow is a run that started in the month.
type MonthlyRunRow struct {
	RunID      string  `json:"run_id"`
	ThingID    string  `json:"thing_id"`
	Name       string  `json:"name" doc:"of the asset"`
	StartAt    Instant `json:"start_at" nullable:"false"`
	EndAt      Instant `json:"end_at" nullable:"false"`
	DistanceM  float64 `json:"distance_m"`
	AlertingMs int64   `json:"alerting_ms"`
}

// MonthlyClosureRow is a closure that was active for some of the month.
type MonthlyClosureRow struct {
	ClosureID   string  `json:"closure_id"`
	Name        string  `json:"name"`
	RoadName    string  `json:"road_name"`
	Impact      string  `json:"impact"`
	StartAt     Instant `json:"start_at" nullable:"false" doc:"when it became active first, in the month or before"`
	EndAt       Instant `json:"end_at" doc:"null if it had not ended with the month"`
	ActiveMs    int64   `json:"active_ms"`
	PublishedMs int64   `json:"published_ms"`
	Confirmed   bool    `json:"confirmed"`
	Expired     bool    `json:"expired"`
}
