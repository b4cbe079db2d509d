package device

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"lightbar/internal/app"
	"lightbar/internal/fleet"
)

// decodeParameters reads a request as readOsmAnd does, whoever sent it.
func decodeParameters(query, body string) (secret string, batch app.ReportBatch, err error) {
	values, err := url.ParseQuery(query)
	if err != nil {
		return "", batch, errJSON
	}
	return decodeOsmAnd(values, body)
}

func TestOsmAnd(t *testing.T) {
	const body = `{"location":{"timestamp":"2026-11-21T10:42:07Z","coords":{"latitude":39.7,"longitude":-75.5,"speed":10,"heading":90,"accuracy":5,"altitude":3},"event":"motionchange","is_moving":true},"device_id":"SECRET"}`
	for _, c := range []struct {
		name, query, body string
		speed, accuracy   float64
	}{
		{"query", "id=SECRET&timestamp=1795257727&lat=39.7&lon=-75.5&speed=10&bearing=90&accuracy=5&batt=77", "", 10 * 1852.0 / 3600, 5},
		{"form", "", "deviceid=SECRET&timestamp=1795257727000&lat=39.7&lon=-75.5&speed=10&heading=90&hdop=1.2&charge=true", 10 * 1852.0 / 3600, 6},
		{"a unit in the address", "id=SECRET&timestamp=1795257727&lat=39.7&lon=-75.5&speed=36&speed_unit=km/h&bearing=90&hdop=1", "", 10, 5},
		{"a unit in other letters", "id=SECRET&timestamp=1795257727&lat=39.7&lon=-75.5&speed=36&speed_unit=kmph&bearing=90&hdop=1", "", 10, 5},
		{"other names", "id=SECRET&timestamp=1795257727&latitude=39.7&longitude=-75.5&speed=10&speed_unit=m/s&course=90&accuracy=5", "", 10, 5},
		{"JSON", "", body, 10, 5},
		{"OwnTracks", "id=SECRET", `{"_type":"location","tst":1795257727,"lat":39.7,"lon":-75.5,"vel":36,"cog":90,"acc":5,"tid":"e7","t":"u"}`, 10, 5},
		{"id in the query, the rest in JSON", "id=SECRET", strings.Replace(body, `,"device_id":"SECRET"`, "", 1), 10, 5},
	} {
		secret, batch, err := decodeParameters(c.query, c.body)
		if err != nil || secret != "SECRET" || len(batch.Reports) != 1 {
			t.Errorf("%s: %q %+v %v", c.name, secret, batch, err)
			continue
		}
		if r := batch.Reports[0]; r.Lat != 39.7 || r.Lng != -75.5 || math.Abs(r.SpeedMS-c.speed) > 1e-9 || r.CourseDeg != 90 || r.AccuracyM != c.accuracy || r.At != 1795257727000 {
			t.Errorf("%s: %+v", c.name, r)
		}
	}
}

// Lists of positions, whatever holds them, are as many reports, in their order.
func TestListsOfATracker(t *testing.T) {
	coords := func(lat int) string {
		return fmt.Sprintf(`{"timestamp":"2026-11-21T10:42:%02dZ","coords":{"latitude":%d,"longitude":7,"speed":3}}`, lat, lat)
	}
	flat := func(lat int) string {
		return fmt.Sprintf(`{"latitude":%d,"longitude":7,"time":%d,"speed":3}`, lat, 1795257720000+lat*1000)
	}
	feature := func(lat int) string {
		return fmt.Sprintf(`{"type":"Feature","geometry":{"type":"Point","coordinates":[7,%d,120]},"properties":{"timestamp":"2026-11-21T10:42:%02dZ","speed":3,"horizontal_accuracy":9}}`, lat, lat)
	}
	two := func(of func(int) string) string { return of(3) + "," + of(4) }
	for name, body := range map[string]string{
		"location":                  `{"location":[` + two(coords) + `],"device_id":"S"}`,
		"locations":                 `{"device_id":"S","locations":[` + two(coords) + `]}`,
		"locations, each wrapped":   `{"device_id":"S","locations":[{"location":` + coords(3) + `},{"location":` + coords(4) + `}]}`,
		"bare":                      `[` + two(coords) + `]`,
		"bare, each wrapped":        `[{"location":` + coords(3) + `,"device_id":"S"},{"location":` + coords(4) + `,"device_id":"S"}]`,
		"bare and flat":             `[` + two(flat) + `]`,
		"positions":                 `{"positions":[` + two(flat) + `]}`,
		"GeoJSON alone":             `{"type":"FeatureCollection","features":[` + two(feature) + `]}`,
		"GeoJSON features":          `{"locations":[` + two(feature) + `]}`,
		"Overland, trip and all":    `{"trip":{"start":"2026-11-21T10:00:00Z","start_location":` + feature(2) + `,"mode":"car"},"locations":[` + feature(3) + `],"current":` + feature(4) + `}`,
		"a list in a list's object": `[{"location":[` + two(coords) + `]}]`,
		"another letter case":       `{"Locations":[` + strings.ReplaceAll(two(coords), "latitude", "Latitude") + `]}`,
		"with a byte order mark":    "\ufeff [" + two(coords) + "]",
	} {
		_, batch, err := decodeParameters("id=S", body)
		if err != nil || len(batch.Reports) != 2 || len(batch.Refused) != 0 {
			t.Errorf("%s: %+v %v", name, batch, err)
			continue
		}
		for i, r := range batch.Reports {
			if want := float64(3 + i); r.Index != i || r.Lat != want || r.Lng != 7 || r.At != fleet.Instant(1795257720000+1000*(3+i)) || r.SpeedMS != 3 {
				t.Errorf("%s, %d: %+v", name, i, r)
			}
		}
	}
	if _, batch, err := decodeParameters("id=S", `{"alarm":"sos","locations":[{"lat":1,"lon":2},{"lat":3,"lon":4,"alarm":"off"}]}`); err != nil ||
		!batch.Reports[0].Alerting || batch.Reports[1].Alerting {
		t.Errorf("an alarm for all: %+v %v", batch, err)
	}
	if _, _, err := decodeParameters("id=S", "["+strings.Repeat(`{"lat":1,"lon":2},`, app.ItemsPerBatch())+`{}]`); err != errTooMany {
		t.Errorf("too many: %v", err)
	}
	const current = `,"current":{"lat":9,"lon":9}}`
	full := `{"locations":[` + strings.Repeat(`{"lat":1,"lon":2},`, app.ItemsPerBatch()-1) + `{"lat":1,"lon":2}]`
	if _, batch, err := decodeParameters("id=S", full+current); err != nil || len(batch.Reports) != app.ItemsPerBatch() {
		t.Errorf("one beside a full list: %d, %v", len(batch.Reports), err)
	}
	if _, batch, err := decodeParameters("id=S", `{"locations":[{"lat":1,"lon":2`+current+`]}`); err != nil || len(batch.Reports) != 1 || batch.Reports[0].Lat != 1 {
		t.Errorf("one inside another: %+v %v", batch, err)
	}
}

// Overland sends a batch again until it reads this word.
func TestATrackerIsAnsweredOK(t *testing.T) {
	for _, result := range []app.ReportResult{{Accepted: 1}, {Ignored: map[string]int{"at": 1}}} {
		w := httptest.NewRecorder()
		answer(w, result, "ok")
		var got IngestAnswer
		if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || got.Result != "ok" || got.Data.Accepted != result.Accepted {
			t.Errorf("%s: %v", w.Body, err)
		}
	}
}

// A body in which a position may be hidden is the app's to keep.
func TestABodyThatIsNotUnderstoodIsNotASignOfLife(t *testing.T) {
	for _, c := range [][2]string{
		{"", "{oops"}, {"a=%zz", ""}, {"id=S", `{"location":5}`}, {"id=S", `{"location":true}`}, {"id=S", `{"location":"the depot"}`}, {"id=S&location=depot", ""},
		{"id=S", `{"location":{"coords":[39.7,-75.5]}}`}, {"id=S", `{"location":{"coords":"north"}}`}, {"id=S", `{"coordinates":[-75.5,39.7]}`},
		{"id=S", `{"locations":[[39.7,-75.5]]}`}, {"id=S", `{"locations":[7]}`}, {"id=S", `[null]`}, {"id=S", `{"data":[{"coords":{"latitude":39.7,"longitude":-75.5}}]}`},
		{"id=S", `{"fix":{"lat":39.7,"lon":-75.5}}`}, {"id=S", `{"geometry":{"type":"LineString","coordinates":[[1,2],[3,4]]}}`},
		{"id=S", `[{"coords":{"latitude":1,"longitude":2}},{"fix":{"lat":39.7,"lon":-75.5}}]`}, {"id=S", `{"lat":{"deg":39},"lon":{"deg":75}}`},
		{"id=S", `39.7,-75.5`}, {"id=S", `$GPRMC,104207.00,A,3944.0,N,07530.0,W,0.0,0.0,211126,,,A*6C`}, {"id=S", `<gpx><trkpt lat="39.7" lon="-75.5"/></gpx>`},
		{"id=S", `{"_type":"encrypted","data":"c2VjcmV0"}`}, {"id=S", `[{"_type":"encrypted","data":"c2VjcmV0"}]`},
		{"id=S", `{"waypoints":[{"lat":39.7,"lon":-75.5}]}`}, {"id=A&id=B&lat=1&lon=2", ""}, {"", "device_id=A&device_id=B&lat=1&lon=2"},
		{"id=S", `{"data":[39.7447,-75.5484,"motionchange",true]}`}, {"id=S", `{"data":{"pos":"39.7447,-75.5484"}}`}, {"id=S", `{"pos":[-75.548,39.744]}`},
		{"id=S", `{"loc":"39.7447° N, 75.5484° W"}`}, {"id=S", `{"latitudeE7":397447000,"longitudeE7":-755484000}`}, {"id=S", `{"gpsLat":39.7,"gpsLng":-75.5}`},
		{"id=S", `{"fix":{"gps_lat":39.7,"gps_lon":-75.5}}`}, {"id=S", `{"geom":"POINT (-75.5484 39.7447)"}`}, {"id=S&loc=39.7447,-75.5484", ""},
		{"id=S&acct=a&gprmc=$GPRMC,104207,A,3944.6820,N,07532.9040,W,0.0,0.0,211126,,*6C", ""}, {"id=S&uri=geo:39.7447,-75.5484%3Bu=35", ""},
		{"id=S&gps_lat=39.7&gps_lon=-75.5", ""}, {"id=S", `payload={"latitude":39.7,"longitude":-75.5}`},
		{"id=S&position=here", ""}, {"", `[{"lat":1,"lon":2,"device_id":"A"},{"lat":1,"lon":2,"device_id":"B"}]`},
	} {
		_, batch, err := decodeParameters(c[0], c[1])
		var refusal *fleet.Refusal
		if err == nil || !errors.Is(err, errJSON) && (!errors.As(err, &refusal) || refusal.Code != "invalid_request") {
			t.Errorf("%v was read: %+v %v", c, batch, err)
		}
	}
	for _, c := range [][2]string{
		{"id=S&timestamp=1795257727", ""}, {"id=S&lat=&lon=", ""}, {"id=S&lat=NaN&lon=NaN", ""}, {"id=S&cell=257,02,16,2224&wifi=00-14-22-01-23-45,-80", ""},
		{"", `{"device_id":"S","event":"heartbeat"}`}, {"id=S", `{"location":null}`}, {"id=S", `{"location":{"event":"heartbeat","coords":null}}`},
		{"id=S", `{"_type":"waypoints","waypoints":[{"_type":"waypoint","desc":"Depot","lat":39.7,"lon":-75.5,"rad":50}]}`},
		{"id=S", `{"waypoints":[{"lat":39.7,"lon":-75.5}],"_type":"waypoints"}`}, {"id=S", `{"_type":"card","name":"Ann","face":"aGk=","tid":"an"}`},
		{"id=S", `{"_type":"lwt","tst":1795257727}`}, {"id=S", `{"_type":"status","iOS":{"version":"18"}}`}, {"id=S&id=S", ""},
		{"id=S", `{"location":{"event":"providerchange","coords":{}},"provider":{"gps":true,"network":{"enabled":true}}}`}, {"id=S", `{"battery":{"level":1}}`},
		{"id=S", `{"locationProvider":1,"position_mode":"high","latency":12.3456,"platform":"ios","acceleration":[0.0123,0.9801,0.1002],"temps":[21.5,22.25]}`},
		{"id=S&flat=1.2345&version=1.234&volts=12.4531&gpsLat=null", ""},
	} {
		_, batch, err := decodeParameters(c[0], c[1])
		if err != nil || len(batch.Reports) != 1 || batch.Reports[0].Kind != fleet.ReportHeartbeat {
			t.Errorf("%v is a sign of life: %+v %v", c, batch, err)
		}
	}
}

// The instant of a position has many names; where none can be read the position is of now, and that is said.
func TestInstantsUnderOtherNames(t *testing.T) {
	const want = fleet.Instant(1795257727000)
	for _, c := range [][2]string{
		{"id=S&lat=1&lon=2&time=2026-11-21T10:42:07.000Z", ""}, {"id=S", `{"lat":1,"lon":2,"fixTime":"2026-11-21T10:42:07.000+00:00"}`},
		{"id=S", "lat=1&lon=2&time=1795257727&action=addpos"}, {"id=S", `{"latitude":1,"longitude":2,"dateTime":"2026-11-21T10:42:07Z"}`},
		{"id=S", `[{"latitude":1,"longitude":2,"time":1795257727000}]`}, {"id=S&lat=1&lon=2&timestamp=1795257727&time=1795250000", ""},
		{"id=S&lat=1&lon=2&timestamp=2026-11-21T12:42:07+02:00", ""}, {"id=S&lat=1&lon=2&timestamp=2026-11-21T12:42:07.000+0200", ""},
		{"id=S&lat=1&lon=2&timestamp=Sat+Nov+21+10:42:07+2026", ""},
	} {
		_, batch, err := decodeParameters(c[0], c[1])
		if err != nil || len(batch.Reports) != 1 || batch.Reports[0].At != want || batch.Reports[0].Ignored != 0 {
			t.Errorf("%v: %+v %v", c, batch, err)
		}
	}
	for _, c := range [][2]string{
		{"id=S&lat=1&lon=2&date=2026-11-21&time=10:42:07", ""}, {"id=S&lat=1&lon=2&utc=104207.00", ""},
		{"id=S", `{"lat":1,"lon":2,"time":{"iso":"2026-11-21T10:42:07Z"}}`}, {"id=S", `{"lat":1,"lon":2,"timestamp":{"$date":1795257727000}}`},
	} {
		_, batch, err := decodeParameters(c[0], c[1])
		if err != nil || len(batch.Reports) != 1 || batch.Reports[0].At != 0 || batch.Reports[0].Ignored != fleet.FieldAt {
			t.Errorf("%v: %+v %v", c, batch, err)
		}
	}
}

// A message of OwnTracks that is about another place than the phone's is a sign of life, and no position.
func TestAWaypointIsNotThePhone(t *testing.T) {
	_, batch, err := decodeParameters("id=S", `{"_type":"waypoint","desc":"Station 4","lat":39.7,"lon":-75.5,"rad":50,"tst":1795257727}`)
	if err != nil || len(batch.Reports) != 1 || !batch.Reports[0].NoFix {
		t.Errorf("%+v %v", batch, err)
	}
}

// What a tracker says of anything but the instant and the position decides about nothing else.
func TestOptionalValuesOfATracker(t *testing.T) {
	const at = 1795257727000
	for _, c := range []struct {
		query, body, ignored string
		speed                float64
	}{
		{"speed=-1&bearing=-1&accuracy=-1", "", "[accuracy course speed]", 0}, {"speed=NaN&bearing=nan&accuracy=NaN", "", "[accuracy course speed]", 0},
		{"accuracy=0&speed=0", "", "[accuracy]", 0}, {"hdop=0", "", "[accuracy]", 0}, {"accuracy=", "", "[]", 0}, {"speed=fast&bearing=N", "", "[course speed]", 0},
		{"speed=10&speed_unit=furlongs", "", "[speed]", 0}, {"speed=Infinity", "", "[speed]", 0}, {"speed=10&speed_unit=M/S&bearing=360", "", "[]", 10},
		{"", `{"location":{"coords":{"latitude":39.7,"longitude":-75.5,"accuracy":-1,"speed":-1,"heading":-1}}}`, "[accuracy course speed]", 0},
		{"", `{"location":{"coords":{"latitude":39.7,"longitude":-75.5,"accuracy":null,"speed":null,"heading":null}}}`, "[]", 0},
		{"", `{"location":{"coords":{"latitude":39.7,"longitude":-75.5,"accuracy":0,"speed":"NaN","heading":[1]}}}`, "[accuracy speed]", 0},
	} {
		query := "id=S&timestamp=1795257727&" + c.query
		if c.body == "" {
			query += "&lat=39.7&lon=-75.5"
		}
		_, batch, err := decodeParameters(query, c.body)
		if err != nil || len(batch.Reports) != 1 {
			t.Errorf("%s %s: %+v %v", c.query, c.body, batch, err)
			continue
		}
		r := batch.Reports[0]
		r.Asset = "a"
		if refusal := r.Check(at); refusal != nil || fmt.Sprint(r.Ignored.Names()) != c.ignored || r.SpeedMS != c.speed || r.HasAccuracy {
			t.Errorf("%s %s: %+v %v", c.query, c.body, r, refusal)
		}
	}
	for said, want := range map[string]bool{"valid=0": true, "valid=false": true, "valid=FALSE": true, "valid=1": false, "valid=true": false, "valid=": false, "x=1": false} {
		if _, batch, err := decodeParameters("id=S&lat=1&lon=2&"+said, ""); err != nil || batch.Reports[0].NoFix != want {
			t.Errorf("%s: %+v %v", said, batch, err)
		}
	}
	for said, want := range map[string]string{"sos": "on", "true": "on", "1": "on", "0": "off", "false": "off", "off": "off", "": "", "null": "", "SOS": "on", "lowBattery,sos": "on", "lowBattery": "", "geofenceExit": "", "powerCut,overspeed": ""} {
		got := map[string]string{}
		quoted := `"` + said + `"`
		for form, send := range map[string][2]string{"query": {"id=S&lat=1&lon=2&alarm=" + said, ""}, "extras": {"id=S", `{"extras":{"alarm":` + quoted + `},"location":{"coords":{"latitude":1,"longitude":2}}}`},
			"location.extras": {"id=S", `{"location":{"coords":{"latitude":1,"longitude":2},"extras":{"x":{},"alarm":` + quoted + `}}}`}, "location": {"id=S", `{"location":{"alarm":` + quoted + `,"coords":{"latitude":1,"longitude":2}}}`}} {
			if _, batch, err := decodeParameters(send[0], send[1]); err != nil || len(batch.Reports) != 1 {
				t.Errorf("%s %s: %+v %v", form, said, batch, err)
			} else if r := batch.Reports[0]; r.HasAlerting {
				got[form] = map[bool]string{true: "on", false: "off"}[r.Alerting]
			}
			if got[form] != want {
				t.Errorf("alarm %q in %s: %q, want %q", said, form, got[form], want)
			}
		}
	}
	for _, body := range []string{`{"lat":1,"lon":2,"alarm":["lowBattery","sos"]}`, `{"lat":1,"lon":2,"extras":{"alarm":["sos"]}}`,
		`{"position":{"latitude":1,"longitude":2,"attributes":{"alarm":"sos"}}}`} {
		if _, batch, err := decodeParameters("id=S", body); err != nil || len(batch.Reports) != 1 || !batch.Reports[0].Alerting {
			t.Errorf("%s: %+v %v", body, batch, err)
		}
	}
}

// Nothing that has a latitude in it is taken for a sign of life alone, and nothing but JSON is read as JSON.
func FuzzOsmAnd(f *testing.F) {
	f.Add("id=S&timestamp=1795257727&lat=39.7&lon=-75.5&speed=10", "")
	f.Add("", `{"location":{"timestamp":"2026-11-21T10:42:07Z","coords":{"latitude":39.7,"longitude":-75.5}},"device_id":"S"}`)
	f.Add("id=S", `{"locations":[{"geometry":{"type":"Point","coordinates":[1,2]},"properties":{"speed":1}},{"coords":{"latitude":1}}]}`)
	f.Add("id=S", `[{"location":[{"lat":1,"lon":2}],"extras":{"alarm":"sos"}},{"x":{"latitude":3}}]`)
	f.Add("valid=0&event=heartbeat", "location=1,2&accuracy=-1")
	f.Fuzz(func(t *testing.T, query, body string) {
		_, batch, err := decodeParameters(query, body)
		if err != nil {
			return
		}
		points := len(batch.Refused)
		for _, r := range batch.Reports {
			if r.Kind == fleet.ReportPoint {
				points++
			}
			r.Asset = "a"
			if refusal := r.Check(1795257727000); refusal == nil && r.Kind == fleet.ReportPoint &&
				!(r.Lat >= -90 && r.Lat <= 90 && r.CourseDeg >= 0 && r.CourseDeg < 360 && r.SpeedMS >= 0 && r.AccuracyM >= 0) {
				t.Fatalf("out of range: %+v", r)
			}
		}
		if len(batch.Reports)+len(batch.Refused) == 0 && strings.Trim(body, " \n\r\t[]\ufeff") != "" {
			t.Fatalf("nothing came of %q", body)
		}
		if text := strings.TrimSpace(strings.TrimPrefix(body, "\ufeff")); strings.HasPrefix(text, "{") || strings.HasPrefix(text, "[") {
			var v any
			if err := json.Unmarshal([]byte(text), &v); err != nil {
				t.Fatalf("not JSON, yet read: %q", body)
			}
			if hasLatitude(v) && points == 0 {
				t.Fatalf("a position was lost: %q", body)
			}
		}
	})
}

func hasLatitude(v any) bool {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			if hasLatitude(e) {
				return true
			}
		}
	case map[string]any:
		for name, e := range v {
			if _, is := e.(float64); is && (strings.ToLower(name) == "latitude" || strings.ToLower(name) == "lat") || hasLatitude(e) {
				return true
			}
		}
	}
	return false
}
