package device_test

import (
	"testing"
	"time"

	"github.com/eclipse/paho.golang/paho"

	"lightbar/catalog"
	"lightbar/internal/store"
)

// There is a place for so many followers of a server, and of a network; who leaves gives it back.
func TestFollowersOverMQTTAreLimited(t *testing.T) {
	t.Cleanup(func() { _ = catalog.SetLimits(nil) })
	for limit, most := range map[string]float64{"alerts.followersPerAddress": 1, "alerts.followers": 10} { // the least that may be set
		if err := catalog.SetLimits(map[string]float64{limit: most}); err != nil {
			t.Fatal(err)
		}
		d := newDrivers(t)
		nameless := func(h *paho.Connect) { h.UsernameFlag, h.PasswordFlag = false, false }
		first := d.anonymous()
		for range int(most) - 1 {
			d.anonymous()
		}
		if _, err := d.connect("", "", nameless); err == nil {
			t.Errorf("%s: one more has a place", limit)
		}
		if st := d.server.Stats(); st.Followers != int64(most) {
			t.Errorf("%s: %+v", limit, st)
		}
		if err := first.c.Disconnect(&paho.Disconnect{}); err != nil {
			t.Fatal(err)
		}
		for end := time.Now().Add(30 * time.Second); ; { // the server learns of it by and by
			if _, err := d.connect("", "", nameless); err == nil {
				break
			} else if time.Now().After(end) {
				t.Fatalf("%s: a place is not given back: %v", limit, err)
			}
		}
		if err := catalog.SetLimits(nil); err != nil {
			t.Fatal(err)
		}
	}
}

// Who subscribes again and again loses the connection: each time is a question to the database.
func TestSubscriptionsHaveAPace(t *testing.T) {
	d := newDrivers(t)
	c := d.anonymous()
	for n := range 3 * int(catalog.LimitInt("alerts", "cells")) {
		if c.subscribe(topicOf(d.org, "dr4e0")) != nil {
			if n < 2*int(catalog.LimitInt("alerts", "cells")) {
				t.Errorf("it ended after %d", n)
			}
			c.mustEnd("too many subscriptions")
			return
		}
		select { // what is told is taken
		case <-c.heard:
		default:
		}
	}
	t.Error("it goes on")
}

// There is a place for so many devices of a server; who leaves gives it back.
func TestMQTTDevicesAreLimited(t *testing.T) {
	const most = 10 // the least that may be set
	if err := catalog.SetLimits(map[string]float64{"mqtt.clients": most}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = catalog.SetLimits(nil) })
	r := newDrivers(t) // with places for who follows, which are not for devices
	things := r.Things(r.org, "L", most+1)
	key := func(i int) string { return r.Key(r.org, things[i].ID) }
	var first *mqttClient
	for i := range most {
		c, err := r.connect(things[i].HaasID, key(i))
		if err != nil {
			t.Fatalf("%d: %v", i, err)
		}
		if first == nil {
			first = c
		}
	}
	last := key(most)
	if _, err := r.connect(things[most].HaasID, last); err == nil {
		t.Error("one more has a place")
	}
	if st := r.server.Stats(); st.Connected != most {
		t.Errorf("%+v", st)
	}
	was := r.server.Stats().Connected
	if err := first.c.Disconnect(&paho.Disconnect{}); err != nil {
		t.Fatal(err)
	}
	r.until("a place given back", func() bool { return r.server.Stats().Connected < was })
	if _, err := r.connect(things[most].HaasID, last); err != nil {
		t.Error(err)
	}
}

// A device that says nothing is asked again: its revoked key ends it. A database that cannot say so ends nobody.
func TestMQTTSilentDevicesAreAskedAgain(t *testing.T) {
	r := newMQTTRoom(t)
	revoked, stays := r.device("HA7-0"), r.device("HA7-1")
	revoke(r, r.thing("HA7-0").ID)
	do := func(sql string) {
		t.Helper()
		if err := r.Store.Write(t.Context(), func(tx *store.Tx) error {
			_, err := tx.ExecContext(t.Context(), sql)
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
	do(`ALTER TABLE api_key RENAME TO api_key_gone`)
	r.server.AskAgain()
	do(`ALTER TABLE api_key_gone RENAME TO api_key`)
	if st := r.server.Stats(); st.Connected != 2 {
		t.Errorf("while nobody could say: %+v", st)
	}
	r.server.AskAgain()
	revoked.mustEnd("a revoked key")
	if err := stays.publish("lightbar/v1/HA7-1/report", `{"type": "heartbeat", "at": "2026-11-21T11:59:59Z"}`); err != nil {
		t.Error(err)
	}
}
