package access

import (
	"slices"

	"lightbar/catalog"
	"lightbar/internal/fleet"
)

// The scopes of the catalog (keyScopes): each opens a door of its own.
const (
	ScopeIngest   = "ingest"   // sends reports of its organization's assets, fetches their configuration
	ScopeRegister = "register" // makes assets of its organization known
	ScopeFeeds    = "feeds"    // reads its organization's feeds of closures and devices
	ScopeAlerts   = "alerts"   // reads which of its organization's assets have their lights on
)

// AllScopes are all that a key may have.
func AllScopes() []string { return catalog.AllEnums().KeyScopes }

// MustIngest refuses (scope_ingest_missing) a key that may not report.
func (a *Actor) MustIngest() error {
	if a.KeyThingID != "" || slices.Contains(a.KeyScopes, ScopeIngest) {
		return nil
	}
	return fleet.Refuse("scope_ingest_missing", "", "This API key can't send reports: it doesn't have the ingest scope.")
}

// MustRegister refuses (scope_register_missing) a key that may not register assets.
func (a *Actor) MustRegister() error {
	if slices.Contains(a.KeyScopes, ScopeRegister) {
		return nil
	}
	return fleet.Refuse("scope_register_missing", "", "This API key can't register assets: it doesn't have the register scope.")
}

// MustReadFeeds refuses (forbidden) a key that may not read feeds.
func (a *Actor) MustReadFeeds() error {
	if slices.Contains(a.KeyScopes, ScopeFeeds) {
		return nil
	}
	return fleet.Refuse("forbidden", "", "This API key can't read feeds: it doesn't have the feeds scope.")
}

// MustReadAlerts refuses (forbidden) a key that may not read alerts.
func (a *Actor) MustReadAlerts() error {
	if slices.Contains(a.KeyScopes, ScopeAlerts) {
		return nil
	}
	return fleet.Refuse("forbidden", "", "This API key can't read alerts: it doesn't have the alerts scope.")
}
