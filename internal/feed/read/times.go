package read

import (
	"encoding/json"
	"strings"
	"time"

	"lightbar/internal/fleet"
)

// Times is how a publisher writes instants, where the document itself does not show it: the zone of those without an offset (nil =
// UTC), and their format as in fleet.TimeReader (empty = any usual form).
type Times struct {
	Zone   *time.Location
	Format string
}

// clock reads the instants of one document.
type clock struct {
	zone *time.Location
	read func(text string) (fleet.Instant, bool)
}

func (t Times) clock() clock {
	c := clock{zone: t.Zone, read: fleet.TimeReader(t.Format, t.Zone)}
	if c.zone == nil {
		c.zone = time.UTC
	}
	if c.read == nil { // a format that the subscription's law refuses: read as if none were given
		c.read = fleet.TimeReader("", t.Zone)
	}
	return c
}

// at reads an instant; 0 and true = it means in a usual way that there is none.
func (c clock) at(said moment) (fleet.Instant, bool) {
	if fleet.IsNoTime(string(said)) {
		return 0, true
	}
	at, ok := c.read(strings.TrimSpace(string(said)))
	return fleet.Until(at), ok
}

// known is an instant, 0 where there is none that could be read.
func (c clock) known(said moment) fleet.Instant {
	at, _ := c.at(said)
	return at
}

// zoneOf is the zone that a publisher's clock times are meant in: the offset of
// an instant of theirs, else that of instants without one.
func (c clock) zoneOf(said ...moment) string {
	for _, s := range said {
		if seconds, ok := fleet.OffsetOf(string(s)); ok {
			return time.Time{}.In(time.FixedZone("", seconds)).Format("-07:00")
		}
	}
	return c.zone.String()
}

// moment reads an instant like text, also alone in a list or wrapped as in MongoDB. Anything else is returned as it is: it is not
// nothing.
type moment text

// mostWrapped is the greatest length of a wrapped instant; longer texts are not unwrapped.
const mostWrapped = 200

func (m *moment) UnmarshalJSON(raw []byte) error {
	var wrapped struct {
		Date json.RawMessage `json:"$date"`
		Long json.RawMessage `json:"$numberLong"`
	}
	var alone []json.RawMessage
	switch {
	case len(raw) > mostWrapped: // each wrapping is read again within the next one
	case raw[0] == '[' && json.Unmarshal(raw, &alone) == nil && len(alone) == 1 && alone[0][0] != '[':
		return m.UnmarshalJSON(alone[0])
	case raw[0] == '{' && json.Unmarshal(raw, &wrapped) == nil && len(wrapped.Date) > 0 && wrapped.Date[0] != '[':
		return m.UnmarshalJSON(wrapped.Date)
	case raw[0] == '{' && len(wrapped.Long) > 0 && wrapped.Long[0] != '[' && wrapped.Long[0] != '{':
		return m.UnmarshalJSON(wrapped.Long)
	}
	if said(raw) && (raw[0] == '[' || raw[0] == '{') {
		*m = moment(raw[:min(len(raw), 100)])
		return nil
	}
	return (*text)(m).UnmarshalJSON(raw)
}
