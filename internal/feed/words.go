package feed

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"lightbar/internal/fleet"
)

// Entry is a closure in a phase, for the documents that people read.
type Entry struct {
	Closure *fleet.Closure // as it is at an instant (Closure.At)
	Phase   Phase
	Since   fleet.Instant // when it got the state that is shown now (KnownSince)
}

// told is a closure in words for people. Empty texts are left out.
type told struct {
	ID, State, Road, Where, Lanes, When, Verified, What, Alert string
	from, to, changed                                          fleet.Instant
	closure                                                    *fleet.Closure
	phase                                                      Phase
}

// Title is the line that lists show.
func (t *told) Title() string { return t.Road + ": " + t.Lanes }

// Kind is the class of its card on the page.
func (t *told) Kind() string { return phaseWords[t.phase] }

// Lines are all of it, a sentence each.
func (t *told) Lines() (out []string) {
	for _, line := range []string{t.State, t.Where, t.When, t.What, t.Alert, t.Verified} {
		if line != "" {
			out = append(out, line)
		}
	}
	return out
}

var stateWords = map[Phase]string{Active: "Active now", Scheduled: "Planned", Ended: "Ended"}

// tell puts the closures of a source into words, active ones first, then those that come next, then those that have ended.
func tell(s Source, entries []Entry) []told {
	zone, err := time.LoadLocation(s.Timezone)
	if err != nil {
		zone = time.UTC
	}
	out := make([]told, len(entries))
	for i, e := range entries {
		out[i] = tellOne(e, zone)
	}
	slices.SortFunc(out, func(a, b told) int {
		return cmp.Or(cmp.Compare(order[a.phase], order[b.phase]), cmp.Compare(a.from, b.from), strings.Compare(a.ID, b.ID))
	})
	return out
}

var order = map[Phase]int{Active: 0, Scheduled: 1, Ended: 2}

func tellOne(e Entry, zone *time.Location) told {
	c := e.Closure
	t := told{ID: c.ID, State: stateWords[e.Phase], Road: c.RoadName, Lanes: lanesInWords(c), What: c.Description, Alert: c.AlertMessage,
		closure: c, phase: e.Phase}
	t.from, t.to = span(c, e.Phase)
	if way := directions[c.Direction].wzdx; way != "" {
		t.Road += " " + way
	}
	switch {
	case c.StreetStart != "" && c.StreetEnd != "":
		t.Where = "From " + c.StreetStart + " to " + c.StreetEnd
	case c.StreetStart+c.StreetEnd != "":
		t.Where = "At " + c.StreetStart + c.StreetEnd
	}
	if t.Alert == t.What {
		t.Alert = ""
	}
	estimated := ""
	if c.EndEstimated && e.Phase != Ended {
		estimated = " (estimated)"
	}
	switch t.changed = c.UpdatedAt; e.Phase {
	case Active:
		t.When, t.changed = "Until "+clock(t.to, zone)+estimated, max(t.changed, t.from)
	case Scheduled:
		t.When = clock(t.from, zone) + " to " + clock(t.to, zone) + estimated
	default:
		t.When, t.changed = "Ended "+clock(t.to, zone), max(t.changed, t.to)
	}
	t.changed = max(t.changed, e.Since)
	if t.Verified = "Not verified yet"; c.VerifiedAt != 0 {
		t.Verified = "Last verified " + clock(c.VerifiedAt, zone)
	}
	return t
}

// sentence ends a text with a period, unless it already has an end.
func sentence(text string) string {
	text = strings.TrimSpace(text)
	if last, _ := utf8.DecodeLastRuneInString(text); text == "" || strings.ContainsRune(".!?…:;", last) {
		return text
	}
	return text + "."
}

// sentences puts texts one after the other.
func sentences(texts ...string) string {
	out := make([]string, len(texts))
	for i, text := range texts {
		out[i] = sentence(text)
	}
	return strings.Join(out, " ")
}

// clock formats an instant for people, in a time zone.
func clock(at fleet.Instant, zone *time.Location) string {
	return at.Time().In(zone).Format("Mon, Jan 2, 3:04 PM MST")
}

// lanesInWords is the effect of a closure on the lanes.
func lanesInWords(c *fleet.Closure) string {
	which := "Some lanes"
	if lanes := c.ImpactedLanes; len(lanes) > 0 {
		which = lanesNamed(lanes, c.TotalLanes)
	}
	switch c.VehicleImpact {
	case "all-lanes-closed":
		return "All lanes closed"
	case "some-lanes-closed":
		return which + " closed"
	case "some-lanes-closed-merge-left":
		return which + " closed, merge left"
	case "some-lanes-closed-merge-right":
		return which + " closed, merge right"
	case "some-lanes-closed-split":
		return which + " closed, traffic splits"
	case "all-lanes-open":
		return "All lanes open"
	case "all-lanes-open-shift-left":
		return "All lanes open, shifted left"
	case "all-lanes-open-shift-right":
		return "All lanes open, shifted right"
	case "alternating-one-way":
		return "One lane, traffic takes turns"
	case "flagging":
		return "Flaggers direct traffic"
	case "temporary-traffic-signal":
		return "Temporary traffic signal"
	}
	return "Work zone"
}

// lanesNamed names lanes as drivers do: left and right where there is no doubt, else by their number from the left.
func lanesNamed(lanes []int, total int) string {
	n, last := len(lanes), lanes[len(lanes)-1]
	side := ""
	switch {
	case last-lanes[0] != n-1 || n == total: // with open lanes between them, or all lanes
	case lanes[0] == 1:
		side = "Left"
	case last == total:
		side = "Right"
	}
	switch {
	case side != "" && n == 1:
		return side + " lane"
	case side != "":
		return strconv.Itoa(n) + " " + strings.ToLower(side) + " lanes"
	case n == 1:
		return "Lane " + strconv.Itoa(last) + " from the left"
	}
	numbers := make([]string, n)
	for i, lane := range lanes {
		numbers[i] = strconv.Itoa(lane)
	}
	return "Lanes " + strings.Join(numbers[:n-1], ", ") + " and " + numbers[n-1] + " from the left"
}
