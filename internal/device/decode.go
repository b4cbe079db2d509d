package device

import (
	"math"
	"strconv"
	"strings"

	"lightbar/internal/app"
	"lightbar/internal/fleet"
)

// decodeItems reads {"items": [...]}. Unknown fields are ignored (devices in
// the field cannot be upgraded); an item with a field of the wrong type is
// refused by itself. An error means that the body cannot be read at all.
func decodeItems(body string) (app.ReportBatch, error) {
	d := decoder{c: scanner{s: body}}
	found := false
	err := d.c.object(func(name string) error {
		if name != "items" || d.c.peek() != '[' {
			return d.c.skip(0)
		}
		if found {
			return errJSON
		}
		found = true
		d.batch.Reports = make([]fleet.Report, 0, min(1+strings.Count(body, `"at"`), itemsHint))
		return d.c.array(d.item)
	})
	if err == nil && (!found || !d.c.end()) {
		err = errJSON
	}
	return d.batch, err
}

// itemsHint bounds what is reserved before the items are read.
const itemsHint = 4096

// decodeLines reads one item a line (application/x-ndjson); empty lines are
// passed over. A line that is no JSON object is refused by itself. The one
// error is errTooMany.
func decodeLines(body string) (app.ReportBatch, error) {
	var d decoder
	for line := range strings.SplitSeq(body, "\n") {
		if strings.TrimSpace(line) == "" {
			continue
		}
		d.c = scanner{s: line}
		before := d.batch
		err := d.item()
		if err == errTooMany {
			return d.batch, err
		}
		if err != nil || !d.c.end() {
			d.batch = before // nothing of the line counts
			d.refuse(d.n-1, "not_json", "", "The line is not a JSON object.")
		}
	}
	return d.batch, nil
}

// errTooMany ends the reading of a body: 8 MiB unpacked hold four million
// items, whose refusals would take most of a gigabyte.
var errTooMany error = app.TooManyItems("items")

type decoder struct {
	c     scanner
	n     int // items seen
	batch app.ReportBatch
	bad   string // field of the wrong type in the present item
	kind  string
	kinds bool
	// What the present item said; which of them counts depends on its type, which may come last.
	alerting, on, active word
	mark                 []member // what only events and hazards have, as text: other items may hold anything there
}

// member is a field of an item whose value has not been read yet.
type member struct{ name, text string }

func (d *decoder) refuse(index int, code, field, message string) {
	d.batch.Refused = append(d.batch.Refused, app.RefusedReport{Index: index, Error: code, Field: field, Message: message})
}

// item reads one item and keeps it or refuses it.
func (d *decoder) item() error {
	index := d.n
	if d.n++; d.n > app.ItemsPerBatch() {
		return errTooMany
	}
	if d.c.peek() != '{' {
		if err := d.c.skip(0); err != nil {
			return err
		}
		d.refuse(index, "not_an_object", "", "An item is a JSON object.")
		return nil
	}
	d.batch.Reports = append(d.batch.Reports, fleet.Report{Index: index})
	r := &d.batch.Reports[len(d.batch.Reports)-1]
	d.bad, d.kind, d.kinds, d.alerting, d.on, d.active, d.mark = "", "", false, unsaid, unsaid, unsaid, d.mark[:0]
	if err := d.fields(r); err != nil {
		return err
	}
	switch {
	case d.bad != "":
		d.drop(index, "wrong_type", d.bad, d.bad+" has the wrong type")
	case !d.kinds:
		d.drop(index, "type_missing", "type", "type is required: point, heartbeat, alert, closure, on_scene, event or hazard")
	case d.kind == "point":
		r.Kind = fleet.ReportPoint
		d.alerting.put(r)
	case d.kind == "heartbeat":
		r.Kind = fleet.ReportHeartbeat
	case d.kind == "alert":
		r.Kind = fleet.ReportAlert
		d.on.put(r)
	case d.kind == "closure":
		r.Kind = fleet.ReportClosure
		d.active.put(r)
	case d.kind == "on_scene":
		r.Kind = fleet.ReportOnScene
	case d.kind == "event":
		d.takeEvent(*r)
	case d.kind == "hazard":
		d.takeHazard(*r)
	default:
		d.drop(index, "type_unknown", "type", "type is none of point, heartbeat, alert, closure, on_scene, event and hazard")
	}
	return nil
}

func (d *decoder) drop(index int, code, field, message string) {
	last := len(d.batch.Reports) - 1
	r := d.batch.Reports[last]
	d.batch.Reports = d.batch.Reports[:last]
	d.refuse(index, code, field, message)
	if d.kind != "event" && d.kind != "hazard" { // those have no asset
		refused := &d.batch.Refused[len(d.batch.Refused)-1]
		refused.Asset, refused.At = r.Asset, r.At
	}
}

// fields reads an item's members; the loop is written out because a closure
// for each item would be the costliest part of decoding.
func (d *decoder) fields(r *fleet.Report) error {
	c := &d.c
	c.i++ // {
	if c.take('}') {
		return nil
	}
	for {
		name, err := c.text()
		if err != nil {
			return err
		}
		if !c.take(':') {
			return errJSON
		}
		if err := d.field(r, name); err != nil {
			return err
		}
		if c.take(',') {
			continue
		}
		if c.take('}') {
			return nil
		}
		return errJSON
	}
}

func (d *decoder) field(r *fleet.Report, name string) error {
	var text string
	var ok bool
	var err error
	switch name {
	case "type":
		d.kind, d.kinds, err = d.text(name)
	case "asset":
		r.Asset, _, err = d.text(name)
	case "pattern":
		r.Pattern, _, err = d.text(name)
	case "at":
		if text, ok, err = d.text(name); ok {
			if r.At, ok = parseInstant(text); !ok {
				d.wrong(name)
			}
		}
	case "lat":
		r.Lat, r.HasLat, err = d.number(name)
	case "lng":
		r.Lng, r.HasLng, err = d.number(name)
	case "course":
		r.CourseDeg, r.HasCourse, err = d.optional(name)
	case "speed":
		r.SpeedMS, r.HasSpeed, err = d.optional(name)
	case "accuracy":
		r.AccuracyM, r.HasAccuracy, err = d.optional(name)
	case "valid":
		r.NoFix, err = d.noFix()
	case "config_version":
		err = d.config(r)
	case "alerting":
		d.alerting, err = d.boolean(name)
	case "on":
		d.on, err = d.boolean(name)
	case "active":
		d.active, err = d.boolean(name)
	case "id", "features", "alert_message", "expires_at", "is_active", "alt", "hazard_type", "description":
		d.c.space()
		from := d.c.i
		err = d.c.skip(0)
		d.mark = append(d.mark, member{name, d.c.s[from:d.c.i]})
	default:
		err = d.c.skip(0)
	}
	return err
}

// wrong notes the first field of the wrong type.
func (d *decoder) wrong(name string) {
	if d.bad == "" {
		d.bad = name
	}
}

// null consumes a null: then the field counts as absent.
func (d *decoder) null() bool { return d.c.peek() == 'n' && d.c.word("null") }

func (d *decoder) text(name string) (string, bool, error) {
	if d.c.peek() == '"' {
		t, err := d.c.text()
		return t, err == nil, err
	}
	if !d.null() {
		d.wrong(name)
		return "", false, d.c.skip(0)
	}
	return "", false, nil
}

// optional reads a number that may be left out; some senders write the text
// "NaN" where they know none.
func (d *decoder) optional(name string) (float64, bool, error) {
	if d.c.peek() != '"' {
		return d.number(name)
	}
	text, err := d.c.text()
	if err == nil && !isUnknown(text) {
		d.wrong(name)
		return 0, false, nil
	}
	return math.NaN(), err == nil, err
}

// isUnknown tells whether a text in the place of a number says that there is none.
func isUnknown(text string) bool {
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "", "nan", "-nan", "inf", "-inf", "infinity", "-infinity", "null", "nil", "none", "undefined", "unknown", "n/a", "-":
		return true
	}
	return false
}

// noFix reads the mark of a position that is none; whatever else stands there says nothing.
func (d *decoder) noFix() (bool, error) {
	d.c.space()
	from := d.c.i
	if err := d.c.skip(0); err != nil {
		return false, err
	}
	return saysNo(strings.Trim(d.c.s[from:d.c.i], `" `)), nil
}

// saysNo reads the spellings of "no" that senders have.
func saysNo(text string) bool {
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "0", "0.0", "false", "f", "no", "n", "off", "invalid", "v":
		return true
	}
	return false
}

// config reads the version of the configuration that a device has. One that cannot be is left out, and the rest of the item
// counts: where a unit is matters more.
func (d *decoder) config(r *fleet.Report) (err error) {
	if d.null() {
		return nil
	}
	d.c.space()
	from := d.c.i
	if err = d.c.skip(0); err != nil {
		return err
	}
	version, wrong := strconv.ParseInt(d.c.s[from:d.c.i], 10, 64)
	if r.HasConfig, r.Config = wrong == nil && version >= 0, version; !r.HasConfig {
		r.Ignored |= fleet.IgnoredConfig
	}
	return nil
}

func (d *decoder) number(name string) (float64, bool, error) {
	if b := d.c.peek(); b == '-' || b >= '0' && b <= '9' {
		t, err := d.c.number()
		if err != nil {
			return 0, false, err
		}
		v, err := strconv.ParseFloat(t, 64)
		if err != nil { // beyond what a float can hold
			d.wrong(name)
			return 0, false, nil
		}
		return v, true, nil
	}
	if !d.null() {
		d.wrong(name)
		return 0, false, d.c.skip(0)
	}
	return 0, false, nil
}

// word is what a boolean member said.
type word uint8

const (
	unsaid word = iota
	saidNo
	saidYes
)

// put sets a report's flag.
func (w word) put(r *fleet.Report) {
	if w != unsaid {
		r.HasAlerting, r.Alerting = true, w == saidYes
	}
}

func (d *decoder) boolean(name string) (word, error) {
	switch b := d.c.peek(); {
	case b == 't' && d.c.word("true"):
		return saidYes, nil
	case b == 'f' && d.c.word("false"):
		return saidNo, nil
	case d.null():
		return unsaid, nil
	}
	d.wrong(name)
	return unsaid, d.c.skip(0)
}
