// Package api is the HTTP layer: it routes, decodes, calls a verb, and encodes.
// JSON resources are huma operations on net/http's ServeMux. Ingest, the stream,
// tiles, and the web app are plain handlers.
package api

import (
	"io/fs"
	"net/http"
	"net/netip"
	"reflect"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"lightbar/internal/alerts"
	"lightbar/internal/app"
	"lightbar/internal/budget"
	"lightbar/internal/geo/places"
	"lightbar/internal/geo/route"
	"lightbar/internal/geo/tiles"
	"lightbar/internal/words"
)

// Options are what the main listener needs beside the verbs. Everything but
// Version may be left empty; what is missing is not served.
type Options struct {
	Version string
	// Dist is the built web app (index.html at its root).
	Dist fs.FS
	// Region and Base are the tile files behind /map/region and /map/base.
	Region, Base *tiles.Tiles
	// Roads and Places are what GET /api/geocode looks in.
	Roads  *route.Roads
	Places *places.Places
	// DirectionsURL is a service that lays lines along roads (it speaks OSRM); empty asks Roads.
	DirectionsURL string
	// Words asks what3words; nil without a key.
	Words *words.Client
	// Ingest serves /api/ingest and below; Cable serves /cable.
	Ingest, Cable http.Handler
	// Alerts is the hub of those who follow alerts to drivers.
	Alerts *alerts.Hub
	// TrustedProxies are the hops whose X-Forwarded-For and X-Forwarded-Proto count.
	TrustedProxies []netip.Prefix
	// AllowHTTP takes plain HTTP from everyone although TrustedProxies are named.
	AllowHTTP bool
	// Hosts are the names the server answers to beside the one of App.PublicURL,
	// localhost and IP addresses; with neither set every name is taken.
	Hosts []string
	// Budget is what requests may hold at once; nil makes one of its own.
	Budget *budget.Budget
	// DataDir is where the disk must have room (/readyz).
	DataDir string
	// Metrics counts requests; nil makes one of its own.
	Metrics *Metrics
	// Ready adds a condition to /readyz; nil error means ready.
	Ready func() error
}

type server struct {
	app     *app.App
	options Options
	huma    huma.API
	mux     *http.ServeMux
	methods map[string][]string // by path of the document
	needs   map[string][]string // fields of creations, by operation
	// resources are the rows of nouns (resource), tags the headings that their routes bring (noun); in order of registration.
	resources []reflect.Type
	tags      []*huma.Tag
	document  func() []byte // encoded when it is first asked for
	// streamDocument is the one of the stream.
	streamDocument func() []byte
	limits         brakes
	readers        brakes          // of feeds without a key
	impressions    brakes          // of alerts to drivers
	checks         limiter[string] // of feeds, by user or key
	turns          turns
	exports        turns
	policy         *policyCache
	hopOnce        sync.Once // unreadHop
	readiness
	docs struct {
		once sync.Once
		page []byte
	}
}

// New is the handler of the main listener.
func New(a *app.App, o Options) http.Handler { return newServer(a, o).handler() }

func newServer(a *app.App, o Options) *server {
	if o.Metrics == nil {
		o.Metrics = NewMetrics()
	}
	if o.Budget == nil {
		o.Budget = &budget.Budget{}
	}
	if o.Version == "" {
		o.Version = "development"
	}
	s := &server{app: a, options: o, mux: http.NewServeMux(), methods: map[string][]string{}, needs: map[string][]string{},
		policy:  &policyCache{},
		turns:   turns{most: callsPerUser.Int, waiting: turnsWaiting},
		readers: brakes{networks: limiter[netip.Prefix]{perMinute: func() int { return anonymousReads }}},
		impressions: brakes{networks: limiter[netip.Prefix]{perMinute: impressionsPerAddress.Int},
			consumers: limiter[string]{perMinute: func() int { return impressionsPerConsumer }}},
		checks:  limiter[string]{perMinute: func() int { return feedChecks }},
		exports: turns{most: func() int { return exportsPerUser }}}
	s.huma = humago.NewWithPrefix(s.mux, "/api", humaConfig(o.Version))
	s.sessionRoutes()
	s.linkRoutes()
	s.sessionsRoutes()
	s.factorRoutes()
	s.peopleRoutes()
	s.userRoutes()
	s.organizationRoutes()
	s.keyRoutes()
	s.retentionRoutes()
	s.statusRoutes()
	s.thingRoutes()
	s.tripRoutes()
	s.assetRoutes()
	s.deviceConfigRoutes()
	s.commandRoutes()
	s.locationRoutes()
	s.mapRoutes()
	s.areaRoutes()
	s.zoneRoutes()
	s.exportRoutes()
	s.monthlyRoutes()
	s.hazardRoutes()
	s.undoRoutes()
	s.changesRoutes()
	s.closureRoutes()
	s.questionRoutes()
	s.feedRoutes()
	s.feedSubscriptionRoutes()
	s.integrationRoutes()
	s.watchdogRoutes()
	s.auditRoutes()
	s.ssoRoutes()
	s.finishDocument(s.huma.OpenAPI())
	s.document = sync.OnceValue(func() []byte { return encodeDocument(s.huma.OpenAPI()) })
	s.streamDocument = sync.OnceValue(func() []byte { return encodeDocument(streamDocument(s.huma.OpenAPI())) })
	s.bareRoutes()
	return s
}

// bareRoutes are the handlers without a document.
func (s *server) bareRoutes() {
	s.mux.HandleFunc("GET /api/openapi.json", s.serveDocument)
	s.mux.HandleFunc("GET /api/asyncapi.json", s.serveStreamDocument)
	s.mux.HandleFunc("GET /api/docs", s.serveDocs)
	s.mux.HandleFunc("GET /api/docs/{file}", s.serveDocsFile)
	s.mux.HandleFunc("GET /livez", s.livez)
	s.mux.HandleFunc("GET /readyz", s.readyz)
	s.mux.HandleFunc("GET /map/{source}/{z}/{x}/{y}", s.serveTile)
	s.mux.HandleFunc("GET /files/{link}", s.serveFile)
	s.mux.HandleFunc("GET /feeds/{organization}/{document}", s.serveFeed)
	s.mux.HandleFunc("GET /feeds/{organization}/alerts/stream", s.serveAlertStream)
	s.mux.HandleFunc("POST "+impressionsPath, s.serveImpressions)
	s.mux.HandleFunc("OPTIONS "+impressionsPath, s.allowImpressions)
	s.mux.HandleFunc("/feeds/", func(w http.ResponseWriter, r *http.Request) { fail("not_found").write(w, r) })
	s.mux.HandleFunc("GET /closures/{organization}", s.serveClosures)
	s.mux.HandleFunc("GET /legal/{name}", s.serveLegal)
	s.mux.HandleFunc("GET /setup", s.setupForm)
	s.mux.HandleFunc("POST /setup", s.setupDone)
	s.mux.HandleFunc("/api/", s.noSuchCall)
	s.mux.HandleFunc("/map/", func(w http.ResponseWriter, r *http.Request) { fail("not_found").write(w, r) })
	if s.options.Ingest != nil {
		s.mux.Handle("/api/ingest", s.options.Ingest)
		s.mux.Handle("/api/ingest/", s.options.Ingest)
	}
	if s.options.Cable != nil {
		s.mux.Handle("GET /cable", s.options.Cable)
	}
	s.mux.Handle("/", s.webApp())
}

// NewServer wraps a handler in a server with time-outs and limits everywhere.
// Sockets are not bound by them once they have been taken over.
func NewServer(h http.Handler) *http.Server {
	return &http.Server{
		Handler:           h,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       30 * time.Second,
		WriteTimeout:      60 * time.Second,
		IdleTimeout:       60 * time.Second,
		MaxHeaderBytes:    16 << 10,
		HTTP2: &http.HTTP2Config{
			MaxConcurrentStreams: 100,
			// What a connection may send before anyone reads it.
			MaxReceiveBufferPerConnection: 256 << 10, MaxReceiveBufferPerStream: 64 << 10,
			WriteByteTimeout: 30 * time.Second,
		},
	}
}
