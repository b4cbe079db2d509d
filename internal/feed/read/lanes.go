package read

import (
	"cmp"
	"slices"
	"strings"

	"lightbar/catalog"
)

// besideTraffic are the types of lanes in which no traffic drives: their closure is put into words, and closes no lane.
var besideTraffic = map[string]string{"shoulder": "shoulder", "sidewalk": "sidewalk", "bike-lane": "bike lane", "parking": "parking lane",
	"median": "median"}

// IsTravelLane distinguishes the lanes that vehicles drive in from shoulders and the like.
func IsTravelLane(kind string) bool { return besideTraffic[kind] == "" }

// impacts reports whether a lane of a status counts as impacted: a closed one does, and one whose traffic is led elsewhere if that
// is the impact of the event.
func impacts(status, impact string) bool {
	switch {
	case status == "closed":
		return true
	case strings.HasPrefix(status, "merge-"):
		return strings.HasPrefix(impact, "some-lanes-closed-merge-")
	case strings.HasPrefix(status, "shift-"):
		return strings.HasPrefix(impact, "all-lanes-open-shift-")
	case status == "alternating-flow" || status == "alternating-one-way":
		return impact == "alternating-one-way" || impact == "flagging" || impact == "temporary-traffic-signal"
	}
	return false
}

// ordered are the lanes from the left. Publishers count from 1, as the standard does, from 0, or not at all: then they are in their
// order.
func (z *WorkZone) ordered() []Lane {
	lanes := slices.Clone(z.Lanes)
	for i := range lanes {
		lanes[i].Type, lanes[i].Status = laneKind(lanes[i].Type), lowWord(lanes[i].Status)
	}
	slices.SortStableFunc(lanes, func(a, b Lane) int { return cmp.Compare(a.Order, b.Order) })
	last, isFromZero := len(lanes)-1, true
	for i, l := range lanes {
		isFromZero = isFromZero && l.Order == i
	}
	isUncounted := last > 0 && lanes[0].Order == lanes[last].Order
	for i := range lanes {
		switch {
		case isUncounted:
			lanes[i].Order = i + 1
		case isFromZero:
			lanes[i].Order++
		case lanes[i].Order < 1:
			lanes[i].Order = i + 1
		}
	}
	return slices.Compact(lanes)
}

// laneKind is a type of lane as the standard writes it: "left-shoulder" and "Shoulder" are shoulders.
func laneKind(said string) string {
	kind := lowWord(said)
	for of, also := range map[string][]string{"shoulder": {"-shoulder", "breakdown-lane"},
		"bike-lane": {"bicycle-lane", "bike", "cycle-lane"},
		"parking":   {"parking-lane"}, "sidewalk": {"-sidewalk", "pavement"}, "median": {"-median"}} {
		for _, word := range also {
			if kind == word || word[0] == '-' && strings.HasSuffix(kind, word) {
				return of
			}
		}
	}
	return kind
}

var hyphens = strings.NewReplacer("_", "-", " ", "-") // made once: there may be 60,000 words

// lowWord is a word of an enumeration as the standard writes it: small letters, with hyphens.
func lowWord(said string) string {
	return hyphens.Replace(strings.ToLower(strings.TrimSpace(said)))
}

// travelLanes are the lanes that vehicles drive in, counted from the left: how
// many there are (0 = not all are listed), and which are impacted. Two of one
// order are one lane.
func (z *WorkZone) travelLanes() (total int, impacted []int) {
	isWhole, last, lastTravels, beside := true, 0, 0, 0
	for _, l := range z.ordered() {
		isWhole = isWhole && (l.Order == last || l.Order == last+1)
		if last = l.Order; !IsTravelLane(l.Type) {
			beside++
			continue
		}
		if l.Order != lastTravels {
			total, lastTravels = total+1, l.Order
		}
		if impacts(l.Status, z.VehicleImpact) {
			order := total
			if !isWhole {
				order = l.Order - beside
			}
			impacted = append(impacted, order)
		}
	}
	if !isWhole {
		return 0, impacted
	}
	return total, impacted
}

// besideWords lists what of shoulders and the like is not open.
func (z *WorkZone) besideWords() (out []string) {
	lanes := z.ordered()
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

// kindOf is a word of an enumeration of WZDx as the standard writes it.
func kindOf(said text) string { return lowWord(word(said)) }

// knownImpact keeps an unknown impact as words.
func (z *WorkZone) knownImpact() {
	isKnown := slices.ContainsFunc(catalog.AllEnums().VehicleImpacts, func(v catalog.Named) bool { return v.Name == z.VehicleImpact })
	if z.VehicleImpact != "" && !isKnown {
		z.say("impact: " + strings.ReplaceAll(z.VehicleImpact, "-", " "))
		z.VehicleImpact = "unknown"
	}
}
