package file

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"lightbar/catalog"
	"lightbar/internal/fleet"
)

// monthlyFigure is a figure of a month, in its kind's unit: a number, milliseconds, meters, or a share of 1. Nil where it is not known.
type monthlyFigure func(*fleet.MonthlyFigures) *float64

func figure[T int | int64 | float64](v T) *float64 {
	f := float64(v)
	return &f
}

func lengthOf(ms *int64) *float64 {
	if ms == nil {
		return nil
	}
	return figure(*ms)
}

// shareOf is nil where there was nothing to have a share of.
func shareOf(part, whole int64) *float64 {
	if whole <= 0 {
		return nil
	}
	return figure(float64(part) / float64(whole))
}

// monthlyFigures are the figures of catalog/monthly.json.
var monthlyFigures = map[string]monthlyFigure{
	"assets":         func(m *fleet.MonthlyFigures) *float64 { return figure(m.Assets.Total) },
	"inService":      func(m *fleet.MonthlyFigures) *float64 { return figure(m.Assets.InService) },
	"incidents":      func(m *fleet.MonthlyFigures) *float64 { return figure(m.Incidents.Total) },
	"toSceneMedian":  func(m *fleet.MonthlyFigures) *float64 { return lengthOf(m.Incidents.ToScene.MedianMs) },
	"toSceneP90":     func(m *fleet.MonthlyFigures) *float64 { return lengthOf(m.Incidents.ToScene.P90Ms) },
	"toSceneLongest": func(m *fleet.MonthlyFigures) *float64 { return lengthOf(m.Incidents.ToScene.LongestMs) },
	"toSceneCount":   func(m *fleet.MonthlyFigures) *float64 { return figure(m.Incidents.ToScene.Count) },
	"onSceneMedian":  func(m *fleet.MonthlyFigures) *float64 { return lengthOf(m.Incidents.OnScene.MedianMs) },
	"onSceneP90":     func(m *fleet.MonthlyFigures) *float64 { return lengthOf(m.Incidents.OnScene.P90Ms) },
	"onSceneLongest": func(m *fleet.MonthlyFigures) *float64 { return lengthOf(m.Incidents.OnScene.LongestMs) },
	"onSceneCount":   func(m *fleet.MonthlyFigures) *float64 { return figure(m.Incidents.OnScene.Count) },
	"runs":           func(m *fleet.MonthlyFigures) *float64 { return figure(m.Driving.Runs) },
	"runTime":        func(m *fleet.MonthlyFigures) *float64 { return figure(m.Driving.RunMs) },
	"distance": func(m *fleet.MonthlyFigures) *float64 {
		return figure(m.Driving.RunDistanceM + m.Driving.OtherDistance)
	},
	"runDistance":   func(m *fleet.MonthlyFigures) *float64 { return figure(m.Driving.RunDistanceM) },
	"otherDistance": func(m *fleet.MonthlyFigures) *float64 { return figure(m.Driving.OtherDistance) },
	"lightsOn":      func(m *fleet.MonthlyFigures) *float64 { return figure(m.Driving.AlertingMs) },
	"alertPoints":   func(m *fleet.MonthlyFigures) *float64 { return figure(m.Driving.AlertPoints) },
	"closures":      func(m *fleet.MonthlyFigures) *float64 { return figure(m.Closures.Total) },
	"closureTime":   func(m *fleet.MonthlyFigures) *float64 { return figure(m.Closures.ActiveMs) },
	"publishedTime": func(m *fleet.MonthlyFigures) *float64 { return figure(m.Closures.PublishedMs) },
	"confirmed":     func(m *fleet.MonthlyFigures) *float64 { return figure(m.Closures.Confirmed) },
	"expired":       func(m *fleet.MonthlyFigures) *float64 { return figure(m.Closures.Expired) },
	"requests": func(m *fleet.MonthlyFigures) *float64 {
		if !m.Feeds.IsCounted {
			return nil
		}
		return figure(m.Feeds.Requests)
	},
	"driversAlerted": func(m *fleet.MonthlyFigures) *float64 { return lengthOf(m.Feeds.DriversAlerted) },
	"cover":          func(m *fleet.MonthlyFigures) *float64 { return shareOf(m.Stations.CoveredMs, m.Stations.OfMs) },
	"stations":       func(m *fleet.MonthlyFigures) *float64 { return figure(m.Stations.Total) },
	"complete":       func(m *fleet.MonthlyFigures) *float64 { return shareOf(m.Data.CoveredMs, m.Data.OfMs) },
	"points":         func(m *fleet.MonthlyFigures) *float64 { return figure(m.Data.Points) },
	"silentDays":     func(m *fleet.MonthlyFigures) *float64 { return figure(m.Data.SilentDays) },
	"refused":        func(m *fleet.MonthlyFigures) *float64 { return lengthOf(m.Data.Refused) },
	"damaged":        func(m *fleet.MonthlyFigures) *float64 { return figure(m.Data.DamagedBlocks) },
}

// noFigure is shown where nothing is known.
const noFigure = "–"

// The words of a report are those of web/src/model/monthlyReport.ts, pinned by catalog/vectors/monthly.json.

// countWords is a count as it is read: 100,000.
func countWords(n int64) string {
	text := strconv.FormatInt(n, 10)
	for at := len(text) - 3; at > 0 && text[at-1] != '-'; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}

// spanWords is a length of time: "45 s", "6 min 40 s", "1 h 24 min", "1,312 h".
func spanWords(ms float64) string {
	s := int64(math.Floor(max(ms, 0)/1000 + 0.5))
	two := func(first int64, unit string, second int64, small string) string {
		if second == 0 {
			return countWords(first) + " " + unit
		}
		return fmt.Sprintf("%s %s %d %s", countWords(first), unit, second, small)
	}
	switch {
	case s < 60:
		return fmt.Sprintf("%d s", s)
	case s < 3600:
		return two(s/60, "min", s%60, "s")
	case s < 100*3600:
		return two(s/3600, "h", s/60%60, "min")
	}
	return countWords(s/3600) + " h"
}

// distanceWords is a way: "0.42 mi", "18.3 km", "1,204 km".
func distanceWords(meters float64, miles bool) string {
	length, unit := meters/1000, "km"
	if miles {
		length, unit = meters/1609.344, "mi"
	}
	digits := 0
	switch {
	case length == 0:
	case length < 1:
		digits = 2
	case length < 100:
		digits = 1
	}
	if length < 1000 {
		return strconv.FormatFloat(length, 'f', digits, 64) + " " + unit
	}
	return countWords(int64(math.Floor(length+0.5))) + " " + unit
}

// shareWords is a share, cut to tenths so that only the whole reads 100%.
func shareWords(share float64) string {
	return strings.TrimSuffix(strconv.FormatFloat(tenths(share)/10, 'f', 1, 64), ".0") + "%"
}

// tenths are the tenths of a percent; what a sum of floats lacks to a whole one is given.
func tenths(share float64) float64 { return math.Floor(min(max(share, 0), 1)*1000 + 1e-9) }

// kindWords is a figure in its kind's words.
func kindWords(kind string, v float64, miles bool) string {
	switch kind {
	case "span", "time":
		return spanWords(v)
	case "distance":
		return distanceWords(v, miles)
	case "share":
		return shareWords(v)
	}
	return countWords(int64(v))
}

// figureWords is a figure of a month as people read it.
func figureWords(f *catalog.MonthlyFigure, m *fleet.MonthlyFigures, miles bool) string {
	v := monthlyFigures[f.Name](m)
	if v == nil {
		if f.Unknown != "" {
			return f.Unknown
		}
		return noFigure
	}
	return kindWords(f.Kind, *v, miles)
}

// MonthlyLine is a figure of a month in words.
type MonthlyLine struct{ Name, Value string }

// shortFigures are the figures that sum up a month.
var shortFigures = []string{"incidents", "onSceneMedian", "distance", "closures", "cover", "complete", "driversAlerted"}

// WriteMonthlyInShort writes the figures of a month for its mail, in words.
func WriteMonthlyInShort(m *fleet.MonthlyFigures, miles bool) (out []MonthlyLine) {
	all := catalog.MonthlyReport().Figures
	for _, name := range shortFigures {
		for i := range all {
			if all[i].Name != name {
				continue
			}
			line := MonthlyLine{all[i].DisplayName, figureWords(&all[i], m, miles)}
			if line.Value == noFigure {
				line.Value = "not known" // outside of a table, a dash is not clear
			}
			out = append(out, line)
		}
	}
	return out
}

// monthlyChange is how a figure has changed.
type monthlyChange struct {
	Sign    int    // 1: more, -1: less, 0: the same or not known
	By      string // "12", "1 min 20 s"; empty if it is the same or not known
	Percent string // "+18%"; empty where it means nothing
}

// says puts values into the {places} of a sentence.
func says(sentence string, places ...string) string {
	for i := 0; i < len(places); i += 2 {
		places[i] = "{" + places[i] + "}"
	}
	return strings.NewReplacer(places...).Replace(sentence)
}

// changeOf compares figures that are known. Figures that read the same count as equal.
func changeOf(kind string, now, before float64, miles bool) (c monthlyChange) {
	difference := now - before
	size := math.Abs(difference)
	switch kind {
	case "share":
		difference = tenths(now) - tenths(before)
		size = math.Abs(difference)
		c.By = strings.TrimSuffix(strconv.FormatFloat(size/10, 'f', 1, 64), ".0") + " points"
		if size == 10 {
			c.By = "1 point"
		}
	case "span", "time":
		size = math.Floor(size/1000+0.5) * 1000
		c.By = spanWords(size)
	case "distance":
		if size < 50 {
			size = 0
		}
		c.By = distanceWords(size, miles)
	default:
		c.By = countWords(int64(size))
	}
	if size == 0 {
		return monthlyChange{}
	}
	if c.Sign = 1; difference < 0 {
		c.Sign = -1
	}
	if kind != "share" && before > 0 {
		if percent := math.Floor(math.Abs(difference)/before*100 + 0.5); percent >= 1 {
			c.Percent = signOf(c.Sign) + countWords(int64(percent)) + "%"
		}
	}
	return c
}

func signOf(sign int) string {
	if sign < 0 {
		return "−"
	}
	return "+"
}

// comparedWords describes how a figure differs from that of another month, which may have no report: "12 more than in October
// (+18%)".
func comparedWords(f *catalog.MonthlyFigure, now, then *fleet.MonthlyFigures, month string, miles bool) (words string, sign int) {
	say := catalog.MonthlyReport().Words
	if then == nil {
		return says(say.NoReport, "month", month), 0
	}
	value, before := monthlyFigures[f.Name](now), monthlyFigures[f.Name](then)
	switch {
	case before == nil:
		return says(say.NotKnown, "month", month), 0
	case value == nil:
		return says(say.Was, "value", kindWords(f.Kind, *before, miles), "month", month), 0
	}
	c := changeOf(f.Kind, *value, *before, miles)
	if c.Sign == 0 {
		return says(say.Same, "month", month), 0
	}
	sentence := say.Changed
	if c.Percent != "" {
		sentence = say.ChangedBy
	}
	way := catalog.MonthlyReport().Ways[f.Kind][(1-c.Sign)/2]
	return says(sentence, "by", c.By, "way", way, "month", month, "percent", c.Percent), c.Sign
}

// changeShort is the change for a table: "+12 (+18%)".
func changeShort(f *catalog.MonthlyFigure, now, then *fleet.MonthlyFigures, miles bool) string {
	if then == nil {
		return ""
	}
	value, before := monthlyFigures[f.Name](now), monthlyFigures[f.Name](then)
	if value == nil || before == nil {
		return noFigure
	}
	c := changeOf(f.Kind, *value, *before, miles)
	if c.Sign == 0 {
		return "same"
	}
	if c.Percent == "" {
		return signOf(c.Sign) + c.By
	}
	return signOf(c.Sign) + c.By + " (" + c.Percent + ")"
}

// monthName is a month beside another one of a year: "October", "December 2025".
func monthName(year, month, besideYear int) string {
	name := time.Month(month).String()
	if year != besideYear {
		name += " " + strconv.Itoa(year)
	}
	return name
}
