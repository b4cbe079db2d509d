package main

import (
	"context"
	"errors"

	"lightbar/catalog"
	"lightbar/internal/config"
)

type serveCmd struct {
	config.Server `embed:""`
}

// Help implements kong.HelpProvider.
func (serveCmd) Help() string {
	return `Runs until SIGINT or SIGTERM. Then it tells sockets to reconnect, answers open requests, and closes the database (exit 0
within 25 s); a second signal ends it at once. The first start creates the data folder and prints a one-time link for
the first administrator. Exit codes: 2 a setting is wrong, 3 the environment is at fault (port, folder, database).

  lightbar serve --data /var/lib/lightbar
  lightbar serve --listen 0.0.0.0:8443 --tls-cert cert.pem --tls-key key.pem --public-url https://fleet.example.org:8443
  lightbar serve --listen 10.0.0.5:8080 --trusted-proxy 10.0.0.1/32 --public-url https://fleet.example.org`
}

// stopIsNoFailure takes the error of a start that was told to stop for what it is: a stop as any other.
func stopIsNoFailure(e *env, err error) error {
	if e.ctx.Err() == nil || !errors.Is(err, context.Canceled) {
		return err
	}
	e.log.Info("stopped before serving")
	return nil
}

func (c *serveCmd) Run(e *env) error {
	if err := c.Check(); err != nil {
		return err
	}
	if err := catalog.SetLimits(c.Limits); err != nil {
		return err
	}
	if len(c.Limits) > 0 {
		e.log.Info("limits set by configuration", "limits", c.Limits)
	}
	e.skipBackup = c.UpgradeWithoutBackup
	s, err := newServer(e, &c.Server)
	if err != nil {
		return stopIsNoFailure(e, err)
	}
	link, err := s.firstLink()
	if err != nil {
		return stopIsNoFailure(e, s.abandon(err))
	}
	s.greet(link)
	return s.run()
}
