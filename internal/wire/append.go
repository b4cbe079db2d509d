package wire

import (
	"math"
	"strconv"
	"unicode/utf8"

	"lightbar/internal/fleet"
)

// AppendLiveMessage appends a point or heartbeat message exactly as
// encoding/json writes it: these are most of all messages, and reflection would
// cost more than the laws.
func AppendLiveMessage(b []byte, kind fleet.MessageType, l *Live) []byte {
	if b == nil {
		b = make([]byte, 0, 640)
	}
	b = append(b, `{"type":"`...)
	b = append(b, kind...)
	b = append(b, `","live":`...)
	b = AppendLive(b, l)
	return append(b, '}')
}

// AppendLive appends the JSON of a Live.
func AppendLive(b []byte, l *Live) []byte {
	b = text(append(b, `{"id":`...), l.ID)
	b = pointer(append(b, `,"lat":`...), l.Lat)
	b = pointer(append(b, `,"lng":`...), l.Lng)
	b = pointer(append(b, `,"course":`...), l.Course)
	b = number(append(b, `,"speed":`...), l.Speed)
	b = pointer(append(b, `,"accuracy":`...), l.Accuracy)
	b = text(append(b, `,"street":`...), l.Street)
	b = text(append(b, `,"status":`...), l.Status)
	b = instant(append(b, `,"status_at":`...), l.StatusAt)
	b = strconv.AppendBool(append(b, `,"is_active":`...), l.IsActive)
	b = strconv.AppendBool(append(b, `,"enroute":`...), l.Enroute)
	b = instant(append(b, `,"heartbeat_datetime":`...), l.HeartbeatAt)
	b = instant(append(b, `,"at":`...), l.At)
	b = instant(append(b, `,"received_at":`...), l.ReceivedAt)
	b = instant(append(b, `,"stale_at":`...), l.StaleAt)
	b = text(append(b, `,"run_id":`...), l.RunID)
	b = instant(append(b, `,"run_start_time":`...), l.RunStartAt)
	b = strconv.AppendInt(append(b, `,"run_points_count":`...), l.RunPoints, 10)
	b = append(b, `,"location":`...)
	if l.Location == nil {
		b = append(b, "null"...)
	} else {
		b = text(append(b, `{"id":`...), l.Location.ID)
		b = append(instant(append(b, `,"start_time":`...), l.Location.StartTime), '}')
	}
	if l.IncidentEnd != 0 {
		b = instant(append(b, `,"incident_end_time":`...), l.IncidentEnd)
	}
	b = text(append(b, `,"station_id":`...), l.StationID)
	b = append(b, `,"closures":[`...)
	for i := range l.Closures {
		if i > 0 {
			b = append(b, ',')
		}
		b = text(append(b, `{"id":`...), l.Closures[i].ID)
		b = append(text(append(b, `,"external_id":`...), l.Closures[i].ExternalID), '}')
	}
	b = append(b, ']')
	if r := l.Refused; r != nil {
		b = strconv.AppendInt(append(b, `,"refused":{"count":`...), r.Count, 10)
		b = instant(append(b, `,"at":`...), r.At)
		b = text(append(b, `,"error":`...), r.Error)
		b = append(text(append(b, `,"reason":`...), r.Reason), '}')
	}
	if l.CutAt != 0 {
		b = instant(append(b, `,"cut_at":`...), l.CutAt)
	}
	return append(appendConfig(b, l), '}')
}

// appendConfig appends which configuration the device should have, and has.
func appendConfig(b []byte, l *Live) []byte {
	if l.ConfigVersion != 0 {
		b = strconv.AppendInt(append(b, `,"config_version":`...), l.ConfigVersion, 10)
	}
	if l.AppliedConfigVersion != nil {
		b = strconv.AppendInt(append(b, `,"applied_config_version":`...), *l.AppliedConfigVersion, 10)
	}
	if l.ConfigSentAt != 0 {
		b = instant(append(b, `,"config_sent_at":`...), l.ConfigSentAt)
	}
	if l.ConfigOutdatedSince != 0 {
		b = instant(append(b, `,"config_outdated_since":`...), l.ConfigOutdatedSince)
	}
	return b
}

func pointer(b []byte, v *float64) []byte {
	if v == nil {
		return append(b, "null"...)
	}
	return number(b, *v)
}

// number writes a finite float as encoding/json does.
func number(b []byte, v float64) []byte {
	if v == math.Trunc(v) && math.Abs(v) < 1e15 {
		if v == 0 && math.Signbit(v) {
			return append(b, "-0"...)
		}
		return strconv.AppendInt(b, int64(v), 10)
	}
	abs := math.Abs(v)
	if abs < 1e-6 || abs >= 1e21 {
		b = strconv.AppendFloat(b, v, 'e', -1, 64)
		if n := len(b); n >= 4 && b[n-4] == 'e' && (b[n-3] == '-' || b[n-3] == '+') && b[n-2] == '0' {
			b[n-2] = b[n-1]
			b = b[:n-1]
		}
		return b
	}
	if whole := math.Round(v * 1e7); math.Abs(whole) < 1e15 && whole/1e7 == v {
		return sevenPlaces(b, int64(whole))
	}
	return strconv.AppendFloat(b, v, 'f', -1, 64)
}

// sevenPlaces writes n ten-millionths, which positions are: no other number of so few digits is the same float, so this is the
// shortest one, and found in a fifth of the time.
func sevenPlaces(b []byte, n int64) []byte {
	if n < 0 {
		b, n = append(b, '-'), -n
	}
	b = append(strconv.AppendInt(b, n/1e7, 10), '.')
	part, at := n%1e7, len(b)
	for range 7 {
		b = append(b, '0')
	}
	for i := at + 6; i >= at; i-- {
		b[i] += byte(part % 10)
		part /= 10
	}
	for b[len(b)-1] == '0' {
		b = b[:len(b)-1]
	}
	return b
}

// instant writes 2006-01-02T15:04:05.000Z; years outside 1 to 9999 take the slow way.
func instant(b []byte, i fleet.Instant) []byte {
	if i == 0 {
		return append(b, "null"...)
	}
	b = append(b, '"')
	b = i.AppendFormat(b)
	return append(b, '"')
}

const hexDigits = "0123456789abcdef"

// text writes a JSON string with encoding/json's escapes.
func text(b []byte, s string) []byte {
	b = append(b, '"')
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			if c >= ' ' && c != '"' && c != '\\' && c != '<' && c != '>' && c != '&' {
				i++
				continue
			}
			b = escape(append(b, s[start:i]...), c)
			i++
			start = i
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && size == 1 {
			b = append(append(b, s[start:i]...), `\ufffd`...)
			i += size
			start = i
			continue
		}
		if r == '\u2028' || r == '\u2029' {
			b = append(append(b, s[start:i]...), `\u202`...)
			b = append(b, hexDigits[r&0xf])
			i += size
			start = i
			continue
		}
		i += size
	}
	return append(append(b, s[start:]...), '"')
}

func escape(b []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(b, '\\', c)
	case '\b':
		return append(b, `\b`...)
	case '\f':
		return append(b, `\f`...)
	case '\n':
		return append(b, `\n`...)
	case '\r':
		return append(b, `\r`...)
	case '\t':
		return append(b, `\t`...)
	}
	return append(b, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&0xf])
}
