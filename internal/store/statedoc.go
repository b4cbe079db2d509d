package store

import (
	"encoding/json"
	"strconv"

	"lightbar/internal/fleet"
)

// appendState writes a state as json.Marshal would, without fields that are
// zero: some thousand states a second are written beside the points, and
// reflection would cost as much as storing them.
func appendState(b []byte, s *fleet.State) ([]byte, error) {
	d := doc{b: append(b, '{')}
	d.text("id", s.ThingID)
	d.number("no", s.No)
	for _, f := range [...]struct {
		key string
		at  fleet.Instant
	}{{"hb", s.HeartbeatAt}, {"at", s.At}, {"sa", s.SaidAt}, {"ra", s.ReceivedAt}, {"tk", s.TakenAt}, {"ala", s.AlertingAt},
		{"fon", s.FirstOnAt}, {"una", s.UnsaidAt}, {"lon", s.LightsAt}, {"sin", s.SinceAt},
		{"rs", s.RunStartAt}, {"rl", s.RunLastAt}, {"pre", s.PrevRunEndAt}, {"la", s.ArrivedAt}, {"dw", s.DwellAt}, {"qa", s.QuietAt},
		{"lfa", s.LeftAt}, {"sia", s.StationAt},
		{"cat", s.BoardAt}, {"rfa", s.RefusedAt}, {"cut", s.CutAt}, {"sta", s.StatusAt}, {"ch", s.ChangedAt}} {
		d.instant(f.key, f.at)
	}
	for _, f := range [...]struct {
		key string
		on  bool
	}{{"p", s.HasPosition}, {"hc", s.HasCourse}, {"hs", s.HasSpeed}, {"ha", s.HasAccuracy}, {"al", s.Alerting}, {"ea", s.EverAlerting},
		{"sk", s.Skewed},
		{"ca", s.BoardActive}} {
		if f.on {
			d.b = append(d.key(f.key), "true"...)
		}
	}
	for _, f := range [...]struct {
		key string
		v   float64
	}{{"lat", s.Lat}, {"lng", s.Lng}, {"c", s.CourseDeg}, {"s", s.SpeedMS}, {"ac", s.AccuracyM}, {"llat", s.LocationLat},
		{"llng", s.LocationLng},
		{"dlat", s.DwellLat}, {"dlng", s.DwellLng}} {
		if f.v != 0 {
			d.b = strconv.AppendFloat(d.key(f.key), f.v, 'f', -1, 64)
		}
	}
	d.text("st", s.Street)
	d.text("r", s.RunID)
	d.text("l", s.LocationID)
	d.text("sid", s.StationID)
	d.text("cp", s.BoardPattern)
	d.text("rfc", s.RefusedCode)
	d.number("rfn", s.RefusedCount)
	d.number("rc", s.RunPointsCount)
	d.number("dp", s.DwellPoints)
	d.number("stat", int64(s.Status))
	if !s.Sources.IsZero() {
		sources, err := s.Sources.AppendText(append(d.key("src"), '"'))
		if err != nil {
			return nil, err
		}
		d.b = append(sources, '"')
	}
	trail, err := s.Trail.MarshalText()
	if err != nil {
		return nil, err
	}
	d.b = append(append(d.key("tr"), '"'), trail...)
	return append(d.b, '"', '}'), nil
}

type doc struct{ b []byte }

func (d *doc) key(name string) []byte {
	if d.b[len(d.b)-1] != '{' {
		d.b = append(d.b, ',')
	}
	return append(append(append(d.b, '"'), name...), '"', ':')
}

func (d *doc) instant(key string, at fleet.Instant) {
	if at != 0 {
		d.b = append(at.AppendFormat(append(d.key(key), '"')), '"')
	}
}

func (d *doc) number(key string, v int64) {
	if v != 0 {
		d.b = strconv.AppendInt(d.key(key), v, 10)
	}
}

func (d *doc) text(key, v string) {
	if v == "" {
		return
	}
	d.b = d.key(key)
	for i := range len(v) {
		if c := v[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			quoted, _ := json.Marshal(v) // a text can always be written
			d.b = append(d.b, quoted...)
			return
		}
	}
	d.b = append(append(append(d.b, '"'), v...), '"')
}
