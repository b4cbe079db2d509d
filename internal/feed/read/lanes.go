package read

import (
	"cmp"
	"slices"
	"strings"
)

// besideTraffic are the types of lanes in which no traffic drives: what is closed
// of them is said in words, and closes no lane.
var besideTraffic = map[string]string{"shoulder": "shoulder", "sidewalk": "sidewalk", "bike-lane": "bike lane", "parking": "parking lane",
	"median": "median"}

// IsTravelLane tells the lanes that vehicles drive in from shoulders and the like.
func IsTravelLane(kind string) bool { return besideTraffic[kind] == "" }

// impacts says whether a lane of a status counts as impacted: a closed one does,
// and one whose traffic is led elsewhere where that is the impact of the event.
func impacts(status, impact string) bool {
	switch {
	case status == "closed":
		return true
	case strings.HasPrefix(status, "merge-"):
		return strings.HasPrefix(impact, "some-lanes-closed-merge-")
	case strings.HasPrefix(status, "shift-"):
		return strings.HasPrefix(impact, "all-lanes-open-shift-")
	case status == "alternating-flow":
		return impact == "alternating-one-way" || impact == "flagging" || impact == "temporary-traffic-signal"
	}
	return false
}

// travelLanes are the lanes that vehicles drive in, counted from the left: how
// many there are (0 = not all are listed), and which are impacted.
func (z *WorkZone) travelLanes() (total int, impacted []int) {
	lanes := slices.Clone(z.Lanes)
	slices.SortStableFunc(lanes, func(a, b Lane) int { return cmp.Compare(a.Order, b.Order) })
	isWhole, last, beside := true, 0, 0
	for i, l := range lanes {
		if l.Order < 1 {
			l.Order = i + 1
		}
		isWhole = isWhole && (l.Order == last || l.Order == last+1)
		if last = l.Order; !IsTravelLane(l.Type) {
			beside++
			continue
		}
		if total++; impacts(l.Status, z.VehicleImpact) {
			impacted = append(impacted, l.Order-beside)
		}
	}
	if !isWhole {
		return 0, impacted
	}
	return total, impacted
}

// besideWords say what of shoulders and the like is not open.
func (z *WorkZone) besideWords() (out []string) {
	lanes := slices.Clone(z.Lanes)
	slices.SortStableFunc(lanes, func(a, b Lane) int { return cmp.Compare(a.Order, b.Order) })
	travels := func(l Lane) bool { return IsTravelLane(l.Type) }
	for i, l := range lanes {
		name := besideTraffic[l.Type]
		if name == "" || l.Status == "open" || l.Status == "" {
			continue
		}
		switch before, behind := slices.ContainsFunc(lanes[:i], travels), slices.ContainsFunc(lanes[i:], travels); {
		case behind && !before:
			name = "left " + name
		case before && !behind:
			name = "right " + name
		}
		out = append(out, name+" "+strings.ReplaceAll(l.Status, "-", " "))
	}
	return out
}
