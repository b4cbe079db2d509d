package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/alerts"
	"lightbar/internal/api"
	"lightbar/internal/budget"
	"lightbar/internal/cable"
	"lightbar/internal/config"
	"lightbar/internal/device"
	"lightbar/internal/geo/tiles"
	"lightbar/internal/people"
	"lightbar/internal/sso"
	"lightbar/internal/store/engine"
	"lightbar/internal/words"
	"lightbar/internal/work"
	"lightbar/web"
)

// The pace of a graceful stop; together below 25 s.
const (
	stopNotice   = 3 * time.Second  // off loopback: load balancers see that the server is not ready
	stopFrames   = 2 * time.Second  // sockets are told to come again, before anything else
	stopBodies   = 2 * time.Second  // what is half sent arrives, or is cut
	stopSockets  = 8 * time.Second  // sockets have left
	stopRequests = 10 * time.Second // requests and ingest are answered
	stopRest     = 4 * time.Second
)

// server is a running Lightbar.
type server struct {
	*core
	e       *env
	cfg     *config.Server
	ports   *listeners
	hub     *cable.Hub
	alerts  *alerts.Hub
	http    *http.Server
	admin   *http.Server
	control *control
	cert    *certificate       // of HTTP; nil = none
	mqtt    *device.MQTTServer // nil when off

	mqttCert *certificate // nil = MQTT speaks in the clear, on loopback
	held     budget.Budget
	heap     collector

	drive     func(context.Context) error // the demo's fleet; nil = none
	past      func(context.Context) error // makes the demo's history; nil = there is none to make
	leaving   atomic.Bool
	works     context.CancelFunc
	working   []func()          // each waits for a part of what works runs
	listeners []device.Listener // how the world comes in
	served    chan error
}

// newServer takes the ports, reads the files that the settings name, opens the
// database and builds the rooms; nothing serves yet.
func newServer(e *env, cfg *config.Server) (*server, error) {
	s := &server{e: e, cfg: cfg, heap: leanHeap(), served: make(chan error, 5)}
	var err error
	switch {
	case cfg.ACME.Orders():
		s.cert, err = orderedCertificate(cfg, e.common.Data, e.log)
	case cfg.TLSCert != "":
		s.cert, err = loadCertificate(cfg.TLSCert, cfg.TLSKey, e.log)
	}
	if err != nil {
		return nil, err
	}
	if err = s.pairOfMQTT(); err != nil {
		return nil, err
	}
	if s.ports, err = listen(cfg); err != nil {
		return nil, err
	}
	files, err := readFiles(e, cfg)
	if err == nil {
		s.core, err = openCore(e, serverRole, files.streets, false)
	}
	if err != nil {
		return nil, errors.Join(err, s.ports.close())
	}
	if err := s.build(files); err != nil {
		return nil, s.abandon(err)
	}
	return s, nil
}

// files are what a server reads beside its database. They are read before it:
// a file that cannot be used must not be found after a database was made or upgraded.
type files struct {
	providers []*sso.Client
	letters   letters
	streets   streets
}

func readFiles(e *env, cfg *config.Server) (f files, err error) {
	if f.providers, err = providers(e, cfg); err != nil {
		return f, err
	}
	if f.letters, err = lettersOf(cfg); err != nil {
		return f, err
	}
	if f.streets, err = openStreets(e.common.Data); err == nil && f.streets.region != nil && f.streets.places == nil {
		e.log.Warn("the map has no search index: streets and places cannot be searched; import the region again (lightbar map import)")
	}
	return f, err
}

// abandon gives everything back after a failed start.
func (s *server) abandon(err error) error {
	ctx, cancel := context.WithTimeout(context.Background(), stopRest)
	defer cancel()
	if s.hub != nil {
		err = errors.Join(err, s.hub.Drain(ctx))
	}
	if s.alerts != nil {
		err = errors.Join(err, s.alerts.Drain(ctx))
	}
	return errors.Join(err, s.ports.close(), s.core.close(ctx))
}

func (s *server) build(f files) error {
	s.app.PublicURL = s.cfg.PublicURL
	settings, err := settingsOf(s.cfg)
	if err != nil {
		return err
	}
	s.app.Configured = settings
	s.app.Passwords, s.app.HideUnknownEmail = people.PasswordProfile(s.cfg.People.PasswordPolicy), !s.cfg.People.RevealUnknownEmail
	s.app.LinkConfirmation = s.cfg.People.LinkConfirmation
	brand, err := s.app.Brand(s.e.ctx)
	if err != nil {
		return err
	}
	if s.app.Post, err = f.letters.post(s.e, brand.Name); err != nil {
		return err
	}
	s.app.Around.BackupFolder = filepath.Join(s.e.common.Data, "backups")
	if s.cert != nil {
		s.app.Around.Certificate = s.cert.facts
	}
	s.app.Providers, s.app.Outbound.Allow = f.providers, s.cfg.OutboundAllow
	s.app.FeedFolder = s.e.common.Data
	s.hub = cable.New(s.app, s.bus, cable.Options{Log: s.e.log, Network: api.NetworkOf, Failed: api.Failed, Budget: &s.held})
	s.alerts = alerts.New(s.app, s.bus, alerts.Options{Log: s.e.log})
	dist, err := fs.Sub(web.Dist, "dist")
	if err != nil {
		return err
	}
	base, err := baseTiles(dist)
	if err != nil {
		return err
	}
	if s.mqtt, err = s.devices(); err != nil {
		return err
	}
	metrics := api.NewMetrics()
	registerMetrics(metrics.Registry, s)
	handler := api.New(s.app, api.Options{
		Version: version, Dist: dist, Region: s.region, Roads: s.roads, Places: s.places, Words: s.words(), Base: base, Cable: s.hub,
		Alerts:        s.alerts,
		DirectionsURL: s.cfg.Map.DirectionsURL,
		Ingest:        device.New(s.app, device.Options{Network: api.NetworkOf, Failed: api.Failed, Budget: &s.held}), Budget: &s.held,
		TrustedProxies: s.cfg.TrustedProxies, AllowHTTP: s.cfg.AllowHTTP, DataDir: s.e.common.Data, Metrics: metrics, Ready: s.ready,
	})
	s.http = api.NewServer(handler)
	s.http.ErrorLog = slog.NewLogLogger(s.e.log.Handler(), slog.LevelDebug)
	if s.ports.admin != nil {
		s.admin = api.NewServer(api.Admin(metrics, handler))
		s.admin.WriteTimeout = 2 * time.Minute // a profile takes as long as it is asked to
	}
	return nil
}

// words asks what3words; nil without a key.
func (s *server) words() *words.Client {
	if s.cfg.Map.WordsKey == "" {
		return nil
	}
	return &words.Client{Key: s.cfg.Map.WordsKey.Reveal()}
}

// baseTiles opens the world base inside the binary; a binary built without the web app has none.
func baseTiles(dist fs.FS) (*tiles.Tiles, error) {
	b, err := fs.ReadFile(dist, "map/base.pmtiles")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return tiles.OpenTilesBytes(b)
}

// ready is the server's own condition of /readyz.
func (s *server) ready() error {
	switch {
	case s.leaving.Load():
		return errors.New("The server is stopping.") //nolint:staticcheck // shown to people as it is
	case errors.Is(s.store.Cause(), engine.ErrLockLost):
		return errors.New("Another server took over the database.") //nolint:staticcheck // as above
	case s.store.Cause() != nil:
		return errors.New("The storage failed.") //nolint:staticcheck // as above
	case errors.Is(s.store.Refusing(), engine.ErrFull):
		return errors.New("The disk is full.") //nolint:staticcheck // as above
	case s.store.Refusing() != nil:
		return errors.New("The disk cannot be written.") //nolint:staticcheck // as above
	case s.store.ReadsFail():
		return errors.New("The disk fails to read.") //nolint:staticcheck // as above
	}
	return nil
}

// firstLink is the one-time link of an installation without users, else "".
func (s *server) firstLink() (string, error) {
	return s.app.FirstAdministratorLink(s.e.ctx, access.System())
}

func (s *server) greet(link string) {
	_, _ = fmt.Fprintf(s.e.stdout, "Lightbar %s serves %s\n", version, s.cfg.PublicURL)
	if link != "" {
		_, _ = fmt.Fprintf(s.e.stdout, "First start. Create the first administrator with this one-time link:\n  %s\n", link)
	}
}

// run serves until the context ends, the storage fails or a port does; then it stops gracefully.
func (s *server) run() error {
	if err := s.start(); err != nil {
		return s.abandon(err)
	}
	var cause error
	select {
	case <-s.e.ctx.Done():
		s.e.log.Info("stopping")
	case <-s.store.Failed():
		cause = s.failure()
	case err := <-s.served:
		cause = place("A port stopped serving: %v.", err)
	}
	err := s.stop(cause != nil)
	if cause != nil {
		return cause
	}
	return err
}

// failure says why nothing more is acknowledged, and what to do.
func (s *server) failure() error {
	cause := s.store.Cause()
	if u := s.store.Damage(cause); u != nil {
		return u
	}
	if !errors.Is(cause, engine.ErrLockLost) {
		return place("The storage failed and nothing more is acknowledged: %v. Start again when the disk is good.", cause)
	}
	ctx, cancel := context.WithTimeout(context.Background(), stopRest)
	defer cancel()
	holder, err := s.store.Holder(ctx)
	if err != nil || holder == "" {
		holder = "it has ended since"
	}
	return place("Another server took over this database in PostgreSQL (%s); nothing more is acknowledged here. "+
		"Only one may run: stop one for good.", holder)
}

func (s *server) start() error {
	err := s.app.PutQuestionsAgain(s.e.ctx)
	if err != nil { // a full disk: people need the map more, and the closures' own task tries again
		s.e.log.Warn("questions about closures that could not be answered were not put again", "error", err)
	}
	s.control, err = startControl(s.app, s.e.common.Data)
	switch {
	case errors.Is(err, syscall.ENOSPC): // of bytes or of files: people need the map more than operators their commands
		s.e.log.Warn("the disk has no room for the operators' socket: their commands wait for the next start", "error", err)
	case err != nil:
		return err
	}
	info := s.ports.describe(s.cfg.PublicURL)
	if err := info.write(s.e.common.Data); err != nil { // a full disk: people need the map more than an operator this file
		s.e.log.Warn("the file that says where the server is could not be written", "file", filepath.Join(s.e.common.Data, runFile), "error", err)
	}
	if err := s.app.Audit.Seal(s.e.ctx); err != nil { // rows of a server that was killed lie open; it says by itself what is wrong
		s.e.log.Warn("the audit could not be sealed at the start", "error", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	s.works = cancel
	now, later := work.Split(work.Tasks(s.app))
	s.working = append(s.working, work.Start(ctx, s.e.log, now))
	s.beside(func() {
		if s.past != nil {
			if err := s.past(ctx); err != nil && ctx.Err() == nil {
				s.e.log.Error("the demo's history is not whole; the next start goes on with it", "error", err)
			}
		}
		work.Start(ctx, s.e.log, later)()
	})
	s.beside(func() { s.heap.follow(ctx, s.live.CountAll) })
	if s.drive != nil {
		s.beside(func() {
			if err := s.drive(ctx); err != nil && ctx.Err() == nil {
				s.e.log.Error("the demo's fleet stopped", "error", err)
			}
		})
	}
	for _, l := range s.ports.main {
		if s.cert != nil {
			l = tls.NewListener(l, s.cert.config())
		}
		s.listeners = append(s.listeners, device.HTTP(s.http, l))
	}
	if s.mqtt != nil {
		s.listeners = append(s.listeners, s.mqtt.Listener())
	}
	for _, l := range s.listeners {
		go s.serve(l)
	}
	if s.cert != nil && s.cert.orders != nil {
		s.beside(func() { s.cert.orders.run(ctx) }) // from here on the authority finds the port open
	}
	if s.admin != nil {
		go s.serve(device.HTTP(s.admin, s.ports.admin))
	}
	s.e.log.Info("serving", "url", info.URL, "listen", info.Listen, "mqtt", info.MQTT, "admin", info.Admin,
		"database", string(s.store.Engine()),
		"version", version, "data", s.e.common.Data)
	return nil
}

// beside runs fn until the stop, which waits for it.
func (s *server) beside(fn func()) {
	var running sync.WaitGroup
	running.Go(fn)
	s.working = append(s.working, running.Wait)
}

func (s *server) serve(l device.Listener) {
	if err := l.Serve(); err != nil {
		s.served <- fmt.Errorf("%s: %w", l.Name, err)
	}
}

// answerRest lets what came in be answered, on all listeners at once; what takes too long is cut, and its senders send it again.
func (s *server) answerRest(ctx context.Context) error {
	errs := make([]error, len(s.listeners))
	var all sync.WaitGroup
	for i, l := range s.listeners {
		all.Go(func() { errs[i] = l.Stop(ctx) })
	}
	all.Wait()
	return errors.Join(slices.DeleteFunc(errs, func(err error) bool {
		if errors.Is(err, device.ErrCut) {
			s.e.log.Warn("what took too long was cut at the stop", "error", err)
			return true
		}
		return false
	})...)
}

// stop ends everything in the order in which nothing acknowledged is lost.
func (s *server) stop(failed bool) error {
	s.leaving.Store(true)
	if !failed && !config.Loopback(s.cfg.Listen) {
		time.Sleep(stopNotice)
	}
	var err error
	under := func(limit time.Duration, what string, fn func(context.Context) error) {
		ctx, cancel := context.WithTimeout(context.Background(), limit)
		defer cancel()
		e := fn(ctx)
		switch {
		case errors.Is(e, engine.ErrFull), errors.Is(e, engine.ErrReadOnly): // the next start reads the reports again
			s.e.log.Warn("the last states could not be written; the next start makes them from the reports", "part", what, "error", e)
		case e != nil:
			s.e.log.Warn("the stop was not clean", "part", what, "error", e)
			err = errors.Join(err, e)
		}
	}
	frames, cancel := context.WithTimeout(context.Background(), stopFrames)
	defer cancel()
	s.alerts.Tell()
	s.hub.Tell(frames)
	s.app.StopCommands() // devices that wait for commands ask the next server
	s.held.Hurry(time.Now().Add(stopBodies))
	var sockets sync.WaitGroup
	sockets.Go(func() {
		ctx, cancel := context.WithTimeout(context.Background(), stopSockets)
		defer cancel()
		if e := s.hub.Drain(ctx); e != nil {
			s.e.log.Info("some sockets did not leave by themselves", "error", e)
		}
	})
	under(stopRequests, "requests", s.answerRest)
	under(stopRest, "alerts", s.alerts.Drain)
	sockets.Wait()
	if s.control != nil {
		under(stopRest, "control", s.control.stop)
	}
	if s.admin != nil {
		_ = s.admin.Close()
	}
	s.works()
	for _, wait := range s.working {
		wait()
	}
	under(stopRest, "ingest, feeds and audit", func(ctx context.Context) error {
		return errors.Join(s.app.StopIngest(ctx), s.app.FlushFeedLedger(ctx), s.app.CountDrivers(ctx), s.app.Audit.Close(ctx))
	})
	under(stopRest, "database", s.core.close)
	if e := os.Remove(filepath.Join(s.e.common.Data, runFile)); e != nil && !errors.Is(e, os.ErrNotExist) && !errors.Is(e, syscall.EROFS) {
		err = errors.Join(err, e)
	}
	if err == nil {
		s.e.log.Info("stopped")
	}
	return err
}
