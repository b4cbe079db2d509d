package device

import (
	"encoding/json"
	"fmt"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"

	"lightbar/internal/app"
	"lightbar/internal/fleet"
)

// howUnknown says of each field of a report how senders write that they do not
// know it, and what becomes of the item then: it is taken without the field, or
// refused by name (a required one). A new field needs a row here.
var howUnknown = map[string]struct {
	kind    string // of the item that has it
	spelled []string
	refused string
}{
	"asset":          {"point", []string{`null`, `7`}, "asset"},
	"at":             {"point", []string{`null`, `""`, `"N/A"`, `"2026-11-21"`, `"2026-11-21T10:42:07"`}, "at"},
	"type":           {"point", []string{`null`, `7`}, "type"},
	"lat":            {"point", unknownNumbers, "lat"},
	"lng":            {"point", unknownNumbers, "lng"},
	"course":         {"point", append([]string{`511`, `361`, `65535`, `-1`}, unknownNumbers...), ""},
	"speed":          {"point", append([]string{`-1`, `65535`, `-0.5`}, unknownNumbers...), ""},
	"accuracy":       {"point", append([]string{`0`, `-1`, `"0"`, `1e12`}, unknownNumbers...), ""},
	"valid":          {"point", []string{`null`, `""`, `"unknown"`, `{}`}, ""},
	"alerting":       {"point", []string{`null`, `""`, `"N/A"`, `7`, `nan`}, ""},
	"config_version": {"point", []string{`-1`, `""`, `"x"`, `1.5`}, ""},
	"on":             {"alert", []string{`null`, `""`, `"N/A"`, `7`}, "on"},
	"active":         {"closure", []string{`null`, `""`, `"N/A"`, `7`}, "active"},
	"pattern":        {"closure", []string{`7`, `"zigzag"`}, "pattern"},
	"id":             {"event", []string{`null`, `""`, `7`}, "id"},
	"features":       {"event", []string{`null`}, ""},
	"alt":            {"event", append([]string{`-9999`, `99999`}, unknownNumbers...), ""},
	"alert_message":  {"event", []string{`null`, `""`}, ""},
	"expires_at":     {"event", []string{`null`, `""`, `"N/A"`, `"unknown"`}, ""},
	"is_active":      {"event", []string{`null`, `""`, `"N/A"`}, ""},
	"hazard_type":    {"hazard", []string{`null`, `""`, `"unknown"`}, ""},
	"description":    {"hazard", []string{`null`, `""`}, ""},
}

var unknownNumbers = []string{`null`, `""`, `"NaN"`, `NaN`, `-nan`, `Infinity`, `-Infinity`, `"N/A"`, `"-"`, `"north"`, `1e999`, `[]`}

// whole are items of which nothing is missing.
var whole = map[string]string{
	"point":   `"asset":"a","at":"2026-11-21T10:42:07Z","lat":39.7,"lng":-75.5,"course":90,"speed":8,"accuracy":4,"alerting":true`,
	"alert":   `"asset":"a","at":"2026-11-21T10:42:07Z","on":true`,
	"closure": `"asset":"a","at":"2026-11-21T10:42:07Z","active":true,"pattern":"right-arrow-flashing"`,
	"event":   `"id":"E","at":"2026-11-21T10:42:07Z","lat":39.7,"lng":-75.5,"alt":12`,
	"hazard":  `"id":"H","at":"2026-11-21T10:42:07Z","lat":39.7,"lng":-75.5,"hazard_type":"ice"`,
}

const testNow fleet.Instant = 1795257727000

// fateOf is what becomes of a batch of one item: the field that refuses it, and those left out.
func fateOf(b app.ReportBatch) (refused string, ignored fleet.Fields) {
	for _, r := range b.Refused {
		return r.Field, 0
	}
	var refusal *fleet.Refusal
	for i := range b.Reports {
		refusal = b.Reports[i].Check(testNow)
		ignored |= b.Reports[i].Ignored
	}
	for i := range b.Events {
		refusal = b.Events[i].Check(testNow)
		ignored |= b.Events[i].Ignored
	}
	for i := range b.Hazards {
		refusal = b.Hazards[i].Check(testNow)
		ignored |= b.Hazards[i].Ignored
	}
	if refusal != nil {
		return refusal.Field, ignored
	}
	return "", ignored
}

// Only required fields decide about an item; an optional one that says "not known", however it is written, is left out and
// named. The same on each wire that carries items.
func TestEachFieldCanBeUnknown(t *testing.T) {
	item := reflect.TypeFor[IngestItem]()
	for i := range item.NumField() {
		name, _, _ := strings.Cut(item.Field(i).Tag.Get("json"), ",")
		row, known := howUnknown[name]
		if !known {
			t.Errorf("%s: how does a sender say that it does not know this? Add a row to howUnknown", name)
			continue
		}
		for _, spelled := range row.spelled {
			members := `"type":"` + row.kind + `",` + whole[row.kind]
			if name == "type" {
				members = `"type":` + spelled + `,` + whole[row.kind]
			} else {
				members += `,"` + name + `":` + spelled // the later one counts
			}
			for wire, read := range map[string]func(string) (app.ReportBatch, error){
				"items": func(s string) (app.ReportBatch, error) { return decodeItems(`{"items":[` + s + `]}`) },
				"lines": decodeLines, "message": decodeMessage,
			} {
				batch, err := read("{" + members + "}")
				if err != nil {
					t.Errorf("%s %s=%s: %v", wire, name, spelled, err)
					continue
				}
				refused, ignored := fateOf(batch)
				names := ignored.Names()
				if refused != row.refused || row.refused == "" && spelled != "null" && len(names) > 0 && !slices.Equal(names, []string{name}) {
					t.Errorf("%s %s=%s: refused by %q, left out %v", wire, name, spelled, refused, names)
				}
				isText := name == "features" || name == "alert_message" || name == "hazard_type" || name == "description"
				if row.refused == "" && spelled != "null" && !isText && len(names) != 1 {
					t.Errorf("%s %s=%s: not named: %v", wire, name, spelled, names)
				}
			}
		}
	}
}

// howTrackersDoNotKnow is the same for each value of a tracker app, in addresses, forms and JSON.
var howTrackersDoNotKnow = map[string][]string{
	"lat": {"", "NaN", "null", "N/A"}, "lng": {"", "NaN", "null", "N/A"},
	"at": {"", "null", "N/A"}, "course": {"-1", "511", "NaN", "N/A", "x"}, "speed": {"-1", "-3.6", "NaN", "N/A"}, "unit": {"furlongs"},
	"accuracy": {"0", "-1", "0.0", "NaN", "N/A", "null"}, "hdop": {"0", "99.99", "99", "-1", "NaN"}, "valid": {"", "unknown"},
	"alarm": {"", "none", "N/A", "null"}, "event": {"", "null"}, "kind": {""}, "clock": {""},
}

func TestEachValueOfATrackerCanBeUnknown(t *testing.T) {
	fields := reflect.TypeFor[said]()
	for i := range fields.NumField() {
		spelled, known := howTrackersDoNotKnow[fields.Field(i).Name]
		if !known {
			t.Errorf("%s: how does a tracker say that it does not know this? Add a row", fields.Field(i).Name)
		}
		for _, n := range trackerNames {
			var at said
			*n.of(&at) = "x"
			if reflect.ValueOf(at).Field(i).String() != "x" {
				continue
			}
			for _, text := range spelled {
				values := url.Values{"timestamp": {"2026-11-21T10:42:07Z"}, "lat": {"39.7"}, "lon": {"-75.5"}, "speed": {"8"}, n.name: {text}}
				if slices.Contains([]string{"latitude"}, n.name) {
					values.Del("lat")
				}
				if slices.Contains([]string{"lng", "long", "longitude"}, n.name) {
					values.Del("lon")
				}
				_, form, err := decodeOsmAnd(values, "")
				members := map[string]string{}
				for name := range values {
					members[name] = values.Get(name)
				}
				body, _ := json.Marshal(members)
				_, object, err2 := decodeOsmAnd(url.Values{}, string(body))
				for wire, batch := range map[string]app.ReportBatch{"form": form, "JSON": object} {
					if err != nil || err2 != nil || len(batch.Reports) != 1 {
						t.Fatalf("%s %s=%s: %+v %v %v", wire, n.name, text, batch, err, err2)
					}
					r := batch.Reports[0]
					r.Asset = "a"
					if r.At == 0 {
						r.At = testNow
					}
					refusal := r.Check(testNow)
					switch fields.Field(i).Name {
					case "lat", "lng":
						if refusal == nil || !strings.HasSuffix(refusal.Code, "_missing") {
							t.Errorf("%s %s=%s: %+v %v", wire, n.name, text, r, refusal)
						}
						continue
					}
					if refusal != nil || !r.HasLat || r.NoFix || r.HasAlerting || r.HasCourse && n.name != "" && fields.Field(i).Name == "course" ||
						r.HasAccuracy || (fields.Field(i).Name == "speed" || fields.Field(i).Name == "unit") == r.HasSpeed {
						t.Errorf("%s %s=%s: %+v %v", wire, n.name, text, r, refusal)
					}
				}
			}
		}
	}
}

// Numbers, words and instants as programs of all countries write them.
func TestSpellingsOnTheWires(t *testing.T) {
	want := fleet.Report{At: 1795257727000, Lat: 39.7447, Lng: -75.5484, SpeedMS: 8.5, HasLat: true, HasLng: true, HasSpeed: true, HasAlerting: true}
	item := func(at, lat, lng, speed, alerting string) string {
		return fmt.Sprintf(`{"type":"point","asset":"a","at":%s,"lat":%s,"lng":%s,"speed":%s,"alerting":%s}`, at, lat, lng, speed, alerting)
	}
	for _, body := range []string{
		item(`"2026-11-21T10:42:07Z"`, `39.7447`, `-75.5484`, `8.5`, `false`),
		item(`1795257727`, `"39.7447"`, `"-75.5484"`, `"8,5"`, `0`),
		item(`1795257727000`, `"39,7447"`, `"-75,5484"`, `"8.5"`, `"off"`),
		item(`1795257727000000`, `3.97447e1`, `"-7.55484E1"`, `85e-1`, `"FALSE"`),
		item(`"1795257727000000000"`, `"+39.7447"`, `"−75.5484"`, `" 8.50 "`, `"no"`),
		item(`"2026-11-21 10:42:07.000+00:00"`, `"٣٩٫٧٤٤٧"`, `"-٧٥٫٥٤٨٤"`, `"８．５"`, `"0"`),
		item(`"2026-11-21T10:42:07,000z"`, `39.7447`, `-75.5484`, `8.5`, `"False"`),
		item(`"2026-11-21T05:42:07-0500"`, `39.7447`, `-75.5484`, `8.5`, `"N"`),
		item(`"20261121T104207Z"`, `39.7447`, `-75.5484`, `8.5`, `"n"`),
		item(`"2026-11-21T12:42:07+02"`, `39.7447`, `-75.5484`, `8.5`, `"Off"`),
	} {
		batch, err := decodeItems(`{"items":[` + body + `]}`)
		if err != nil || len(batch.Reports) != 1 {
			t.Errorf("%s: %+v %v", body, batch, err)
			continue
		}
		r := batch.Reports[0]
		r.Asset = ""
		if r != want {
			t.Errorf("%s: %+v", body, r)
		}
	}
	for _, at := range []string{"1795257727", "1795257727.0", "1795257727000", "1795257727000000", "1795257727000000000", "1.795257727e9", "2026-11-21T10:42:07Z",
		"2026-11-21 10:42:07", "2026-11-21 10:42:07.000", "2026-11-21t10:42:07z", "2026-11-21T10:42:07", "2026-11-21T10:42:07,000", "2026-11-21T05:42:07-0500",
		"20261121T104207Z", "20261121104207", "2026/11/21 10:42:07", " 2026-11-21T10:42:07.000Z ", "١٧٩٥٢٥٧٧٢٧"} {
		if got, ok := parseTrackerInstant(at); !ok || got != testNow {
			t.Errorf("%q: %v", at, got)
		}
	}
	for _, text := range []string{"39.7447,-75.5484", "39.7447, -75.5484", "39,7447;-75,5484", "39,7447,-75,5484", "39.7447 -75.5484"} {
		_, batch, err := decodeOsmAnd(url.Values{"location": {text}}, "")
		if err != nil || len(batch.Reports) != 1 || batch.Reports[0].Lat != 39.7447 || batch.Reports[0].Lng != -75.5484 {
			t.Errorf("%q: %+v %v", text, batch, err)
		}
	}
}

// Bodies in the encodings that senders have.
func TestEncodingsOfBodies(t *testing.T) {
	const name = "RÄUM-1"
	body := `{"items":[{"type":"heartbeat","asset":"` + name + `","at":"2026-11-21T10:42:07Z"}]}`
	wide := func(text string, mark string, first, second int) string {
		out := []byte(mark)
		for _, r := range text {
			pair := [2]byte{}
			pair[first], pair[second] = byte(r>>8), byte(r)
			out = append(out, pair[0], pair[1])
		}
		return string(out)
	}
	for encoding, text := range map[string]string{
		"UTF-8": body, "with a mark": "\ufeff" + body, "UTF-16LE": wide(body, "\xff\xfe", 1, 0), "UTF-16BE": wide(body, "\xfe\xff", 0, 1),
		"UTF-16LE without a mark": wide(body, "", 1, 0), "Latin-1": strings.ReplaceAll(body, "Ä", "\xc4"),
	} {
		batch, err := decodeItems(fleet.PlainText(text))
		if err != nil || len(batch.Reports) != 1 || batch.Reports[0].Asset != name {
			t.Errorf("%s: %+v %v", encoding, batch, err)
		}
	}
	if got := fleet.TextOf("Räu\xc3"); got != "Räu\ufffd" {
		t.Errorf("cut within a character: %q", got)
	}
}

// Only a point has a position: what another item says of one is named, not taken in silence.
func TestAPositionOfAnotherItemIsNamed(t *testing.T) {
	for _, item := range []string{`"type":"heartbeat"`, `"type":"alert","on":true`, `"type":"closure","active":true`, `"type":"on_scene"`} {
		b, err := decodeItems(`{"items":[{` + item + `,"asset":"a","at":"2026-11-21T10:42:07Z","lat":39.7,"lng":-75.5}]}`)
		if refused, ignored := fateOf(b); err != nil || refused != "" || !slices.Equal(ignored.Names(), []string{"lat", "lng"}) {
			t.Errorf("%s: refused by %q, left out %v, %v", item, refused, ignored.Names(), err)
		}
	}
}
