package device_test

import (
	"testing"
	"time"

	"github.com/eclipse/paho.golang/paho"

	"lightbar/catalog"
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
