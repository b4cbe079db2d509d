package fleet

// Location is an incident or event: a place where alerting assets are stopped, or one that a sender reports without assets
// (IsGeoMarker).
type Location struct {
	ID             string
	No             int64
	OrganizationID string // of the asset that opened it, or of the sender
	ExternalID     string // the sender's own id
	IsActive       bool
	Lat, Lng       float64
	// OriginLat, OriginLng are where it opened: an edit moves the marker within 100 m of there.
	OriginLat, OriginLng float64
	Street               string
	HasHeading           bool
	RoadwayHeading       float64
	StartAt, EndAt       Instant
	AlertMessage         string
	WZDxID               string
	Presences            []Presence
	Version              int64
	UpdatedAt            Instant
	// EditedVersion and EditedAt are of the last edit by somebody; 0 = never. Assets raise Version, too.
	EditedVersion int64
	EditedAt      Instant
	// LearnedAt and LearnedEndAt are when the server learned that it began and that
	// it ended: StartAt and EndAt may lie before them, as devices report late.
	LearnedAt, LearnedEndAt Instant

	IsGeoMarker bool
	Features    *FeatureCollection // never changed in place; nil = none
	HasAlt      bool
	Alt         float64 // meters
	ExpiresAt   Instant // 0 = by the law of incidents
	ReportedAt  Instant // the effective instant of the sender's newest report

	// DriversAlerted is how many drivers were shown an alert of its assets, if an app reported anything (DriversMeasured).
	DriversMeasured bool
	DriversAlerted  int64
}

// Presence is one stay of one asset at a location; EndAt 0 while it is there.
type Presence struct {
	ThingID        string
	OrganizationID string
	StartAt, EndAt Instant
}
