package device

import (
	"errors"
	"maps"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/budget"
	"lightbar/internal/fleet"
)

// speedUnits are the values of speed_unit, in m/s. Without one an address or a form means knots (OsmAnd protocol), a JSON body m/s.
var speedUnits = map[string]float64{"kn": knot, "knots": knot, "m/s": 1, "mps": 1, "km/h": 1 / 3.6, "kmh": 1 / 3.6, "kph": 1 / 3.6,
	"kmph": 1 / 3.6, "kt": knot, "kts": knot, "knot": knot, "ms": 1, "mph": 0.44704}

const knot = 1852.0 / 3600

// metersPerHDOP turns a dilution of precision into meters: a usual receiver's
// own error (user equivalent range error) of 5 m.
const metersPerHDOP = 5

// NewOsmAnd serves GET|POST /api/ingest/osmand, the protocol of common tracker apps (OsmAnd live tracking, Traccar Client):
// parameters in the query or a form, or a JSON body of one position or of a list. id (device_id) is the secret of one asset; it is
// never logged and never returned.
//
// An app can only repeat requests that are not answered 200. So whatever will never be accepted is answered 200 and counted
// (app.RecordPoints); after any other answer, the app should retain its report.
func NewOsmAnd(a *app.App, o Options) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodPost {
			w.Header().Set("Allow", "GET, POST")
			fail(w, "method_not_allowed", "")
			return
		}
		actor, batch, err := readOsmAnd(a, o, w, r)
		if err != nil {
			refuse(w, err)
			return
		}
		now := fleet.InstantOf(a.Now())
		for i := range batch.Reports {
			if r := &batch.Reports[i]; r.At == 0 {
				r.At = now // the protocol allows to leave it out
			}
		}
		batch.Source = fleet.SourceOsmAnd
		result, err := a.RecordPoints(r.Context(), actor, batch)
		if err != nil {
			refuse(w, err)
			return
		}
		answer(w, result, "ok") // Overland sends a batch again until it reads this
	})
}

// readOsmAnd reads reports and finds out whose they are. A secret in the address
// is looked up before anything of the body is read; for one inside the body no
// more is read than a stranger may send, and nothing is unpacked.
func readOsmAnd(a *app.App, o Options, w http.ResponseWriter, r *http.Request) (actor *access.Actor, batch app.ReportBatch, err error) {
	values, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return nil, batch, errJSON
	}
	secret, err := secretOf(values)
	if err != nil {
		return nil, batch, err
	}
	sent, unpacked := strangersBody, int64(0)
	if secret != "" {
		if actor, err = trackerOf(a, o, r, secret); err != nil {
			return nil, batch, err
		}
		sent, unpacked = bodyBytes, unpackedBytes
	}
	body, err := readBody(w, r, sent, unpacked)
	switch {
	case errors.Is(err, errTooLarge) && unpacked == 0:
		err = fleet.Refuse("too_large", "", "A body has at most 16 KiB, or 1 MiB when the id stands in the address.")
	case errors.Is(err, errEncoding) && unpacked == 0:
		err = fleet.Refuse("unsupported_media_type", "", "A packed body is taken when the id stands in the address.")
	}
	if err != nil {
		return nil, batch, err
	}
	within, batch, err := decodeOsmAnd(values, body)
	if err != nil {
		return nil, batch, err
	}
	if actor == nil {
		actor, err = trackerOf(a, o, r, within)
	}
	return actor, batch, err
}

// strangersBody bounds a body whose sender is not known before it is read.
var strangersBody = catalog.LimitInt("http", "strangerBodyBytes")

// trackerOf is the asset that a secret identifies.
func trackerOf(a *app.App, o Options, r *http.Request, secret string) (*access.Actor, error) {
	actor, err := a.AuthenticateKey(r.Context(), secret, o.network(r))
	if err == nil && actor.KeyThingID == "" {
		err = fleet.Refuse("invalid_key", "", "Invalid API key.") // an organization's key does not identify an asset
	}
	if err != nil {
		return nil, err
	}
	budget.Of(r).SetHolder(actor.KeyID)
	return actor, nil
}

// secretOf is the id of an address or a form. Two of one name would be two devices.
func secretOf(v url.Values) (string, error) {
	for _, name := range []string{"id", "deviceid", "device_id"} {
		said := slices.Compact(slices.DeleteFunc(slices.Clone(v[name]), func(s string) bool { return s == "" }))
		switch len(said) {
		case 0:
		case 1:
			return said[0], nil
		default:
			return "", errSeveral
		}
	}
	return "", nil
}

// decodeOsmAnd reads the parameters of the address together with a form or a JSON body. An error means that the body cannot be
// read: the app retains it.
func decodeOsmAnd(values url.Values, body string) (secret string, batch app.ReportBatch, err error) {
	body = strings.TrimSpace(fleet.PlainText(body))
	if secret, err = secretOf(values); err != nil {
		return "", batch, err
	}
	var all []said
	if strings.HasPrefix(body, "{") || strings.HasPrefix(body, "[") {
		t := trackerBody{c: scanner{s: body}, address: saidIn(values), secret: secret}
		if all, err = t.read(); err != nil {
			return "", batch, err
		}
		secret = t.secret
	} else {
		if err := addForm(values, body); err != nil {
			return "", batch, err
		}
		s := saidIn(values)
		if !s.hasPosition() && slices.ContainsFunc(slices.Collect(maps.Keys(values)), func(name string) bool {
			text := values.Get(name)
			return !fleet.IsUnknown(text) && (holdsPosition(name) || writtenPosition.MatchString(text))
		}) {
			return "", batch, errShape
		}
		if secret, err = secretOf(values); err != nil {
			return "", batch, err
		}
		all = []said{s}
	}
	for i := range all {
		batch.Reports = append(batch.Reports, all[i].report(i))
	}
	return secret, batch, nil
}

// addForm adds the parameters of a form to those of the address. A body that is
// none would otherwise be a form of one strange name, and its report a sign of life.
func addForm(values url.Values, body string) error {
	form, err := url.ParseQuery(body)
	if err != nil || body != "" && !strings.Contains(body, "=") {
		return errJSON
	}
	for name, v := range form {
		if strings.ContainsFunc(name, func(r rune) bool {
			return r != '_' && r != '-' && r != '.' && r != '[' && r != ']' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
		}) {
			return errJSON
		}
		if !values.Has(name) {
			values[name] = v
		}
	}
	return nil
}

// said is what a tracker sends in one report, as text; empty = nothing.
type said struct {
	at, lat, lng, course, speed, unit, accuracy, hdop, valid, alarm, event string
	kind                                                                   string // of OwnTracks: location, waypoints …
	clock                                                                  string // where an instant should be, and none is
}

// trackerNames are the names of a tracker's values; if several names of one value are sent, the first counts.
var trackerNames = []struct {
	name string
	of   func(*said) *string
}{
	{"timestamp", func(s *said) *string { return &s.at }},
	{"lat", func(s *said) *string { return &s.lat }}, {"latitude", func(s *said) *string { return &s.lat }},
	{"lon", func(s *said) *string { return &s.lng }}, {"lng", func(s *said) *string { return &s.lng }},
	{"long", func(s *said) *string { return &s.lng }}, {"longitude", func(s *said) *string { return &s.lng }},
	{"bearing", func(s *said) *string { return &s.course }}, {"heading", func(s *said) *string { return &s.course }},
	{"course", func(s *said) *string { return &s.course }}, {"cog", func(s *said) *string { return &s.course }},
	{"speed", func(s *said) *string { return &s.speed }}, {"speed_unit", func(s *said) *string { return &s.unit }},
	{"accuracy", func(s *said) *string { return &s.accuracy }}, {"horizontal_accuracy", func(s *said) *string { return &s.accuracy }},
	{"acc", func(s *said) *string { return &s.accuracy }}, {"hdop", func(s *said) *string { return &s.hdop }},
	{"valid", func(s *said) *string { return &s.valid }}, {"alarm", func(s *said) *string { return &s.alarm }},
	{"event", func(s *said) *string { return &s.event }},
}

// saidIn reads parameters.
func saidIn(v url.Values) (s said) {
	for _, n := range trackerNames {
		if target := n.of(&s); *target == "" {
			*target = v.Get(n.name)
		}
	}
	if !s.hasPosition() {
		s.cut(v.Get("location")) // "lat,lon", an older form
	}
	for _, name := range instantNames {
		s.dated(name, v.Get(name))
	}
	return s
}

// instantNames are the names that programs other than OsmAnd use for the instant of a position.
var instantNames = []string{"time", "tst", "fixtime", "datetime", "date_time", "gpstime", "gps_time", "date", "ts", "at", "utc"}

// gpsBegan is when GPS began to count: a smaller number is a clock without a day.
const gpsBegan fleet.Instant = 315_964_800_000

// dated reads the instant under another name than timestamp. An invalid one there does not refuse the position, which then counts
// as of now (Ignored).
func (s *said) dated(name, text string) {
	if s.at != "" || fleet.IsUnknown(text) || !slices.Contains(instantNames, name) {
		return
	}
	if at, ok := parseTrackerInstant(text); ok && at > gpsBegan {
		s.at = text
	} else {
		s.clock = text
	}
}

func isTrackerName(name string) bool {
	for _, n := range trackerNames {
		if n.name == name {
			return true
		}
	}
	return false
}

// orElse takes from other the values that s does not have.
func (s *said) orElse(other *said) {
	for _, n := range trackerNames {
		if target := n.of(s); *target == "" {
			*target = *n.of(other)
		}
	}
}

func (s *said) hasPosition() bool { return !fleet.IsUnknown(s.lat) || !fleet.IsUnknown(s.lng) }

// report makes a point from the values, or a sign of life when there is no position. An unreadable instant or position refuses the
// report; anything else is left out as not known.
func (s *said) report(index int) (r fleet.Report) {
	r.Index = index
	required := func(target *float64, has *bool, text string, field fleet.Fields) {
		if fleet.IsUnknown(text) {
			return
		}
		var ok bool
		if *target, ok = fleet.NumberOf(text); !ok {
			r.Wrong |= field
		}
		*has = true
	}
	required(&r.Lat, &r.HasLat, s.lat, fleet.FieldLat)
	required(&r.Lng, &r.HasLng, s.lng, fleet.FieldLng)
	if !fleet.IsUnknown(s.at) { // the protocol allows to leave it out
		var ok bool
		if r.At, ok = parseTrackerInstant(s.at); !ok {
			r.Wrong |= fleet.FieldAt
		}
	} else if s.clock != "" {
		r.Ignored |= fleet.FieldAt
	}
	r.CourseDeg, r.HasCourse = optionalOf(s.course, 1)
	unit, known := knot, true
	if s.unit != "" {
		if unit, known = speedUnits[strings.ToLower(strings.TrimSpace(s.unit))]; !known {
			unit = math.NaN()
		}
	}
	r.SpeedMS, r.HasSpeed = optionalOf(s.speed, unit)
	if r.AccuracyM, r.HasAccuracy = optionalOf(s.accuracy, 1); !r.HasAccuracy {
		if r.AccuracyM, r.HasAccuracy = optionalOf(s.hdop, metersPerHDOP); r.AccuracyM >= noHDOP*metersPerHDOP {
			r.AccuracyM = math.NaN()
		}
	}
	if r.Alerting, r.HasAlerting = lightsOf(s.alarm); !r.HasAlerting && !fleet.IsUnknown(s.alarm) {
		r.Ignored |= fleet.FieldAlerting
	}
	if _, ok := validity(s.valid); !ok && s.valid != "" {
		r.Ignored |= fleet.FieldValid
	}
	r.NoFix, r.Alive = saysNo(s.valid), strings.EqualFold(s.event, "heartbeat")
	if !r.HasLat && !r.HasLng {
		r = r.WithoutFix()
	}
	return r
}

// lightsOf reads an alarm, or several: lights on, as far as a phone can report it. Most alarms of trackers are about something else
// (lowBattery, geofenceExit, overspeed); drivers must not be warned because of those.
func lightsOf(alarm string) (on, said bool) {
	for word := range strings.SplitSeq(alarm, ",") {
		switch strings.ToLower(strings.TrimSpace(word)) {
		case "sos", "panic", "emergency", "general", "help":
			return true, true
		}
		if yes, ok := fleet.BooleanOf(word); ok {
			on, said = on || yes, true
		}
	}
	return on, said
}

// noHDOP is what receivers send for a position without a fix: 99, 99.9, 99.99 or more.
const noHDOP = 99

// optionalOf reads a value that may be missing; a value that is not a number is not known (NaN, fleet.Report.Ignored).
func optionalOf(text string, unit float64) (v float64, has bool) {
	if text == "" {
		return 0, false
	}
	n, ok := fleet.NumberOf(text)
	if !ok {
		n = math.NaN()
	}
	return n * unit, true
}
