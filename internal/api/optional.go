package api

import (
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// uuidOrEmpty and instantOrEmpty are the formats of optional ids and instants in a body: "Ids are uuid or empty", "Dates
// are ISO datetime with offset or empty" (requirements 5.general). The instant's own law looks at its day.
const (
	uuidOrEmpty    = `^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12})?$`
	instantOrEmpty = `^(\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])[Tt]([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?` +
		`([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d))?$`
)

// emptyIsNone lets every optional id and instant of a body be null or "", which mean none.
func emptyIsNone(api *huma.OpenAPI) {
	seen := map[*huma.Schema]bool{}
	for _, item := range api.Paths {
		for _, op := range []*huma.Operation{item.Post, item.Put, item.Patch, item.Delete} {
			if op == nil || op.RequestBody == nil {
				continue
			}
			if body := op.RequestBody.Content["application/json"]; body != nil {
				loosen(api.Components.Schemas, body.Schema, seen)
			}
		}
	}
}

func loosen(registry huma.Registry, s *huma.Schema, seen map[*huma.Schema]bool) {
	if s != nil && s.Ref != "" {
		s = registry.SchemaFromRef(s.Ref)
	}
	if s == nil || seen[s] {
		return
	}
	seen[s] = true
	loosen(registry, s.Items, seen)
	for name, property := range s.Properties {
		if !slices.Contains(s.Required, name) {
			emptyOr(property)
		}
		loosen(registry, property, seen)
	}
	s.PrecomputeMessages()
}

func emptyOr(s *huma.Schema) {
	pattern, what := uuidOrEmpty, "a UUID"
	switch s.Format {
	case "uuid":
	case "date-time":
		pattern, what = instantOrEmpty, "a date and time such as 2026-11-21T10:42:07Z"
	default:
		return
	}
	// The document still names the format, for programs that are made from it; the check goes by the pattern.
	s.Extensions = map[string]any{"format": s.Format}
	s.Format, s.Pattern, s.PatternDescription, s.Nullable = "", pattern, what, true
	if !strings.Contains(s.Description, "empty =") {
		s.Description = strings.TrimPrefix(s.Description+"; null or empty = left out", "; ")
	}
	s.PrecomputeMessages()
}
