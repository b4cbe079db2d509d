package fleet

import "slices"

// Relation is the role that an organization may have for an asset it does not own.
type Relation struct {
	OrganizationID string
	Kind           string // RelationManager or RelationAccessor
}

// The kinds of relations between organizations, and of organizations to assets.
const (
	RelationManager  = "manager"
	RelationAccessor = "accessor"
	// RelationDelete requests to end one.
	RelationDelete = "delete"
)

// Identifier is a fleet-telematics provider's ("geotab", "samsara") id of an asset.
type Identifier struct {
	Provider string // system_name on the wire
	ID       string // identifier_id on the wire
	// Account is the integration that set it, or after a transfer the organization that owned the asset: ids mean something only
	// within one account. Empty = a person typed it.
	Account string `json:",omitempty"`
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
	OutOfServiceAt Instant // since when it is not in service; 0 = it is
	// PubliclyAlerting false hides the asset from drivers until AlertingResetAt.
	PubliclyAlerting   bool
	AlertingResetAt    Instant
	AllowedForClosures bool
	AllowedForTestMode bool
	TestMode           bool
	TestModeUntil      Instant // when it ends by itself; 0 = it is off
	R2R                bool
	Responder          bool
	Relations          []Relation
	Integrations       []Identifier
	Version            int64
	CreatedAt          Instant // when it was registered; 0 = before that was stored
	UpdatedAt          Instant
	DeletedAt          Instant
	// OwnedAt is since when the organization owns the asset; 0 = always. Earlier reports belong to an earlier owner.
	OwnedAt Instant
}

// PutInTestMode switches test mode, in which its lights are a test: it is no alert to anybody.
func (t *Thing) PutInTestMode(on bool, now Instant) {
	if t.TestMode, t.TestModeUntil = on, 0; on {
		t.TestModeUntil = TestModeEnd(now)
	}
}

// IsSeenBy reports whether it is an organization's, or shared with it.
func (t *Thing) IsSeenBy(organizationID string) bool {
	return t.OrganizationID == organizationID ||
		slices.ContainsFunc(t.Relations, func(r Relation) bool { return r.OrganizationID == organizationID })
}

// State is the live part of an asset: everything that points, heartbeats and the clock change. It is a value: laws take one and
// return the next.
//
// Every field that a late report may touch is a register that keeps the newest (or a join that only grows), so that the same
// reports give the same state in any order. Fields about incidents follow only reports in order.
type State struct {
	ThingID string `json:"id"`
	No      int64  `json:"no"`

	HeartbeatAt Instant `json:"hb,omitempty"` // last sign of life of any kind, effective time
	At          Instant `json:"at,omitempty"` // effective time of the position shown
	DeviceAt    Instant `json:"sa,omitempty"` // the device's own time of that position
	ReceivedAt  Instant `json:"ra,omitempty"`
	TakenAt     Instant `json:"tk,omitempty"` // latest receive instant of all reports applied; 0 = none, or from before it was stored
	HasPosition bool    `json:"p,omitempty"`
	HasCourse   bool    `json:"hc,omitempty"`
	HasSpeed    bool    `json:"hs,omitempty"`
	HasAccuracy bool    `json:"ha,omitempty"`
	Alerting    bool    `json:"al,omitempty"` // lights on
	Lat         float64 `json:"lat,omitempty"`
	Lng         float64 `json:"lng,omitempty"`
	CourseDeg   float64 `json:"c,omitempty"`
	SpeedMS     float64 `json:"s,omitempty"`
	AccuracyM   float64 `json:"ac,omitempty"`
	Street      string  `json:"st,omitempty"`

	AlertingAt       Instant `json:"ala,omitempty"` // last report that contained whether it alerts
	EverAlerting     bool    `json:"ea,omitempty"`  // it alerted at least once
	FirstOnAt        Instant `json:"fon,omitempty"` // earliest report that it alerts; 0 = none, or from before it was stored
	AlertingAbsentAt Instant `json:"una,omitempty"` // last point without a value
	LightsAt         Instant `json:"lon,omitempty"` // since when the lights are on (lights.go); 0 = they are off, or from before it was stored

	// Skewed: its clock was once ahead of the server's, own and effective instants differ.
	Skewed bool `json:"sk,omitempty"`

	// Trail shows since when the asset has not left its surroundings (stationary law).
	Trail   Trail   `json:"tr"`
	SinceAt Instant `json:"sin,omitempty"` // not left 100 m of the position since

	// The newest run; PrevRunEndAt is the end of the one before it.
	RunID          string  `json:"r,omitempty"`
	RunStartAt     Instant `json:"rs,omitempty"`
	RunLastAt      Instant `json:"rl,omitempty"`
	RunPointsCount int64   `json:"rc,omitempty"`
	PrevRunEndAt   Instant `json:"pre,omitempty"`

	// The incident the asset is at, with its place; DwellAt since when it has been stopped and alerting within 30 m and DwellPoints
	// the points of its run after that, LightsOffAt since when it does not alert at the incident, LeftAt the end of its last stay.
	LocationID  string  `json:"l,omitempty"`
	LocationLat float64 `json:"llat,omitempty"`
	LocationLng float64 `json:"llng,omitempty"`
	ArrivedAt   Instant `json:"la,omitempty"`
	DwellAt     Instant `json:"dw,omitempty"`
	DwellLat    float64 `json:"dlat,omitempty"`
	DwellLng    float64 `json:"dlng,omitempty"`
	DwellPoints int64   `json:"dp,omitempty"`
	LightsOffAt Instant `json:"qa,omitempty"`
	LeftAt      Instant `json:"lfa,omitempty"`
	// The station it is at, and since when it is there, or at none.
	StationID string  `json:"sid,omitempty"`
	StationAt Instant `json:"sia,omitempty"`

	BoardActive  bool    `json:"ca,omitempty"` // an arrow board's own state
	BoardAt      Instant `json:"cat,omitempty"`
	BoardPattern string  `json:"cp,omitempty"`

	// Reports that were not taken: how many, the last one's receive instant and code (NoteRefused).
	RefusedCount int64   `json:"rfn,omitempty"`
	RefusedAt    Instant `json:"rfa,omitempty"`
	RefusedCode  string  `json:"rfc,omitempty"`

	// CutAt is when its connection ended without a goodbye and without a report since (stale.go); 0 = it did not.
	CutAt Instant `json:"cut,omitempty"`

	// Config has the configuration versions that its device should have and has; it is stored in the configuration's row.
	Config ConfigState `json:"-"`

	// Sources are by which ways its reports came.
	Sources Sources `json:"src,omitzero"`

	Status   Status  `json:"stat"`
	StatusAt Instant `json:"sta,omitempty"` // since when the status holds
	DueAt    Instant `json:"-"`             // when something would change by age alone, 0 = never
	// ChangedAt stamps the last change that a list shows (meta.as_of of incremental lists).
	ChangedAt Instant `json:"ch,omitempty"`
}

// Point is one report of a position.
type Point struct {
	ThingNo     int64
	At          Instant // as the device reported (or the receive instant where that was unusable)
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
	Source      Source
}

// HasAlerting reports whether the signal contains whether the asset alerts.
func (s Signal) HasAlerting() bool { return s.Kind == SignalAlert }

// EffectiveAt is the time that orders signals, as Point.EffectiveAt.
func (s Signal) EffectiveAt() Instant {
	if s.ReceivedAt != 0 && s.ReceivedAt < s.At {
		return s.ReceivedAt
	}
	return s.At
}

// EffectiveAt is the time that orders points and ages markers: the earlier of
// At and ReceivedAt, so that a clock in the future never freezes a marker.
func (p Point) EffectiveAt() Instant {
	if p.ReceivedAt != 0 && p.ReceivedAt < p.At {
		return p.ReceivedAt
	}
	return p.At
}

// Signal is a device's report that is not a position.
type Signal struct {
	ThingNo    int64
	Kind       SignalKind
	At         Instant
	ReceivedAt Instant
	On         bool   // for alert and closure
	Pattern    string // for closure
	Source     Source
}

// SignalKind names the kinds of Signal.
type SignalKind uint8

// The kinds of signal of the ingest wire (decisions.md, "Ingest").
const (
	SignalHeartbeat SignalKind = iota
	SignalAlert
	SignalClosure
	SignalOnScene
)

// PutInService puts the asset in service or out of it. An asset that stays out keeps the instant since when it is out.
func (t *Thing) PutInService(on bool, now Instant) {
	switch {
	case on:
		t.OutOfServiceAt = 0
	case t.InService:
		t.OutOfServiceAt = now
	}
	t.InService = on
}
