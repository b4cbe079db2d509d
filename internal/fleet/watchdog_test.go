package fleet

import (
	"fmt"
	"testing"
	"time"
)

const watchNow = Instant(1_700_000_000_000)

func ago(d time.Duration) Instant { return watchNow.Add(-d) }

// seenOf are the rules that see something of an asset, in order.
func seenOf(w *Watched) (out []string) {
	w.Now = watchNow
	if w.Memory == nil {
		w.Memory = &WatchMemory{}
	}
	w.Look(func(s Sight) { out = append(out, s.Rule) })
	return out
}

func TestWhatTheWatchdogSees(t *testing.T) {
	heard := State{HeartbeatAt: ago(0), At: ago(0), HasPosition: true, AlertingAt: ago(0), HasSpeed: true}
	with := func(change func(*State)) *State {
		s := heard
		change(&s)
		return &s
	}
	inService := Thing{ID: "a", InService: true, Responder: true, Integrations: []Identifier{{Provider: ProviderSamsara, ID: "1", Account: "x"}}}
	feeds := []Feed{{Account: &Integration{ID: "x", Provider: ProviderSamsara}, Since: ago(time.Hour)}}
	station := func(float64, float64) string { return "station" }
	says := &WatchMemory{ReportsLights: true}
	dark := func(s *State) { s.LocationID, s.LightsOffAt = "i", ago(time.Minute) }
	for name, c := range map[string]struct {
		w    Watched
		want []string
	}{
		"nothing wrong":                            {Watched{State: &heard}, nil},
		"dark at an incident":                      {Watched{State: with(dark)}, []string{RuleNotAlertingAtIncident}},
		"lit at an incident":                       {Watched{State: with(func(s *State) { s.LocationID, s.Alerting = "i", true })}, nil},
		"it never said anything of its lights":     {Watched{State: with(func(s *State) { dark(s); s.AlertingAt = 0 })}, nil},
		"not heard of for three minutes":           {Watched{State: with(func(s *State) { dark(s); s.HeartbeatAt = ago(3 * time.Minute) })}, nil},
		"its connection was cut":                   {Watched{State: with(func(s *State) { dark(s); s.CutAt = ago(time.Second) })}, nil},
		"out of service":                           {Watched{Thing: &Thing{}, State: with(dark)}, nil},
		"in test mode":                             {Watched{Thing: &Thing{InService: true, TestMode: true}, State: with(dark)}, nil},
		"dark on a closure":                        {Watched{State: &heard, Closure: "c"}, []string{RuleNotAlertingOnClosure}},
		"lit at a station":                         {Watched{State: with(func(s *State) { s.Alerting = true }), Station: station}, []string{RuleAlertingAtStation}},
		"lit, leaving the station":                 {Watched{State: with(func(s *State) { s.Alerting, s.SpeedMS = true, 5 }), Station: station}, nil},
		"lit, there are no stations":               {Watched{State: with(func(s *State) { s.Alerting = true })}, nil},
		"positions say nothing anymore":            {Watched{State: with(func(s *State) { s.AlertingAt, s.AlertingAbsentAt = ago(time.Minute), ago(0) }), Memory: says}, []string{RulePositionWithoutLights}},
		"positions never said anything":            {Watched{State: with(func(s *State) { s.AlertingAt, s.AlertingAbsentAt = ago(time.Minute), ago(0) })}, nil},
		"lit, without a position":                  {Watched{State: with(func(s *State) { s.Alerting, s.At = true, ago(80*time.Second) }), Memory: &WatchMemory{LitAt: ago(time.Hour)}}, []string{RuleLightsWithoutPosition}},
		"lit, it never had a position":             {Watched{State: with(func(s *State) { s.Alerting, s.At, s.HasPosition = true, 0, false }), Memory: &WatchMemory{LitAt: ago(time.Hour)}}, []string{RuleLightsWithoutPosition}},
		"lit a moment ago, without a position":     {Watched{State: with(func(s *State) { s.Alerting, s.At = true, ago(time.Hour) })}, nil},
		"lit, between two positions":               {Watched{State: with(func(s *State) { s.Alerting, s.At = true, ago(30*time.Second) })}, nil},
		"an older configuration":                   {Watched{State: with(func(s *State) { s.Config.BehindAt = ago(time.Hour) })}, []string{RuleOldConfiguration}},
		"an older configuration, not there":        {Watched{State: with(func(s *State) { s.Config.BehindAt, s.HeartbeatAt = ago(time.Hour), ago(time.Hour) })}, nil},
		"silent while it drove":                    {Watched{State: &State{HeartbeatAt: ago(2 * time.Minute), HasSpeed: true, SpeedMS: 20}, Feeds: feeds}, []string{RuleProviderSilent}},
		"heard of a minute ago":                    {Watched{State: &State{HeartbeatAt: ago(time.Minute), HasSpeed: true, SpeedMS: 20}, Feeds: feeds}, nil},
		"silent, it stood":                         {Watched{State: &State{HeartbeatAt: ago(2 * time.Minute), HasSpeed: true}, Feeds: feeds}, nil},
		"silent, lit":                              {Watched{State: &State{HeartbeatAt: ago(10 * time.Minute), Alerting: true}, Feeds: feeds}, []string{RuleProviderSilent}},
		"silent since before the account was read": {Watched{State: &State{HeartbeatAt: ago(2 * time.Hour), Alerting: true}, Feeds: feeds}, nil},
		"silent, of no account":                    {Watched{Thing: &Thing{InService: true}, State: &State{HeartbeatAt: ago(2 * time.Minute), Alerting: true}, Feeds: feeds}, nil},
	} {
		if c.w.Thing == nil {
			c.w.Thing = &inService
		}
		if got := seenOf(&c.w); fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

func TestQuietHoursOfTheWatchdog(t *testing.T) {
	zone, err := time.LoadLocation("America/New_York")
	if err != nil {
		t.Fatal(err)
	}
	night, day := Watchdog{QuietFrom: "22:00", QuietTo: "06:00"}, Watchdog{QuietFrom: "01:30", QuietTo: "02:30"}
	for _, c := range []struct {
		w    *Watchdog
		at   string // UTC
		want bool
	}{
		{&Watchdog{}, "2026-11-21T03:00:00Z", false},
		{&night, "2026-11-22T02:59:59Z", false}, // 21:59
		{&night, "2026-11-22T03:00:00Z", true},  // 22:00
		{&night, "2026-11-22T10:59:59Z", true},  // 5:59
		{&night, "2026-11-22T11:00:00Z", false}, // 6:00
		{&night, "2026-07-22T02:00:00Z", true},  // 22:00 in summer
		{&day, "2026-03-08T06:45:00Z", true},    // 1:45, and then it is 3:00
		{&day, "2026-03-08T07:00:00Z", false},
		{&day, "2026-11-01T05:45:00Z", true}, // 1:45, for the first time
		{&day, "2026-11-01T06:45:00Z", true}, // and for the second
		{&day, "2026-11-01T07:30:00Z", false},
	} {
		at, err := time.Parse(time.RFC3339, c.at)
		if err != nil {
			t.Fatal(err)
		}
		if got := c.w.IsQuiet(InstantOf(at), zone); got != c.want {
			t.Errorf("%s to %s at %s: %t", c.w.QuietFrom, c.w.QuietTo, at.In(zone), got)
		}
	}
}

func TestAWatchbookEndsWhatIsOver(t *testing.T) {
	f := Finding{ID: "1", Rule: RuleAlertingAtStation, ThingID: "a", OrganizationID: "o", About: FindingAbout{Type: AboutStation, ID: "s"}, FoundAt: watchNow, Held: true}
	b := OpenWatchbook([]Finding{f})
	look := func(after time.Duration, does func()) ([]Seen, []Finding) {
		b.Begin(watchNow.Add(after))
		if does != nil {
			does()
		}
		return b.End()
	}
	still := func() { b.Saw("o", "a", Sight{Rule: f.Rule, About: f.About}) }
	for at, does := range map[time.Duration]func(){15: still, 30: nil, 45: still} { // any order: none is over
		if due, over := look(at*time.Second, does); len(due)+len(over) > 0 {
			t.Fatalf("%d s: %v %v", at, due, over)
		}
		look(at*time.Second, still)
	}
	look(60*time.Second, nil)
	if _, over := look(75*time.Second, func() { b.Doubt("a") }); len(over) > 0 {
		t.Fatal("nothing was heard, and it is over")
	}
	look(90*time.Second, nil)
	_, over := look(120*time.Second, nil)
	if len(over) != 1 || over[0].EndedAt != watchNow.Add(90*time.Second) || over[0].Held {
		t.Fatalf("%+v", over)
	}
	b.Put(over[0])
	if _, over := look(135*time.Second, nil); len(over) > 0 {
		t.Error("it ends twice")
	}
	look(150*time.Second, still)
	if due, _ := look(210*time.Second, still); len(due) != 1 || due[0].Since != watchNow.Add(150*time.Second) {
		t.Errorf("%+v", due)
	}
	// It went to another organization: that is another matter.
	if due, _ := look(225*time.Second, func() { b.Saw("p", "a", Sight{Rule: f.Rule, About: f.About}) }); len(due) != 0 {
		t.Errorf("%+v", due)
	}
}

// What is so becomes a finding once, of an account after its own hold, the longest first.
func TestAWatchbookFindsOnce(t *testing.T) {
	b := OpenWatchbook(nil)
	look := func(after time.Duration, does func()) ([]Seen, []Finding) {
		b.Begin(watchNow.Add(after))
		if does != nil {
			does()
		}
		return b.End()
	}
	account := FindingAbout{Type: AboutIntegration, ID: "i"}
	all := func() {
		b.Saw("o", "a", Sight{Rule: RuleProviderSilent, About: account, Since: watchNow.Add(time.Hour)}) // by a clock that is ahead
		b.Saw("o", "b", Sight{Rule: RuleProviderSilent, About: account, Since: watchNow.Add(-10 * time.Second)})
		b.Saw("o", "", Sight{Rule: RuleProviderSilent, About: account, Since: watchNow})
	}
	if due, _ := look(60*time.Second, all); len(due) != 1 || due[0].Key.ThingID != "" {
		t.Fatalf("of an account: %+v", due)
	}
	due, _ := look(90*time.Second, all)
	if len(due) != 2 || due[0].Key.ThingID != "b" || due[1].Key.ThingID != "" {
		t.Fatalf("%+v", due)
	}
	f := Finding{ID: "1", Rule: RuleProviderSilent, ThingID: "b", OrganizationID: "o", About: account, FoundAt: watchNow.Add(130 * time.Second)}
	b.Put(f)
	if due, _ := look(95*time.Second, all); len(due) != 1 || due[0].Key.ThingID != "" {
		t.Errorf("found again: %+v", due)
	}
	// That nothing is heard of an asset is no doubt about its silence.
	doubt := func() { b.Doubt("b") }
	look(100*time.Second, doubt)
	_, over := look(130*time.Second, doubt)
	if len(over) != 1 || over[0].EndedAt != f.FoundAt {
		t.Fatalf("it ends when it was found, if that is later: %+v", over)
	}
	b.Put(over[0])
	f.ID = "2"
	b.Put(f)
	if _, over := look(135*time.Second, nil); len(over) > 0 {
		t.Error("a new one is over since the one before was")
	}
}
