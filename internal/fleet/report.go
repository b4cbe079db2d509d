package fleet

import (
	"math"
	"slices"
	"time"

	"lightbar/catalog"
)

var (
	ingestOldest = catalog.LimitMs("ingest", "oldestMs")
	ingestAhead  = catalog.LimitMs("ingest", "aheadMs")
	ingestSkew   = catalog.LimitMs("ingest", "skewMs")
	rolloverNear = catalog.LimitMs("ingest", "rolloverMs")
)

// gpsEra is how long the week number of GPS counts before it begins at 0 again.
const gpsEra = 1024 * 7 * 24 * time.Hour

// ReportKind is the type of an ingest item.
type ReportKind uint8

// The kinds of report (requirements D.ingest).
const (
	ReportPoint ReportKind = iota
	ReportHeartbeat
	ReportAlert
	ReportClosure
	ReportOnScene
)

// Report is one item from a device, decoded but not yet judged. Units: degrees, m/s, meters.
type Report struct {
	Index       int // in the batch as sent
	Kind        ReportKind
	Asset       string // system name or external id
	At          Instant
	Lat, Lng    float64
	CourseDeg   float64
	SpeedMS     float64
	AccuracyM   float64
	HasLat      bool
	HasLng      bool
	HasCourse   bool
	HasSpeed    bool
	HasAccuracy bool
	HasAlerting bool
	Alerting    bool // on of an alert, active of a closure
	Pattern     string
	NoFix       bool // the device reports that it has no fix: its position is an old one
	HasConfig   bool
	Config      int64  // the version of its configuration that the device has
	Alive       bool   // the device reports that this is a sign of life, whatever instant its position has
	Ignored     Fields // optional values that mean "not known", or cannot be read or be true: left out
	Wrong       Fields // required values that cannot be read
}

// Fields is a set of the fields of reports.
type Fields uint32

// The fields of reports.
const (
	FieldAsset Fields = 1 << iota
	FieldAt
	FieldLat
	FieldLng
	FieldOn
	FieldActive
	FieldPattern
	FieldCourse
	FieldSpeed
	FieldAccuracy
	FieldAlerting
	FieldValid
	FieldConfig // a version that never was for it, or no number
	FieldAlt
	FieldExpiresAt
	FieldIsActive
)

// fieldNames are their names on the wire, in the order of the bits.
var fieldNames = []string{"asset", "at", "lat", "lng", "on", "active", "pattern", "course", "speed", "accuracy", "alerting", "valid",
	"config_version", "alt", "expires_at", "is_active"}

// Names names them as the wire does, in alphabetical order.
func (f Fields) Names() (out []string) {
	for i, name := range fieldNames {
		if f&(1<<i) != 0 {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

var arrowPatterns = func() map[string]bool {
	m := map[string]bool{}
	for _, p := range catalog.AllEnums().ArrowBoardPatterns {
		m[p] = true
	}
	return m
}()

// Check checks a report by itself and rounds it for storing: positions 1e-7 degrees, speed 1 cm/s, course and accuracy 0.1. Course
// is turned into 0 ≤ c < 360. An optional value that means "not known", or can't be true, is left out (Ignored): only required
// values decide about the report.
func (r *Report) Check(now Instant) *Refusal {
	if r.Wrong != 0 {
		name := r.Wrong.Names()[0]
		return Refuse("wrong_type", name, name+" has the wrong type")
	}
	if r.Asset == "" {
		return Refuse("asset_missing", "asset", "asset is required: a system name or external id")
	}
	r.At = rolledOver(r.At, now)
	if refusal := checkAt(r.At, now); refusal != nil {
		return refusal
	}
	switch r.Kind {
	case ReportPoint:
		return r.checkPoint()
	case ReportAlert:
		if !r.HasAlerting {
			return Refuse("on_missing", "on", "on is required: true or false")
		}
	case ReportClosure:
		if !r.HasAlerting {
			return Refuse("active_missing", "active", "active is required: true or false")
		}
		if r.Pattern != "" && !arrowPatterns[r.Pattern] {
			return Refuse("pattern_unknown", "pattern", "pattern must be a WZDx ArrowBoardPattern")
		}
	}
	return nil
}

func checkAt(at, now Instant) *Refusal {
	if at == 0 {
		return Refuse("at_missing", "at", "at is required: an instant such as 2026-11-21T10:42:07.250Z")
	}
	if at < now-Instant(ingestOldest.Milliseconds()) { // not Sub: a Duration wraps after 292 years
		return Refuse("at_too_old", "at", "at is more than 30 days old")
	}
	if at > now+Instant(ingestAhead.Milliseconds()) {
		return Refuse("at_too_far_ahead", "at", "at is more than 24 hours ahead of the server")
	}
	return nil
}

// rolledOver corrects the instant of a receiver whose week number began at 0
// again: its position is right, and its date 1024 weeks (or twice that) back.
func rolledOver(at, now Instant) Instant {
	near := Instant(rolloverNear.Milliseconds())
	for era := Instant(1); era <= 2; era++ {
		if right := at + era*Instant(gpsEra.Milliseconds()); at != 0 && right > now-near && right < now+near {
			return right
		}
	}
	return at
}

// UsableAt reports whether an instant is one that a report may have; otherwise the report counts from its receipt.
func UsableAt(at, now Instant) bool { return checkAt(at, now) == nil }

// NoFix is the code of a point without a position: it is refused, and the rest of it counts (WithoutFix).
const NoFix = "no_fix"

// WithoutFix is what is left of a refused report: that the device is alive and, if it is a point, whether it alerts.
func (r Report) WithoutFix() Report {
	if r.Kind == ReportPoint && r.HasAlerting {
		r.Kind = ReportAlert
	} else {
		r.Kind = ReportHeartbeat
	}
	return r
}

// dropUnknown leaves out optional values that mean "not known", as phones and receivers send them (-1, NaN, a course of 511), and
// those that cannot be true. An accuracy of 0 is one: no receiver is perfect.
func (r *Report) dropUnknown() {
	for _, o := range [...]struct {
		has   *bool
		value *float64
		most  float64
		field Fields
	}{
		{&r.HasCourse, &r.CourseDeg, 360, FieldCourse}, {&r.HasSpeed, &r.SpeedMS, 1000, FieldSpeed},
		{&r.HasAccuracy, &r.AccuracyM, 1e7, FieldAccuracy},
	} {
		isKnown := *o.value >= 0 && *o.value <= o.most && (o.field != FieldAccuracy || *o.value > 0)
		if *o.has && !isKnown {
			*o.has, *o.value, r.Ignored = false, 0, r.Ignored|o.field
		}
	}
}

func (r *Report) checkPoint() *Refusal {
	r.dropUnknown()
	switch {
	case r.NoFix:
		return Refuse(NoFix, "valid", "The device says that it has no fix. The report still counts as a sign of life and for alerting.")
	case !r.HasLat:
		return Refuse("lat_missing", "lat", "lat is required")
	case !r.HasLng:
		return Refuse("lng_missing", "lng", "lng is required")
	case !(r.Lat >= -90 && r.Lat <= 90):
		return Refuse("lat_out_of_range", "lat", "lat must be from -90 to 90")
	case !(r.Lng >= -180 && r.Lng <= 180):
		return Refuse("lng_out_of_range", "lng", "lng must be from -180 to 180")
	case ToFixed(r.Lat) == 0 && ToFixed(r.Lng) == 0: // what a receiver without a fix sends
		return Refuse(NoFix, "lat", "lat and lng are 0: the receiver has no fix. The report still counts as a sign of life and for alerting.")
	}
	r.Lat, r.Lng = FromFixed(ToFixed(r.Lat)), FromFixed(ToFixed(r.Lng))
	r.SpeedMS = math.Round(r.SpeedMS*100) / 100
	r.CourseDeg = math.Mod(math.Round(r.CourseDeg*10)/10, 360)
	r.AccuracyM = math.Round(r.AccuracyM*10) / 10
	return nil
}

// Point makes the point of a checked report.
func (r *Report) Point(thingNo int64, receivedAt Instant) Point {
	return Point{
		ThingNo: thingNo, At: r.At, ReceivedAt: receivedAt, Lat: r.Lat, Lng: r.Lng,
		HasCourse: r.HasCourse, CourseDeg: r.CourseDeg, HasSpeed: r.HasSpeed, SpeedMS: r.SpeedMS,
		HasAccuracy: r.HasAccuracy, AccuracyM: r.AccuracyM, HasAlerting: r.HasAlerting, Alerting: r.Alerting,
		ClockSkew: r.At.Sub(receivedAt) > ingestSkew,
	}
}

// Signal makes the signal of a checked report that is no point.
func (r *Report) Signal(thingNo int64, receivedAt Instant) Signal {
	g := Signal{ThingNo: thingNo, At: r.At, ReceivedAt: receivedAt, On: r.Alerting}
	switch r.Kind {
	case ReportAlert:
		g.Kind = SignalAlert
	case ReportClosure:
		g.Kind, g.Pattern = SignalClosure, r.Pattern // Check judged the pattern of a closure alone
	case ReportOnScene:
		g.Kind = SignalOnScene
	default:
		g.Kind = SignalHeartbeat
	}
	return g
}

// MaxReportAge is how old a report may be.
func MaxReportAge() time.Duration { return ingestOldest }

// MaxReportAhead is how far ahead of the server's clock a report may be.
func MaxReportAhead() time.Duration { return ingestAhead }
