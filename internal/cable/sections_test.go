package cable

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"lightbar/internal/fleet"
)

// Each listener hears of the sections that its permissions open, and of no other; without assets there is no stream.
//
// spec: 6.poll.01
func TestListenersHearOnlyOfTheirSections(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		defer r.close()
		assets := []string{"point", "heartbeat", "thing"}
		for name, c := range map[string]struct {
			permissions, hears []string
		}{
			"assets":    {[]string{"thing:read"}, assets},
			"incidents": {[]string{"thing:read", "incident:read"}, append([]string{"location"}, assets...)},
			"closures":  {[]string{"thing:read", "closure:read"}, append([]string{"closure"}, assets...)},
			"all":       {[]string{"haas:manage"}, append([]string{"closure", "location"}, assets...)},
			"nothing":   {[]string{"incident:read", "closure:read"}, nil},
		} {
			r.dir.set("sections-"+name, actor("u-"+name, "s-"+name, c.permissions...))
			listener := r.mustDial("sections-" + name)
			listener.send(t, subscribeTo(orgA, ""))
			r.flush()
			rejected := slices.ContainsFunc(listener.take(), func(line string) bool { return strings.Contains(line, "reject_subscription") })
			if rejected != (c.hears == nil) {
				t.Errorf("%s: rejected %v", name, rejected)
			}
			for _, kind := range []fleet.EventType{fleet.EventPoint, fleet.EventHeartbeat, fleet.EventThing, fleet.EventLocation, fleet.EventClosure} {
				r.publish(kind, "k-"+string(kind), 1, orgA)
			}
			r.flush()
			heard := map[string]bool{}
			for _, line := range listener.take() {
				for _, kind := range []string{"point", "heartbeat", "thing", "location", "closure"} {
					if strings.Contains(line, `"type":"`+kind+`"`) {
						heard[kind] = true
					}
				}
			}
			for _, kind := range []string{"point", "heartbeat", "thing", "location", "closure"} {
				if heard[kind] != slices.Contains(c.hears, kind) {
					t.Errorf("%s hears of %s: %v", name, kind, heard[kind])
				}
			}
		}
	})
}
