package device

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"lightbar/internal/app"
	"lightbar/internal/fleet"
)

func TestDecodeItems(t *testing.T) {
	for _, c := range []struct {
		name, body string
		reports    int
		refused    string // codes
		broken     bool
	}{
		{"empty", `{"items": []}`, 0, "", false},
		{"type last", `{"items":[{"asset":"a","at":"2026-11-21T10:42:07.250Z","on":true,"type":"alert"}]}`, 1, "", false},
		{"unknown fields", `{"v":{"a":[1,{"b":null}]},"items":[{"type":"heartbeat","asset":"a","at":"2026-11-21T10:42:07Z","x":[{}]}],"z":"\ud83d\ude92"}`, 1, "", false},
		{"null is absent", `{"items":[{"type":"point","asset":"a","at":"2026-11-21T10:42:07Z","lat":1,"lng":2,"course":null,"alerting":null}]}`, 1, "", false},
		{"wrong types", `{"items":[{"type":"point","lat":"north"},{"type":1},{"type":"point","at":[5]},{"type":"point","at":"yesterday"},{"type":"alert","on":"maybe"},{"asset":7,"type":"heartbeat"}]}`,
			0, "wrong_type wrong_type lat wrong_type at wrong_type at wrong_type on wrong_type asset", false},
		{"too large a number", `{"items":[{"type":"point","lat":1e999}]}`, 0, "wrong_type lat", false},
		{"of another type", `{"items":[{"type":"heartbeat","lat":"x","on":"x","speed":{}},{"type":"point","on":7,"active":[]}]}`, 2, "", false},
		{"no type, other type, no object", `{"items":[{"asset":"a"},{"type":"x"},7,null]}`, 0, "type_missing type_unknown not_an_object not_an_object", false},
		{"null items", `{"items":null}`, 0, "", true},
		{"no items", `{}`, 0, "", true},
		{"items twice", `{"items":[],"items":[]}`, 0, "", true},
		{"rest", `{"items":[]} x`, 0, "", true},
		{"cut off", `{"items":[{"type":"point"`, 0, "", true},
		{"bad number", `{"items":[{"type":"point","lat":01}]}`, 0, "", true},
		{"control character", "{\"items\":[{\"type\":\"po\nint\"}]}", 0, "", true},
		{"deep", `{"items":[{"x":` + strings.Repeat("[", 10000), 0, "", true},
		{"array", `[]`, 0, "", true},
		{"nothing", ``, 0, "", true},
	} {
		batch, err := decodeItems(c.body)
		if (err != nil) != c.broken {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if c.broken {
			continue
		}
		var codes []string
		for _, r := range batch.Refused {
			codes = append(codes, r.Error)
		}
		reports := 0
		for _, r := range batch.Reports {
			if r.Wrong == 0 {
				reports++
			} else {
				codes = append(codes, "wrong_type", r.Wrong.Names()[0])
			}
		}
		if reports != c.reports || strings.Join(codes, " ") != c.refused {
			t.Errorf("%s: %d reports, refused %v", c.name, len(batch.Reports), codes)
		}
	}
}

func TestDecodeFlagsByType(t *testing.T) {
	batch, err := decodeItems(`{"items":[{"type":"point","alerting":true,"on":false},{"type":"alert","alerting":true,"on":false},{"type":"closure","active":true,"pattern":"diamonds-alternating"},{"type":"heartbeat","alerting":true}]}`)
	if err != nil {
		t.Fatal(err)
	}
	r := batch.Reports
	if !r[0].Alerting || r[1].Alerting || !r[1].HasAlerting || !r[2].Alerting || r[2].Pattern != "diamonds-alternating" || r[3].HasAlerting {
		t.Errorf("%+v", r)
	}
}

func TestDecodeLines(t *testing.T) {
	batch, err := decodeLines("{\"type\":\"heartbeat\",\"asset\":\"a\"}\r\n\n{oops\n{\"type\":\"heartbeat\",\"asset\":\"b\"} x\n{\"type\":\"x\"}\n{\"type\":\"heartbeat\",\"asset\":\"c\"}")
	if err != nil || len(batch.Reports) != 2 || batch.Reports[1].Asset != "c" || batch.Reports[1].Index != 4 {
		t.Errorf("%+v", batch.Reports)
	}
	if len(batch.Refused) != 3 || batch.Refused[0].Error != "not_json" || batch.Refused[0].Index != 1 || batch.Refused[1].Index != 2 || batch.Refused[2].Error != "type_unknown" {
		t.Errorf("%+v", batch.Refused)
	}
}

func TestInstants(t *testing.T) {
	for _, s := range []string{"2026-11-21T10:42:07Z", "2026-11-21T10:42:07.25Z", "2026-11-21T10:42:07.123456789Z", "2024-02-29T23:59:59.999Z", "1970-01-01T00:00:00Z",
		"2026-11-21T10:42:07+01:00", "1999-12-31T00:00:00Z", "2100-03-01T00:00:00Z"} {
		want, err := fleet.ParseInstant(s)
		if got, ok := fleet.ReportInstant(s, nil); err != nil || !ok || got != want {
			t.Errorf("%s: %d, want %d", s, got, want)
		}
	}
	want := fleet.InstantOf(time.Date(2026, 11, 21, 10, 42, 7, 0, time.UTC))
	for _, s := range []string{"1795257727", "1795257727000", "1795257727.0", "2026-11-21T10:42:07Z", "2026-11-21 10:42:07"} {
		if got, ok := parseTrackerInstant(s); !ok || got != want {
			t.Errorf("%s: %v, want %v", s, got, want)
		}
	}
}

// noNumber are the words that are read although JSON has none of them.
var noNumber = regexp.MustCompile(`(?i)nan|inf`)

// Whatever encoding/json accepts as a document with items is read, and nothing else.
func FuzzDecodeItems(f *testing.F) {
	f.Add(`{"items":[{"type":"point","asset":"a","at":"2026-11-21T10:42:07.250Z","lat":39.7447,"lng":-75.5484,"course":38,"alerting":true}]}`)
	f.Add(`{"items":[{"type":"\u0070oint","x":[1,-0.5e3,"\ud83d\ude92\ud83d"]}, 7, null]}`)
	f.Add(`{"items":[`)
	f.Fuzz(func(t *testing.T, body string) {
		batch, err := decodeItems(body)
		if err == nil && !json.Valid([]byte(body)) && !noNumber.MatchString(body) {
			t.Fatalf("not JSON, yet read: %q", body)
		}
		for i := range batch.Reports {
			r := &batch.Reports[i]
			if refusal := r.Check(1795257727000); refusal == nil && r.Kind == fleet.ReportPoint && !(r.Lat >= -90 && r.Lat <= 90 && r.CourseDeg < 360) {
				t.Fatalf("out of range: %+v", r)
			}
		}
	})
}

func FuzzDecodeLines(f *testing.F) {
	f.Add("{\"type\":\"heartbeat\",\"asset\":\"a\"}\n{oops")
	f.Fuzz(func(t *testing.T, body string) {
		batch, err := decodeLines(body)
		lines := 0
		for line := range strings.SplitSeq(body, "\n") {
			if strings.TrimSpace(line) != "" {
				lines++
			}
		}
		if most := app.ItemsPerBatch(); (err != nil) != (lines > most) || len(batch.Reports)+len(batch.Events)+len(batch.Refused) != min(lines, most) {
			t.Fatalf("%d lines (%v), %d + %d answered", lines, err, len(batch.Reports), len(batch.Refused))
		}
	})
}

func FuzzInstant(f *testing.F) {
	f.Add("2026-11-21T10:42:07.250Z")
	f.Fuzz(func(t *testing.T, s string) {
		fast, ok := parseUTC(s)
		if want, err := fleet.ParseInstant(s); ok && (err != nil || want != fast) {
			t.Fatalf("%q: %d, want %d (%v)", s, fast, want, err)
		}
	})
}

func TestOnSceneItem(t *testing.T) {
	b, err := decodeItems(`{"items":[{"type":"on_scene","asset":"A","at":"2026-11-21T10:42:07.250Z"}]}`)
	if err != nil || len(b.Refused) != 0 || len(b.Reports) != 1 || b.Reports[0].Kind != fleet.ReportOnScene || b.Reports[0].At == 0 {
		t.Errorf("%+v %v", b, err)
	}
}

// A message is one item or several, however a device writes them; what holds none is refused as a whole.
func TestMessagesOfDevices(t *testing.T) {
	const a, b = `{"type":"heartbeat","at":"2026-11-21T10:42:07Z"}`, `{"type":"alert","on":true,"at":"2026-11-21T10:42:08Z"}`
	for payload, want := range map[string]string{
		a:                                    "1 taken, 0 refused",
		"\ufeff " + a + "\r\n":               "1 taken, 0 refused",
		"[" + a + "," + b + "]":              "2 taken, 0 refused",
		`{"items":[` + a + "," + b + "]}":    "2 taken, 0 refused",
		`{"device":"x","items":[` + a + "]}": "1 taken, 0 refused",
		`{"v":1,"meta":{"type":"z"},"items":[` + a + `],"n":2}`:        "1 taken, 0 refused",
		`{"type":"heartbeat","items":[1],"at":"2026-11-21T10:42:07Z"}`: "1 taken, 0 refused",
		a + "\n" + b:             "2 taken, 0 refused",
		a + "\n" + b + "\n{oops": "2 taken, 1 refused",
		"{\n" + a[1:]:            "1 taken, 0 refused",
		"[]":                     "0 taken, 0 refused",
		"[[" + a + "]]":          "0 taken, 1 refused",
		"[7,null,\"x\"]":         "0 taken, 3 refused",
		"{}":                     "0 taken, 1 refused",
		`{"_type":"location","lat":39.7,"lon":-75.5,"tst":1795257727}`: "0 taken, 1 refused",
		"": "none", "  \n": "none", "null": "none", "7": "none", `"lights on"`: "none", "{oops\n" + a: "none", a + a: "none", "on": "none",
		`{"items":7}`: "0 taken, 1 refused", `{"items":[` + a: "none",
	} {
		batch, err := decodeMessage(payload)
		got := fmt.Sprintf("%d taken, %d refused", len(batch.Reports), len(batch.Refused))
		if err != nil {
			got = "none"
		}
		if got != want {
			t.Errorf("%q: %s, want %s", payload, got, want)
		}
	}
}
