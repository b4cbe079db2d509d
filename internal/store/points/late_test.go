package points_test

import (
	"testing"

	"lightbar/internal/fleet"
	"lightbar/internal/store/points"
)

// The journal gives reports back as they came, and tells a body that is cut off.
func TestTheJournalGivesReportsBack(t *testing.T) {
	const at = fleet.Instant(1_795_000_000_000)
	p := fleet.Point{ThingNo: 7, At: at, ReceivedAt: at + 90_000, Lat: fleet.FromFixed(397_000_000), Lng: fleet.FromFixed(-755_000_000),
		HasSpeed: true, SpeedMS: 12.5, HasAlerting: true, Alerting: true}
	g := fleet.Signal{ThingNo: 9, At: at + 5, ReceivedAt: at + 1, Kind: fleet.SignalClosure, On: true, Pattern: "left"}
	body := points.AppendLateSignal(points.AppendLatePoint(nil, &p, false), &g, true)
	read := func(b []byte) (out []points.Late, err error) {
		err = points.EachLate(b, func(l *points.Late) { out = append(out, *l) })
		return out, err
	}
	got, err := read(body)
	if err != nil || len(got) != 2 || got[0].Ordered || got[0].Point != p || !got[1].Ordered || got[1].Signal == nil || *got[1].Signal != g {
		t.Errorf("%+v %v", got, err)
	}
	first := len(points.AppendLatePoint(nil, &p, false))
	for n := 1; n < len(body); n++ {
		if _, err := read(body[:n]); err == nil && n != first {
			t.Errorf("%d of %d bytes are read", n, len(body))
		}
	}
	if _, err := read([]byte{8}); err == nil {
		t.Error("a head that does not exist is read")
	}
}
