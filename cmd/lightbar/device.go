package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"lightbar/internal/config"
	"lightbar/internal/simulate"
)

type deviceCmd struct {
	Server string        `help:"Address of the running server." default:"http://localhost:8080" placeholder:"URL"`
	Key    string        `help:"API key of an organization, or of the asset. Prefer the variable: every user of the machine can read arguments." env:"LIGHTBAR_KEY" required:"" placeholder:"KEY"`
	Asset  string        `help:"System name of the asset." required:"" placeholder:"NAME"`
	Type   string        `help:"Type of the device, if the asset is to be registered." enum:"ha5,ha7,api" default:"ha7" placeholder:"TYPE"`
	Lat    float64       `help:"Where it stands." default:"39.7447" placeholder:"DEGREES"`
	Lng    float64       `help:"Where it stands." default:"-75.5484" placeholder:"DEGREES"`
	Every  time.Duration `help:"How often it reports its position." default:"10s" placeholder:"DURATION"`
}

// Help implements kong.HelpProvider.
func (deviceCmd) Help() string {
	return `A reference light device: it reports a position, waits for commands, executes each once and none after its end, and
says what became of it. In test mode it reports its lights as on. The asset is registered if the key allows it.

  LIGHTBAR_KEY=lb_key_… lightbar device --asset HA7-00412`
}

// Validate implements kong's check of the flags.
func (c *deviceCmd) Validate() error {
	switch {
	case !strings.HasPrefix(c.Server, "http://") && !strings.HasPrefix(c.Server, "https://"):
		return config.Error("--server " + c.Server + " must begin with http:// or https://.")
	case c.Every < time.Second:
		return config.Error("--every must be at least 1s.")
	case c.Lat < -90 || c.Lat > 90 || c.Lng < -180 || c.Lng > 180:
		return config.Error("--lat must be within -90 and 90, --lng within -180 and 180.")
	}
	return nil
}

func (c *deviceCmd) Run(e *env) error {
	client := simulate.NewClient(c.Server, c.Key, 2)
	client.HTTP.Timeout = time.Minute // a poll takes long
	err := client.Register(e.ctx, []simulate.Asset{{HaasID: c.Asset, ThingType: "fire", DeviceType: c.Type}})
	if refused := (*simulate.StatusError)(nil); err != nil && (!errors.As(err, &refused) || refused.Status != 403) {
		return sendError(c.Server, err)
	}
	d := &simulate.Device{Asset: c.Asset, Told: func(command simulate.Command, status string) {
		value := ""
		if command.Value != nil {
			value = " " + *command.Value
		}
		_, _ = fmt.Fprintf(e.stdout, "%s %s%s: %s\n", command.ID, command.Type, value, status)
	}}
	ctx, cancel := context.WithCancel(e.ctx)
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- d.Answer(ctx, client) }()
	tick := time.NewTicker(c.Every)
	defer tick.Stop()
	for {
		if err := c.report(ctx, client, d); err != nil && ctx.Err() == nil {
			cancel()
			return errors.Join(sendError(c.Server, err), <-ended)
		}
		select {
		case err := <-ended:
			if err != nil {
				return sendError(c.Server, err)
			}
			return nil
		case <-tick.C:
		}
	}
}

// report sends where the device stands, and its lights.
func (c *deviceCmd) report(ctx context.Context, client *simulate.Client, d *simulate.Device) error {
	at, accuracy, speed, on := time.Now().UTC().Format(time.RFC3339Nano), 5.0, 0.0, d.InTestMode()
	_, err := client.SendAgain(ctx, []simulate.Item{{Type: "point", Asset: c.Asset, At: at, Lat: &c.Lat, Lng: &c.Lng, Accuracy: &accuracy,
		Speed: &speed, Alerting: &on}})
	return err
}
