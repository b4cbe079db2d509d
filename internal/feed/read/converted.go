package read

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// Programs that convert XML to JSON write attributes and texts each in a way of their own: "@type", "-type", "@_type", or in an
// object called $ or @attributes, and every element as a list of one. They mean the same as the XML.

// attributeBags hold the attributes of an element.
var attributeBags = map[string]bool{"$": true, "@": true, "_attr": true, "_attributes": true, "@attributes": true, "attr": true,
	"attributes": true, "@_attributes": true}

// elementTexts are the text of an element that has attributes, too.
var elementTexts = map[string]bool{"#text": true, "_text": true, "_": true, "$": true, "$t": true, "__text": true, "_value": true,
	"#cdata-section": true, "_cdata": true, "__cdata": true, "#cdata": true, "content": true, "_content": true, "#": true, "$value": true}

// attributeMarks are the prefixes of an attribute's name.
var attributeMarks = []string{"@_", "@", "-", "_"}

// plainIncident is an incident of JSON as the reader of XML gives it.
func plainIncident(raw []byte) []byte {
	if !isConverted(raw) {
		return raw
	}
	in := json.NewDecoder(bytes.NewReader(raw))
	in.UseNumber()
	var v any
	if in.Decode(&v) != nil {
		return raw
	}
	if out, err := json.Marshal(converted(v)); err == nil {
		return out
	}
	return raw
}

// isConverted recognizes at a glance what may have been converted from XML.
func isConverted(raw []byte) bool {
	for _, mark := range []string{`"@`, `"-`, `"_`, `"$`, `"#`, `[`, `:type"`, `"attr"`, `"attributes"`} {
		if bytes.Contains(raw, []byte(mark)) {
			return true
		}
	}
	return false
}

// converted is an element as the reader of XML gives it: attributes and children
// by their names, or its text. Children come before attributes of the same name.
func converted(v any) any {
	switch v := v.(type) {
	case []any:
		if len(v) == 1 {
			return converted(v[0])
		}
		for i := range v {
			v[i] = converted(v[i])
		}
	case map[string]any:
		return element(v)
	}
	return v
}

func element(of map[string]any) any {
	if isPlain(of) { // as it is: there may be very many
		for name, v := range of {
			of[name] = converted(v)
		}
		return of
	}
	e := elementMembers{children: map[string]any{}, attributes: map[string]any{}}
	names := make([]string, 0, len(of))
	for name := range of {
		names = append(names, name)
	}
	slices.Sort(names) // the same document has the same answer
	for _, name := range names {
		e.add(name, of[name])
	}
	return e.joined()
}

// isPlain recognizes an element that has only children, by their own names.
func isPlain(of map[string]any) bool {
	for name := range of {
		if mark, _ := markOf(name); mark != "" || attributeBags[name] || elementTexts[name] || localName(name) != name {
			return false
		}
	}
	return len(of) > 0
}

// elementMembers are the members of an element.
type elementMembers struct {
	children, attributes map[string]any
	text                 string
}

func (e *elementMembers) add(name string, v any) {
	bag, isObject := v.(map[string]any)
	text, isText := alone(v).(string)
	switch mark, rest := markOf(name); {
	case attributeBags[name] && isObject:
		for name, v := range bag {
			_, name = markOf(name)
			e.attribute(name, v)
		}
	case elementTexts[name] && isText:
		e.text += text
	case mark != "":
		e.attribute(rest, v)
	default:
		e.children[localName(name)] = converted(v)
	}
}

// attribute adds one, but none that only declares a name space or a schema.
func (e *elementMembers) attribute(name string, v any) {
	if space, _, ok := strings.Cut(name, ":"); name != "xmlns" && (!ok || space != "xmlns" && space != "xsi" && space != "xml") {
		e.attributes[localName(name)] = converted(v)
	}
}

// joined is the element: its text where it has no children, else all members.
func (e *elementMembers) joined() any {
	text := strings.TrimSpace(e.text)
	if len(e.children) == 0 && (text != "" || len(e.attributes) == 0) {
		return text
	}
	for name, v := range e.attributes {
		if _, has := e.children[name]; !has {
			e.children[name] = v
		}
	}
	return e.children
}

// alone is the element of a list of one.
func alone(v any) any {
	if l, ok := v.([]any); ok && len(l) == 1 {
		return l[0]
	}
	return v
}

func markOf(name string) (mark, rest string) {
	for _, mark := range attributeMarks {
		if rest, ok := strings.CutPrefix(name, mark); ok && rest != "" {
			return mark, rest
		}
	}
	return "", name
}

// localName is a name without the prefix of its name space.
func localName(name string) string { return name[strings.LastIndexByte(name, ':')+1:] }
