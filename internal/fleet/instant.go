// Package fleet holds the nouns of Lightbar and their laws: pure types and
// functions. It reads no clock and touches no disk or network; now and ids
// are always parameters.
package fleet

import (
	"errors"
	"time"
)

// Instant is milliseconds since the Unix epoch, UTC. Zero means "none" and
// travels as null; all others travel as RFC 3339 with milliseconds and Z.
type Instant int64

// InstantOf converts a time; the zero time becomes the zero Instant.
func InstantOf(t time.Time) Instant {
	if t.IsZero() {
		return 0
	}
	return Instant(t.UnixMilli())
}

// Time returns the instant as a UTC time, the zero time for none.
func (i Instant) Time() time.Time {
	if i == 0 {
		return time.Time{}
	}
	return time.UnixMilli(int64(i)).UTC()
}

// Add moves the instant by d, none stays none.
func (i Instant) Add(d time.Duration) Instant {
	if i == 0 {
		return 0
	}
	return i + Instant(d.Milliseconds())
}

// Sub is the duration from j to i.
func (i Instant) Sub(j Instant) time.Duration { return time.Duration(i-j) * time.Millisecond }

// String is the RFC 3339 form, empty for none.
func (i Instant) String() string {
	if i == 0 {
		return ""
	}
	return string(i.AppendFormat(nil))
}

// AppendFormat appends 2006-01-02T15:04:05.000Z without allocating more than b.
// Some hundred thousand are written in a second, so the digits are set by hand.
func (i Instant) AppendFormat(b []byte) []byte {
	t := i.Time()
	year, month, day := t.Date()
	if year < 0 || year > 9999 {
		return t.AppendFormat(b, "2006-01-02T15:04:05.000Z07:00")
	}
	hour, minute, second := t.Clock()
	milli := t.Nanosecond() / 1_000_000
	digit := func(n int) byte { return byte('0' + n%10) }
	return append(b, digit(year/1000), digit(year/100), digit(year/10), digit(year), '-', digit(int(month)/10), digit(int(month)), '-',
		digit(day/10), digit(day), 'T', digit(hour/10), digit(hour), ':', digit(minute/10), digit(minute), ':', digit(second/10), digit(second),
		'.', digit(milli/100), digit(milli/10), digit(milli), 'Z')
}

// MarshalJSON implements json.Marshaler.
func (i Instant) MarshalJSON() ([]byte, error) {
	if i == 0 {
		return []byte("null"), nil
	}
	b := append(make([]byte, 0, 26), '"')
	return append(i.AppendFormat(b), '"'), nil
}

var errInstant = errors.New("a time must be text such as 2026-11-21T10:42:07.250Z")

// UnmarshalJSON accepts null, "" and RFC 3339 with any offset.
func (i *Instant) UnmarshalJSON(b []byte) error {
	s := string(b)
	if s == "null" || s == `""` {
		*i = 0
		return nil
	}
	if len(s) < 2 || s[0] != '"' || s[len(s)-1] != '"' {
		return errInstant
	}
	v, err := ParseInstant(s[1 : len(s)-1])
	if err == nil {
		*i = v
	}
	return err
}

// ParseInstant reads RFC 3339 with an offset; fractions are cut to milliseconds.
// One that an offset takes out of the years 0 to 9999 could not be written again.
func ParseInstant(s string) (Instant, error) {
	t, err := time.Parse(time.RFC3339Nano, s)
	if year := t.UTC().Year(); err != nil || year < 0 || year > 9999 {
		return 0, errInstant
	}
	return InstantOf(t), nil
}
