package api

import (
	"encoding/json"
	"net/http"
	"reflect"
	"regexp"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/wire"
)

// instantSchema stands for fleet.Instant in the document.
type instantSchema struct{}

// Schema implements huma.SchemaProvider.
func (instantSchema) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Nullable: true, Format: "date-time", Description: "RFC 3339, UTC, milliseconds"}
}

// enveloped finds what an envelope of wire holds: "List[lightbar/internal/wire.SessionRow]".
var enveloped = regexp.MustCompile(`^(One|List)\[.*\.(\w+?)(Row)?\]$`)

// sentGeometrySchema stands for wire.Geometry in the document.
type sentGeometrySchema struct{}

// Schema implements huma.SchemaProvider.
func (sentGeometrySchema) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeObject, Nullable: true, AdditionalProperties: true,
		Description: "a GeoJSON geometry (RFC 7946), longitude first"}
}

// sentPatternSchema stands for wire.Pattern in the document.
type sentPatternSchema struct{}

// Schema implements huma.SchemaProvider.
func (sentPatternSchema) Schema(r huma.Registry) *huma.Schema {
	out := huma.SchemaFromType(r, reflect.TypeFor[fleet.Recurrence]())
	out.Nullable = true
	return out
}

// geometrySchema stands for fleet.Geometry in the document.
type geometrySchema struct{}

// Schema implements huma.SchemaProvider.
func (geometrySchema) Schema(huma.Registry) *huma.Schema {
	position := &huma.Schema{Type: huma.TypeArray, Items: &huma.Schema{Type: huma.TypeNumber}, Description: "longitude, latitude"}
	line := &huma.Schema{Type: huma.TypeArray, Items: position}
	of := func(kind string, coordinates *huma.Schema) *huma.Schema {
		return &huma.Schema{Type: huma.TypeObject, Required: []string{"type", "coordinates"},
			Properties: map[string]*huma.Schema{"type": {Type: huma.TypeString, Enum: []any{kind}}, "coordinates": coordinates}}
	}
	return &huma.Schema{OneOf: []*huma.Schema{of("Point", position), of("LineString", line),
		of("Polygon", &huma.Schema{Type: huma.TypeArray, Items: line})}}
}

// nameOf is what the document calls a type; of envelopes OneThing, Things.
func nameOf(t reflect.Type, hint string) string {
	of := enveloped.FindStringSubmatch(t.Name())
	switch {
	case of == nil:
		return huma.DefaultSchemaNamer(t, hint)
	case of[1] == "One":
		return "One" + of[2]
	case of[2] == "AuditEntry":
		return "AuditList"
	}
	return of[2] + "s"
}

// humaConfig is the document without its operations, and the strict JSON format.
func humaConfig(version string) huma.Config {
	registry := huma.NewMapRegistry("#/components/schemas/", nameOf)
	registry.RegisterTypeAlias(reflect.TypeFor[fleet.Instant](), reflect.TypeFor[instantSchema]())
	registry.RegisterTypeAlias(reflect.TypeFor[wire.Geometry](), reflect.TypeFor[sentGeometrySchema]())
	registry.RegisterTypeAlias(reflect.TypeFor[wire.Pattern](), reflect.TypeFor[sentPatternSchema]())
	registry.RegisterTypeAlias(reflect.TypeFor[fleet.Geometry](), reflect.TypeFor[geometrySchema]())
	registry.RegisterTypeAlias(reflect.TypeFor[wire.AnyMessage](), reflect.TypeFor[messageSchema]())
	config := huma.DefaultConfig("Lightbar", version)
	config.Components.Schemas = registry
	config.Info.Description = "Fleet and roadway-safety dashboard. Lists answer {data, meta}, single resources {data}; " +
		"errors {error, message, fields, request_id}."
	config.Info.License = &huma.License{Name: "Apache-2.0", Identifier: "Apache-2.0"}
	config.Servers = []*huma.Server{{URL: "/api"}}
	config.Components.SecuritySchemes = map[string]*huma.SecurityScheme{"bearer": {Type: "http", Scheme: "bearer",
		Description: "The access token of POST /user_token."}}
	config.OpenAPIPath, config.DocsPath, config.SchemasPath = "", "", ""
	config.CreateHooks, config.Transformers = nil, nil // no $schema in answers
	format := huma.Format{Marshal: marshalJSON, Unmarshal: unmarshalStrict}
	config.Formats = map[string]huma.Format{"application/json": format, "json": format}
	return config
}

// finishDocument adds what the operations do not name and says which
// references may be null.
func (s *server) finishDocument(api *huma.OpenAPI) {
	emptyIsNone(api)
	documentIngest(api)
	describeOpen(api)
	registry := api.Components.Schemas
	documentStream(registry)
	documentCurrent(registry, s.resources)
	idsAreUUIDs(api)
	describeLists(registry)
	describeNouns(registry)
	for name, schema := range registry.Map() {
		if t := registry.TypeFromRef("#/components/schemas/" + name); t != nil {
			nullableReferences(schema, t)
		}
	}
	describeCreations(api, s.needs)
	tagOrder(api, s.tags)
}

// describeOpen writes "security": [] at each operation that needs no session: without it, validators and generated clients don't know.
func describeOpen(api *huma.OpenAPI) {
	eachOperation(api, func(op *huma.Operation) {
		if op.Security == nil {
			op.Security = []map[string][]string{}
		}
	})
}

// documentCurrent says what a refused change shows of the present state: the row that a success would have answered.
func documentCurrent(registry huma.Registry, resources []reflect.Type) {
	current := &huma.Schema{Description: registry.Map()["Failure"].Properties["current"].Description}
	for _, row := range append([]reflect.Type{reflect.TypeFor[wire.Thing](), reflect.TypeFor[wire.Member](),
		reflect.TypeFor[wire.OrganizationRow](), reflect.TypeFor[wire.DeviceConfig](), reflect.TypeFor[wire.Key](),
		reflect.TypeFor[wire.Location](), reflect.TypeFor[wire.Watchdog]()}, resources...) {
		current.OneOf = append(current.OneOf, registry.Schema(row, true, ""))
	}
	registry.Map()["Current"] = current // a shape of its own, so that it may gain rows
	registry.Map()["Failure"].Properties["current"] = &huma.Schema{Ref: "#/components/schemas/Current"}
}

// nullableReferences marks fields that are pointers to structures and always present: null is an answer.
func nullableReferences(schema *huma.Schema, t reflect.Type) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return
	}
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous {
			nullableReferences(schema, f.Type)
			continue
		}
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		property := schema.Properties[name]
		if f.Type.Kind() != reflect.Pointer || property == nil || property.Ref == "" || strings.Contains(options, "omitempty") {
			continue
		}
		schema.Properties[name] = &huma.Schema{OneOf: []*huma.Schema{{Ref: property.Ref}, {Type: "null"}}, Description: f.Tag.Get("doc")}
	}
}

// tagOrder lists the groups of the documentation in reading order; those of nouns, which their routes bring, stand in the middle.
func tagOrder(api *huma.OpenAPI, nouns []*huma.Tag) {
	for _, t := range []struct{ name, text string }{
		{"Sign-in", "Tokens: opaque, short-lived, renewed within a family."},
		{"Session", "The caller's sessions and password."},
		{"People", "Who is signed in, and what they can reach."},
		{"Users", "Users of organizations, their roles and invitations."},
		{"Organizations", "Organizations in reach, their settings and relations."},
		{"Keys", "API keys for devices and gateways."},
		{"Retention", "How long data is kept, and legal holds that keep it longer."},
		{"Status", "What needs an administrator, and a test of the mail server."},
		{"Audit", "Who did what and when, and whether the record is intact."},
		{"Things", "Assets: vehicles and equipment."},
		{"Trips", "What assets did, from the points that they reported."},
		{"Locations", "Events and incidents."},
		{}, // the nouns
		{"Monthly reports", "What a month of an organization was, made after its end."},
		{"Watchdog", "What should alert and does not, and what alerts and should not: findings, who was mailed, and what an organization asks."},
		{ingestTag, "What devices and gateways send, by API key."},
		{"Map", "What the map needs to draw."},
		{"Server", "About this installation."},
	} {
		if t.name == "" {
			api.Tags = append(api.Tags, nouns...)
			continue
		}
		api.Tags = append(api.Tags, &huma.Tag{Name: t.name, Description: t.text})
	}
}

// Document is the OpenAPI 3.1 document of the API as indented JSON.
func Document() []byte {
	s := newServer(app.New(app.Options{}), Options{})
	return s.document()
}

// StreamDocument is the AsyncAPI 3 document of the stream as indented JSON.
func StreamDocument() []byte {
	s := newServer(app.New(app.Options{}), Options{})
	return s.streamDocument()
}

// encodeDocument is the indented JSON of a document, its names in order.
func encodeDocument(document any) []byte {
	b, err := json.Marshal(document)
	if err != nil {
		panic("api: the document cannot be encoded: " + err.Error()) // shown by the tests that read it
	}
	var v any
	if err := json.Unmarshal(b, &v); err != nil {
		panic("api: the document is not JSON: " + err.Error())
	}
	out, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		panic("api: the document cannot be indented: " + err.Error())
	}
	return append(out, '\n')
}

func (s *server) serveDocument(w http.ResponseWriter, r *http.Request) {
	serveBytes(w, r, "application/json", s.document())
}

func (s *server) serveStreamDocument(w http.ResponseWriter, r *http.Request) {
	serveBytes(w, r, "application/json", s.streamDocument())
}
