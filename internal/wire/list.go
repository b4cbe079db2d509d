package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"

	"lightbar/internal/fleet"
)

// longRow is a row of which a few fields are most of its text: encoding/json looks up the names of two fields for each
// point of a line, and reads each text that a type writes itself once more.
type longRow interface {
	// parts are the row without these fields, which are then null, and what belongs there, in the order of the fields.
	parts() (short any, long []longPart)
}

type longPart struct {
	field  string
	append func(b []byte) []byte
}

// WriteJSON writes the list as encoding/json would.
func (l List[T]) WriteJSON(to io.Writer) error {
	enc := json.NewEncoder(to)
	enc.SetEscapeHTML(false)
	if _, isLong := any((*T)(nil)).(longRow); !isLong || l.Data == nil {
		return enc.Encode(l)
	}
	var short bytes.Buffer
	enc = json.NewEncoder(&short)
	enc.SetEscapeHTML(false)
	b := []byte(`{"data":[`)
	for i := range l.Data {
		if i > 0 {
			b = append(b, ',')
		}
		row, long := any(&l.Data[i]).(longRow).parts()
		short.Reset()
		if err := enc.Encode(row); err != nil {
			return err
		}
		var err error
		if b, err = appendParts(b, bytes.TrimSuffix(short.Bytes(), []byte("\n")), long); err != nil {
			return err
		}
	}
	short.Reset()
	if err := enc.Encode(l.Meta); err != nil {
		return err
	}
	b = append(append(b, `],"meta":`...), bytes.TrimSuffix(short.Bytes(), []byte("\n"))...)
	_, err := to.Write(append(b, "}\n"...))
	return err
}

// appendParts puts long fields in the place of their nulls. A text that says the same of itself has its quotes escaped.
func appendParts(b, row []byte, long []longPart) ([]byte, error) {
	for _, part := range long {
		name := strconv.Quote(part.field) + ":"
		at := bytes.Index(row, []byte(name+"null"))
		if at < 0 {
			return nil, fmt.Errorf("wire: a row without the field %s", part.field)
		}
		b = part.append(append(append(b, row[:at]...), name...))
		row = row[at+len(name)+len("null"):]
	}
	return append(b, row...), nil
}

// appendLine appends a line as encoding/json writes it.
func appendLine(b []byte, line []fleet.LatLng) []byte {
	if line == nil {
		return append(b, "null"...)
	}
	b = append(b, '[')
	for i := range line {
		if i > 0 {
			b = append(b, ',')
		}
		b = number(append(b, `{"lat":`...), line[i].Lat)
		b = append(number(append(b, `,"lng":`...), line[i].Lng), '}')
	}
	return append(b, ']')
}

func (c *Closure) parts() (short any, long []longPart) {
	row := *c
	row.GeocodedRoute, row.CalculatedRoute, row.UserRoute = nil, nil, nil
	line := func(of []fleet.LatLng) func([]byte) []byte {
		return func(b []byte) []byte { return appendLine(b, of) }
	}
	return &row, []longPart{{"geocoded_route", line(c.GeocodedRoute)}, {"calculated_route", line(c.CalculatedRoute)},
		{"user_route", line(c.UserRoute)}}
}

func (a *Area) parts() (short any, long []longPart) {
	row := *a
	row.AreaGeom = nil
	return &row, []longPart{{"area_geom", func(b []byte) []byte {
		if len(a.AreaGeom) == 0 {
			return append(b, "null"...)
		}
		return append(b, a.AreaGeom...)
	}}}
}
