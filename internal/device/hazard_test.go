package device

import (
	"encoding/json"
	"strings"
	"testing"

	"lightbar/internal/fleet"
)

func hazardItem(members string) string {
	return `{"items":[{"at":"2026-11-21T10:42:07.250Z","id":"Q-7","lat":39.7,"lng":-75.5,` + members + `,"type":"hazard"}]}`
}

// A hazard brings its type and words; what is an event's alone it may hold as it pleases.
func TestHazardItem(t *testing.T) {
	b, err := decodeItems(hazardItem(`"hazard_type":"ice","description":"Br\u00fccke","expires_at":"2026-11-21T12:00:00Z","is_active":true,"alt":"high"`))
	if err != nil || len(b.Refused)+len(b.Reports)+len(b.Events) != 0 || len(b.Hazards) != 1 {
		t.Fatalf("%+v %v", b, err)
	}
	if h := b.Hazards[0]; h.ID != "Q-7" || h.At == 0 || h.Lat != 39.7 || h.Kind != "ice" || !h.HasDescription || h.Description != "Brücke" || h.ExpiresAt != 1795262400000 || !h.Active {
		t.Errorf("%+v", h)
	}
	for members, want := range map[string]string{`"hazard_type":7`: "hazard_type", `"description":[]`: "description", `"is_active":"maybe"`: "is_active"} {
		if b, err := decodeItems(hazardItem(members)); err != nil || len(b.Hazards) != 0 || len(b.Refused) != 1 || b.Refused[0].Field != want {
			t.Errorf("%s: %+v %v", members, b, err)
		}
	}
	line := strings.TrimSuffix(strings.TrimPrefix(hazardItem(`"hazard_type":"ice"`), `{"items":[`), `]}`)
	if b, err := decodeLines(line + "\n" + line + " x\n" + line); err != nil || len(b.Hazards) != 2 || len(b.Refused) != 1 || b.Refused[0].Error != "not_json" {
		t.Errorf("a line that ends wrong: %+v %v", b, err)
	}
}

// Whatever comes as a hazard: it is refused, or what is kept can be stored and read again.
func FuzzDecodeHazard(f *testing.F) {
	f.Add(`"hazard_type":"ice","is_active":false`)
	f.Add(`"id":"\u0000","expires_at":"9999-12-31T23:59:59Z","description":null`)
	f.Add(shapes(`{"type":"Point","coordinates":[1,2,3]}`))
	f.Fuzz(func(t *testing.T, members string) {
		body := hazardItem(members)
		b, err := decodeItems(body)
		if (err == nil) && !json.Valid([]byte(body)) {
			t.Fatalf("not JSON, yet read: %q", body)
		}
		for i := range b.Hazards {
			r := &b.Hazards[i]
			const now = 1795257727000
			if r.Check(now) != nil {
				continue
			}
			if strings.ContainsRune(r.ID+r.Description, 0) {
				t.Fatalf("a text that no database takes: %+v", r)
			}
			h := fleet.NewHazard("id", "o", r, fleet.HazardHand{}, now)
			if h.EndedAt == 0 && h.ExpiresAt <= now || h.EndedAt != 0 && h.EndedAt < h.StartAt || h.DueAt == 0 || fleet.HazardKind(h.Kind) != h.Kind {
				t.Fatalf("%+v", h)
			}
		}
	})
}
