package read

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"lightbar/internal/fleet"
)

// scheduleDays are the elements of a schedule of CIFS: which days each is, 0 = Monday.
var scheduleDays = map[string][2]int{"everyday": {0, 6}, "monday": {0, 0}, "tuesday": {1, 1}, "wednesday": {2, 2}, "thursday": {3, 3},
	"friday": {4, 4}, "saturday": {5, 5}, "sunday": {6, 6}}

// scheduleTimes bounds how many times of the week a schedule may have.
const scheduleTimes = 200

// Schedule reads a schedule of CIFS: days, each with its times as "21:00-23:59,00:00-05:00". A time may run over midnight. A
// schedule without any time means nothing (no times, and no complaint). Unreadable parts are named.
func Schedule(raw []byte) (times []fleet.WeekTime, wrong string) {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || string(raw) == "null" {
		return nil, ""
	}
	switch raw[0] {
	case '[': // several elements, or days listed one by one
		var parts []json.RawMessage
		if json.Unmarshal(raw, &parts) != nil {
			return nil, "It isn't a list."
		}
		for _, part := range parts {
			more, wrong := Schedule(part)
			if wrong != "" {
				return nil, wrong
			}
			times = append(times, more...)
		}
		return times, ""
	case '{':
	default:
		var text string
		if json.Unmarshal(raw, &text) == nil && strings.TrimSpace(text) == "" {
			return nil, ""
		}
		return nil, "It names no day."
	}
	var days map[string]json.RawMessage
	if json.Unmarshal(raw, &days) != nil {
		return nil, "It names no day."
	}
	for name, said := range days {
		span, known := scheduleDays[strings.ToLower(strings.TrimSpace(name))]
		if !known {
			return nil, fmt.Sprintf("“%s” is no day.", shortened(name, 20))
		}
		var texts []string
		if one := ""; json.Unmarshal(said, &one) == nil {
			texts = []string{one}
		} else if json.Unmarshal(said, &texts) != nil {
			return nil, "A day has no times."
		}
		for _, t := range texts {
			of, wrong := dayTimes(t)
			if wrong != "" {
				return nil, wrong
			}
			for day := span[0]; day <= span[1]; day++ {
				for _, time := range of {
					times = append(times, fleet.WeekTime{From: day*fleet.DayMinutes + time.From, To: day*fleet.DayMinutes + time.To})
				}
			}
		}
		if len(times) > scheduleTimes {
			return nil, "It has too many times."
		}
	}
	return times, ""
}

// dayTimes reads the times of one day, in minutes since its midnight.
func dayTimes(said string) (out []fleet.WeekTime, wrong string) {
	for _, part := range strings.FieldsFunc(said, func(r rune) bool { return r == ',' || r == ';' }) {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		begin, end, ok := strings.Cut(strings.NewReplacer("–", "-", "—", "-", "−", "-").Replace(part), "-")
		from, isFrom := minuteOf(begin)
		to, isTo := minuteOf(end)
		if !ok || !isFrom || !isTo || from == fleet.DayMinutes {
			return nil, fmt.Sprintf("“%s” is no time as 21:00-23:59.", shortened(part, 40))
		}
		switch {
		case to == fleet.DayMinutes-1: // the last minute of the day belongs to it: the next begins at 00:00
			to = fleet.DayMinutes
		case to < from, to == from && to == 0:
			to += fleet.DayMinutes
		case to == from:
			return nil, fmt.Sprintf("“%s” ends when it begins.", shortened(part, 40))
		}
		if from >= to {
			return nil, fmt.Sprintf("“%s” ends when it begins.", shortened(part, 40))
		}
		out = append(out, fleet.WeekTime{From: from, To: to})
	}
	return out, ""
}

// minuteOf reads a time of the day, 24:00 included; seconds are cut.
func minuteOf(said string) (int, bool) {
	parts := strings.Split(strings.TrimSpace(said), ":")
	if len(parts) < 2 || len(parts) > 3 {
		return 0, false
	}
	var n [3]int
	for i, part := range parts {
		number, err := strconv.Atoi(part)
		if err != nil || len(part) > 2 || number < 0 {
			return 0, false
		}
		n[i] = number
	}
	if n[0] > 24 || n[1] > 59 || n[2] > 59 || n[0] == 24 && (n[1] > 0 || n[2] > 0) {
		return 0, false
	}
	return n[0]*60 + n[1], true
}

var dayNames = [...]string{"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"}

// scheduleWords put a schedule into words: "Daily 21:00 to 05:00", "Sat, Sun 08:00 to 16:00".
func scheduleWords(s *fleet.Schedule) (out []string) {
	clock := func(minute int) string { return fmt.Sprintf("%02d:%02d", minute%fleet.DayMinutes/60, minute%60) }
	days := map[string][]string{}
	var order []string
	for _, t := range s.Times {
		span := clock(t.From) + " to " + clock(t.To)
		if t.To-t.From > fleet.DayMinutes {
			span += fmt.Sprintf(" (%d h)", (t.To-t.From)/60)
		}
		if days[span] == nil {
			order = append(order, span)
		}
		days[span] = append(days[span], dayNames[t.From/fleet.DayMinutes])
	}
	for _, span := range order {
		on := strings.Join(days[span], ", ")
		if len(days[span]) == len(dayNames) {
			on = "Daily"
		}
		out = append(out, on+" "+span)
	}
	return out
}
