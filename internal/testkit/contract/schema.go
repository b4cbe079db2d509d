// Package contract compares the server's answers with the API documents that it
// publishes. For tests only.
package contract

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Document is a published document (OpenAPI or AsyncAPI) with its shapes.
type Document struct {
	Tree   map[string]any
	Shapes map[string]any
	// Seen is what the values checked so far have shown of each property, by "Shape.property".
	Seen map[string]Seen
}

// Seen is what has been met of a property.
type Seen struct{ Present, Absent, Null, Value bool }

// Read reads a document.
func Read(t testing.TB, document []byte) *Document {
	t.Helper()
	d := &Document{Seen: map[string]Seen{}}
	if err := json.Unmarshal(document, &d.Tree); err != nil {
		t.Fatalf("the document is not JSON: %v", err)
	}
	d.Shapes, _ = At(d.Tree, "components", "schemas").(map[string]any)
	if len(d.Shapes) == 0 {
		t.Fatal("the document has no shapes")
	}
	return d
}

// At follows names into a value; nil when there is nothing.
func At(v any, names ...string) any {
	for _, name := range names {
		object, _ := v.(map[string]any)
		v = object[name]
	}
	return v
}

// Check holds a body against a schema of the document and answers what is
// wrong, each line with the name of the field.
func (d *Document) Check(schema any, body []byte) []string {
	var v any
	if err := json.Unmarshal(body, &v); err != nil {
		return []string{"not JSON: " + err.Error()}
	}
	c := check{document: d, seen: map[string]Seen{}}
	c.value(schema, v, "", "")
	if len(c.wrong) == 0 {
		d.remember(c.seen)
	}
	return c.wrong
}

// CheckShape is Check against a named shape.
func (d *Document) CheckShape(name string, body []byte) []string {
	return d.Check(map[string]any{"$ref": shapePrefix + name}, body)
}

const shapePrefix = "#/components/schemas/"

func (d *Document) remember(seen map[string]Seen) {
	for name, s := range seen {
		d.Seen[name] = d.Seen[name].And(s)
	}
}

// And is what either has met.
func (s Seen) And(o Seen) Seen {
	return Seen{Present: s.Present || o.Present, Absent: s.Absent || o.Absent, Null: s.Null || o.Null, Value: s.Value || o.Value}
}

// check is one comparison.
type check struct {
	document *Document
	seen     map[string]Seen
	wrong    []string
}

func (c *check) say(at, format string, args ...any) {
	c.wrong = append(c.wrong, strings.TrimPrefix(at+": ", ": ")+fmt.Sprintf(format, args...))
}

// known are the words of JSON Schema that are read here; a document that uses another one is not checked in full.
var known = map[string]bool{"type": true, "$ref": true, "oneOf": true, "enum": true, "properties": true, "required": true, "additionalProperties": true,
	"items": true, "minimum": true, "maximum": true, "maxLength": true, "maxItems": true, "format": true, "description": true,
	"x-held-by-law": true}

// value holds v against a schema. at is where v stands in the body, shape the
// name by which the schema's properties are remembered.
func (c *check) value(schema, v any, at, shape string) {
	s, ok := schema.(map[string]any)
	if !ok {
		c.say(at, "no schema")
		return
	}
	for word := range s {
		if !known[word] {
			c.say(at, "the schema says %q, which is not read here", word)
		}
	}
	if ref, ok := s["$ref"].(string); ok {
		name := strings.TrimPrefix(ref, shapePrefix)
		if c.document.Shapes[name] == nil {
			c.say(at, "the document has no shape %s", name)
			return
		}
		c.value(c.document.Shapes[name], v, at, name)
		return
	}
	if parts, ok := s["oneOf"].([]any); ok {
		c.oneOf(parts, v, at, shape)
		return
	}
	if !c.kind(s, v, at) || v == nil {
		return
	}
	if enum, ok := s["enum"].([]any); ok && !slices.Contains(enum, v) {
		c.say(at, "%v is none of %v", v, enum)
	}
	switch v := v.(type) {
	case map[string]any:
		c.object(s, v, at, shape)
	case []any:
		if most, ok := s["maxItems"].(float64); ok && float64(len(v)) > most {
			c.say(at, "more than %v items", most)
		}
		for i, item := range v {
			if s["items"] != nil {
				c.value(s["items"], item, fmt.Sprintf("%s[%d]", at, i), shape+"[]")
			}
		}
	case string:
		c.text(s, v, at)
	case float64:
		if least, ok := s["minimum"].(float64); ok && v < least {
			c.say(at, "%v is below %v", v, least)
		}
		if most, ok := s["maximum"].(float64); ok && v > most {
			c.say(at, "%v is above %v", v, most)
		}
	}
}

func (c *check) oneOf(parts []any, v any, at, shape string) {
	var fits []check
	var nearest []string // what the shape that fits best does not like
	for _, part := range parts {
		try := check{document: c.document, seen: map[string]Seen{}}
		try.value(part, v, at, shape)
		if len(try.wrong) == 0 {
			fits = append(fits, try)
		}
		if nearest == nil || len(try.wrong) < len(nearest) {
			nearest = try.wrong
		}
	}
	if len(fits) != 1 {
		c.say(at, "fits %d of %d shapes: %s", len(fits), len(parts), strings.Join(nearest, "; "))
		return
	}
	for name, s := range fits[0].seen {
		c.seen[name] = c.seen[name].And(s)
	}
}

// kind reports whether v is of the schema's type.
func (c *check) kind(s map[string]any, v any, at string) bool {
	var types []any
	switch t := s["type"].(type) {
	case nil:
		return true
	case string:
		types = []any{t}
	case []any:
		types = t
	}
	is := "null"
	switch v := v.(type) {
	case bool:
		is = "boolean"
	case string:
		is = "string"
	case float64:
		is = "number"
		if v == math.Trunc(v) && slices.Contains(types, any("integer")) {
			is = "integer"
		}
	case []any:
		is = "array"
	case map[string]any:
		is = "object"
	}
	if !slices.Contains(types, any(is)) {
		c.say(at, "is %s, not %v", is, s["type"])
		return false
	}
	return true
}

func (c *check) object(s, v map[string]any, at, shape string) {
	properties, _ := s["properties"].(map[string]any)
	required, _ := s["required"].([]any)
	for _, name := range slices.Sorted(maps.Keys(v)) {
		if properties[name] != nil {
			continue
		}
		switch more := s["additionalProperties"].(type) {
		case map[string]any:
			c.value(more, v[name], at+"."+name, shape+".*")
		case bool:
			if !more {
				c.say(at+"."+name, "the schema does not know it")
			}
		default:
			if s["type"] != nil {
				c.say(at+"."+name, "the schema does not know it")
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		value, present := v[name]
		key := shape + "." + name
		c.seen[key] = c.seen[key].And(Seen{Present: present, Absent: !present, Null: present && value == nil, Value: present && value != nil})
		if !present {
			if slices.Contains(required, any(name)) {
				c.say(at+"."+name, "is missing")
			}
			continue
		}
		c.value(properties[name], value, at+"."+name, key)
	}
}

var (
	instantPattern = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$`)
	uuidPattern    = regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)
)

func (c *check) text(s map[string]any, v, at string) {
	if most, ok := s["maxLength"].(float64); ok && float64(len([]rune(v))) > most {
		c.say(at, "is longer than %v", most)
	}
	switch s["format"] {
	case nil:
	case "date-time":
		if !instantPattern.MatchString(v) {
			c.say(at, "%q is no instant", v)
		}
	case "uuid":
		if !uuidPattern.MatchString(v) {
			c.say(at, "%q is no UUID", v)
		}
	default:
		c.say(at, "the schema says format %v, which is not read here", s["format"])
	}
}
