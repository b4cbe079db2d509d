package api

import (
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"lightbar/catalog"
)

// ID is an id in an address or a query: capitals name the same UUID, so it lowers itself. One in a body is a wire.ID.
type ID string

// Resolve implements huma.Resolver: it runs on every parameter of this type.
func (id *ID) Resolve(huma.Context) []error {
	*id = ID(strings.ToLower(string(*id)))
	return nil
}

// String is the id as the verbs know it.
func (id ID) String() string { return string(id) }

// OrgIDs are the organizations that a list is asked for, each an ID, at most as many as the catalog says.
type OrgIDs []ID

var orgIDsMost = int(catalog.LimitInt("http", "orgIdsPerCall"))

// TransformSchema implements huma.SchemaTransformer.
func (OrgIDs) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	s.MaxItems = &orgIDsMost
	return s
}

// texts are ids as the verbs take lists of them.
func texts(ids []ID) []string {
	out := make([]string, len(ids))
	for i, id := range ids {
		out[i] = string(id)
	}
	return out
}
