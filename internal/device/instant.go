package device

import (
	"regexp"
	"time"

	"lightbar/internal/fleet"
)

// parseUTC reads the usual form of RFC 3339 (2006-01-02T15:04:05[.fraction]Z) as
// fleet.ParseInstant does, without package time; all others are fleet.ReportInstant's.
func parseUTC(s string) (fleet.Instant, bool) {
	if len(s) < 20 || s[4] != '-' || s[7] != '-' || s[10] != 'T' || s[13] != ':' || s[16] != ':' || s[len(s)-1] != 'Z' {
		return 0, false
	}
	year, ok1 := two(s[0:2])
	century, ok2 := two(s[2:4])
	month, ok3 := two(s[5:7])
	day, ok4 := two(s[8:10])
	hour, ok5 := two(s[11:13])
	minute, ok6 := two(s[14:16])
	second, ok7 := two(s[17:19])
	year = year*100 + century
	if !ok1 || !ok2 || !ok3 || !ok4 || !ok5 || !ok6 || !ok7 || month < 1 || month > 12 || day < 1 || day > daysIn(year, month) ||
		hour > 23 || minute > 59 || second > 59 {
		return 0, false
	}
	ms := 0
	if len(s) > 20 {
		if s[19] != '.' || len(s) == 21 {
			return 0, false
		}
		scale := 100
		for _, c := range []byte(s[20 : len(s)-1]) {
			if c < '0' || c > '9' {
				return 0, false
			}
			ms += int(c-'0') * scale
			scale /= 10
		}
	}
	days := daysFromCivil(year, month, day)
	return fleet.Instant((int64(days)*86400+int64(hour*3600+minute*60+second))*1000 + int64(ms)), true
}

func two(s string) (int, bool) {
	a, b := s[0]-'0', s[1]-'0'
	return int(a)*10 + int(b), a <= 9 && b <= 9
}

func daysIn(year, month int) int {
	switch month {
	case 4, 6, 9, 11:
		return 30
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	}
	return 31
}

// daysFromCivil counts days since 1970-01-01 (Howard Hinnant, "chrono-compatible low-level date algorithms").
func daysFromCivil(y, m, d int) int {
	if m <= 2 {
		y--
		m += 12
	}
	era := y / 400
	yoe := y - era*400
	doy := (153*(m-3)+2)/5 + d - 1
	return era*146097 + yoe*365 + yoe/4 - yoe/100 + doy - 719468
}

// lostPlus ends an instant whose offset lost its sign: in an address that nobody encoded, a plus is a blank.
var lostPlus = regexp.MustCompile(`(:\d{2}(?:[.,]\d+)?) ([01]\d:?[0-5]\d)$`)

// parseTrackerInstant reads the instants of tracker apps; without an offset they are UTC.
func parseTrackerInstant(s string) (fleet.Instant, bool) {
	return fleet.ReportInstant(lostPlus.ReplaceAllString(s, "$1+$2"), time.UTC)
}
