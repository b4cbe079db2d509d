package read

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// What narrows an event, and has no field of a closure, is stored as words behind its description: for whom it applies, and which
// parts of the road besides the lanes it takes.

// restriction is one of WZDx, of the event or of a lane.
type restriction struct {
	Type  text   `json:"type"`
	Value number `json:"value"`
	Unit  text   `json:"unit"`
}

// wordsMost limits how many words of each kind are stored.
const wordsMost = 20

func (r restriction) words() string {
	said := strings.NewReplacer("hov-2", "HOV 2 only", "hov-3", "HOV 3 only", "-", " ").Replace(word(r.Type))
	if said != "" && r.Value != 0 {
		said += " " + strconv.FormatFloat(float64(r.Value), 'f', -1, 64) + " " + word(r.Unit)
	}
	return strings.TrimSpace(said)
}

// say adds words once.
func (z *WorkZone) say(words ...string) {
	for _, said := range words {
		said = shortened(said, nameRunes)
		if first, size := utf8.DecodeRuneInString(said); size > 0 {
			said = string(unicode.ToUpper(first)) + said[size:]
		}
		if said != "" && !slices.Contains(z.Words, said) && len(z.Words) < 3*wordsMost {
			z.Words = append(z.Words, said)
		}
	}
}

// narrowed puts into words for whom a road event applies and where exactly.
func (z *WorkZone) narrowed(e *event) {
	for _, r := range e.Restrictions[:min(len(e.Restrictions), wordsMost)] {
		z.say(r.words())
	}
	for _, l := range e.Lanes[:min(len(e.Lanes), 50)] {
		for _, r := range l.Restrictions[:min(len(l.Restrictions), wordsMost)] {
			if said := r.words(); said != "" {
				z.say(fmt.Sprintf("%s %d: %s", either(besideTraffic[laneKind(word(l.Type))], "lane"), l.Order.upTo(1000), said))
			}
		}
	}
	z.say(z.besideWords()...)
	switch kindOf(e.WorkZoneType) {
	case "moving":
		z.say("moving work")
	case "planned-moving-area":
		z.say("work moves within this stretch")
	}
	if e.Speed > 0 && e.Speed < 300 {
		z.say(fmt.Sprintf("speed limit %.0f km/h (%.0f mph)", float64(e.Speed), math.Round(float64(e.Speed)/1.609344)))
	}
	if w := e.Workers.is; w != nil && bool(w.Present) {
		z.say("workers present")
	}
	for _, w := range e.Work {
		if kindOf(w.Type) == "non-encroachment" {
			z.say("work beside the road")
		}
	}
	if len(e.Curbs) > 0 {
		z.say("curb zones affected")
	}
	for _, post := range []struct {
		name, unit string
		from, to   number
	}{{"milepost", "", e.MileFrom, e.MileTo}, {"reference post", " " + word(e.PostUnit), e.PostFrom, e.PostTo}} {
		from, to := strconv.FormatFloat(float64(post.from), 'f', -1, 64), strconv.FormatFloat(float64(post.to), 'f', -1, 64)
		switch {
		case post.from > 0 && post.to > 0 && from != to:
			z.say(post.name + " " + from + " to " + to + post.unit)
		case post.from > 0 || post.to > 0:
			z.say(post.name + " " + either(from, to) + post.unit)
		}
	}
	if loop := kindOf(e.Core.Direction); loop == "inner-loop" || loop == "outer-loop" {
		z.say(strings.ReplaceAll(loop, "-", " "))
	}
}

// either is the first of two texts that is not empty.
func either(a, b string) string {
	if a != "" && a != "0" {
		return a
	}
	return b
}

// Text is the description with the words behind it.
func (z *WorkZone) Text() string {
	parts := slices.Clone(z.Words)
	if base := strings.TrimRight(either(z.Description, z.Name), " ."); base != "" && len(parts) > 0 {
		return shortened(base+". "+strings.Join(parts, ". ")+".", descriptionRunes)
	} else if len(parts) == 0 {
		return either(z.Description, z.Name)
	}
	return shortened(strings.Join(parts, ". ")+".", descriptionRunes)
}

// TextUpTo is Text in so many characters.
func (z *WorkZone) TextUpTo(most int) string { return shortened(z.Text(), most) }

// status reads an event's own status besides its times: Over, Pending, or Cancelled as a reason. Unknown words are stored as words.
func (z *WorkZone) status(said text) (reason string) {
	switch is := strings.ToLower(word(said)); is {
	case "", "active", "scheduled", "null":
	case "planned", "pending", "standby":
		z.Pending = true
	case "completed", "complete", "ended", "over", "expired":
		z.Over = true
	case "cancelled", "canceled", "inactive", "suspended", "postponed", "withdrawn":
		return Cancelled
	default:
		z.say("status: " + is)
	}
	return ""
}
