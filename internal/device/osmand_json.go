package device

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"lightbar/internal/app"
	"lightbar/internal/fleet"
)

// trackerBody reads the JSON bodies of tracker apps. A report is an object with
// latitude and longitude, in it or in its coords, location, geometry or
// properties:
//
//	{"device_id": …, "location": {"timestamp": …, "coords": {"latitude": …, "longitude": …, "speed": m/s, …}, "extras": {…}}}
//
// Where one position can stand a list of them can, and so can the whole body be
// one: apps send what waited during a gap in one request.
type trackerBody struct {
	c       scanner
	address said   // the parameters of the address, for what the body leaves out
	secret  string // of the address, else of the body
	list    []said // reports of lists
	latest  said   // Overland's "current", which is none of its list
	unread  bool   // of the present report: something that should hold a position could not be read
}

// errShape makes an app keep what it sent: there may be positions in it.
var errShape = fleet.Refuse("invalid_request", "location",
	"The body holds positions in a form that isn't known. See docs/ingest.md, \"A phone\".")

// errEncrypted makes an app keep what it sent: nobody here can read where it was.
var errEncrypted = fleet.Refuse("invalid_request", "_type",
	"The app encrypts its messages. Turn the encryption off there: TLS protects them on their way.")

var errSeveral = fleet.Refuse("invalid_request", "device_id", "A body is about one device.")

// read returns the reports, in the order of the body.
func (t *trackerBody) read() ([]said, error) {
	inAddress := t.secret
	t.secret = ""
	var root said
	var err error
	if t.c.peek() == '[' {
		err = t.elements(0)
	} else {
		err = t.object(&root, 0)
	}
	if err == nil && !t.c.end() {
		err = errJSON
	}
	if err == nil && t.unread && !root.hasPosition() {
		err = errShape
	}
	if err != nil {
		return nil, err
	}
	if inAddress != "" {
		t.secret = inAddress
	}
	shared := said{unit: root.unit, valid: root.valid, alarm: root.alarm, event: root.event}
	if root.hasPosition() || len(t.list) == 0 {
		t.list = append(t.list, root)
	}
	if t.latest.hasPosition() && len(t.list) < app.ItemsPerBatch() {
		t.list = append(t.list, t.latest)
	}
	for i := range t.list {
		s := &t.list[i]
		s.orElse(&shared)
		if s.unit == "" && s.speed != "" {
			s.unit = "m/s"
		}
		s.orElse(&t.address)
	}
	return t.list, nil
}

// object reads the members of a report.
func (t *trackerBody) object(into *said, depth int) error {
	if depth > maxDepth {
		return errJSON
	}
	hasWaypoints, hasTrip := false, false
	err := t.c.object(func(as string) error {
		composite := t.c.peek() == '{' || t.c.peek() == '['
		switch name := strings.ToLower(as); {
		case name == "location" || name == "locations" || name == "position" || name == "positions" || name == "points" ||
			name == "features":
			return t.place(into, depth+1)
		case (name == "coords" || name == "properties") && t.c.peek() == '{':
			return t.object(into, depth+1)
		case name == "geometry" && t.c.peek() == '{':
			return t.geometry(into)
		case name == "alarm" && t.c.peek() == '[':
			return t.alarms(into)
		case (name == "extras" || name == "attributes") && t.c.peek() == '{':
			return t.extras(into)
		case name == "waypoints" && t.c.peek() == '[':
			hasWaypoints = true
			return t.c.skip(depth + 1)
		case name == "current" && depth == 0 && t.c.peek() == '{':
			return t.object(&t.latest, depth+1)
		case name == "trip" && depth == 0 && t.c.peek() == '{': // of Overland: where it began, which the list has
			hasTrip = true
			return t.c.skip(depth + 1)
		case (name == "device_id" || name == "deviceid" || name == "id" && depth == 0) && !composite:
			return t.device()
		case !composite && !isTrackerName(name) && holdsPosition(as):
			return t.place(into, depth+1)
		case !composite:
			return t.scalar(into, name)
		case name == "timestamp" || slices.Contains(instantNames, name):
			into.clock = name
		}
		t.unread = t.unread || holdsPosition(as)
		return t.pass(depth + 1)
	})
	// Of another app they may be where it was.
	t.unread = t.unread || hasWaypoints && into.kind != "waypoints" || hasTrip && len(t.list) == 0
	return err
}

// place reads the value of a name that holds positions.
func (t *trackerBody) place(into *said, depth int) error {
	switch t.c.peek() {
	case '{':
		return t.object(into, depth)
	case '[':
		return t.elements(depth)
	case '"':
		text, err := t.c.text()
		if err == nil && !fleet.IsUnknown(text) && !into.cut(text) {
			t.unread = true
		}
		return err
	case 'n': // null: there is none
	default:
		t.unread = true
	}
	return t.c.skip(0)
}

// cut reads "lat,lon", also with a decimal comma in both ("39,7;-75,5", "39,7,-75,5").
func (s *said) cut(text string) bool {
	parts := strings.FieldsFunc(text, func(r rune) bool { return r == ';' || unicode.IsSpace(r) })
	for i := range parts {
		parts[i] = strings.TrimRight(parts[i], ",")
	}
	if len(parts) == 1 {
		if parts = strings.Split(parts[0], ","); len(parts) == 4 {
			parts = []string{parts[0] + "." + parts[1], parts[2] + "." + parts[3]}
		}
	}
	if len(parts) != 2 {
		return false
	}
	for _, part := range parts {
		if _, ok := fleet.NumberOf(part); !ok {
			return false
		}
	}
	s.lat, s.lng = parts[0], parts[1]
	return true
}

// elements reads a list of reports.
func (t *trackerBody) elements(depth int) error {
	outer := t.unread
	err := t.c.array(func() error {
		if len(t.list) >= app.ItemsPerBatch() {
			return errTooMany
		}
		var s said
		t.unread = false
		before := len(t.list)
		switch t.c.peek() {
		case '{':
			if err := t.object(&s, depth+1); err != nil {
				return err
			}
		case '"':
			if err := t.place(&s, depth); err != nil {
				return err
			}
		default:
			return errShape
		}
		if t.unread && !s.hasPosition() {
			return errShape
		}
		if s.hasPosition() || len(t.list) == before {
			t.list = append(t.list, s)
		}
		return nil
	})
	t.unread = outer
	return err
}

// geometry reads a GeoJSON point.
func (t *trackerBody) geometry(into *said) error {
	var numbers []string
	point := false
	err := t.c.object(func(name string) error {
		switch {
		case name == "type" && t.c.peek() == '"':
			kind, err := t.c.text()
			point = kind == "Point"
			return err
		case name == "coordinates" && t.c.peek() == '[':
			return t.c.array(func() error {
				if b := t.c.peek(); b != '-' && (b < '0' || b > '9') {
					return t.c.skip(0)
				}
				n, err := t.c.number()
				numbers = append(numbers, n)
				return err
			})
		}
		return t.c.skip(0)
	})
	if point && len(numbers) >= 2 {
		into.lng, into.lat = numbers[0], numbers[1]
	} else {
		t.unread = true
	}
	return err
}

// extras reads an alarm: the app's button for help puts it there.
func (t *trackerBody) extras(into *said) error {
	return t.c.object(func(name string) error {
		switch b := t.c.peek(); {
		case strings.EqualFold(name, "alarm") && b == '[':
			return t.alarms(into)
		case strings.EqualFold(name, "alarm") && b != '{':
			return t.scalar(into, "alarm")
		}
		t.unread = t.unread || holdsPosition(name) && t.c.peek() != 'n'
		return t.pass(0)
	})
}

// alarms reads a list of them.
func (t *trackerBody) alarms(into *said) error {
	var words []string
	err := t.c.array(func() error {
		word, err := t.value()
		words = append(words, word)
		return err
	})
	if into.alarm == "" {
		into.alarm = strings.Join(words, ",")
	}
	return err
}

func (t *trackerBody) device() error {
	id, err := t.value()
	if err == nil && id != "" && t.secret != "" && id != t.secret {
		return errSeveral
	}
	if id != "" {
		t.secret = id
	}
	return err
}

// scalar stores a text, number or word under its name; of several names for one value the first in the body counts.
func (t *trackerBody) scalar(into *said, name string) error {
	text, err := t.value()
	for _, n := range trackerNames {
		if n.name != name {
			continue
		}
		if target := n.of(into); *target == "" {
			*target = text
		}
	}
	switch { // OwnTracks, https://owntracks.org/booklet/tech/json/
	case name == "vel" && into.speed == "":
		into.speed, into.unit = text, "km/h"
	case name == "_type" && text == "encrypted":
		return errEncrypted
	case name == "_type":
		if into.kind = text; text != "location" && text != "transition" { // where a waypoint is, the phone is not
			into.valid = "0"
		}
	}
	into.dated(name, text)
	t.unread = t.unread || !isTrackerName(name) && writtenPosition.MatchString(text)
	return err
}

// value reads a text, number or word as text; null is empty.
func (t *trackerBody) value() (string, error) {
	if t.c.peek() == '"' {
		return t.c.text()
	}
	start := t.c.i
	if err := t.c.skip(0); err != nil {
		return "", err
	}
	text := strings.TrimSpace(t.c.s[start:t.c.i])
	if text == "null" {
		text = ""
	}
	return text, nil
}

// pass goes over a value and notes whether there are positions in it.
func (t *trackerBody) pass(depth int) error {
	if depth > maxDepth {
		return errJSON
	}
	switch t.c.peek() {
	case '{':
		return t.c.object(func(name string) error {
			t.unread = t.unread || holdsPosition(name) && t.c.peek() != 'n'
			return t.pass(depth + 1)
		})
	case '[':
		return t.passList(depth + 1)
	case '"':
		text, err := t.c.text()
		t.unread = t.unread || writtenPosition.MatchString(text)
		return err
	}
	return t.c.skip(0)
}

// passList does that for a list. One that begins with two numbers of three decimals or more, and has no third, may be
// a position in short form; three are what an acceleration has.
func (t *trackerBody) passList(depth int) error {
	length, fine := 0, 0
	err := t.c.array(func() error {
		t.c.space()
		from := t.c.i
		err := t.pass(depth)
		if fine == length && fineNumber.MatchString(t.c.s[from:t.c.i]) {
			fine++
		}
		length++
		return err
	})
	t.unread = t.unread || fine == 2
	return err
}

var (
	fineNumber = regexp.MustCompile(`^-?\d{1,3}\.\d{3,}$`)
	// writtenPosition is a position in a text, whatever that is called: two fine numbers, a sentence of NMEA 0183, or JSON in it.
	writtenPosition = regexp.MustCompile(`^\$G[A-Z]{4},|["'](lat|latitude|lon|lng|longitude)["'] *:` +
		`|^\D*\d{1,3}[.,]\d{3,}\D{1,8}\d{1,3}[.,]\d{3,}\D*(;.*)?$`)
)

// holdsPosition reports whether a member by its name holds a position or a part of one: lat, gpsLat, gps_lon, latitudeE7.
func holdsPosition(name string) bool {
	switch strings.ToLower(name) {
	case "long", "geometry", "location", "locations", "position", "positions":
		return true
	}
	from := 0
	for i := 0; i <= len(name); i++ {
		if i < len(name) && isLetter(name[i]) && (i == from || name[i] >= 'a' || name[i-1] < 'a') {
			continue
		}
		switch strings.ToLower(name[from:i]) {
		case "lat", "latitude", "lon", "lng", "longitude", "coords", "coordinates", "latlng", "latlon", "latlong":
			return true
		}
		if from = i; i < len(name) && !isLetter(name[i]) {
			from = i + 1
		}
	}
	return false
}

func isLetter(b byte) bool { return b|0x20 >= 'a' && b|0x20 <= 'z' }
