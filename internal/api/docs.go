package api

import (
	"bytes"
	"net/http"
	"slices"
	"sort"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// The documentation page is rendered from the document at start: no script,
// nothing from elsewhere.
type (
	docsPage struct {
		Title, Version, Description, Base string
		Groups                            []docsGroup
		Shapes                            []docsShape
	}
	docsGroup struct {
		Name, Description string
		Calls             []docsCall
	}
	docsCall struct {
		ID, Method, Class, Path, Summary, Description string
		SignedIn                                      bool
		Parameters                                    []docsField
		Body, Answer                                  *docsType
		Statuses                                      []string
	}
	docsField struct {
		Name, In, Text string
		Required       bool
		Type           docsType
	}
	docsType  struct{ Text, Link string }
	docsShape struct {
		Name, Text string
		Fields     []docsField
	}
)

func (s *server) serveDocs(w http.ResponseWriter, r *http.Request) {
	s.docs.once.Do(func() { s.docs.page = renderDocs(s.huma.OpenAPI()) })
	setPage(w.Header(), formPolicy)
	serveBytes(w, r, "text/html; charset=utf-8", s.docs.page)
}

func renderDocs(api *huma.OpenAPI) []byte {
	p := docsPage{Title: api.Info.Title, Version: api.Info.Version, Description: api.Info.Description, Base: api.Servers[0].URL}
	for _, tag := range api.Tags {
		group := docsGroup{Name: tag.Name, Description: tag.Description}
		for path, item := range api.Paths {
			for method, op := range map[string]*huma.Operation{"GET": item.Get, "POST": item.Post, "PUT": item.Put, "DELETE": item.Delete,
				"PATCH": item.Patch} {
				if op != nil && slices.Contains(op.Tags, tag.Name) {
					group.Calls = append(group.Calls, callDocs(method, path, op))
				}
			}
		}
		sort.Slice(group.Calls, func(i, j int) bool {
			a, b := group.Calls[i], group.Calls[j]
			return a.Path < b.Path || (a.Path == b.Path && a.Method < b.Method)
		})
		p.Groups = append(p.Groups, group)
	}
	for name, schema := range api.Components.Schemas.Map() {
		p.Shapes = append(p.Shapes, docsShape{Name: name, Text: schema.Description, Fields: fieldsOf(schema)})
	}
	sort.Slice(p.Shapes, func(i, j int) bool { return p.Shapes[i].Name < p.Shapes[j].Name })
	var b bytes.Buffer
	if err := pages.ExecuteTemplate(&b, "docs.html", p); err != nil {
		panic("api: documentation: " + err.Error()) // the template lies in the binary and is tested
	}
	return b.Bytes()
}

func callDocs(method, path string, op *huma.Operation) docsCall {
	out := docsCall{ID: op.OperationID, Method: method, Class: strings.ToLower(method), Path: path, Summary: op.Summary,
		Description: op.Description, SignedIn: len(op.Security) > 0}
	for _, p := range op.Parameters {
		out.Parameters = append(out.Parameters, docsField{Name: p.Name, In: p.In, Required: p.Required,
			Text: textOf(p.Description, p.Schema), Type: typeOf(p.Schema)})
	}
	if op.RequestBody != nil {
		if media := op.RequestBody.Content["application/json"]; media != nil {
			t := typeOf(media.Schema)
			out.Body = &t
		}
	}
	for status, response := range op.Responses {
		out.Statuses = append(out.Statuses, status)
		if media := response.Content["application/json"]; media != nil && strings.HasPrefix(status, "2") {
			t := typeOf(media.Schema)
			out.Answer = &t
		}
	}
	sort.Strings(out.Statuses)
	return out
}

func fieldsOf(schema *huma.Schema) []docsField {
	names := make([]string, 0, len(schema.Properties))
	for name := range schema.Properties {
		names = append(names, name)
	}
	sort.Strings(names)
	out := make([]docsField, 0, len(names))
	for _, name := range names {
		property := schema.Properties[name]
		out = append(out, docsField{Name: name, Required: slices.Contains(schema.Required, name),
			Text: textOf(property.Description, property), Type: typeOf(property)})
	}
	return out
}

// textOf adds the allowed values to a description.
func textOf(description string, schema *huma.Schema) string {
	values := valuesOf(schema)
	if len(values) == 0 {
		return description
	}
	if description != "" {
		description += ": "
	}
	return description + strings.Join(values, ", ")
}

// valuesOf is the closed list of a field, whether or not requests are checked by it; empty text needs no name.
func valuesOf(schema *huma.Schema) (out []string) {
	if schema == nil {
		return nil
	}
	for _, v := range schema.Enum {
		if text, ok := v.(string); ok {
			out = append(out, text)
		}
	}
	said, _ := oneOfMany(schema).Extensions["enum"].([]string)
	return append(out, slices.DeleteFunc(slices.Clone(said), func(text string) bool { return text == "" })...)
}

func typeOf(schema *huma.Schema) docsType {
	if schema == nil {
		return docsType{Text: "any"}
	}
	if schema.Ref != "" {
		name := schema.Ref[strings.LastIndex(schema.Ref, "/")+1:]
		return docsType{Text: name, Link: name}
	}
	if len(schema.OneOf) == 2 && schema.OneOf[1].Type == "null" {
		t := typeOf(schema.OneOf[0])
		return docsType{Text: t.Text + " or null", Link: t.Link}
	}
	var t docsType
	switch {
	case schema.Type == huma.TypeArray && schema.Items != nil:
		item := typeOf(schema.Items)
		t = docsType{Text: item.Text + "[]", Link: item.Link}
	case schema.Format == "date-time":
		t = docsType{Text: "instant"}
	case schema.Type == "":
		t = docsType{Text: "any"}
	default:
		t = docsType{Text: schema.Type}
	}
	if schema.Nullable {
		t.Text += " or null"
	}
	return t
}
