package wire

// AlertImpressions is the body of POST /feeds/{organizationId}/alerts/impressions: which alerts an app showed to its driver.
type AlertImpressions struct {
	Consumer string   `json:"consumer"` // what the app calls its driver: opaque, and never kept
	Alerts   []string `json:"alerts"`
}

// AlertImpressed answers it.
type AlertImpressed struct {
	Counted int `json:"counted"` // alerts that count for this driver, also from before
	Ignored int `json:"ignored"` // ids that are unknown, or of alerts long over
}
