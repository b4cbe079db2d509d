package read_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"lightbar/internal/feed/read"
	"lightbar/internal/fleet"
)

// event is a good road event with a change or two.
func event(id string, changes ...string) string {
	text := `{"id":"` + id + `","type":"Feature","properties":{"core_details":{"event_type":"work-zone","data_source_id":"s","road_names":["I-95"],` +
		`"direction":"eastbound","update_date":"2026-11-01T12:00:00Z"},"start_date":"2026-11-01T12:00:00Z","end_date":"2026-11-02T12:00:00Z",` +
		`"is_start_date_verified":true,"is_end_date_verified":false,"is_start_position_verified":false,"is_end_position_verified":false,` +
		`"location_method":"unknown","vehicle_impact":"some-lanes-closed"},"geometry":{"type":"LineString","coordinates":[[-75.5,39.7],[-75.4,39.7]]}}`
	return strings.NewReplacer(changes...).Replace(text)
}

const info = `"feed_info":{"publisher":"P","version":"4.2","update_date":"2026-11-01T12:00:00Z","update_frequency":60,"data_sources":[]}`

func feedOf(events ...string) string {
	return `{` + info + `,"type":"FeatureCollection","features":[` + strings.Join(events, ",") + `]}`
}

// Each bad feature is refused for its own reason, and costs no other one.
func TestReasons(t *testing.T) {
	line := `{"type":"LineString","coordinates":[[-75.5,39.7],[-75.4,39.7]]}`
	for reason, bad := range map[string]string{
		read.Invalid:        `{"id":"b","type":"Feature" "properties":{}}`,
		read.TooLarge:       event("b", "I-95", strings.Repeat("x", 2<<20)),
		read.TooDeep:        event("b", `"s"`, strings.Repeat("[", 100)+strings.Repeat("]", 100)),
		read.NotAWorkZone:   event("b", "work-zone", "restriction"),
		read.IDMissing:      event("b", `"id":"b",`, ""),
		read.IDTooLong:      event(strings.Repeat("b", 201)),
		read.IDRepeated:     event("a"),
		read.NoGeometry:     event("b", line, "null"),
		read.BadGeometry:    event("b", "LineString", "Polygon"),
		read.OutOfRange:     event("b", "39.7", "139.7"),
		read.NoFix:          event("b", "-75.5,39.7", "0,0.0"),
		read.Swapped:        event("b", "-75.5,39.7", "39.7,-75.5", "-75.4,39.7", "39.7,-75.4"),
		read.Cancelled:      event("b", `"location_method"`, `"event_status":"cancelled","location_method"`),
		read.TooManyPoints:  event("b", "[-75.5,39.7]", strings.TrimSuffix(strings.Repeat("[-75.5,39.7],", 10_000), ",")),
		read.TimeMissing:    event("b", `"start_date":"2026-11-01T12:00:00Z",`, ""),
		read.TimeInvalid:    event("b", "2026-11-02T12:00:00Z", "tomorrow"),
		read.EndBeforeStart: event("b", "2026-11-02", "2026-10-02"),
	} {
		zones, r := zonesOf(t, []byte(feedOf(event("a"), bad, event("c"))))
		if r.Kept != 2 || r.Refused != 1 || r.Reasons[reason] != 1 || r.Broken != "" || len(r.Reasons) != 1 || zones[1].ID != "c" {
			t.Errorf("%s: %+v", reason, r)
		}
	}
	nan := event("b", `"location_method"`, `"beginning_milepost":NaN,"location_method"`)
	if zones, r := zonesOf(t, []byte(feedOf(event("a"), nan, event("c")))); len(zones) != 2 || r.Reasons[read.Invalid] != 1 {
		t.Errorf("a number that is none: %+v", r)
	}
	var kept int
	r, err := read.Read(context.Background(), strings.NewReader(feedOf(event("a"), event("b"), event("c"))), read.Limits{Features: 2}, func(*read.WorkZone) { kept++ })
	if err != nil || kept != 2 || r.Reasons[read.TooMany] != 1 || r.Total() != 3 {
		t.Errorf("too many: %+v, %v", r, err)
	}
}

// What other publishers write and means what it means.
func TestPatience(t *testing.T) {
	for name, good := range map[string]string{
		"offset":          event("a", `"2026-11-01T12:00:00Z","end`, `"2026-11-01T07:00:00-05:00","end`),
		"fraction":        event("a", `"2026-11-01T12:00:00Z","end`, `"2026-11-01T12:00:00.0000001Z","end`),
		"no offset":       event("a", `"2026-11-01T12:00:00Z","end`, `"2026-11-01T12:00:00","end`),
		"basic offset":    event("a", `"2026-11-01T12:00:00Z","end`, `"2026-11-01T12:00:00+0000","end`),
		"number as id":    event("a", `"id":"a"`, `"id":17`),
		"one road":        event("a", `["I-95"]`, `"I-95"`),
		"quoted flag":     event("a", `"is_start_date_verified":true`, `"is_start_date_verified":"true"`),
		"old accuracy":    event("a", `"is_start_date_verified":true`, `"start_date_accuracy":"verified"`),
		"altitude":        event("a", "-75.5,39.7]", "-75.5,39.7,12.5]"),
		"null texts":      event("a", `"event_type"`, `"name":null,"description":null,"related_road_events":null,"event_type"`),
		"odd lanes":       event("a", `"location_method"`, `"lanes":{"order":"1","status":"open"},"location_method"`),
		"odd relations":   event("a", `"event_type"`, `"related_road_events":[7,{"id":"x","type":"next-in-sequence"}],"event_type"`),
		"line of lines":   event("a", `"LineString"`, `"MultiLineString"`, `[[-75.5,39.7],[-75.4,39.7]]`, `[[[-75.5,39.7],[-75.4,39.7]]]`),
		"control letters": event("a", `"I-95"`, "\"I-95\x0b\t\"", `"location_method"`, `"beginning_cross_street":"C:\x \u12","location_method"`),
		"byte order mark": "\ufeff",
		"envelope":        `{"data":%s}`,
		"envelopes":       `{"status":"ok","type":"x","response":{"feed_info":1,"Result":{"body":%s}},"data":[1,{}]}`,
		"list alone":      "[" + event("a") + "]",
		"list in one":     `{"data":[` + event("a") + `]}`,
		"features twice":  `{"features":%s}`,
		"other lists":     `{"results":[],"content":["a"],"data":%s}`,
		"a text of JSON":  event("a", `"event_type"`, `"description":"5\" pipe, caf\u00e9 \ud83d\ude00\\","event_type"`),
	} {
		text := feedOf(good)
		if name == "a text of JSON" {
			quoted, _ := json.Marshal(text)
			text = " " + string(quoted) + "\n"
		}
		if strings.Contains(good, "%s") {
			text = fmt.Sprintf(good, feedOf(event("a")))
		}
		if strings.HasPrefix(name, "list") {
			text = good
		}
		if name == "byte order mark" {
			text = good + feedOf(event("a"))
		}
		zones, r := zonesOf(t, []byte(text))
		if r.Kept != 1 || r.Refused != 0 {
			t.Errorf("%s: %+v", name, r)
			continue
		}
		z := zones[0]
		if said := z.Description; name == "a text of JSON" && said != "5\" pipe, café 😀\\" {
			t.Errorf("%s: %q", name, said)
		}
		if z.StartAt.String() != "2026-11-01T12:00:00.000Z" || !z.StartVerified || z.EndVerified || len(z.RoadNames) != 1 || len(z.Route) != 2 || len(z.Related) > 1 {
			t.Errorf("%s: %+v", name, z)
		}
	}
	// Shapes of CIFS: wrapped, bare, with a location, a list alone.
	in := `"id":1,"type":"ROAD_CLOSED","starttime":"2026-11-01T12:00:00+00:00","endtime":"2026-11-02T12:00:00+00:00"`
	at := `"polyline":"39.7 -75.5 39.7 -75.4","street":"Main St","direction":"BOTH_DIRECTIONS"`
	// As programs that turn XML into JSON write it.
	marked := func(mark string) string {
		return strings.NewReplacer(`"id"`, `"`+mark+`id"`, `"street"`, `"`+mark+`street"`).Replace(in + `,` + at)
	}
	bag := func(name string) string { return strings.Replace(in, `"id":1`, `"`+name+`":{"id":"1"}`, 1) + "," + at }
	texts := func(name string) string {
		return strings.NewReplacer(`"ROAD_CLOSED"`, `{"`+name+`":"ROAD_CLOSED"}`, `"Main St"`, `{"@lang":"en","`+name+`":"Main St"}`).Replace(in + `,` + at)
	}
	lists := strings.NewReplacer(`"id":1`, `"$":{"id":"1"}`, `"ROAD_CLOSED"`, `["ROAD_CLOSED"]`, `"2026-11-01T12:00:00+00:00"`,
		`["2026-11-01T12:00:00+00:00"]`).Replace(in) +
		`,"location":[{` + strings.NewReplacer(`:"`, `:["`, `",`, `"],`).Replace(at) + `]}]`
	for name, text := range map[string]string{
		"converted: list":        `{"incidents":{"incident":[{` + in + `,` + at + `}]}}`,
		"converted: one":         `{"incidents":{"incident":{` + in + `,` + at + `}}}`,
		"converted: one alone":   `{"incidents":{` + in + `,` + at + `}}`,
		"converted: one on top":  `{"incident":{` + in + `,` + at + `}}`,
		"converted: list on top": `{"incident":[{` + in + `,` + at + `}]}`,
		"converted: name space":  `{"ns2:incidents":{"@xmlns:ns2":"x","ns2:incident":{` + strings.ReplaceAll(in+`,`+at, `,"`, `,"ns2:`) + `}}}`,
		"converted: heading":     `{"?xml":{"@version":"1.0"},"incidents":{"@timestamp":"2026-11-01T12:00:00Z","incident":[{` + marked("@") + `}]}}`,
		"converted: @_":          `{"incidents":{"incident":[{` + marked("@_") + `}]}}`,
		"converted: -":           `{"incidents":{"incident":[{` + marked("-") + `}]}}`,
		"converted: _":           `{"incidents":{"incident":[{` + marked("_") + `}]}}`,
		"converted: $":           `{"incidents":{"$":{"timestamp":"x"},"incident":[{` + bag("$") + `}]}}`,
		"converted: _attr":       `{"incidents":{"incident":[{` + bag("_attr") + `}]}}`,
		"converted: @attributes": `{"incidents":{"incident":{` + bag("@attributes") + `}}}`,
		"converted: #text":       `{"incidents":{"incident":[{` + texts("#text") + `}]}}`,
		"converted: $t":          `{"incidents":{"incident":[{` + texts("$t") + `}]}}`,
		"converted: $ as text":   `{"incidents":{"incident":[{` + texts("$") + `}]}}`,
		"converted: _ as text":   `{"incidents":{"incident":[{` + texts("_") + `}]}}`,
		"converted: lists":       `{"incidents":{"incident":[{` + lists + `}]}}`,
		"text with attributes": `<incidents xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><incident id="1" xsi:type="closure"><type xml:lang="en">ROAD_CLOSED</type>` +
			`<street lang="en">Main St</street><direction>BOTH_DIRECTIONS</direction><polyline>39.7 -75.5 39.7 -75.4</polyline>` +
			`<starttime>2026-11-01T12:00:00+00:00</starttime></incident></incidents>`,
		"wrapped":  `{"incidents":[{"incident":{` + in + `,` + at + `}}]}`,
		"bare":     `{"incidents":[{` + in + `,` + at + `}]}`,
		"location": `{"incidents":[{` + in + `,"location":{` + at + `}}]}`,
		"list":     `[{` + in + `,` + at + `}]`,
		"latin": `<?xml version="1.0" encoding="ISO-8859-1"?><incidents><incident id="1"><type>ROAD_CLOSED</type><street>Main St</street>` +
			`<direction>BOTH_DIRECTIONS</direction><polyline>39.7 -75.5 39.7 -75.4</polyline><starttime>2026-11-01T12:00:00+00:00</starttime>` +
			`<description>Stra` + "\xdf" + `e</description></incident></incidents>`,
	} {
		zones, r := zonesOf(t, []byte(text))
		if r.Format != read.CIFS || r.Kept != 1 || zones[0].ID != "1" || !zones[0].BothDirections || zones[0].RoadNames[0] != "Main St" || len(zones[0].Route) != 2 ||
			zones[0].VehicleImpact != "all-lanes-closed" || name == "latin" && zones[0].Description != "Straße" {
			t.Errorf("%s: %+v", name, r)
		}
	}
}

// Only lanes that vehicles drive in count, from the left; what else is closed is said in words.
func TestLanesThatVehiclesDriveIn(t *testing.T) {
	lanes := func(said string) (out string) {
		for i, l := range strings.Fields(said) {
			kind, status, _ := strings.Cut(l, "=")
			out += fmt.Sprintf(`,{"order":%d,"type":"%s","status":"%s"}`, i+1, kind, status)
		}
		return out[1:]
	}
	for _, c := range []struct {
		impact, lanes string
		impacted      string
		total         int
		words         string
	}{
		{"all-lanes-open", "shoulder=closed general=open general=open shoulder=open", "[]", 2, "Left shoulder closed."},
		{"some-lanes-closed", "shoulder=closed general=closed general=open general=open shoulder=open", "[1]", 3, "Left shoulder closed."},
		{"all-lanes-open", "general=open general=shift-left sidewalk=closed", "[]", 2, "Right sidewalk closed."},
		{"all-lanes-open-shift-left", "general=open general=shift-left", "[2]", 2, ""},
		{"some-lanes-closed-merge-left", "general=open general=merge-left general=closed", "[2 3]", 3, ""},
		{"some-lanes-closed", "general=open general=merge-left general=closed", "[3]", 3, ""},
		{"flagging", "general=alternating-flow general=closed bike-lane=closed", "[1 2]", 2, "Right bike lane closed."},
		{"some-lanes-closed", "general=open median=closed general=closed exit-lane=open", "[2]", 3, "Median closed."},
	} {
		zones, r := zonesOf(t, []byte(feedOf(event("a", `"some-lanes-closed"`, `"`+c.impact+`","lanes":[`+lanes(c.lanes)+`]`))))
		if r.Kept != 1 {
			t.Fatal(r)
		}
		is := zones[0].Closure()
		if got := fmt.Sprint(is.ImpactedLanes); got != c.impacted || is.TotalLanes != c.total || is.Description != c.words {
			t.Errorf("%s, %s: lanes %s of %d, %q", c.impact, c.lanes, got, is.TotalLanes, is.Description)
		}
	}
	// How publishers count and spell lanes.
	for _, c := range []struct{ lanes, impacted, words string }{
		{"0 general closed, 1 general open, 2 general open", "[1] of 3", ""},
		{"0 shoulder closed, 1 general open, 2 general closed", "[2] of 2", "Left shoulder closed."},
		{"1 general open, 1 general closed, 1 general open", "[2] of 3", ""},
		{"- general open, - general closed", "[2] of 2", ""},
		{"3 general closed, 2 general open, 1 general open", "[3] of 3", ""},
		{"1 shoulder closed, 1 general closed, 2 general open", "[1] of 2", "Left shoulder closed."},
		{"1 general closed, 1 general closed, 2 general open", "[1] of 2", ""},
		{"1 General CLOSED, 2 GENERAL Open", "[1] of 2", ""},
		{"1 Shoulder Closed, 2 general open", "[] of 1", "Left shoulder closed."},
		{"1 left-shoulder closed, 2 general open, 3 right_shoulder closed", "[] of 1", "Left shoulder closed. Right shoulder closed."},
		{"1 general open, 2 bicycle-lane closed", "[] of 1", "Right bike lane closed."},
		{"1 general closed, 3 general open", "[1] of 0", ""},
		{"2 general closed, 4 general closed", "[2 4] of 0", ""},
		{"1 two-way-center-turn-lane closed, 2 general open", "[1] of 2", ""},
		{"1 exit-ramp closed, 2 hov-lane closed", "[1 2] of 2", ""},
	} {
		var said []string
		for lane := range strings.SplitSeq(c.lanes, ", ") {
			f := strings.Fields(lane)
			order := `"order":` + f[0] + `,`
			if f[0] == "-" {
				order = ""
			}
			said = append(said, `{`+order+`"type":"`+f[1]+`","status":"`+f[2]+`"}`)
		}
		zones, _ := zonesOf(t, []byte(feedOf(event("a", `"location_method"`, `"lanes":[`+strings.Join(said, ",")+`],"location_method"`))))
		is := zones[0].Closure()
		if got := fmt.Sprintf("%v of %d", is.ImpactedLanes, is.TotalLanes); got != c.impacted || is.Description != c.words {
			t.Errorf("%s: %s, %q", c.lanes, got, is.Description)
		}
	}
	for said, want := range map[string]string{"All-Lanes-Closed": "all-lanes-closed ", "SOME_LANES_CLOSED": "some-lanes-closed ", "all lanes open": "all-lanes-open ",
		"one-lane-blocked": "unknown Impact: one lane blocked.", "unknown": "unknown "} {
		zones, _ := zonesOf(t, []byte(feedOf(event("a", `"some-lanes-closed"`, `"`+said+`"`, `"work-zone"`, `"Work_Zone"`, `"eastbound"`, `"Eastbound"`))))
		if len(zones) != 1 || zones[0].VehicleImpact+" "+zones[0].Text() != want || zones[0].Closure().Direction != "E" {
			t.Errorf("%s: %+v", said, zones)
		}
	}
	zones, _ := zonesOf(t, []byte(feedOf(event("a", `"location_method"`, `"lanes":[{"order":3,"type":"general","status":"closed"}],"location_method"`))))
	if is := zones[0].Closure(); is.TotalLanes != 0 || fmt.Sprint(is.ImpactedLanes) != "[3]" {
		t.Errorf("one lane of a road alone: %v of %d", is.ImpactedLanes, is.TotalLanes)
	}
}

// A text is read by what its bytes are, then by its label.
func TestTextsOfAnyEncoding(t *testing.T) {
	document := func(label, words string) string {
		return `<?xml version="1.0" encoding="` + label + `"?><incidents><incident id="E-1"><type>ROAD_CLOSED</type><street>Main St</street>` +
			`<polyline>39.7 -75.5 39.7 -75.4</polyline><starttime>2026-11-01T12:00:00+00:00</starttime><description>` + words + `</description></incident></incidents>`
	}
	in16 := func(text string, big bool) string {
		var out []byte
		for _, unit := range utf16.Encode([]rune(text)) {
			pair := []byte{byte(unit), byte(unit >> 8)}
			if big {
				pair[0], pair[1] = pair[1], pair[0]
			}
			out = append(out, pair...)
		}
		return string(out)
	}
	in32 := func(text string, big, mark bool) string {
		var out []byte
		if mark {
			text = "\ufeff" + text
		}
		for _, r := range text {
			one := []byte{byte(r), byte(r >> 8), byte(r >> 16), 0}
			if big {
				slices.Reverse(one)
			}
			out = append(out, one...)
		}
		return string(out)
	}
	const words = "Drivers’ lane – café"
	for name, text := range map[string]string{
		"UTF-8":                     document("UTF-8", words),
		"UTF-8 as utf8":             document("utf8", words),
		"UTF-8 as utf-16":           document("utf-16", words),
		"UTF-8 as Latin-1":          document("ISO-8859-1", words),
		"UTF-8 as nothing known":    document("klingon", words),
		"UTF-8 with two marks":      "\ufeff\ufeff" + document("UTF-8", words),
		"UTF-8 with its mark":       "\ufeff" + document("windows-1252", words),
		"windows-1252":              document("windows-1252", "Drivers\x92 lane \x96 caf\xe9"),
		"windows-1252 as Latin-1":   document("iso-8859-1", "Drivers\x92 lane \x96 caf\xe9"),
		"UTF-16, little end":        "\xff\xfe" + in16(document("UTF-16", words), false),
		"UTF-16, big end":           "\xfe\xff" + in16(document("UTF-16", words), true),
		"UTF-16 without a mark":     in16(document("UTF-16", words), false),
		"UTF-16 the other way":      in16(document("UTF-16BE", words), true),
		"a label in single quotes":  strings.Replace(document("latin1", "Drivers\x92 lane \x96 caf\xe9"), `"latin1"`, `'latin1'`, 1),
		"no label, windows-1252":    strings.Replace(document("", "Drivers\x92 lane \x96 caf\xe9"), ` encoding=""`, "", 1),
		"no label, UTF-8":           strings.Replace(document("", words), ` encoding=""`, "", 1),
		"a name of Windows":         document("ANSI", "Drivers\x92 lane \x96 caf\xe9"),
		"windows-1252 as UTF-8":     document("UTF-8", "Drivers\x92 lane \x96 caf\xe9"),
		"windows-1252 as utf8":      document("utf8", "Drivers\x92 lane \x96 caf\xe9"),
		"windows-1252 as UTF-16":    document("utf-16", "Drivers\x92 lane \x96 caf\xe9"),
		"control characters":        document("UTF-8", "Drivers’\x0blane&#x1F; –&#11;&#0;\x00café"),
		"UTF-32, little end":        in32(document("UTF-32", words), false, true),
		"UTF-32, big end":           in32(document("UTF-32", words), true, true),
		"UTF-32 without a mark":     in32(document("UTF-32LE", words), false, false),
		"far behind only ASCII":     document("windows-1252", strings.Repeat(" ", 200_000)+"Drivers\x92 lane \x96 caf\xe9"),
		"UTF-8 far behind the same": document("windows-1252", strings.Repeat(" ", 200_000)+words),
	} {
		zones, r := zonesOf(t, []byte(text))
		if r.Kept != 1 || zones[0].Description != words {
			t.Errorf("%s: %+v, %+v", name, r, zones)
		}
	}
	if zones, _ := zonesOf(t, []byte(document("ISO-8859-2", "\xa3\xf3d\xbc"))); len(zones) != 1 || zones[0].Description != "Łódź" {
		t.Errorf("ISO-8859-2: %+v", zones)
	}
	for _, words := range []string{"Straße\xdf", "Straße" + strings.Repeat(" ", 200_000) + "\xdf"} {
		zones, r := zonesOf(t, []byte(document("UTF-8", words)))
		if len(zones) != 1 || !strings.HasPrefix(zones[0].Description+"\ufffd", "Straße\ufffd") || r.Broken != "" {
			t.Errorf("one broken character: %+v %+v", zones, r)
		}
	}
	json := in16(feedOf(event("a", "I-95", "Straße")), false)
	if zones, _ := zonesOf(t, []byte(json)); len(zones) != 1 || zones[0].RoadNames[0] != "Straße" {
		t.Errorf("JSON: %+v", zones)
	}
	for text, want := range map[string]string{"Stra\xdfe": "Straße", "Straße\xdf": "Straße\ufffd"} {
		if zones, _ := zonesOf(t, []byte(feedOf(event("a", "I-95", text)))); len(zones) != 1 || zones[0].RoadNames[0] != want {
			t.Errorf("JSON, %q: %+v", text, zones)
		}
	}
	_, err := read.Read(t.Context(), strings.NewReader(document("klingon", "caf\xe9")), read.Limits{}, func(*read.WorkZone) {})
	var u *read.Unreadable
	if !errors.As(err, &u) || u.Reason != read.UnknownEncoding || !strings.Contains(u.Message, "klingon") {
		t.Errorf("an unknown label: %v", err)
	}
}

// A document that ends too early keeps what was whole, wherever it ends, and says so.
func TestTruncated(t *testing.T) {
	text := feedOf(event("a"), event("b"), event("c"))
	second, third := strings.Index(text, `{"id":"b"`), strings.Index(text, `{"id":"c"`)
	for end := strings.Index(text, `{"id":"a"`); end < len(text); end++ {
		zones, r := zonesOf(t, []byte(text[:end]))
		want := 0
		for _, from := range []int{second, third, len(text) - 1} {
			if end >= from-1 {
				want++
			}
		}
		if len(zones) != want || r.Broken != read.Truncated {
			t.Fatalf("cut at %d: %d kept, %+v; want %d", end, len(zones), r, want)
		}
	}
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, _ = z.Write([]byte(text))
	_ = z.Close()
	if zones, r := zonesOf(t, packed.Bytes()); len(zones) != 3 || r.Broken != "" {
		t.Errorf("gzip: %+v", r)
	}
	if _, r := zonesOf(t, packed.Bytes()[:packed.Len()-12]); r.Broken != read.Truncated {
		t.Errorf("cut gzip: %+v", r)
	}
	xml := `<incidents><incident id="abc"><type>ROAD_CLOSED</type><polyline>39.7 -75.5 39.7 -75.4</polyline><starttime>2026-11-01T12:00:00+00:00</starttime></incident><incident id="def"><type>RO`
	if zones, r := zonesOf(t, []byte(xml)); len(zones) != 1 || r.Broken != read.Truncated {
		t.Errorf("cut XML: %+v", r)
	}
	for _, text := range []string{feedOf(event("a"), event("b")+" "+event("c")), `{` + info + `,"features":[` + event("a") + `,` + event("b") + `:`} {
		if zones, r := zonesOf(t, []byte(text)); len(zones) != 2 || r.Broken != read.Malformed {
			t.Errorf("%d kept, %+v", len(zones), r)
		}
	}
}

// zeros is a stream without end.
type zeros struct{ c byte }

func (z zeros) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = z.c
	}
	return len(p), nil
}

// spec: 1.feat.03
func TestUnreadable(t *testing.T) {
	var bomb bytes.Buffer
	z := gzip.NewWriter(&bomb)
	_, _ = io.WriteString(z, `{"features":[`)
	_, _ = io.CopyN(z, zeros{' '}, 300<<20)
	_ = z.Close()
	if bomb.Len() > 1<<20 {
		t.Fatalf("the bomb has %d bytes", bomb.Len())
	}
	endless := func(head string) io.Reader { return io.MultiReader(strings.NewReader(head), zeros{'x'}) }
	for name, c := range map[string]struct {
		in     io.Reader
		reason string
	}{
		"empty":         {strings.NewReader(" \n"), read.Empty},
		"HTML":          {strings.NewReader("\n<!DOCTYPE html><html><body>Service Unavailable"), read.HTML},
		"HTML in caps":  {strings.NewReader("<HTML><HEAD>"), read.HTML},
		"words":         {strings.NewReader("no healthy upstream"), read.UnknownText},
		"other JSON":    {strings.NewReader(`{"error":"no key"}`), read.UnknownText},
		"another list":  {strings.NewReader(`{"data":[{"type":"x"},` + event("a") + `]}`), read.UnknownText},
		"deep":          {strings.NewReader(`{"d":{"d":{"d":{"d":` + feedOf(event("a")) + `}}}}`), read.UnknownText},
		"Esri JSON":     {strings.NewReader(`{"features":[{"attributes":{"a":1},"geometry":{"paths":[]}}]}`), read.UnknownText},
		"Esri's kind":   {strings.NewReader(`{"geometryType":"esriGeometryPolyline","features":[` + event("a") + `]}`), read.UnknownText},
		"TopoJSON":      {strings.NewReader(`{"type":"Topology","objects":{}}`), read.UnknownText},
		"lines":         {strings.NewReader(event("a") + "\n" + event("b")), read.UnknownText},
		"other XML":     {strings.NewReader(`<rss><channel/></rss>`), read.UnknownText},
		"no gzip":       {strings.NewReader("\x1f\x8bxxxxxxxxxxxx"), read.BadGzip},
		"bomb":          {&bomb, read.TooLarge},
		"endless text":  {endless(`{"features":[{"id":"`), read.TooLarge},
		"endless key":   {endless(`{"`), read.TooLarge},
		"endless XML":   {endless(`<incidents><incident id="`), read.TooLarge},
		"endless digit": {io.MultiReader(strings.NewReader(`{"features":[`), zeros{'1'}), read.TooLarge},
	} {
		limits := read.Limits{}
		if name != "bomb" {
			limits.Bytes = 8 << 20
		}
		r, err := read.Read(context.Background(), c.in, limits, func(*read.WorkZone) { t.Errorf("%s: a work zone", name) })
		var u *read.Unreadable
		if !errors.As(err, &u) || u.Reason != c.reason || u.Message == "" {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
	}
	broken := errors.New("the line broke")
	if _, err := read.Read(context.Background(), io.MultiReader(strings.NewReader(feedOf()[:40]), failing{broken}), read.Limits{}, func(*read.WorkZone) {}); !errors.Is(err, broken) {
		t.Errorf("a broken line: %v", err)
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// generator makes a feed of so many bytes while it is read.
type generator struct {
	rest  []byte
	n     int
	bytes int
	one   func(n int) string
	end   bool
}

func (g *generator) Read(p []byte) (int, error) {
	if len(g.rest) == 0 {
		switch {
		case g.end:
			return 0, io.EOF
		case g.bytes <= 0:
			g.rest, g.end = []byte("]}"), true
		case g.n == 0:
			g.rest, g.n = []byte(`{`+info+`,"features":[`+g.one(0)), 1
		default:
			g.rest = []byte("," + g.one(g.n))
			g.n++
		}
		g.bytes -= len(g.rest)
	}
	n := copy(p, g.rest)
	g.rest = g.rest[n:]
	return n, nil
}

// A feed of 110 MB is read with at most 64 MB more memory, also one of a million features.
func TestMemoryOfALargeFeed(t *testing.T) {
	if testing.Short() {
		t.Skip("volume")
	}
	for name, one := range map[string]func(n int) string{
		"110 MB": func(n int) string { return event(fmt.Sprintf("event-%d", n)) },
		"a million features": func(n int) string {
			return fmt.Sprintf(`{"type":"Feature","id":%d,"properties":{"start_time":"2026-11-01"},"geometry":{"type":"Point","coordinates":[1,2]}}`, n)
		},
	} {
		before, most, kept := heap(), uint64(0), 0
		g := &generator{bytes: 111 << 20, one: one}
		r, err := read.Read(context.Background(), g, read.Limits{}, func(*read.WorkZone) {
			if kept++; kept%20_000 == 0 {
				most = max(most, heapNow()-before)
			}
		})
		if err != nil || r.Kept != kept || r.Total() != g.n || most > 64<<20 {
			t.Errorf("%s: %d MB more, %d of %d kept, %+v, %v", name, most>>20, kept, g.n, r, err)
		}
		t.Logf("%s: %d features, %d MB more at most", name, g.n, most>>20)
	}
}

func heap() uint64 {
	runtime.GC()
	return heapNow()
}

func heapNow() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func BenchmarkRead(b *testing.B) {
	var text strings.Builder
	_, _ = io.Copy(&text, &generator{bytes: 10 << 20, one: func(n int) string { return event(fmt.Sprintf("event-%d", n)) }})
	b.SetBytes(int64(text.Len()))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := read.Read(context.Background(), strings.NewReader(text.String()), read.Limits{}, func(*read.WorkZone) {}); err != nil {
			b.Fatal(err)
		}
	}
}

// Whatever comes in: no panic, every feature is counted once, and what is kept is a work zone that a map can show.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{feedOf(event("a"), event("b", "LineString", "MultiPoint")), feedOf(event("a"))[:300], "[1,2", "{}", "<incidents/>", "\x1f\x8b", `{"data":{"result":[` + event("a") + `]}}`, "[" + event("a") + "]",
		`{"incidents":[{"incident":{"id":"abc","type":"HAZARD","polyline":"1 2 3 4","lanes":{"lane":[{"order":1}]}}}]}`,
		`<incidents><incident id="x"><type>JAM</type><polyline>1 2</polyline><a b="c"/></incident>`,
		feedOf(event("a", "2026-11-02T12:00:00Z", "9999-12-31T23:59:59-05:00")),
		`{"features":[{"type":"Feature","properties":{"start_time":"2026-11-01","total_lanes":3,"impacted_lanes":[1]},"geometry":{"type":"Point","coordinates":[1,2]},"id":"q"}]}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		kept := 0
		r, err := read.Read(context.Background(), bytes.NewReader(text), read.Limits{Bytes: 1 << 20, Feature: 10_000}, func(z *read.WorkZone) {
			kept++
			if z.ID == "" || len(z.Route) == 0 || z.EndAt != 0 && z.EndAt < z.StartAt {
				t.Fatalf("%+v", z)
			}
			for _, at := range []fleet.Instant{z.StartAt, z.EndAt, z.UpdatedAt} {
				if again, err := fleet.ParseInstant(at.String()); at != 0 && (err != nil || again != at) {
					t.Fatalf("nobody reads %s of %+v", at, z)
				}
			}
			for _, at := range z.Route {
				if !(at.Lat >= -90 && at.Lat <= 90 && at.Lng >= -180 && at.Lng <= 180) {
					t.Fatalf("%+v", z)
				}
			}
			_ = z.Closure()
		})
		refused := 0
		for _, n := range r.Reasons {
			refused += n
		}
		if err == nil && (r.Kept != kept || r.Refused != refused) {
			t.Fatalf("%d were handed on: %+v", kept, r)
		}
	})
}
