package fleet

// Location is an incident or event: a place where alerting assets stand.
type Location struct {
	ID             string
	No             int64
	OrganizationID string // of the asset that opened it
	ExternalID     string
	IsActive       bool
	Lat, Lng       float64
	Street         string
	HasHeading     bool
	RoadwayHeading float64
	StartAt, EndAt Instant
	AlertMessage   string
	WZDxID         string
	Presences      []Presence
	Version        int64
	UpdatedAt      Instant
}

// Presence is one stay of one asset at a location; EndAt 0 while it is there.
type Presence struct {
	ThingID        string
	OrganizationID string
	StartAt, EndAt Instant
}
