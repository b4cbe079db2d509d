package fleet

// Relation is what an organization may be to an asset it does not own.
type Relation struct {
	OrganizationID string
	Kind           string // "manager" or "accessor"
}

// Integration links an asset to a fleet-telematics provider ("geotab", "samsara").
type Integration struct {
	Provider string // system_name on the wire
	ID       string // identifier_id on the wire
}

// Thing is an asset as people edit it; what devices change lives in State.
type Thing struct {
	ID             string
	No             int64 // internal number used by points, never on the wire
	OrganizationID string
	ExternalID     string
	SystemName     string // haas_id
	Nickname       string
	VIN            string
	Plate          string
	Registry       string
	TypeID         string
	SubtypeID      string
	DeviceType     string // api, ha5, ha7
	InService      bool
	// PubliclyAlerting false hides the asset from drivers until AlertingResetAt.
	PubliclyAlerting   bool
	AlertingResetAt    Instant
	AllowedForClosures bool
	AllowedForTestMode bool
	TestMode           bool
	R2R                bool
	Responder          bool
	Relations          []Relation
	Integrations       []Integration
	Version            int64
	UpdatedAt          Instant
	DeletedAt          Instant
}

// State is the live part of an asset: everything that points, heartbeats and
// the clock change. It is a value: laws take one and return the next.
type State struct {
	ThingID string
	No      int64

	HeartbeatAt Instant // last sign of life of any kind, effective time
	At          Instant // effective time of the position shown: the earlier of the device's and the receive time
	ReceivedAt  Instant
	HasPosition bool
	Lat, Lng    float64
	HasCourse   bool
	CourseDeg   float64
	HasSpeed    bool
	SpeedMS     float64
	HasAccuracy bool
	AccuracyM   float64
	Street      string

	Alerting        bool    // lights on
	AlertingAt      Instant // last message that said so
	AlertingSinceAt Instant

	// The anchor of the stationary law: the asset has not left 100 m of it since AnchorAt.
	AnchorAt             Instant
	AnchorLat, AnchorLng float64

	RunID          string
	RunStartAt     Instant
	RunLastAt      Instant
	RunPointsCount int64

	LocationID string  // the incident the asset is at
	ArrivedAt  Instant // since when
	StationID  string

	ClosureActive  bool // an arrow board's own state
	ClosureAt      Instant
	ClosurePattern string

	Status   Status
	StatusAt Instant // since when the status holds
	DueAt    Instant // when the status would change by age alone, 0 = never
	// ChangedAt stamps the last change that a list shows (meta.as_of of incremental lists).
	ChangedAt Instant
}

// Point is one report of a position.
type Point struct {
	ThingNo     int64
	At          Instant // as the device said (or the receive instant where that was unusable)
	ReceivedAt  Instant
	Lat, Lng    float64
	HasCourse   bool
	CourseDeg   float64
	HasSpeed    bool
	SpeedMS     float64
	HasAccuracy bool
	AccuracyM   float64
	HasAlerting bool
	Alerting    bool
	ClockSkew   bool // At was more than 60 s ahead of ReceivedAt
}

// EffectiveAt is the time that orders points and ages markers: the earlier of
// At and ReceivedAt, so that a clock in the future never freezes a marker.
func (p Point) EffectiveAt() Instant {
	if p.ReceivedAt != 0 && p.ReceivedAt < p.At {
		return p.ReceivedAt
	}
	return p.At
}

// Signal is what a device says that is not a position.
type Signal struct {
	ThingNo    int64
	Kind       SignalKind
	At         Instant
	ReceivedAt Instant
	On         bool   // for alert and closure
	Pattern    string // for closure
}

// SignalKind names the kinds of Signal.
type SignalKind uint8

// The kinds of signal of the ingest wire (decisions.md, "Ingest").
const (
	SignalHeartbeat SignalKind = iota
	SignalAlert
	SignalClosure
)
