package read

import (
	"strings"
	"time"

	"lightbar/internal/fleet"
)

// Times says how a publisher writes instants, where the document does not say it
// itself: the zone of those without an offset (nil = UTC), and their format as
// fleet.TimeReader has it (empty = any usual form).
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
	if c.read == nil { // the subscription's law does not let it come to this
		c.read = fleet.TimeReader("", t.Zone)
	}
	return c
}

// lastYear is the last one in which anything that is known can end.
const lastYear = 2099

// at reads an instant; 0 and true = it says in a usual way that there is none.
func (c clock) at(said text) (fleet.Instant, bool) {
	if fleet.IsNoTime(string(said)) {
		return 0, true
	}
	at, ok := c.read(strings.TrimSpace(string(said)))
	if ok && at.Time().Year() > lastYear {
		return 0, true
	}
	return at, ok
}

// known is an instant, 0 where there is none that could be read.
func (c clock) known(said text) fleet.Instant {
	at, _ := c.at(said)
	return at
}

// zoneOf is the zone that a publisher's clock times are meant in: the offset of
// an instant of theirs, else that of instants without one.
func (c clock) zoneOf(said ...text) string {
	for _, s := range said {
		at := strings.TrimSpace(string(s))
		if strings.HasSuffix(at, "Z") || strings.HasSuffix(at, "z") {
			return "+00:00"
		}
		if day := strings.IndexByte(at, 'T'); day > 0 {
			if sign := strings.LastIndexAny(at, "+-"); sign > day {
				digits := strings.ReplaceAll(at[sign+1:], ":", "") + "00"
				if len(digits) >= 4 {
					return at[sign:sign+1] + digits[:2] + ":" + digits[2:4]
				}
			}
		}
	}
	return c.zone.String()
}
