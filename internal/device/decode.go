package device

import (
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
	bad   fleet.Fields // that cannot be read in the present item
	none  fleet.Fields // whose value means "not known", other than null
	wrong string       // the same of a field that only events and hazards have
	kind  string
	kinds bool
	// The members of the current item; which of them count depends on its type, which may come last.
	alerting, on, active word
	mark                 []member // what only events and hazards have, as text: other items may hold anything there
}

// member is a field of an item whose value has not been read yet.
type member struct{ name, text string }

func (d *decoder) refuse(index int, code, field, message string) {
	d.batch.Refused = append(d.batch.Refused, app.RefusedReport{Index: index, Error: code, Field: field, Message: message})
}

// item reads one item and stores or refuses it.
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
	d.bad, d.none, d.wrong, d.kind, d.kinds, d.alerting, d.on, d.active, d.mark = 0, 0, "", "", false, unsaid, unsaid, unsaid, d.mark[:0]
	if err := d.fields(r); err != nil {
		return err
	}
	switch {
	case d.wrong != "": // the type
		d.drop(index, "wrong_type", d.wrong, d.wrong+" has the wrong type")
	case !d.kinds:
		d.drop(index, "type_missing", "type", "type is required: point, heartbeat, alert, closure, on_scene, event or hazard")
	case d.kind == "point":
		r.Kind = fleet.ReportPoint
		d.alerting.put(r)
		d.judge(r, fleet.FieldLat|fleet.FieldLng, fleet.FieldCourse|fleet.FieldSpeed|fleet.FieldAccuracy|fleet.FieldAlerting|fleet.FieldValid)
	case d.kind == "heartbeat":
		r.Kind = fleet.ReportHeartbeat
		d.judge(r, 0, 0)
	case d.kind == "alert":
		r.Kind = fleet.ReportAlert
		d.on.put(r)
		d.judge(r, fleet.FieldOn, 0)
	case d.kind == "closure":
		r.Kind = fleet.ReportClosure
		d.active.put(r)
		d.judge(r, fleet.FieldActive|fleet.FieldPattern, 0)
	case d.kind == "on_scene":
		r.Kind = fleet.ReportOnScene
		d.judge(r, 0, 0)
	case d.kind == "event":
		d.takeEvent(*r)
	case d.kind == "hazard":
		d.takeHazard(*r)
	default:
		d.drop(index, "type_unknown", "type", "type is none of point, heartbeat, alert, closure, on_scene, event and hazard")
	}
	return nil
}

// judge handles the unreadable members of an item: required fields refuse it, optional ones are left out, and those that its type
// does not have are ignored.
func (d *decoder) judge(r *fleet.Report, required, optional fleet.Fields) {
	r.Wrong = d.bad & (required | fleet.FieldAsset | fleet.FieldAt)
	r.Ignored |= (d.bad | d.none) & optional
	if required&fleet.FieldLat != 0 {
		return
	}
	if r.HasLat { // only a point has a position: the sender must not believe that it was taken
		r.Ignored |= fleet.FieldLat
	}
	if r.HasLng {
		r.Ignored |= fleet.FieldLng
	}
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
		if text, ok, err = d.text(0); ok {
			d.kind, d.kinds = text, true
		} else if err == nil && d.bad&fieldOther != 0 {
			d.wrong = name
		}
	case "asset":
		r.Asset, _, err = d.text(fleet.FieldAsset)
	case "pattern":
		r.Pattern, _, err = d.text(fleet.FieldPattern)
	case "at":
		r.At, err = d.instant(fleet.FieldAt)
	case "lat":
		r.Lat, r.HasLat, err = d.number(fleet.FieldLat)
	case "lng":
		r.Lng, r.HasLng, err = d.number(fleet.FieldLng)
	case "course":
		r.CourseDeg, r.HasCourse, err = d.number(fleet.FieldCourse)
	case "speed":
		r.SpeedMS, r.HasSpeed, err = d.number(fleet.FieldSpeed)
	case "accuracy":
		r.AccuracyM, r.HasAccuracy, err = d.number(fleet.FieldAccuracy)
	case "valid":
		r.NoFix, err = d.noFix()
	case "config_version":
		err = d.config(r)
	case "alerting":
		d.alerting, err = d.boolean(fleet.FieldAlerting)
	case "on":
		d.on, err = d.boolean(fleet.FieldOn)
	case "active":
		d.active, err = d.boolean(fleet.FieldActive)
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

// fieldOther is a field that has no bit of its own.
const fieldOther fleet.Fields = 1 << 31

// fail notes a field that cannot be read; 0 = one that has no bit of its own.
func (d *decoder) fail(field fleet.Fields) {
	if field == 0 {
		field = fieldOther
	}
	d.bad |= field
}

// null consumes a null: then the field counts as absent.
func (d *decoder) null() bool { return d.c.peek() == 'n' && d.c.word("null") }

func (d *decoder) text(field fleet.Fields) (string, bool, error) {
	if d.c.peek() == '"' {
		t, err := d.c.text()
		return t, err == nil, err
	}
	if !d.null() {
		d.fail(field)
		return "", false, d.c.skip(0)
	}
	return "", false, nil
}

// instant reads text or a number since 1970. A text must have an offset: otherwise its instant would be a guess.
func (d *decoder) instant(field fleet.Fields) (at fleet.Instant, err error) {
	var text string
	switch b := d.c.peek(); {
	case b == '"':
		if text, err = d.c.text(); err != nil {
			return 0, err
		}
		if at, ok := parseUTC(text); ok {
			return at, nil
		}
	case b == '-' || b >= '0' && b <= '9':
		if text, err = d.c.number(); err != nil {
			return 0, err
		}
	case d.null():
		return 0, nil
	default:
		d.fail(field)
		return 0, d.c.skip(0)
	}
	at, ok := fleet.ReportInstant(text, nil)
	switch {
	case ok:
	case field == fleet.FieldExpiresAt && fleet.IsUnknown(text):
		d.none |= field
	default:
		d.fail(field)
	}
	return at, nil
}

// noFix reads the mark of a position without a fix; any other value there is ignored.
func (d *decoder) noFix() (bool, error) {
	d.c.space()
	from := d.c.i
	if err := d.c.skip(0); err != nil {
		return false, err
	}
	text := strings.Trim(d.c.s[from:d.c.i], `" `)
	if _, ok := validity(text); !ok && text != "null" {
		d.none |= fleet.FieldValid
	}
	return saysNo(text), nil
}

// validity reads whether a position is valid; receivers also send A and V (NMEA 0183).
func validity(text string) (isFix, ok bool) {
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "a", "valid":
		return true, true
	case "v", "invalid":
		return false, true
	}
	return fleet.BooleanOf(text)
}

func saysNo(text string) bool {
	isFix, ok := validity(text)
	return ok && !isFix
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
		r.Ignored |= fleet.FieldConfig
	}
	return nil
}

// number reads a number, or a text that is one. A value that means "not known" is absent, and named unless it is null.
func (d *decoder) number(field fleet.Fields) (float64, bool, error) {
	switch b := d.c.peek(); {
	case b == '-' || b >= '0' && b <= '9':
		t, err := d.c.number()
		if err != nil {
			return 0, false, err
		}
		if v, err := strconv.ParseFloat(t, 64); err == nil {
			return v, true, nil
		}
	case b == '"':
		t, err := d.c.text()
		if err != nil {
			return 0, false, err
		}
		if v, ok := fleet.NumberOf(t); ok {
			return v, true, nil
		}
		if fleet.IsUnknown(t) {
			d.none |= field
			return 0, false, nil
		}
	case b == 'n' && d.c.word("null"):
		return 0, false, nil
	default:
		from := d.c.i
		if err := d.c.skip(0); err != nil {
			return 0, false, err
		}
		if fleet.IsUnknown(d.c.s[from:d.c.i]) { // NaN, as some programs write it
			d.none |= field
			return 0, false, nil
		}
	}
	d.fail(field) // beyond what a float can hold, or no number
	return 0, false, nil
}

// word is the value of a boolean member.
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

func (d *decoder) boolean(field fleet.Fields) (word, error) {
	d.c.space()
	from := d.c.i
	if err := d.c.skip(0); err != nil {
		return unsaid, err
	}
	text := strings.Trim(d.c.s[from:d.c.i], `"`)
	yes, ok := fleet.BooleanOf(text)
	switch {
	case ok && yes:
		return saidYes, nil
	case ok:
		return saidNo, nil
	case text == "null" || fleet.IsUnknown(text):
		if text != "null" {
			d.none |= field
		}
		return unsaid, nil
	}
	d.fail(field)
	return unsaid, nil
}
