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
	"lightbar/internal/geo"
)

type demoCmd struct {
	Listen   string `help:"Loopback address to serve on." default:"localhost:8080" env:"LIGHTBAR_LISTEN" placeholder:"HOST:PORT"`
	Admin    string `help:"Loopback address of metrics and profiles; off = none." name:"admin-listen" default:"127.0.0.1:0" env:"LIGHTBAR_ADMIN_LISTEN" placeholder:"HOST:PORT"`
	Password string `help:"Password of all demo accounts; without it one is made and printed." placeholder:"TEXT"`
	Region   string `help:"OpenStreetMap extract whose streets the fleet drives; without it the world base shows." type:"path" placeholder:"FILE.osm.pbf"`
	Quiet    bool   `help:"No moving fleet."`
}

// Help implements kong.HelpProvider.
func (demoCmd) Help() string {
	return `Serves a demonstration on this machine alone: organizations, accounts of every role, stations and about sixty
vehicles that drive real streets and report over the same interface as any device. Addresses, password and API key
are written to demo.json in the data folder (mode 0600). Run it again and it goes on where it was.

  lightbar demo --region delaware-latest.osm.pbf`
}

func (c *demoCmd) Run(e *env) error {
	if !config.Loopback(c.Listen) {
		return config.Error("--listen " + c.Listen + " is not loopback: the demo's accounts are known to everybody, so it serves this machine alone. Use lightbar serve.")
	}
	cfg := &config.Server{Listen: c.Listen, AdminListen: c.Admin, People: config.People{RevealUnknownEmail: true}}
	if err := cfg.Check(); err != nil {
		return err
	}
	if host, port, err := net.SplitHostPort(c.Listen); err == nil && host != "localhost" {
		cfg.PublicURL = "http://" + net.JoinHostPort(host, port)
	}
	if err := c.importRegion(e, cfg); err != nil {
		return err
	}
	s, err := newServer(e, cfg)
	if err != nil {
		return err
	}
	cast := demo.Cast(s.roads)
	file, err := demo.Seed(e.ctx, s.app, e.common.Data, cfg.PublicURL, c.Password, cast)
	if err != nil {
		return s.abandon(err)
	}
	c.greet(e, file)
	if !c.Quiet {
		s.drive = func(ctx context.Context) error { return demo.Run(ctx, file, s.roads, cast, time.Now, e.log) }
	}
	return s.run()
}

// importRegion makes the streets at the first start. The port is tried first:
// nobody should wait for an import to learn that it is busy.
func (c *demoCmd) importRegion(e *env, cfg *config.Server) error {
	if c.Region == "" {
		return nil
	}
	if _, err := os.Stat(filepath.Join(mapDir(e.common.Data), geo.RoadsFile)); err == nil {
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
