package device

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"lightbar/internal/fleet"
)

func eventItem(members string) string {
	return `{"items":[{"at":"2026-11-21T10:42:07.250Z","id":"CAD-7","lat":39.7,"lng":-75.5,` + members + `,"type":"event"}]}`
}

func shapes(geometry string) string {
	return `"features":{"type":"FeatureCollection","features":[{"type":"Feature","properties":null,"geometry":` + geometry + `}]}`
}

// An event brings its shapes, wherever its type stands in the item.
func TestEventItem(t *testing.T) {
	b, err := decodeItems(eventItem(`"alert_message":"Keep \u0072ight","expires_at":"2026-11-21T12:00:00Z","is_active":true,"alt":12.5,
		"features":{"type":"FeatureCollection","features":[
		{"type":"Feature","properties":{"radius_dist":80,"name":"x"},"geometry":{"type":"Point","coordinates":[-75.5,39.7,4]}},
		{"type":"Feature","geometry":{"type":"LineString","coordinates":[[-75.5,39.7],[-75.51,39.712345678]]}},
		{"type":"Feature","geometry":{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]]]}}]}`))
	if err != nil || len(b.Refused)+len(b.Reports) != 0 || len(b.Events) != 1 {
		t.Fatalf("%+v %v", b, err)
	}
	e := b.Events[0]
	if e.ID != "CAD-7" || e.At == 0 || !e.HasLat || !e.HasLng || e.AlertMessage != "Keep right" || e.ExpiresAt != 1795262400000 || !e.HasActive || !e.Active || e.Alt != 12.5 {
		t.Errorf("%+v", e)
	}
	text, err := json.Marshal(e.Features)
	want := `{"type":"FeatureCollection","features":[` +
		`{"type":"Feature","geometry":{"type":"Point","coordinates":[-75.5,39.7]},"properties":{"radius_dist":80}},` +
		`{"type":"Feature","geometry":{"type":"LineString","coordinates":[[-75.5,39.7],[-75.51,39.7123457]]},"properties":{}},` +
		`{"type":"Feature","geometry":{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]]]},"properties":{}}]}`
	if err != nil || string(text) != want {
		t.Errorf("%s %v", text, err)
	}
}

// What only an event has, other items may hold as they please: devices in the field cannot be upgraded.
func TestOtherItemsKeepTheirMembers(t *testing.T) {
	b, err := decodeItems(`{"items":[{"type":"heartbeat","asset":"a","at":"2026-11-21T10:42:07Z","id":7,"features":"r2r","is_active":"x","alt":null,"expires_at":{}}]}`)
	if err != nil || len(b.Reports) != 1 || len(b.Refused)+len(b.Events) != 0 {
		t.Errorf("%+v %v", b, err)
	}
}

// spec: 3.enum.09: whatever is no Point, LineString, Polygon or circle is refused.
func TestHostileEventsAreRefusedByName(t *testing.T) {
	ring := func(n int) string {
		return `{"type":"Polygon","coordinates":[[` + strings.Repeat("[1,1],", n-1) + `[1,1]]]}`
	}
	for _, c := range []struct{ members, want string }{
		{`"is_active":"maybe"`, "wrong_type is_active"},
		{`"expires_at":7`, "wrong_type expires_at"},
		{`"expires_at":"soon"`, "wrong_type expires_at"},
		{`"alert_message":[]`, "wrong_type alert_message"},
		{`"features":[]`, "features_invalid features"},
		{`"features":{"type":"Feature"}`, "features_invalid features"},
		{shapes(`null`), "features_invalid features"},
		{shapes(`{"type":"MultiPoint","coordinates":[[1,1]]}`), "features_invalid features"},
		{shapes(`{"type":"Point","coordinates":[1]}`), "features_invalid features"},
		{shapes(`{"type":"Point","coordinates":null}`), "features_invalid features"},
		{shapes(`{"type":"Point","coordinates":[1,"x"]}`), "features_invalid features"},
		{shapes(`{"type":"Point","coordinates":[1,91]}`), "features_out_of_range features"},
		{shapes(`{"type":"Point","coordinates":[-180.1,1]}`), "features_out_of_range features"},
		{shapes(`{"type":"LineString","coordinates":[[1,1]]}`), "features_invalid features"},
		{shapes(`{"type":"LineString","coordinates":[[179,1],[-179,1]]}`), "features_across_antimeridian features"},
		{shapes(`{"type":"Polygon","coordinates":[]}`), "features_invalid features"},
		{shapes(`{"type":"Polygon","coordinates":[[]]}`), "features_invalid features"},
		{shapes(`{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,1]]]}`), "features_invalid features"},
		{shapes(ring(2001)), "features_too_large features"},
		{shapes(`{"type":"Point","coordinates":[1,1` + strings.Repeat(" ", 256<<10) + `]}`), "features_too_large features"},
		{`"features":{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"radius_dist":0},"geometry":{"type":"Point","coordinates":[1,1]}}]}`, "radius_out_of_range features"},
		{`"features":{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"radius_dist":5},"geometry":` + ring(4) + `}]}`, "radius_out_of_range features"},
	} {
		b, err := decodeItems(eventItem(c.members))
		if err != nil || len(b.Events)+len(b.Reports) != 0 || len(b.Refused) != 1 || b.Refused[0].Error+" "+b.Refused[0].Field != c.want {
			t.Errorf("%.80s: %+v %v, want %s", c.members, b, err, c.want)
		}
	}
	if b, err := decodeItems(eventItem(shapes(ring(2000)))); err != nil || len(b.Events) != 1 {
		t.Errorf("2,000 vertices: %+v %v", b.Refused, err)
	}
	if b, err := decodeItems(eventItem(`"features":{"type":"FeatureCollection","features":[]}`)); err != nil || len(b.Events) != 1 || b.Events[0].Features != nil || !b.Events[0].HasFeatures {
		t.Errorf("no shapes: %+v %v", b, err)
	}
}

// Whatever comes as an event: it is refused, or what is kept can be drawn, stored and read again.
func FuzzDecodeEvent(f *testing.F) {
	f.Add(`"alert_message":"a","is_active":false`)
	f.Add(shapes(`{"type":"Point","coordinates":[1,2,3]}`))
	f.Add(shapes(`{"type":"LineString","coordinates":[[1,2],[3,4]]}`))
	f.Add(shapes(`{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]],[]]}`))
	f.Add(`"id":"\u0000","expires_at":"9999-12-31T23:59:59Z","alt":-0`)
	f.Fuzz(func(t *testing.T, members string) {
		body := eventItem(members)
		b, err := decodeItems(body)
		if (err == nil) && !json.Valid([]byte(body)) {
			t.Fatalf("not JSON, yet read: %q", body)
		}
		for i := range b.Events {
			e := &b.Events[i]
			const now = 1795257727000
			if e.Check(now) != nil {
				continue
			}
			if strings.ContainsRune(e.ID+e.AlertMessage, 0) {
				t.Fatalf("a text that no database takes: %+v", e)
			}
			l := fleet.NewEvent("id", "o", e, now)
			l.Report(e, now)
			if l.IsActive == (l.EndAt != 0) || l.EndAt != 0 && l.EndAt < l.StartAt {
				t.Fatalf("active %v until %d, since %d", l.IsActive, l.EndAt, l.StartAt)
			}
			if e.Features == nil {
				continue
			}
			text, err := json.Marshal(e.Features)
			if err != nil {
				t.Fatalf("%+v: %v", e.Features, err)
			}
			again, refusal := fleet.ParseFeatures(string(text))
			if refusal != nil || !again.Equal(e.Features) {
				t.Fatalf("%s: %v", text, refusal)
			}
			var back fleet.FeatureCollection
			if err := json.Unmarshal(text, &back); err != nil || !back.Equal(e.Features) {
				t.Fatalf("%s is read as %+v (%v)", text, back, err)
			}
		}
	})
}

// A line that is no object takes back what it brought, an event as any other item.
func TestALineThatEndsWrongBringsNoEvent(t *testing.T) {
	item := strings.TrimSuffix(strings.TrimPrefix(eventItem(`"alt":1`), `{"items":[`), `]}`)
	b, err := decodeLines(item + "\n" + item + " x\n" + item)
	indexes := []string{}
	for _, e := range b.Events {
		indexes = append(indexes, fmt.Sprint(e.Index))
	}
	if err != nil || !slices.Equal(indexes, []string{"0", "2"}) || len(b.Refused) != 1 || b.Refused[0].Error != "not_json" {
		t.Errorf("%v %+v %v", indexes, b.Refused, err)
	}
}
