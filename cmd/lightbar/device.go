package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"time"

	"lightbar/internal/config"
	"lightbar/internal/simulate"
)

type deviceCmd struct {
	Protocol string        `help:"How it reports: http, or mqtt, which needs the asset's own key." enum:"http,mqtt" default:"http" placeholder:"NAME"`
	Server   string        `help:"Address of the running server; default http://localhost:8080, over MQTT mqtt://localhost:1883 (mqtts:// for TLS)." placeholder:"URL"`
	CA       string        `help:"Certificates (PEM) to trust besides the system's." name:"ca" type:"path" placeholder:"FILE"`
	Key      string        `help:"API key of an organization, or of the asset. Prefer the variable: every user of the machine can read arguments." env:"LIGHTBAR_KEY" required:"" placeholder:"KEY"`
	Asset    string        `help:"System name of the asset." required:"" placeholder:"NAME"`
	Type     string        `help:"Type of the device, if the asset is to be registered." enum:"ha5,ha7,api" default:"ha7" placeholder:"TYPE"`
	Lat      float64       `help:"Where it stands." default:"39.7447" placeholder:"DEGREES"`
	Lng      float64       `help:"Where it stands." default:"-75.5484" placeholder:"DEGREES"`
	Every    time.Duration `help:"How often it reports its position." default:"10s" placeholder:"DURATION"`
}

// Help implements kong.HelpProvider.
func (deviceCmd) Help() string {
	return `A reference light device: it reports a position, waits for commands, executes each once and none after its end, and
says what became of it. In test mode it reports its lights as on, and with a configuration as often as that says. The asset is
registered if the key allows it.

  LIGHTBAR_KEY=lb_key_… lightbar device --asset HA7-00412
  LIGHTBAR_KEY=lb_key_… lightbar device --asset HA7-00412 --protocol mqtt --server mqtts://fleet.example.org:8883`
}

// Validate implements kong's check of the flags.
func (c *deviceCmd) Validate() error {
	if c.Server == "" {
		c.Server = map[string]string{"http": "http://localhost:8080", "mqtt": "mqtt://localhost:1883"}[c.Protocol]
	}
	u, err := url.Parse(c.Server)
	switch {
	case err != nil || u.Host == "" || u.Scheme != c.Protocol && u.Scheme != c.Protocol+"s":
		return config.Error("--server " + c.Server + " must begin with " + c.Protocol + ":// or " + c.Protocol + "s://.")
	case c.Protocol == "mqtt" && u.Port() == "":
		return config.Error("--server " + c.Server + " needs a port, such as mqtts://fleet.example.org:8883.")
	case c.Every < time.Second:
		return config.Error("--every must be at least 1s.")
	case c.Lat < -90 || c.Lat > 90 || c.Lng < -180 || c.Lng > 180:
		return config.Error("--lat must be within -90 and 90, --lng within -180 and 180.")
	}
	return nil
}

func (c *deviceCmd) Run(e *env) error {
	roots, err := c.roots()
	if err != nil {
		return err
	}
	d := &simulate.Device{Asset: c.Asset, OnCommand: func(command simulate.Command, status string) {
		value := ""
		if command.Value != nil {
			value = " " + *command.Value
		}
		_, _ = fmt.Fprintf(e.stdout, "%s %s%s: %s\n", command.ID, command.Type, value, status)
	}}
	if c.Protocol == "mqtt" {
		return c.overMQTT(e, d, roots)
	}
	client := simulate.NewClient(c.Server, c.Key, 2)
	client.HTTP.Timeout = time.Minute // a poll takes long
	if t, ok := client.HTTP.Transport.(*http.Transport); ok {
		t.TLSClientConfig = &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}
	}
	return c.overHTTP(e, client, d)
}

// roots are the authorities to trust; nil = the system's.
func (c *deviceCmd) roots() (*x509.CertPool, error) {
	if c.CA == "" {
		return nil, nil
	}
	b, err := os.ReadFile(c.CA)
	if err != nil {
		return nil, place("--ca cannot be read: %v.", err)
	}
	roots, err := x509.SystemCertPool()
	if err != nil {
		roots = x509.NewCertPool()
	}
	if !roots.AppendCertsFromPEM(b) {
		return nil, place("--ca %s holds no certificate in PEM.", c.CA)
	}
	return roots, nil
}

// overMQTT reports and answers over one connection.
func (c *deviceCmd) overMQTT(e *env, d *simulate.Device, roots *x509.CertPool) error {
	u, err := url.Parse(c.Server)
	if err != nil {
		return err
	}
	m := simulate.MQTT{Address: u.Host, Key: c.Key, Every: c.Every, Report: func() simulate.Item { return c.item(d) },
		Refused: func(text string) { _, _ = fmt.Fprintln(e.stderr, "refused: "+text) }}
	if u.Scheme == "mqtts" {
		m.TLS = &tls.Config{RootCAs: roots, ServerName: u.Hostname(), MinVersion: tls.VersionTLS12}
	}
	if err := d.AnswerMQTT(e.ctx, m); err != nil {
		return place("%s: %v.", c.Server, err)
	}
	return nil
}

// overHTTP registers the asset, reports, and polls for commands.
func (c *deviceCmd) overHTTP(e *env, client *simulate.Client, d *simulate.Device) error {
	err := client.Register(e.ctx, []simulate.Asset{{HaasID: c.Asset, ThingType: "fire", DeviceType: c.Type}})
	if refused := (*simulate.StatusError)(nil); err != nil && (!errors.As(err, &refused) || refused.Status != 403) {
		return sendError(c.Server, err)
	}
	ctx, cancel := context.WithCancel(e.ctx)
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- d.Answer(ctx, client) }()
	tick, changed := time.NewTicker(d.Every(c.Every)), d.Reconfigured()
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
		case <-changed: // its interval counts from now on, and that it has it is told at once
			tick.Reset(d.Every(c.Every))
		case <-tick.C:
		}
	}
}

// report sends where the device stands, and its lights.
func (c *deviceCmd) report(ctx context.Context, client *simulate.Client, d *simulate.Device) error {
	_, err := client.SendAgain(ctx, []simulate.Item{c.item(d)})
	return err
}

// item is where the device stands now, and its lights.
func (c *deviceCmd) item(d *simulate.Device) simulate.Item {
	at, accuracy, speed, on, config := time.Now().UTC().Format(time.RFC3339Nano), 5.0, 0.0, d.InTestMode(), d.ConfigVersion()
	return simulate.Item{Type: "point", Asset: c.Asset, At: at, Lat: &c.Lat, Lng: &c.Lng, Accuracy: &accuracy, Speed: &speed, Alerting: &on,
		Config: &config}
}
