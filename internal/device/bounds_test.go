package device_test

import (
	"fmt"
	"testing"

	"lightbar/internal/app"
	"lightbar/internal/store/storetest"
)

// The ends of the earth are on it; what lies beyond is refused by name.
//
// spec: 5.general.06
func TestBoundsOfPositions(t *testing.T) {
	r := newRoom(t, storetest.SQLite(t))
	for i, c := range []struct{ lat, lng, refused string }{
		{"90", "-180", ""}, {"-90", "180", ""}, {"90.1", "0", "lat_out_of_range"}, {"-90.1", "0", "lat_out_of_range"},
		{"0", "180.1", "lng_out_of_range"}, {"0", "-180.1", "lng_out_of_range"}, {"90.0000001", "0", "lat_out_of_range"},
	} {
		w, a := r.post(fmt.Sprintf(`{"items":[{"type":"point","asset":"HA7-0","at":"2026-11-21T11:59:0%dZ","lat":%s,"lng":%s}]}`, i, c.lat, c.lng))
		if w.Code != 200 || a.Data.Accepted != 1-len(a.Data.Refused) {
			t.Fatalf("%s, %s: %d %s", c.lat, c.lng, w.Code, w.Body)
		}
		code := ""
		if len(a.Data.Refused) == 1 {
			code = a.Data.Refused[0].Error
		}
		if code != c.refused {
			t.Errorf("%s, %s: %q, want %q", c.lat, c.lng, code, c.refused)
		}
	}
	things, _, err := r.ListThings(t.Context(), r.user, app.ThingQuery{})
	if err != nil || things[0].Lat == nil || *things[0].Lat != -90 || *things[0].Lng != 180 {
		t.Errorf("%+v %v", things[0].Live, err)
	}
}

// A report is dated with its offset, and the offset counts.
//
// spec: 5.general.05
func TestReportsAreDatedWithTheirOffset(t *testing.T) {
	for text, want := range map[string]string{"2026-11-21T11:00:00Z": "", "2026-11-21T13:00:00+02:00": "", "2026-11-21T00:30:00.000-10:30": "", "": "wrong_type",
		"2026-11-21T11:00:00": "wrong_type", "2026-11-21": "wrong_type", "11:00": "wrong_type", "yesterday": "wrong_type", "1795258800": ""} {
		r := newRoom(t, storetest.SQLite(t))
		_, a := r.post(`{"items":[{"type":"heartbeat","asset":"HA7-0","at":"` + text + `"}]}`)
		got := ""
		if len(a.Data.Refused) > 0 {
			got = a.Data.Refused[0].Error
			if a.Data.Refused[0].Field != "at" {
				t.Errorf("%q: refused by the name %q", text, a.Data.Refused[0].Field)
			}
		}
		rows, _, err := r.ListThings(t.Context(), r.user, app.ThingQuery{})
		if err != nil || got != want || got == "" && rows[0].HeartbeatAt.String() != "2026-11-21T11:00:00.000Z" {
			t.Errorf("%q: %q, heard at %s, %v", text, got, rows[0].HeartbeatAt, err)
		}
	}
}
