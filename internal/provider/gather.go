package provider

import (
	"context"
	"math"
	"strings"
	"time"

	"lightbar/catalog"
	"lightbar/internal/budget/call"
)

var (
	recordsMax  = int(catalog.LimitInt("provider", "records"))
	vehiclesMax = int(catalog.LimitInt("provider", "vehicles"))
	textMax     = int(catalog.LimitInt("provider", "text"))
	cursorMax   = int(catalog.LimitInt("provider", "cursorBytes"))
)

// Why a record is refused; the list is catalog/enums.json, providerRefusals.
var (
	recordInvalid   = oneOf(catalog.AllEnums().ProviderRefusals, "record_invalid")
	vehicleMissing  = oneOf(catalog.AllEnums().ProviderRefusals, "vehicle_missing")
	timeInvalid     = oneOf(catalog.AllEnums().ProviderRefusals, "time_invalid")
	positionInvalid = oneOf(catalog.AllEnums().ProviderRefusals, "position_invalid")
	valueInvalid    = oneOf(catalog.AllEnums().ProviderRefusals, "value_invalid")
)

const (
	metersPerSecondOfKMH = 1 / 3.6
	metersPerSecondOfMPH = 0.44704
	// earliest is before any tracker of these providers, and after what a receiver without the time says.
	earliest = 2000
	// takenAtOnce is how many kept elements may not be counted yet, elementBytes what one holds.
	takenAtOnce  = 256
	elementBytes = 256
)

// moment is what one vehicle said at one instant.
type moment struct {
	vehicle string
	at      time.Time
}

// gather collects the reports of a page.
type gather struct {
	api     *api
	ctx     context.Context
	page    *Page
	records int
	at      map[moment]int // of the last report of a moment, when lights are told
	inputs  inputs
	lights  map[string]bool // names of inputs in lower case
}

func (a *api) gather(ctx context.Context, known inputs) *gather {
	g := &gather{api: a, ctx: ctx, page: &Page{Refused: map[string]int{}}, inputs: known, lights: map[string]bool{}}
	for _, name := range a.account.Lights {
		g.lights[lower(name)] = true
	}
	if len(g.lights) > 0 {
		g.at = map[moment]int{}
	}
	return g
}

func lower(name string) string { return strings.ToLower(strings.TrimSpace(name)) }

// record counts a record that was read; too many are none of a page that the providers document.
func (g *gather) record() error {
	if g.records++; g.records > recordsMax {
		return g.api.failed(Unreadable, 0, "%s sends more than %d reports at once.", g.api.name, recordsMax)
	}
	return nil
}

func (g *gather) refuse(reason string) { g.page.Refused[reason]++ }

// refusing counts a value of another shape, and goes on.
func refusing(into *gather, err error) error {
	if err == errShape { //nolint:errorlint // it is never wrapped
		into.refuse(recordInvalid)
		return nil
	}
	return err
}

// fix takes a position. nil = not said.
func (g *gather) fix(vehicle, at string, lat, lng, speedMS, course *float64) error {
	when, ok := g.moment(vehicle, at)
	switch {
	case !ok:
		return nil
	case lat == nil || lng == nil || math.Abs(*lat) > 90 || math.Abs(*lng) > 180:
		g.refuse(positionInvalid)
		return nil
	}
	r := Report{ExternalID: when.vehicle, At: when.at, Lat: *lat, Lng: *lng, HasFix: true}
	if speedMS != nil && *speedMS >= 0 {
		r.SpeedMS = speedMS
	}
	if course != nil && *course >= 0 && *course <= 360 {
		turned := math.Mod(*course, 360)
		r.CourseDeg = &turned
	}
	return g.take(when, r)
}

// light takes the state of an input. Lights are on while one of a vehicle's inputs is.
func (g *gather) light(vehicle, input, at string, on *bool) error {
	when, ok := g.moment(vehicle, at)
	switch {
	case !ok:
		return nil
	case on == nil:
		g.refuse(valueInvalid)
		return nil
	}
	lights := g.inputs.say(when, input, *on)
	if i, ok := g.at[when]; ok { // one instant is one report: whoever keeps it by its instant would drop a second
		g.page.Reports[i].Lights = &lights
		return nil
	}
	return g.take(when, Report{ExternalID: when.vehicle, At: when.at, Lights: &lights})
}

func (g *gather) moment(vehicle, at string) (moment, bool) {
	when, err := time.Parse(time.RFC3339Nano, at)
	switch {
	case !isID(vehicle):
		g.refuse(vehicleMissing)
	case err != nil || when.UTC().Year() < earliest:
		g.refuse(timeInvalid)
	default:
		return moment{vehicle, when.UTC()}, true
	}
	return moment{}, false
}

// isID tells an id from what stands for none.
func isID(id string) bool {
	return id != "" && len(id) <= textMax && id != "UnknownDeviceId" && id != "NoDeviceId"
}

func (g *gather) take(when moment, r Report) error {
	if i, ok := g.at[when]; ok && r.Lights == nil && !g.page.Reports[i].HasFix { // the input came first
		r.Lights = g.page.Reports[i].Lights
		g.page.Reports[i] = r
		return nil
	}
	if g.at != nil {
		g.at[when] = len(g.page.Reports)
	}
	g.page.Reports = append(g.page.Reports, r)
	return taken(g.ctx, len(g.page.Reports))
}

// taken counts what was kept in the budget of the call. Refusal: busy.
func taken(ctx context.Context, n int) error {
	if n%takenAtOnce != 0 {
		return nil
	}
	return call.Take(ctx, takenAtOnce*elementBytes)
}

// inputs are the last states of the inputs that mean lights, by vehicle. A client
// that begins does not know them: then an input speaks for itself alone.
type inputs map[string]map[string]input

type input struct {
	at time.Time
	on bool
}

// say notes a state and answers whether the vehicle's lights are on.
func (l inputs) say(when moment, name string, on bool) bool {
	known := l[when.vehicle]
	if known == nil {
		if len(l) >= vehiclesMax {
			clear(l)
		}
		known = map[string]input{}
		l[when.vehicle] = known
	}
	if when.at.Before(known[name].at) { // it comes late and says nothing of now
		return on
	}
	known[name] = input{when.at, on}
	for _, other := range known {
		on = on || other.on
	}
	return on
}

// pause is a feed that was read to its end: it is not asked again at once.
type pause struct {
	cursor string
	until  time.Time
}

func (p *pause) left(cursor string, now time.Time) time.Duration {
	if cursor == "" || cursor != p.cursor {
		return 0
	}
	return max(0, p.until.Sub(now))
}

// said is a text that says something: not "", "?", "N/A" or "000-000-0000".
func said(text string) string {
	text = clean(text)
	kinds, digits := map[rune]bool{}, 0
	for _, r := range strings.ToUpper(text) {
		if r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' {
			kinds[r] = true
			digits++
		}
	}
	switch strings.ToUpper(text) {
	case "NONE", "NULL", "UNKNOWN", "N/A", "NA", "TBD", "NOT SET":
		return ""
	}
	if digits == 0 || digits > 2 && len(kinds) == 1 && kinds['0'] {
		return ""
	}
	return text
}

// vin is a vehicle identification number in upper case.
func vin(texts ...string) string {
	for _, text := range texts {
		if text = strings.ToUpper(strings.ReplaceAll(said(text), " ", "")); text != "" {
			return text
		}
	}
	return ""
}

// fleet are the vehicles of an account, each once.
type fleet struct {
	api  *api
	ctx  context.Context
	list []Vehicle
	seen map[string]bool
}

func (f *fleet) add(v Vehicle) error {
	if !isID(v.ExternalID) || f.seen[v.ExternalID] {
		return nil
	}
	if len(f.list) >= vehiclesMax {
		return f.api.failed(Unreadable, 0, "The account at %s has more than %d vehicles.", f.api.name, vehiclesMax)
	}
	f.seen[v.ExternalID] = true
	f.list = append(f.list, v)
	return taken(f.ctx, len(f.list))
}
