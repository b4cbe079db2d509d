package fleet

import (
	"time"

	"lightbar/catalog"
)

var (
	monthlyHour   = int(catalog.LimitInt("monthly", "hour"))
	monthlyRemade = int(catalog.LimitInt("monthly", "remadeDays"))
	monthlyFirst  = int(catalog.LimitInt("monthly", "firstYear"))
)

// MonthlyFirstYear is the first year of which there are monthly reports.
func MonthlyFirstYear() int { return monthlyFirst }

// Month is a month of a time zone.
type Month struct {
	Year, Month int
	Zone        *time.Location
	Stretch
}

// MonthIn is a month of a time zone. It begins when its first day does, which is not midnight where the clocks skip that.
func MonthIn(year, month int, zone *time.Location) Month {
	first := func(month int) Instant {
		return NextDay(InstantOf(time.Date(year, time.Month(month), 0, 12, 0, 0, 0, zone)), zone)
	}
	m := time.Date(year, time.Month(month), 1, 12, 0, 0, 0, time.UTC)
	return Month{Year: m.Year(), Month: int(m.Month()), Zone: zone, Stretch: Stretch{first(month), first(month + 1)}}
}

// LastMonth is the newest month that has ended by an instant.
func LastMonth(now Instant, zone *time.Location) Month {
	local := now.Time().In(zone)
	return MonthIn(local.Year(), int(local.Month())-1, zone)
}

// Back is the month so many months before.
func (m Month) Back(months int) Month { return MonthIn(m.Year, m.Month-months, m.Zone) }

// Days are the days of the month; one with a change of clocks is a day.
func (m Month) Days() (out []Stretch) {
	for from := m.Start; from < m.End; {
		next := NextDay(from, m.Zone)
		out = append(out, Stretch{from, next})
		from = next
	}
	return out
}

// making is the hour so many days after the month at which its report is made; never before the month has ended.
func (m Month) making(days int) Instant {
	return max(m.End, InstantOf(time.Date(m.Year, time.Month(m.Month)+1, 1+days, monthlyHour, 0, 0, 0, m.Zone)))
}

// DueAt is when the report of the month is first made: at 3 o'clock of the first day after it.
func (m Month) DueAt() Instant { return m.making(0) }

// FinalAt is when its report is made for the last time: reports of devices that come still later do not change it.
func (m Month) FinalAt() Instant { return m.making(monthlyRemade) }

// IsDue reports whether the report of the month is to be made, after it was last made at an instant, 0 = never. Which month
// that is does not depend on when it is asked.
func (m Month) IsDue(made, now Instant) bool {
	for day := monthlyRemade; day >= 0; day-- {
		if at := m.making(day); at <= now {
			return made < at
		}
	}
	return false
}
