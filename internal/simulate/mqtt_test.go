package simulate_test

import (
	"context"
	"errors"
	"net"
	"testing"
	"time"

	"lightbar/internal/app"
	"lightbar/internal/device"
	"lightbar/internal/fleet"
	"lightbar/internal/simulate"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit/apptest"
)

// Over MQTT a device reports, answers a press, comes again after a restart of the server, and hears of what was refused.
func TestADeviceOverMQTT(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	org := k.Organization("Engines")
	thing := k.Things(org.ID, "HA7", 1)[0]
	serve := func(address string) (at string, stop func()) {
		port, err := net.Listen("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		s, err := device.NewMQTT(k.App, device.Options{}, port, nil)
		if err != nil {
			t.Fatal(err)
		}
		l, served := s.Listener(), make(chan error, 1)
		go func() { served <- l.Serve() }()
		return port.Addr().String(), func() {
			if err := errors.Join(l.Stop(context.Background()), <-served); err != nil {
				t.Error(err)
			}
		}
	}
	address, stop := serve("127.0.0.1:0")
	said, refused := make(chan string, 10), make(chan string, 10)
	d := simulate.Device{Asset: "HA7-0", OnCommand: func(c simulate.Command, status string) { said <- c.Type + " " + status }}
	at, lat, lng := fleet.Instant(k.At()).Time().Format(time.RFC3339), 39.7447, -75.5484
	m := simulate.MQTT{Address: address, Key: k.Key(org.ID, thing.ID), Every: 50 * time.Millisecond,
		Report: func() simulate.Item {
			return simulate.Item{Type: "point", Asset: "HA7-0", At: at, Lat: &lat, Lng: &lng}
		}, Refused: func(text string) { refused <- text }}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- d.AnswerMQTT(ctx, m) }()
	user := k.User(org.ID, "administrator")
	press := func(key, want string) {
		t.Helper()
		var err error
		for { // until its first report has come
			if _, err = k.SetLightIntensity(t.Context(), user, thing.ID, key, "high"); err == nil || t.Context().Err() != nil {
				break
			}
		}
		if got := <-said; got != want || err != nil {
			t.Errorf("the device says %q, want %q (%v)", got, want, err)
		}
	}
	press("press-1", "light_intensity delivered")
	stop()
	_, stop = serve(address)
	defer stop()
	press("press-2", "light_intensity delivered")
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	rows, _, err := k.ListThingCommands(t.Context(), user, app.CommandQuery{ThingID: thing.ID})
	if err != nil || len(rows) != 2 {
		t.Errorf("%+v, %v", rows, err)
	}
	lat = 91
	ctx, cancel = context.WithCancel(t.Context())
	go func() { ended <- d.AnswerMQTT(ctx, m) }()
	if text := <-refused; text == "" {
		t.Error("told nothing of what was refused")
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if err := (&simulate.Device{Asset: "HA7-1"}).AnswerMQTT(t.Context(), m); !errors.Is(err, simulate.ErrKeyRefused) {
		t.Errorf("another's name: %v", err)
	}
	m.Address = "127.0.0.1:1"
	if err := d.AnswerMQTT(t.Context(), m); err == nil || errors.Is(err, simulate.ErrKeyRefused) {
		t.Errorf("no server: %v", err)
	}
}
