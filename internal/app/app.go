// Package app holds the verbs: one method for each use case. Those of the fleet
// (assets and their reports, places, device configurations, what organizations
// share) are here, those about people and about feeds of others are embedded. The
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

// App holds the verbs; make one with New. Those about people and about feeds of
// others are part of it, so that who serves a request has one value to ask.
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
	looking    turns      // of reading what assets did
	exporting  exporting  // whose turn it is
	feeds      feedCache  // of our own
	ledger     ledger     // who read them
	shown      shown      // to drivers
	monthly    monthly    // the reports of months
	purged     purged     // what the clock deleted last
	desk       desk       // commands that wait for their devices
	cuts       cuts       // assets whose connections were cut
	telematics telematics // providers that are being asked
	damaged    damaged    // points that the audit names
	watching   watch      // what the watchdog has open

	unanswerable atomic.Bool // the last pass over closures failed: whether questions could be answered is not known

	// Around is what the process knows of the server's place.
	Around Surroundings

	// NewProvider makes the client of an account at a provider.
	NewProvider func(kind string, of provider.Account) (provider.Client, error)
	// RoadOf names the road in the middle of a line, empty where none is known; nil without a region.
	RoadOf func(line []fleet.LatLng) string
}

// Options are what the verbs need.
type Options = people.Options

// New makes the verbs over what they need.
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

// Rows asks for the rows of a noun.
type Rows = record.Rows

// NewID is the default identity seam: UUID v7 text.
func NewID() string { return people.NewID() }

// now is the current instant.
func (a *App) now() fleet.Instant { return fleet.InstantOf(a.Now()) }
