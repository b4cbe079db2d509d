package device

import (
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/budget"
	"lightbar/internal/fleet"
)

// knot is one nautical mile an hour in m/s (OsmAnd protocol: speed is in knots).
const knot = 1852.0 / 3600

// metersPerHDOP turns a dilution of precision into meters: a usual receiver's
// own error (user equivalent range error) of 5 m.
const metersPerHDOP = 5

// NewOsmAnd serves GET|POST /api/ingest/osmand, the protocol of common tracker
// apps (OsmAnd live tracking, Traccar Client): parameters in the query or a
// form, or the newer JSON body. id (device_id) is the secret of one asset; it
// is never logged and never answered.
func NewOsmAnd(a *app.App, o Options) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodPost {
			w.Header().Set("Allow", "GET, POST")
			fail(w, "method_not_allowed", "")
			return
		}
		actor, report, problem, err := readOsmAnd(a, o, w, r)
		if err != nil {
			refuse(w, err)
			return
		}
		if problem != nil {
			fail(w, "validation_failed", problem.Message)
			return
		}
		if report.At == 0 {
			report.At = fleet.InstantOf(a.Now()) // the protocol allows to leave it out
		}
		result, err := a.RecordPoints(r.Context(), actor, app.ReportBatch{Reports: []fleet.Report{report}})
		switch {
		case err != nil:
			refuse(w, err)
		case len(result.Refused) > 0 && result.Refused[0].Error != fleet.NoFix: // that one is taken in part: sent again it would be no better
			fail(w, "validation_failed", result.Refused[0].Message)
		default:
			answer(w, result)
		}
	})
}

// osmandBytes bounds a body, packed or not: it is one report.
const osmandBytes = 16 << 10

// readOsmAnd reads a report and finds out whose it is. A secret in the address
// is looked up before anything of the body is read; for one inside the body no
// more is read than a stranger may send, and nothing is unpacked.
func readOsmAnd(a *app.App, o Options, w http.ResponseWriter,
	r *http.Request) (actor *access.Actor, report fleet.Report, problem *fleet.Refusal, err error) {
	values, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return nil, report, nil, errJSON
	}
	secret, unpacked := secretOf(values), int64(0)
	if secret != "" {
		if actor, err = trackerOf(a, o, r, secret); err != nil {
			return nil, report, nil, err
		}
		unpacked = osmandBytes
	}
	body, err := readBody(w, r, osmandBytes, unpacked)
	switch {
	case errors.Is(err, errTooLarge):
		err = fleet.Refuse("too_large", "", "A report has at most 16 KiB.")
	case errors.Is(err, errEncoding) && unpacked == 0:
		err = fleet.Refuse("unsupported_media_type", "", "A packed body is taken when the id stands in the address.")
	}
	if err != nil {
		return nil, report, nil, err
	}
	within, report, problem := decodeOsmAnd(values, body)
	if problem == errOsmAndBody {
		return nil, report, nil, errJSON
	}
	if actor == nil {
		actor, err = trackerOf(a, o, r, within)
	}
	return actor, report, problem, err
}

// trackerOf is the asset that a secret stands for.
func trackerOf(a *app.App, o Options, r *http.Request, secret string) (*access.Actor, error) {
	actor, err := a.AuthenticateKey(r.Context(), secret, o.network(r))
	if err == nil && actor.KeyThingID == "" {
		err = fleet.Refuse("invalid_key", "", "Invalid API key.") // an organization's key does not say which asset it is
	}
	if err != nil {
		return nil, err
	}
	budget.Of(r).Known(actor.KeyID)
	return actor, nil
}

func secretOf(v url.Values) string { return first(v, "id", "deviceid", "device_id") }

var errOsmAndBody = fleet.Refuse("invalid_request", "", "The request couldn't be read.")

// decodeOsmAnd adds the parameters of a form or JSON body to those of the query
// and reads them. problem is errOsmAndBody when the body cannot be read.
func decodeOsmAnd(values url.Values, body string) (secret string, r fleet.Report, problem *fleet.Refusal) {
	if body = strings.TrimSpace(body); strings.HasPrefix(body, "{") {
		if err := osmandJSON(body, values); err != nil {
			return "", r, errOsmAndBody
		}
	} else if body != "" {
		form, err := url.ParseQuery(body)
		if err != nil {
			return "", r, errOsmAndBody
		}
		for name, v := range form {
			if !values.Has(name) {
				values[name] = v
			}
		}
	}
	secret = secretOf(values)
	r, problem = osmandReport(values)
	return secret, r, problem
}

func first(v url.Values, names ...string) string {
	for _, name := range names {
		if s := v.Get(name); s != "" {
			return s
		}
	}
	return ""
}

// osmandReport makes a point of the parameters, or a heartbeat when there is no position.
func osmandReport(v url.Values) (r fleet.Report, problem *fleet.Refusal) {
	number := func(target *float64, has *bool, names ...string) {
		text := first(v, names...)
		if text == "" || problem != nil {
			return
		}
		n, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if err != nil {
			problem = fleet.Refuse("wrong_type", names[0], names[0]+" has the wrong type")
			return
		}
		*target, *has = n, true
	}
	if text := first(v, "timestamp"); text != "" {
		at, ok := parseTrackerInstant(text)
		if !ok {
			return r, fleet.Refuse("wrong_type", "timestamp", "timestamp has the wrong type")
		}
		r.At = at
	}
	if text := first(v, "location"); text != "" { // "lat,lon", an older form
		lat, lon, _ := strings.Cut(text, ",")
		v.Set("lat", lat)
		v.Set("lon", lon)
	}
	number(&r.Lat, &r.HasLat, "lat")
	number(&r.Lng, &r.HasLng, "lon", "lng")
	number(&r.CourseDeg, &r.HasCourse, "bearing", "heading")
	number(&r.SpeedMS, &r.HasSpeed, "speed")
	number(&r.AccuracyM, &r.HasAccuracy, "accuracy")
	if !r.HasAccuracy {
		number(&r.AccuracyM, &r.HasAccuracy, "hdop")
		r.AccuracyM *= metersPerHDOP
	}
	if v.Get("speed_unit") != "m/s" {
		r.SpeedMS *= knot
	}
	if r.HasCourse && r.CourseDeg < 0 { // "not known" of several phones
		r.HasCourse, r.CourseDeg = false, 0
	}
	if r.HasSpeed && r.SpeedMS < 0 {
		r.HasSpeed, r.SpeedMS = false, 0
	}
	if text := v.Get("alarm"); text != "" { // lights on, as far as a phone can say it
		r.HasAlerting, r.Alerting = true, text != "false" && text != "0" && text != "off"
	}
	if !r.HasLat && !r.HasLng {
		r = r.WithoutFix()
	}
	return r, problem
}

// osmandJSON reads the newer body of tracker apps:
// {"device_id": …, "location": {"timestamp": …, "coords": {"latitude": …,
// "longitude": …, "speed": m/s, "heading": …, "accuracy": …}}}. It becomes
// parameters, so that both forms go one way.
func osmandJSON(body string, into url.Values) error {
	c := scanner{s: body}
	scalar := func(name string, names map[string]string) error {
		target, known := names[name]
		b := c.peek()
		if !known || b == '{' || b == '[' {
			return c.skip(0)
		}
		start := c.i
		var text string
		var err error
		if b == '"' {
			text, err = c.text()
		} else if err = c.skip(0); err == nil {
			text = strings.TrimSpace(c.s[start:c.i])
		}
		if err == nil && text != "null" {
			into.Set(target, text)
		}
		return err
	}
	err := c.object(func(name string) error {
		if name != "location" || c.peek() != '{' {
			return scalar(name, map[string]string{"device_id": "id", "id": "id"})
		}
		return c.object(func(name string) error {
			if name != "coords" || c.peek() != '{' {
				return scalar(name, map[string]string{"timestamp": "timestamp"})
			}
			into.Set("speed_unit", "m/s")
			return c.object(func(name string) error {
				return scalar(name, map[string]string{"latitude": "lat", "longitude": "lon", "speed": "speed", "heading": "bearing",
					"accuracy": "accuracy"})
			})
		})
	})
	if err == nil && !c.end() {
		return errJSON
	}
	return err
}
