// Package app holds the verbs: one method for each use case. The verbs about the fleet (assets and their reports, places, device
// configurations, sharing between organizations) are here; those about people and about other publishers' feeds are embedded. The
// order in a verb is fixed: permission, load, law, store, commit, message.
package app

import (
	"sync"
	"sync/atomic"

	"lightbar/internal/feeds"
	"lightbar/internal/fleet"
	"lightbar/internal/people"
	"lightbar/internal/provider"
	"lightbar/internal/record"
	"lightbar/internal/wire"
)

// App holds the verbs; create one with New. The verbs about people and about other publishers' feeds are embedded, so that the code
// that serves a request needs only one value.
type App struct {
	*people.Accounts
	*feeds.Incoming

	Areas        record.Collection[*App, fleet.Area, wire.Area, wire.AreaWrite]
	Closures     record.Collection[*App, fleet.Closure, wire.Closure, wire.ClosureWrite]
	Exports      record.Collection[*App, fleet.Export, wire.Export, wire.ExportWrite]
	Hazards      record.Collection[*App, fleet.Hazard, wire.Hazard, wire.HazardWrite]
	Integrations record.Collection[*App, fleet.Integration, wire.Integration, wire.IntegrationWrite]
	Zones        record.Collection[*App, fleet.Zone, wire.Zone, wire.ZoneWrite]

	ingest     ingest     // the group commit of reports; the zero value works
	turns      turns      // of long work on the picture; the zero value works
	undos      sync.Map   // imports of assets that are being undone, by ID
	looking    turns      // of reading what assets did, a long piece of work
	exporting  exporting  // which organization's export is next
	feeds      feedCache  // of our own
	ledger     ledger     // which readers fetched them
	shown      shown      // alerts shown to drivers
	monthly    monthly    // the monthly reports
	purged     purged     // what the last purge deleted
	desk       desk       // commands that wait for their devices
	cuts       cuts       // assets whose connections were cut
	telematics telematics // providers that are being asked
	damaged    damaged    // damaged points that the audit already names
	watching   watch      // the watchdog's open findings

	unanswerable atomic.Bool // the last pass over closures failed, so it is not known whether questions could be answered

	// Around is what the process knows about its surroundings.
	Around Surroundings

	// NewProvider creates the client of an account at a provider.
	NewProvider func(kind string, of provider.Account) (provider.Client, error)
	// RoadOf returns the name of the road at the middle of a line, empty if none is known; nil without a region.
	RoadOf func(line []fleet.LatLng) string
}

// Options are what the verbs need.
type Options = people.Options

// New creates the verbs from what they need.
func New(o Options) *App {
	a := &App{Accounts: people.New(o)}
	a.Areas, a.Closures, a.Exports = areas.By(a), closures.By(a), exports.By(a)
	a.Hazards, a.Integrations, a.Zones = hazards.By(a), integrations.By(a), zones.By(a)
	a.looking.full = "Too many people of this organization are looking at trips. Please wait a moment."
	a.Incoming = feeds.New(a.Accounts, feeds.Fleet{TellClosure: a.tellClosure, TakeHazards: a.takeFeedHazards})
	if a.Live != nil {
		a.Live.TellClosures(a.closureWire)
	}
	a.StillAsked, a.StillReads = a.stillAsked, a.stillReads
	a.NewProvider = func(kind string, of provider.Account) (provider.Client, error) {
		return provider.New(kind, of, provider.Options{Outbound: &a.Outbound, Now: a.Now})
	}
	return a
}

// resource is a noun that changes when someone edits it; its verbs are ours.
type resource[T, W, B any] = record.Resource[*App, T, W, B]

// Rows requests the rows of a noun.
type Rows = record.Rows

// NewID is the default identity seam: UUID v7 text.
func NewID() string { return people.NewID() }

// now is the current instant.
func (a *App) now() fleet.Instant { return fleet.InstantOf(a.Now()) }

// organizationName is what lists call an organization; empty for the audit, whose rows nobody (a is nil) shows.
func (a *App) organizationName(id string) string {
	if a == nil {
		return ""
	}
	of, _ := a.Live.Organization(id)
	return of.Name
}
