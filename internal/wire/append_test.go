package wire_test

import (
	"encoding/json"
	"math"
	"testing"

	"pgregory.net/rapid"

	"lightbar/internal/fleet"
	"lightbar/internal/wire"
)

func drawText(t *rapid.T, name string) string {
	return rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"", `a"b\c`, "<&>\u2028\u2029\x7f", "\x00\x1f\b\f\n\r\t", "Größe 🚒", "\xff\xfe"})).Draw(t, name)
}

// The hand-written encoder says what encoding/json says, byte for byte.
func TestAppendLiveEqualsEncodingJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.OneOf(rapid.Float64Range(-400, 400), rapid.SampledFrom([]float64{0, math.Copysign(0, -1), 1e-7, -1e-9, 1e21, 123456789.25, 39.7447, 1e15, 1e16}))
		pointer := rapid.Ptr(number, true)
		instant := rapid.OneOf(rapid.Just(fleet.Instant(0)), rapid.Map(rapid.Int64Range(-1e13, 1e14), func(v int64) fleet.Instant { return fleet.Instant(v) }))
		l := wire.Live{ID: drawText(t, "id"), Lat: pointer.Draw(t, "lat"), Lng: pointer.Draw(t, "lng"), Course: pointer.Draw(t, "course"), Speed: number.Draw(t, "speed"),
			Accuracy: pointer.Draw(t, "accuracy"), Street: drawText(t, "street"), Status: drawText(t, "status"), StatusAt: instant.Draw(t, "status_at"),
			IsActive: rapid.Bool().Draw(t, "active"), Enroute: rapid.Bool().Draw(t, "enroute"), HeartbeatAt: instant.Draw(t, "hb"), At: instant.Draw(t, "at"),
			ReceivedAt: instant.Draw(t, "received"), StaleAt: instant.Draw(t, "stale"), RunID: drawText(t, "run"), RunStartAt: instant.Draw(t, "start"),
			RunPoints: rapid.Int64().Draw(t, "points"), IncidentEnd: instant.Draw(t, "left"), StationID: drawText(t, "station"), Closures: []wire.ClosureRef{},
			CutAt: instant.Draw(t, "cut"), ConfigVersion: rapid.Int64().Draw(t, "config"), AppliedConfigVersion: rapid.Ptr(rapid.Int64(), true).Draw(t, "applied"),
			ConfigSentAt: instant.Draw(t, "sent"), ConfigOutdatedSince: instant.Draw(t, "outdated")}
		if rapid.Bool().Draw(t, "at a location") {
			l.Location = &wire.LocationRef{ID: drawText(t, "location"), StartTime: instant.Draw(t, "arrived")}
		}
		for range rapid.IntRange(0, 2).Draw(t, "closures") {
			l.Closures = append(l.Closures, wire.ClosureRef{ID: drawText(t, "closure"), ExternalID: drawText(t, "external")})
		}
		want, err := json.Marshal(wire.PointMessage{Type: fleet.MessagePoint, Live: l})
		if err != nil {
			t.Skip(err)
		}
		if got := wire.AppendLiveMessage(nil, fleet.MessagePoint, &l); string(got) != string(want) {
			t.Fatalf("got  %s\nwant %s", got, want)
		}
	})
}
