package api

import (
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// describeCreations gives each creation a shape of its own in the document: what edits take, with the fields that no new record
// can be without (needs, by operation, as the noun's law says). Requests are still read by the shape of edits, which they were
// registered with: the verbs refuse a missing field in their own words.
func describeCreations(api *huma.OpenAPI, needs map[string][]string) {
	shapes := api.Components.Schemas.Map()
	eachOperation(api, func(op *huma.Operation) {
		fields := needs[op.OperationID]
		if fields == nil {
			return
		}
		body := op.RequestBody.Content["application/json"]
		edited := strings.TrimPrefix(body.Schema.Ref, shapesPrefix)
		made := *shapes[edited]
		made.Description = "What " + edited + " has, for a new one. Fields that are needed only with others say so."
		extend(&made, heldByLaw, fields)
		made.Required = slices.Compact(slices.Sorted(slices.Values(slices.Concat(made.Required, fields))))
		name := strings.TrimSuffix(edited, "Write") + "Create"
		shapes[name] = &made
		op.RequestBody.Content["application/json"] = &huma.MediaType{Schema: &huma.Schema{Ref: shapesPrefix + name}}
	})
}
