package people

import (
	"slices"
	"strings"

	"lightbar/internal/access"
	"lightbar/internal/wire"
)

// scopesOf are the scopes of a new key: the requested ones, each once and in
// the catalog's order; ingest if none were requested. A key of one asset has no
// scopes. Errors go into fields.
func scopesOf(fields map[string]string, in wire.KeyCreate) []string {
	known := access.AllScopes()
	switch {
	case in.ThingID != "" && in.Scopes != nil:
		fields["scopes"] = "A single-asset key only reports for its asset and can't have scopes."
	case in.ThingID != "":
		return []string{}
	case in.Scopes == nil:
		return []string{access.ScopeIngest}
	case len(in.Scopes) == 0:
		fields["scopes"] = "Choose at least one of " + strings.Join(known, ", ") + "."
	case slices.ContainsFunc(in.Scopes, func(s string) bool { return !slices.Contains(known, s) }):
		fields["scopes"] = "Scopes are " + strings.Join(known, ", ") + "."
	}
	return slices.DeleteFunc(slices.Clone(known), func(s string) bool { return !slices.Contains(in.Scopes, s) })
}
