package main

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"lightbar/internal/config"
	"lightbar/internal/simulate"
)

type simulateCmd struct {
	URL      string        `help:"Address of the running server." name:"url" default:"http://localhost:8080" placeholder:"URL"`
	Key      string        `help:"API key of an organization (lightbar key create). Prefer the variable: every user of the machine can read arguments." env:"LIGHTBAR_KEY" required:"" placeholder:"KEY"`
	Assets   int           `help:"Number of assets that report." default:"60" placeholder:"N"`
	Rate     float64       `help:"Points per second for each asset." default:"1" placeholder:"HZ"`
	Duration time.Duration `help:"How long; 0 = until interrupted." default:"1m" placeholder:"DURATION"`
	Clients  int           `help:"Connections at once." default:"16" placeholder:"N"`
	Batch    int           `help:"Points per request." default:"50" placeholder:"N"`
	Replay   string        `help:"Send a recorded fleet instead: Geotab AVL messages (JSON), a drive log (CSV) or WKT points (JSON); its newest time becomes now." type:"path" placeholder:"FILE" xor:"kind"`
	Speed    float64       `help:"Replay speed, times real time; 0 = as fast as the server accepts." default:"0" placeholder:"X"`
}

// Help implements kong.HelpProvider.
func (simulateCmd) Help() string {
	return `Reports as real devices do: over HTTP, with an API key, retrying what was temporarily refused. Missing assets are
registered. Prints what was acknowledged, points per second, and request times; exit code 1 if anything was refused.

  LIGHTBAR_KEY=lb_key_… lightbar simulate --assets 500 --rate 1 --duration 5m
  LIGHTBAR_KEY=lb_key_… lightbar simulate --replay avl.json --speed 10`
}

// Validate implements kong's check of the flags.
func (c *simulateCmd) Validate() error {
	switch {
	case !strings.HasPrefix(c.URL, "http://") && !strings.HasPrefix(c.URL, "https://"):
		return config.Error("--url " + c.URL + " must begin with http:// or https://.")
	case c.Assets < 1 || c.Assets > 1_000_000:
		return config.Error("--assets must be within 1 and 1000000.")
	case c.Rate <= 0 || c.Rate > 100:
		return config.Error("--rate must be above 0 and at most 100.")
	case c.Clients < 1 || c.Batch < 1 || c.Duration < 0 || c.Speed < 0:
		return config.Error("--clients and --batch must be at least 1, --duration and --speed at least 0.")
	}
	return nil
}

func (c *simulateCmd) Run(e *env) error {
	client := simulate.NewClient(c.URL, c.Key, c.Clients)
	if c.Replay != "" {
		return c.replay(e, client)
	}
	duration := c.Duration
	if duration == 0 {
		duration = 100 * 365 * 24 * time.Hour
	}
	r, err := simulate.Load(e.ctx, client, simulate.LoadOptions{Assets: c.Assets, RateHz: c.Rate, Duration: duration,
		Clients: c.Clients, Batch: c.Batch,
		Progress: func(r simulate.LoadResult) {
			_, _ = fmt.Fprintf(e.stderr, "%8d points acknowledged, %.0f/s\n", r.Accepted, r.PointsPerSecond())
		}})
	if err != nil {
		return sendError(c.URL, err)
	}
	_, err = fmt.Fprintf(e.stdout, "sent %d, accepted %d, duplicates %d, refused %d, %.0f points/s, request p50 %s p99 %s\n",
		r.Points, r.Accepted, r.Duplicates, r.Refused, r.PointsPerSecond(), r.P50.Round(10*time.Microsecond), r.P99.Round(10*time.Microsecond))
	return failRefused(err, int(r.Refused))
}

func (c *simulateCmd) replay(e *env, client *simulate.Client) error {
	r, err := simulate.ReadRecording(c.Replay)
	if errors.Is(err, os.ErrNotExist) {
		return place("The recording %s does not exist.", c.Replay)
	}
	if err != nil {
		return place("The recording %s can't be read: %v.", c.Replay, err)
	}
	r.ShiftTo(time.Now())
	said := time.Now()
	answer, err := r.Replay(e.ctx, client, simulate.ReplayOptions{Speed: c.Speed, Batch: c.Batch, Progress: func(done, total int) {
		if time.Since(said) > time.Second {
			said = time.Now()
			_, _ = fmt.Fprintf(e.stderr, "%d of %d\n", done, total)
		}
	}})
	if err != nil {
		return sendError(c.URL, err)
	}
	_, err = fmt.Fprintf(e.stdout, "assets %d, records %d, accepted %d, duplicates %d, refused %d\n", len(r.Assets), len(r.Items),
		answer.Accepted, answer.Duplicates, len(answer.Refused))
	for i, refused := range answer.Refused {
		if i == 10 {
			break
		}
		_, _ = fmt.Fprintf(e.stderr, "  item %d: %s\n", refused.Index, refused.Message)
	}
	return failRefused(err, len(answer.Refused))
}

func failRefused(err error, refused int) error {
	if err == nil && refused > 0 {
		return quietExit(exitFailed)
	}
	return err
}

func sendError(url string, err error) error {
	var status *simulate.StatusError
	if errors.As(err, &status) {
		return err
	}
	return place("The server at %s did not accept the reports: %v.", url, err)
}
