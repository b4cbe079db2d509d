package feed_test

import (
	"encoding/json"
	"encoding/xml"
	"strings"
	"testing"

	"lightbar/internal/feed"
	"lightbar/internal/feed/check"
	"lightbar/internal/feed/read"
)

// Vehicles that stand are incidents of CIFS, beside closures or alone; those that drive are not. Our own checker finds no fault.
func TestStandingVehiclesAreIncidents(t *testing.T) {
	thing, state := engine()
	state.HasSpeed, state.SpeedMS, state.Street = true, 0, "Market & <King> St"
	stands, ok := feed.AlertOf(&thing, &state, now, naming)
	if !ok {
		t.Fatal("no alert")
	}
	drives, quick, nameless, board, crew, unknown := stands, 90.0, stands, stands, stands, stands
	drives.ID, drives.SpeedKPH = "d", &quick
	nameless.ID, nameless.Street = "n", ""
	board.ID, board.Kind = "b", "arrow_board"
	crew.ID, crew.Kind = "aaa", "maintenance"
	unknown.ID, unknown.SpeedKPH = "u", nil
	alerts := []feed.Alert{stands, drives, nameless, board, crew, unknown}
	for _, path := range []string{"cifs.json", "cifs.xml"} {
		for n, closures := range [][]feed.Entry{nil, {{Closure: ptrTo(closure()), Phase: feed.Active}}} {
			f := formatOf(t, path)
			var parts [][]byte
			for _, e := range closures {
				parts = append(parts, f.Feature(e.Closure, e.Phase))
			}
			plain := f.Document(source, parts)
			body := f.WithVehicles(plain, alerts)
			text := string(body)
			if strings.Count(text, "HAZARD_ON_ROAD_EMERGENCY_VEHICLE") != 1 || !strings.Contains(text, stands.ID) || !strings.Contains(text, `aaa`) ||
				string(f.WithVehicles(plain, []feed.Alert{drives})) != string(plain) {
				t.Errorf("%s", text)
			}
			report, err := check.Document(t.Context(), strings.NewReader(text), read.Usual, now)
			if err != nil || report.Features != n+2 || report.Good != n+2 {
				t.Errorf("%s: %+v %v\n%s", path, report, err, text)
			}
			if path == "cifs.json" && !json.Valid(body) || path == "cifs.xml" && xml.Unmarshal(body, new(struct{ XMLName xml.Name })) != nil {
				t.Errorf("%s", text)
			}
		}
	}
}

func ptrTo[T any](v T) *T { return &v }
