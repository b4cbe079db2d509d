package app

import (
	"slices"
	"strings"

	"lightbar/catalog"
	"lightbar/internal/fleet"
)

// The scopes with a door of their own. Keys may carry all of the catalog's
// (keyScopes): what has no door yet opens nothing.
const (
	ScopeIngest   = "ingest"   // sends reports of its organization's assets, fetches their configuration
	ScopeRegister = "register" // makes assets of its organization known
)

// AllScopes are all that a key may have.
func AllScopes() []string { return catalog.AllEnums().KeyScopes }

// scopesOf is what a new key may be used for: what was asked for, each once and
// in the catalog's order, ingest when nothing was said. A key of one asset has
// no scopes. fields takes what is wrong.
func scopesOf(fields map[string]string, in NewKey) []string {
	known := AllScopes()
	switch {
	case in.ThingID != "" && in.Scopes != nil:
		fields["scopes"] = "A single-asset key reports for its asset and has no scopes."
	case in.ThingID != "":
		return []string{}
	case in.Scopes == nil:
		return []string{ScopeIngest}
	case len(in.Scopes) == 0:
		fields["scopes"] = "Choose at least one of " + strings.Join(known, ", ") + "."
	case slices.ContainsFunc(in.Scopes, func(s string) bool { return !slices.Contains(known, s) }):
		fields["scopes"] = "Scopes are " + strings.Join(known, ", ") + "."
	}
	return slices.DeleteFunc(slices.Clone(known), func(s string) bool { return !slices.Contains(in.Scopes, s) })
}

// mustIngest refuses (scope_ingest_missing) a key that may not report.
func (a *Actor) mustIngest() error {
	if a.KeyThingID != "" || slices.Contains(a.KeyScopes, ScopeIngest) {
		return nil
	}
	return fleet.Refuse("scope_ingest_missing", "", "This API key can't send reports: it doesn't have the ingest scope.")
}

// mustRegister refuses (scope_register_missing) a key that may not make assets known.
func (a *Actor) mustRegister() error {
	if slices.Contains(a.KeyScopes, ScopeRegister) {
		return nil
	}
	return fleet.Refuse("scope_register_missing", "", "This API key can't register assets: it doesn't have the register scope.")
}
