package cable

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/app"
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
			for _, kind := range []fleet.MessageType{fleet.MessagePoint, fleet.MessageHeartbeat, fleet.MessageThing, fleet.MessageLocation, fleet.MessageClosure} {
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

// Every type of the table is heard by who meets its requirement beside that of the stream itself, and by nobody else:
// a noun that joins the stream is held to its row by this test.
func TestEveryStreamedTypeNeedsItsRequirement(t *testing.T) {
	for i, row := range app.StreamedTypes() {
		needs, known := catalog.AllPermissions().Requirements[row.Requires]
		if !known || len(needs) == 0 {
			t.Errorf("%s requires %q, which the catalog does not have", row.Type, row.Requires)
		}
		if i >= 64 {
			t.Errorf("%s has no bit of its own", row.Type)
		}
		org := orgA // in full
		if row.By == access.Read {
			org = orgB
		}
		if !app.Sees(actor("u", "s", "thing:read", needs[0]), org).Has(row.Type) {
			t.Errorf("%s is not heard with %s", row.Type, needs[0])
		}
		if row.Requires != "VIEW_THINGS" && app.Sees(actor("u", "s", "thing:read"), org).Has(row.Type) {
			t.Errorf("%s is heard without %s", row.Type, row.Requires)
		}
		if other := map[string]string{orgA: orgB, orgB: orgA}[org]; row.By != access.None &&
			app.Sees(actor("u", "s", "thing:read", needs[0]), other).Has(row.Type) {
			t.Errorf("%s is heard with another reach", row.Type)
		}
		for name, listener := range map[string]*access.Actor{"nobody": actor("u", "s"), "without assets": actor("u", "s", "incident:read", "closure:read")} {
			if app.Sees(listener, org) != 0 {
				t.Errorf("%s hears %s", name, row.Type)
			}
		}
		if app.Sees(actor("u", "s", "haas:manage"), orgX) != 0 {
			t.Errorf("%s is heard out of reach", row.Type)
		}
	}
	if app.Sees(actor("u", "s", "haas:manage"), orgA).Has("not of the table") {
		t.Error("what nobody knows is heard")
	}
}
