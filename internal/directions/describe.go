package directions

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"lightbar/catalog"
	"lightbar/internal/geo"
	"lightbar/internal/geo/places"
	"lightbar/internal/geo/route"
)

const (
	leastOnM = 10.0
	mostOnM  = 20_000.0 // as of a road that is followed from one waypoint
	apartM   = 25.0     // places nearer to each other are one
	farM     = 60_000   // a described line is no longer, as the crow flies
	overallM = 15_000   // over which a road shows which way it leads
	besideM  = 100.0    // degrees that the way of the traffic may differ from what is said: I 95 N heads east here
)

var (
	onM         = float64(catalog.LimitInt("closure", "describedM"))
	mostChoices = int(catalog.LimitInt("closure", "describedChoices"))
)

// Described is what a text means: a line, or several to choose from.
type Described struct {
	Way
	// Waypoints are places through which Find routes the same line.
	Waypoints []geo.LatLng
	Label     string // "I 95 N, exit 5A to exit 7"
	Direction string // N, E, S or W
	// Choices stand instead of a line.
	Choices []Choice
}

// Choice is one of the lines that a text may mean.
type Choice struct {
	Label      string
	Near       string // the town it begins in or near; empty when there is none
	Start, End geo.LatLng
}

// end is a place that one of the two may be.
type end struct {
	label      string  // "exit 5A", "Duncan Road"
	heading    float64 // of the traffic that is meant; NaN for either way
	unlikeness float64
	isBegun    bool // what was said only begins its name
	isPoint    bool // it has no name of a street
	geo.LatLng
}

const choiceGone = "That choice is gone. Describe the line again."

// option is a line that a text may mean.
type option struct {
	road     places.NamedRoad
	from, to end // to has no label where the line goes on from one place
	score    float64
	isTurned bool   // the places were said against the traffic
	name     string // what the road is called there
	route    route.Route
	way      float64
}

// description is one text in reading.
type description struct {
	*Finder
	said Said
	near geo.LatLng
	work *route.Work // what may still be looked at
}

// Describe routes the line that a text describes; near, when it is on Earth, puts
// what is close first, and choice (from 1) takes one of the Choices of an
// earlier answer. Errors: *Unclear with what was not understood, *Failure.
func (f *Finder) Describe(ctx context.Context, text string, near geo.LatLng, choice int) (Described, error) {
	return f.describe(ctx, text, near, choice, &route.Work{Junctions: mostJunctions, Pieces: route.MostPieces})
}

func (f *Finder) describe(ctx context.Context, text string, near geo.LatLng, choice int, work *route.Work) (Described, error) {
	said, err := Read(text)
	if err != nil {
		return Described{}, err
	}
	if f.Roads == nil || f.Places == nil {
		return Described{}, unclear("This server knows no roads here. Click the map instead.")
	}
	d := description{f, said, near, work}
	if said.Road == "" {
		if choice > 1 {
			return Described{}, unclear(choiceGone)
		}
		return d.straight(ctx)
	}
	options, err := d.options(ctx)
	if err != nil {
		return Described{}, err
	}
	options = options[:min(len(options), mostChoices)]
	switch {
	case choice > len(options):
		return Described{}, unclear(choiceGone)
	case choice > 0:
		return d.lay(ctx, options[choice-1])
	case len(options) == 1 && !options[0].isBegun():
		return d.lay(ctx, options[0])
	}
	out := Described{}
	for _, o := range options {
		line := o.route.Points
		label, near := d.label(o), f.Places.TownAt(line[0])
		isTwin := slices.ContainsFunc(options, func(p option) bool {
			return p.route.DistanceM != o.route.DistanceM && d.label(p) == label && f.Places.TownAt(p.route.Points[0]) == near
		})
		if isTwin {
			label += " (" + lengthText(o.route.DistanceM) + ")"
		}
		out.Choices = append(out.Choices, Choice{label, near, line[0], last(line)})
	}
	return out, nil
}

// options are the lines that the text may mean, best first; never none without an error.
func (d *description) options(ctx context.Context) ([]option, error) {
	roads := d.Places.RoadsNamed(d.said.Road, d.near, 6)
	if len(roads) == 0 && d.said.Way >= 0 { // "Avenue N": the direction is a part of the name
		roads = d.Places.RoadsNamed(d.said.Road+" "+letterOf(d.said.Way), d.near, 6)
	}
	if len(roads) == 0 {
		return nil, unclear(fmt.Sprintf(
			"No road called %q is known here. Write it as its signs do, such as \"I-95\" or \"Market St\", or click the map.", d.said.Road))
	}
	var why error
	var all []option
	for _, road := range roads {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		found, err := d.onRoad(ctx, road)
		all = append(all, found...)
		why = cmp.Or(why, err)
	}
	if len(all) == 0 && roads[0].IsBegun {
		return nil, unclear(fmt.Sprintf("No road called %q is known here; similar: %s.", d.said.Road, listed(namesOfRoads(roads))))
	}
	if len(all) == 0 {
		return nil, why
	}
	return d.laid(ctx, best(all))
}

func namesOfRoads(roads []places.NamedRoad) (out []string) {
	for _, road := range roads {
		out = append(out, road.Name)
	}
	return out
}

// onRoad pairs the places of one road.
func (d *description) onRoad(ctx context.Context, road places.NamedRoad) (out []option, err error) {
	begins, err := d.ends(ctx, road, d.said.From)
	if err != nil {
		return nil, err
	}
	if d.said.To.Kind == 0 {
		return d.onward(road, begins), nil
	}
	finishes, err := d.ends(ctx, road, d.said.To)
	if err != nil {
		return nil, err
	}
	for _, a := range begins {
		for _, b := range finishes {
			if m := geo.DistanceM(a.LatLng, b.LatLng); m < apartM || m > farM {
				continue
			}
			o := option{road: road, from: a, to: b, way: geo.HeadingDeg(a.LatLng, b.LatLng)}
			o.isTurned = d.said.Way >= 0 && apart(o.way, d.said.Way) > besideM
			if d.said.Way < 0 && d.said.IsBetween {
				out = append(out, o.turned().scored())
			}
			if o.isTurned {
				o = o.turned()
			}
			out = append(out, o.scored())
		}
	}
	if len(out) == 0 {
		return nil, unclear(fmt.Sprintf("%s and %s of %s are one place, or lie too far apart for a line. Click the map instead.",
			capital(begins[0].label), finishes[0].label, road.Name))
	}
	return out, nil
}

// isBegun reports whether something that was said only begins a name: then someone must say yes to it.
func (o option) isBegun() bool { return o.road.IsBegun || o.from.isBegun || o.to.isBegun }

func (o option) turned() option {
	o.from, o.to, o.way = o.to, o.from, math.Mod(o.way+180, 360)
	return o
}

// scored counts how unlikely it is: names that are only begun, and exits of the other carriageway.
func (o option) scored() option {
	o.score = o.from.unlikeness + o.to.unlikeness
	for _, e := range [...]end{o.from, o.to} {
		if apart(e.heading, o.way) > besideM {
			o.score += 2
		}
	}
	return o
}

// best are the options that no other excels, the nearest first as they come.
func best(all []option) (out []option) {
	least := slices.MinFunc(all, func(a, b option) int {
		return cmp.Or(cmp.Compare(number(a.isTurned), number(b.isTurned)), cmp.Compare(a.score, b.score))
	})
	for _, o := range all {
		if o.isTurned == least.isTurned && o.score <= least.score+0.5 {
			out = append(out, o)
		}
	}
	return out
}

func number(is bool) int {
	if is {
		return 1
	}
	return 0
}

// onward are the lines that go on from one place, with the traffic that is meant.
func (d *description) onward(road places.NamedRoad, begins []end) (out []option) {
	meters := cmp.Or(d.said.Meters, onM)
	for _, e := range begins {
		ways := []float64{e.heading}
		if math.IsNaN(e.heading) {
			if ways[0] = d.said.Way; d.said.Way < 0 {
				ways = []float64{0, 90, 180, 270}
			}
		}
		for _, way := range ways {
			line := d.Roads.FollowFor(d.Places.NamesOf(road), e.LatLng, way, meters)
			long := line // a street winds; a highway has one direction over many miles
			if !math.IsNaN(e.heading) {
				long = d.Roads.FollowFor(d.Places.NamesOf(road), e.LatLng, way, overallM)
			}
			if len(line) < 2 || len(long) < 2 {
				continue
			}
			o := option{road: road, from: e, way: geo.HeadingDeg(long[0], last(long)), score: e.unlikeness}
			o.route = route.Route{Points: line, DistanceM: lengthM(line)}
			if d.said.Way >= 0 && apart(o.way, d.said.Way) > besideM {
				o.score += 2
			}
			out = append(out, o)
		}
	}
	return out
}

// lay makes the answer of an option.
func (d *description) lay(ctx context.Context, o option) (Described, error) {
	line := thinned(o.route.Points)
	out := Described{Label: d.label(o), Direction: d.letter(o)}
	out.Way = Way{Points: line, DistanceM: o.route.DistanceM, IsRouted: true, Road: o.name}
	out.Start, out.End = capital(o.from.label), capital(o.to.label)
	if o.from.isPoint {
		out.Start = d.Roads.Beside(line[0], out.Road, nearM)
	}
	if o.to.label == "" || o.to.isPoint {
		out.End = d.Roads.Beside(line[len(line)-1], out.Road, nearM)
	}
	var err error
	out.Waypoints, err = d.waypoints(ctx, line)
	return out, err
}

// called is the one of a road's names that most of an option's line has: "North Market Street".
func (d *description) called(o option) string {
	name := longest(namesOf(o.route.Steps))
	if name == "" {
		middle := spread(o.route.Points, 3)[1]
		here, _ := d.Roads.Nearest(middle.Lat, middle.Lng, o.way)
		name = called(here.Name, here.Ref, here.Class)
	}
	if slices.ContainsFunc(d.Places.NamesOf(o.road), func(mapped string) bool { return route.RoadText(mapped) == name }) {
		return name
	}
	return o.road.Name
}

// waypoints are the fewest places on a line, its ends included, through which Find lays it again.
func (d *description) waypoints(ctx context.Context, line []geo.LatLng) ([]geo.LatLng, error) {
	for between := 0; ; between = 2*between + 1 {
		places := spread(line, between+2)
		switch {
		case d.URL != "" && between >= 3:
			return places, nil
		case 2*between+3 > mostWaypoints: // where the extract ends no count of them does it
			return spread(line, 5), nil
		}
		if d.URL != "" {
			continue // a service is not asked so often
		}
		way, err := d.along(ctx, places)
		if err == nil && isAlong(way.Points, line) {
			return places, nil
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
}

// isAlong reports whether a way is a line: as long, and beside it all along.
func isAlong(way, line []geo.LatLng) bool {
	if m := lengthM(line); math.Abs(lengthM(way)-m) > 20+m/50 {
		return false
	}
	for _, n := range []int{5, 9, 17} {
		for i, p := range spread(way, n) {
			if geo.DistanceM(p, spread(line, n)[i]) > nearM {
				return false
			}
		}
	}
	return true
}

// spread are n places on a line, evenly, its ends included.
func spread(line []geo.LatLng, n int) []geo.LatLng {
	track := route.NewTrack(&route.Route{Points: line, Steps: []route.Step{{To: len(line) - 1}}})
	out := make([]geo.LatLng, n)
	for i := range out {
		out[i] = track.At(track.LengthM() * float64(i) / float64(n-1)).LatLng
	}
	return out
}

// label says an option as people would: "I 95 N, exit 5A to exit 7".
func (d *description) label(o option) string {
	road := o.name + " " + d.letter(o)
	if o.to.label == "" {
		return fmt.Sprintf("%s, %s on from %s", road, lengthText(o.route.DistanceM), o.from.label)
	}
	return fmt.Sprintf("%s, %s to %s", road, o.from.label, o.to.label)
}

func roadAnd(road string, way float64) string {
	if way < 0 {
		return road
	}
	return road + " " + letterOf(way)
}

func (d *description) letter(o option) string {
	if d.said.Way >= 0 {
		return letterOf(d.said.Way)
	}
	// Odd numbers run north and south, even ones east and west, however they turn here; those of three digits have no rule.
	if kind, digits, _ := strings.Cut(o.name, " "); (kind == "I" || kind == "US") && len(digits) <= 2 && leading(digits) > 0 {
		first := 90 * float64(1-leading(digits)%2)
		return letterOf(first + 180*float64(number(apart(o.way, first) > 90)))
	}
	return letterOf(o.way)
}

func letterOf(way float64) string { return string("NESW"[int(math.Round(way/90))%4]) }

func lengthText(m float64) string {
	const mile = 1609.344
	if m < mile/10 {
		return strconv.Itoa(int(math.Round(m/0.3048))) + " ft"
	}
	return strconv.FormatFloat(math.Round(m/mile*100)/100, 'f', -1, 64) + " mi"
}

// apart is the angle between two headings, 0 to 180; 0 when one is not known.
func apart(a, b float64) float64 {
	d := math.Abs(math.Mod(a-b, 360))
	if math.IsNaN(d) {
		return 0
	}
	return min(d, 360-d)
}

func capital(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	if first == utf8.RuneError {
		return text // empty, or not text
	}
	return string(unicode.ToTitle(first)) + text[size:]
}
