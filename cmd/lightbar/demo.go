package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"time"

	"lightbar/internal/config"
	"lightbar/internal/demo"
	"lightbar/internal/fleet"
	"lightbar/internal/geo/places"
	"lightbar/internal/store"
)

type demoCmd struct {
	Listen   string `help:"Loopback address to serve on." default:"localhost:8080" env:"LIGHTBAR_LISTEN" placeholder:"HOST:PORT"`
	Admin    string `help:"Loopback address of metrics and profiles; off = none." name:"admin-listen" default:"127.0.0.1:0" env:"LIGHTBAR_ADMIN_LISTEN" placeholder:"HOST:PORT"`
	Password string `help:"Password of all demo accounts; if left out, one is generated and printed." placeholder:"TEXT"`
	Region   string `help:"OpenStreetMap extract with the streets for the fleet; without it only the world map shows." type:"path" placeholder:"FILE.osm.pbf"`
	Quiet    bool   `help:"No moving fleet."`
	History  int    `help:"Days of history that the first start makes, none with 0." default:"92" placeholder:"DAYS"`
}

// Help implements kong.HelpProvider.
func (demoCmd) Help() string {
	return `Serves a demonstration on this machine only: organizations, accounts of every role, stations, and about sixty vehicles
that drive real streets and report over the same interface as any device. Addresses, password, and API key are written
to demo.json in the data folder (mode 0600). Run it again to continue where it left off. A folder with a real
installation is refused.

The first start also makes a history, so that trips, exports, and reports have something to show. It is simulated, ends
some hours before the start, and its points are sealed directly: ingest takes nothing that old.

  lightbar demo --region delaware-latest.osm.pbf`
}

func (c *demoCmd) Run(e *env) error {
	if !config.Loopback(c.Listen) {
		return config.Error("--listen " + c.Listen + " is not loopback: the demo's accounts are known to everybody, " +
			"so it serves this machine alone. Use lightbar serve.")
	}
	cfg := &config.Server{Listen: c.Listen, AdminListen: c.Admin, People: config.People{RevealUnknownEmail: true}}
	if err := cfg.Check(); err != nil {
		return err
	}
	if host, port, err := net.SplitHostPort(c.Listen); err == nil && host != "localhost" {
		cfg.PublicURL = "http://" + net.JoinHostPort(host, port)
	}
	if c.History < 0 || c.History > mostHistory {
		return config.Error(fmt.Sprintf("--history %d: must be from 0 to %d days.", c.History, mostHistory))
	}
	if err := c.fits(e); err != nil {
		return stopIsNoFailure(e, err)
	}
	if err := c.importRegion(e, cfg); err != nil {
		return stopIsNoFailure(e, err)
	}
	clock := c.clock(e)
	e.now = clock.Now
	s, err := newServer(e, cfg)
	if err != nil {
		return stopIsNoFailure(e, err)
	}
	cast := demo.Cast(s.roads)
	file, err := demo.Seed(e.ctx, s.app, clock, e.common.Data, cfg.PublicURL, c.Password, s.roads, cast)
	if err != nil {
		return s.abandon(demoWords(e, err))
	}
	c.greet(e, file)
	s.past = func(ctx context.Context) error { return demo.KeepPast(ctx, s.app, s.roads, cast, e.log) }
	if !c.Quiet {
		s.drive = func(ctx context.Context) error { return demo.Run(ctx, file, s.roads, cast, time.Now, e.log) }
	}
	return s.run()
}

// mostHistory is far more than anybody looks at.
const mostHistory = 400

// clock stands in the past while the first start prepares a demo with a history.
func (c *demoCmd) clock(e *env) *demo.Clock {
	if demo.Prepared(e.common.Data) {
		return demo.NewClock(e.now(), 0)
	}
	return demo.NewClock(e.now(), c.History)
}

// fits refuses before anything is made or upgraded what Seed would refuse after that.
func (c *demoCmd) fits(e *env) error {
	var refusal *fleet.Refusal
	if err := demo.CheckPassword(c.Password); errors.As(err, &refusal) {
		return config.Error("--password: " + sentence(refusal.Message))
	}
	if demo.Prepared(e.common.Data) {
		return nil
	}
	s, err := store.Open(e.ctx, storeOptions(e, true))
	if err != nil {
		return nil // there is none yet, or it is not usable: the start itself says how
	}
	defer func() { _ = s.Close() }()
	return demoWords(e, demo.MayBegin(e.ctx, s, e.common.Data))
}

// demoWords say what to do where the demo cannot begin.
func demoWords(e *env, err error) error {
	where, flag := "The folder "+e.common.Data, "--data"
	if e.common.Database != "" {
		where, flag = "The database", "--database"
	}
	switch {
	case errors.Is(err, demo.ErrOther):
		return config.Error(where + " holds an installation that is not the demo; name another with " + flag + ".")
	case errors.Is(err, demo.ErrUnfinished) && e.common.Database != "":
		return place("The demo in %s was not prepared to its end; empty the database, remove the folder and start again.", e.common.Data)
	case errors.Is(err, demo.ErrUnfinished):
		return place("The demo in %s was not prepared to its end; remove the folder and start again.", e.common.Data)
	}
	return err
}

// importRegion makes the streets at the first start. The port is tried first:
// nobody should wait for an import to learn that it is busy.
func (c *demoCmd) importRegion(e *env, cfg *config.Server) error {
	if c.Region == "" {
		return nil
	}
	if _, err := os.Stat(filepath.Join(mapDir(e.common.Data), places.PlacesFile)); err == nil {
		return nil
	}
	if _, err := os.Stat(c.Region); err != nil {
		return place("The extract %s cannot be read: %v.", c.Region, errors.Unwrap(err))
	}
	tried := *cfg
	ports, err := listen(&tried)
	if err != nil {
		return err
	}
	if err := ports.close(); err != nil {
		return err
	}
	return importMap(e, c.Region, "")
}

func (c *demoCmd) greet(e *env, f demo.File) {
	_, _ = fmt.Fprintf(e.stdout, "\nLightbar is ready: %s\n\nSign in with one of these and the password  %s\n", f.URL, f.Password)
	for _, u := range f.Users {
		_, _ = fmt.Fprintf(e.stdout, "  %-24s %s\n", u.Email, u.Role)
	}
	_, _ = fmt.Fprintf(e.stdout, "\n%s has all of this and an API key. Ctrl-C stops.\n\n", filepath.Join(e.common.Data, demo.FileName))
}
