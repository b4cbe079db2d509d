package cable

import (
	"strings"
	"testing"
	"testing/synctest"

	"lightbar/internal/access"
	"lightbar/internal/fleet"
)

// With whom an organization shares its assets is told to listeners who reach it
// in full; who may only read it hears the other form, and not both.
func TestPartnersAreToldToThoseWhoReachInFull(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		defer r.close()
		c := r.mustDial("driver-token") // orgA in full, orgB for reading
		c.subscribe(t, orgA, "")
		c.subscribe(t, orgB, "")
		r.flush()
		c.take()
		for _, kind := range []fleet.MessageType{fleet.MessageThingFull, fleet.MessageThingPart, fleet.MessageAdminFull, fleet.MessageAdminPart} {
			r.publish(kind, "t", 1, orgA, orgB)
		}
		r.flush()
		got := map[string]int{}
		for _, line := range c.take() {
			org, form := "A", "part"
			if strings.Contains(line, orgB) {
				org = "B"
			}
			if strings.Contains(line, "/full") {
				form = "full"
			}
			got[org+" "+form]++
		}
		if len(got) != 2 || got["A full"] != 2 || got["B part"] != 2 {
			t.Errorf("%v", got)
		}
		// Who may only read from now on is sent away to fetch.
		r.dir.change("s-driver", func(a *access.Actor) { a.Organizations = map[string]access.Reach{orgA: access.Read, orgB: access.Read} })
		r.bus.AccessChanged("driver", "")
		<-c.done
	})
}
