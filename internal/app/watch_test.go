package app_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit/apptest"
	"lightbar/internal/testkit/providertest"
	"lightbar/internal/wire"
)

// dog is a test of the watchdog: an organization with engines E-0 and E-1, and a station at 39.7.
type dog struct {
	*apptest.Kit
	t     *testing.T
	s     *store.Store
	org   string
	admin *access.Actor
	made  []wire.Thing
}

func newDog(t *testing.T, s *store.Store) *dog {
	k := apptest.New(t, s)
	o := k.Organization("Harbor County")
	d := &dog{Kit: k, t: t, s: s, org: o.ID, admin: k.User(o.ID, "administrator"), made: k.Things(o.ID, "E", 2)}
	stationAt(t, k, o.ID, "Station 9", 39.7)
	return d
}

// step lets 15 seconds pass, takes reports, and lets the watchdog look.
func (d *dog) step(reports ...fleet.Report) {
	d.t.Helper()
	d.Pass(15 * time.Second)
	for i := range reports {
		if reports[i].At = d.At(); reports[i].Asset == "" {
			reports[i].Asset = "E-0"
		}
	}
	if len(reports) > 0 {
		heardFrom(d.t, d.Kit, d.org, reports...)
	}
	must(d.t, d.Watch(d.t.Context()))
}

// found lists findings, the newest first.
func (d *dog) found(actor *access.Actor, q app.FindingQuery) []wire.Finding {
	d.t.Helper()
	rows, meta, err := d.ListFindings(d.t.Context(), actor, q)
	must(d.t, err)
	if meta.Total != len(rows) {
		d.t.Fatalf("%d of %d rows", len(rows), meta.Total)
	}
	return rows
}

func (d *dog) open(rule string) []wire.Finding {
	d.t.Helper()
	return d.found(d.admin, app.FindingQuery{State: "open", Rule: rule})
}

func (d *dog) turn(rule, mode string) {
	d.t.Helper()
	_, err := d.EditWatchdog(d.t.Context(), d.admin, app.WatchdogEdit{WatchdogWrite: wire.WatchdogWrite{Rules: &[]wire.WatchdogMode{{Rule: rule, Mode: mode}}}})
	must(d.t, err)
}

func (d *dog) quiet(from, to string) {
	d.t.Helper()
	_, err := d.EditWatchdog(d.t.Context(), d.admin, app.WatchdogEdit{WatchdogWrite: wire.WatchdogWrite{QuietFrom: &from, QuietTo: &to}})
	must(d.t, err)
}

func (d *dog) wants(actor *access.Actor) {
	d.t.Helper()
	_, err := d.ChooseWatchdogMail(d.t.Context(), actor, wire.WatchdogMail{Mail: true})
	must(d.t, err)
}

// letters are whom the watchdog mailed, in order.
func (d *dog) letters() (to []string) {
	d.t.Helper()
	rows, err := d.s.Reader().QueryContext(d.t.Context(), "SELECT user_id FROM mail WHERE kind = 'findings' ORDER BY id")
	must(d.t, err)
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var id string
		must(d.t, rows.Scan(&id))
		to = append(to, id)
	}
	must(d.t, rows.Err())
	return to
}

// restart opens the app over the same database again.
func (d *dog) restart() {
	d.t.Helper()
	must(d.t, d.StopIngest(d.t.Context()))
	d.Open(d.s, live.Options{})
}

func lights(lat float64, on bool) fleet.Report { return standing("E-0", 0, lat, on) }

// unsaid is a position that says nothing of lights.
func unsaid(lat float64) fleet.Report {
	r := lights(lat, false)
	r.HasAlerting = false
	return r
}

func driving(lat float64, on bool) fleet.Report {
	r := lights(lat, on)
	r.HasSpeed, r.SpeedMS = true, 20
	return r
}

// A fault is a script of reports, one step of 15 seconds after the other, that a rule must find.
type fault struct {
	rule   string
	before func(d *dog)                       // what is right
	broken func(d *dog, n int) []fleet.Report // the n-th step of the fault
	mended func(d *dog, n int) []fleet.Report
	about  string // type of what it is about
}

func always(r fleet.Report) func(*dog, int) []fleet.Report {
	return func(*dog, int) []fleet.Report { return []fleet.Report{r} }
}

var alertOn = fleet.Report{Kind: fleet.ReportAlert, HasAlerting: true, Alerting: true}

var faults = []fault{
	{fleet.RuleNotAlertingAtIncident, func(d *dog) {
		for range 6 {
			d.step(lights(39.8, true))
		}
	}, always(lights(39.8, false)), always(lights(39.8, true)), fleet.AboutIncident},
	{fleet.RuleNotAlertingOnClosure, func(d *dog) {
		made, err := d.RegisterThings(d.t.Context(), access.System(), []app.NewThing{{OrganizationID: d.org, SystemName: "B-0", Type: "arrow_board", DeviceType: "ha5"}})
		must(d.t, err)
		_, _, err = d.Closures.Create(d.t.Context(), d.admin, automated(made[0].ID))
		must(d.t, err)
		d.step(onBoard(board(true)), onBoard(lights(39.8, true)))
	}, func(*dog, int) []fleet.Report {
		return []fleet.Report{onBoard(board(true)), onBoard(lights(39.8, false))}
	},
		func(*dog, int) []fleet.Report {
			return []fleet.Report{onBoard(board(true)), onBoard(lights(39.8, true))}
		}, fleet.AboutClosure},
	{fleet.RuleNotAlertingEnroute, func(d *dog) {
		for range 6 {
			d.step(inE1(lights(39.9, true)))
		}
	}, func(_ *dog, n int) []fleet.Report { // 300 m nearer each time
		return []fleet.Report{inE1(lights(39.9, true)), driving(39.84+float64(n)*0.0027, false)}
	}, func(_ *dog, n int) []fleet.Report {
		return []fleet.Report{inE1(lights(39.9, true)), driving(39.87+float64(n)*0.0027, true)}
	}, fleet.AboutIncident},
	{fleet.RuleAlertingAtStation, func(d *dog) { d.step(lights(39.7, false)) }, always(lights(39.7, true)), always(lights(39.7, false)), fleet.AboutStation},
	{fleet.RulePositionWithoutLights, func(d *dog) { d.step(lights(39.8, false)) }, always(unsaid(39.8)), always(lights(39.8, false)), ""},
	{fleet.RuleLightsWithoutPosition, func(d *dog) { d.step(driving(39.8, true)) }, always(alertOn), always(driving(39.8, true)), ""},
	{fleet.RuleOldConfiguration, func(d *dog) {
		d.configure("HA5")
		d.step(configured(1))
	}, func(d *dog, n int) []fleet.Report {
		if n == 0 {
			d.configure("HA7")
		}
		return []fleet.Report{configured(1)}
	}, always(configured(2)), fleet.AboutConfiguration},
}

// configure gives E-0 a configuration, which is another one each time.
func (d *dog) configure(model string) {
	d.t.Helper()
	_, err := d.SetDeviceConfig(d.t.Context(), access.System(), d.made[0].ID, app.DeviceConfigEdit{DeviceConfig: fleet.DeviceConfig{Model: model, Platform: "linux",
		FileName: "a.bin", HeartbeatIntervalS: 60, WarningLightPin: 4, IndicatorPin: 5, LocationType: "gps"}})
	must(d.t, err)
}

// configured is a heartbeat that says which version the device has.
func configured(version int64) fleet.Report {
	return fleet.Report{Kind: fleet.ReportHeartbeat, HasConfig: true, Config: version}
}

func inE1(r fleet.Report) fleet.Report    { r.Asset = "E-1"; return r }
func onBoard(r fleet.Report) fleet.Report { r.Asset = "B-0"; return r }

func TestEachRuleIsFoundWithinTwoMinutesAndEnds(t *testing.T) {
	for _, f := range faults {
		t.Run(f.rule, func(t *testing.T) {
			storetest.Each(t, func(t *testing.T, s *store.Store) {
				d := newDog(t, s)
				f.before(d)
				if rows := d.open(""); len(rows) > 0 {
					t.Fatalf("found before the fault: %+v", rows)
				}
				after := func(script func(*dog, int) []fleet.Report, isThere bool) (took time.Duration) {
					t.Helper()
					for n := range 9 {
						d.step(script(d, n)...)
						if took += 15 * time.Second; (len(d.open(f.rule)) > 0) == isThere {
							return took
						}
					}
					t.Fatalf("not within %v: %+v", took, d.found(d.admin, app.FindingQuery{}))
					return 0
				}
				took := after(f.broken, true)
				row := d.open("")[0]
				if took > 2*time.Minute || took < time.Minute || len(d.open("")) != 1 || !row.Trial || row.Held || len(row.Mailed) > 0 ||
					row.FoundAt != d.At() || row.BeganAt < d.At().Add(-took) || row.EndedAt != 0 {
					t.Errorf("after %v: %+v", took, d.open(""))
				}
				if about := row.About; (about == nil) != (f.about == "") || about != nil && about.Type != f.about {
					t.Errorf("about %+v", about)
				}
				ended := after(f.mended, false)
				if rows := d.found(d.admin, app.FindingQuery{}); len(rows) != 1 || rows[0].EndedAt == 0 || ended > time.Minute {
					t.Errorf("after %v: %+v", ended, rows)
				}
				t.Logf("found after %v, over after %v", took, ended)
			})
		})
	}
}

// A report between that says otherwise for a moment neither ends a finding nor begins one.
func TestAFindingDoesNotFlap(t *testing.T) {
	d := newDog(t, storetest.SQLite(t))
	for n := range 40 {
		d.step(lights(39.7, n%2 == 0))
	}
	if rows := d.found(d.admin, app.FindingQuery{}); len(rows) > 0 {
		t.Errorf("lights that go on and off: %+v", rows)
	}
	for range 6 {
		d.step(lights(39.7, true))
	}
	for range 20 {
		d.step(lights(39.7, false))
		d.step(lights(39.7, true))
	}
	if rows := d.found(d.admin, app.FindingQuery{}); len(rows) != 1 || rows[0].EndedAt != 0 {
		t.Errorf("%+v", rows)
	}
}

// Who is out of service or in test mode alerts for reasons of their own; what says nothing of its lights is not known to have them off.
func TestWhatIsNoFinding(t *testing.T) {
	d := newDog(t, storetest.SQLite(t))
	_, err := d.UpdateThing(t.Context(), d.admin, d.made[0].ID, wire.ThingWrite{InService: ptr(false), IsPubliclyAlerting: ptr(true)})
	must(t, err)
	for range 8 {
		d.step(lights(39.7, true), inE1(unsaid(39.8)), fleet.Report{Kind: fleet.ReportOnScene, Asset: "E-1"})
	}
	if rows := d.found(d.admin, app.FindingQuery{}); len(rows) > 0 {
		t.Errorf("%+v", rows)
	}
	_, err = d.UpdateThing(t.Context(), d.admin, d.made[0].ID, wire.ThingWrite{InService: ptr(true), IsPubliclyAlerting: ptr(true)})
	must(t, err)
	for range 8 {
		d.step(lights(39.7, true))
	}
	if rows := d.open(""); len(rows) != 1 {
		t.Errorf("in service: %+v", rows)
	}
	d.turn(fleet.RuleAlertingAtStation, fleet.WatchOff)
	for range 4 {
		d.step(lights(39.7, true))
	}
	if rows := d.open(""); len(rows) > 0 {
		t.Errorf("turned off: %+v", rows)
	}
}

// On trial nobody is mailed. Turned on, what is open is told, once, in one letter to each who asked; nothing is told again
// after a restart, and what began before it ends after it.
func TestWhoAskedIsToldOnce(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		d := newDog(t, s)
		d.wants(d.admin)
		d.User(d.org, "viewer") // does not ask
		both := func(on bool) []fleet.Report { return []fleet.Report{lights(39.7, on), inE1(lights(39.7, on))} }
		for range 6 {
			d.step(both(true)...)
		}
		if rows := d.open(""); len(rows) != 2 || !rows[0].Trial || len(d.letters()) > 0 {
			t.Fatalf("on trial: %+v, mailed %v", rows, d.letters())
		}
		d.turn(fleet.RuleAlertingAtStation, fleet.WatchOn)
		d.step(both(true)...)
		rows := d.open("")
		if len(rows) != 2 || rows[0].Trial || len(rows[0].Mailed) != 1 || rows[1].Mailed[0].UserID != d.admin.UserID || rows[1].Mailed[0].Name != "Kit administrator" {
			t.Errorf("turned on: %+v", rows)
		}
		d.step(both(true)...)
		d.restart()
		for range 6 {
			d.step(both(true)...)
		}
		if to := d.letters(); !slices.Equal(to, []string{d.admin.UserID}) {
			t.Errorf("mailed %v", to)
		}
		for range 4 {
			d.step(both(false)...)
		}
		if rows := d.found(d.admin, app.FindingQuery{State: "ended"}); len(rows) != 2 || len(d.open("")) > 0 {
			t.Errorf("after the restart: %+v", rows)
		}
		settings, err := d.Watchdog(t.Context(), d.admin, "")
		must(t, err)
		if i := slices.IndexFunc(settings.Rules, func(r wire.WatchdogRule) bool { return r.Rule == fleet.RuleAlertingAtStation }); settings.Rules[i].Found7d != 2 || !settings.Mail {
			t.Errorf("%+v", settings)
		}
	})
}

// What is found in the quiet hours is mailed at their end, if it is still so; they go across midnight.
func TestQuietHours(t *testing.T) {
	d := newDog(t, storetest.SQLite(t))
	d.wants(d.admin)
	d.turn(fleet.RuleAlertingAtStation, fleet.WatchOn)
	d.quiet("11:00", "12:05") // it is noon
	for range 6 {
		d.step(lights(39.7, true), inE1(lights(39.7, true)))
	}
	if rows := d.open(""); len(rows) != 2 || !rows[0].Held || rows[0].Trial || len(d.letters()) > 0 {
		t.Fatalf("%+v, mailed %v", rows, d.letters())
	}
	d.restart()
	for d.At() < apptest.Noon.Add(5*time.Minute) {
		d.step(lights(39.7, true), inE1(lights(39.7, false)))
	}
	rows := d.found(d.admin, app.FindingQuery{})
	for _, row := range rows {
		isOver := row.EndedAt != 0
		if row.Held || isOver != (row.ThingName == "E-1") || (len(row.Mailed) > 0) == isOver {
			t.Errorf("%+v", row)
		}
	}
	if len(rows) != 2 || len(d.letters()) != 1 {
		t.Errorf("%+v, mailed %v", rows, d.letters())
	}
}

// Each sees the findings of the assets that they see, and of others' people and accounts nothing.
func TestWhoSeesFindings(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		d := newDog(t, s)
		partner, stranger := d.Organization("Partner"), d.Organization("Stranger")
		guest, foreign := d.User(partner.ID, "viewer"), d.User(stranger.ID, "administrator")
		d.wants(d.admin)
		d.turn(fleet.RuleAlertingAtStation, fleet.WatchOn)
		_, err := d.SetThingAssociations(t.Context(), access.System(), d.made[0].ID, []wire.RelationshipWrite{{OrganizationUUID: wire.ID(partner.ID), RelationshipType: fleet.RelationAccessor}})
		must(t, err)
		for range 6 {
			d.step(lights(39.7, true), inE1(lights(39.7, true)))
		}
		if rows := d.found(guest, app.FindingQuery{}); len(rows) != 1 || *rows[0].ThingID != d.made[0].ID || len(rows[0].Mailed) > 0 {
			t.Errorf("the guest sees %+v", rows)
		}
		if rows := d.found(foreign, app.FindingQuery{}); len(rows) > 0 {
			t.Errorf("the stranger sees %+v", rows)
		}
		if rows := d.found(foreign, app.FindingQuery{ThingID: d.made[0].ID}); len(rows) > 0 {
			t.Errorf("the stranger sees %+v", rows)
		}
		_, _, err = d.ListFindings(t.Context(), foreign, app.FindingQuery{OrganizationIDs: []string{d.org}})
		refused(t, err, "not_found")
		_, err = d.Watchdog(t.Context(), foreign, d.org)
		refused(t, err, "not_found")
		for name, in := range map[string]wire.WatchdogWrite{"quiet_to": {QuietFrom: ptr("22:00")}, "quiet_from": {QuietFrom: ptr("24:00"), QuietTo: ptr("06:00")},
			"rules.0.rule": {Rules: &[]wire.WatchdogMode{{Rule: "x", Mode: "on"}}}, "rules.0.mode": {Rules: &[]wire.WatchdogMode{{Rule: fleet.RuleProviderSilent, Mode: "loud"}}}} {
			_, err := d.EditWatchdog(t.Context(), d.admin, app.WatchdogEdit{WatchdogWrite: in})
			if refusal := refusalOf(t, err); refusal.Fields[name] == "" {
				t.Errorf("%s: %+v", name, refusal)
			}
		}
	})
}

// A provider that can't be read is one finding of the account, and one that falls silent while its vehicle drives one of the vehicle.
func TestAProviderFallsSilent(t *testing.T) {
	c := connected(t, storetest.SQLite(t))
	d := &dog{Kit: c.Kit, t: t, s: c.Store, org: c.o.ID, admin: c.admin}
	look := func() {
		t.Helper()
		c.Pass(15 * time.Second)
		must(t, c.PollIntegrations(t.Context()))
		must(t, c.Watch(t.Context()))
	}
	for range 4 {
		c.said(39.7, 0)
		look()
	}
	for n := 1; len(d.open(fleet.RuleProviderSilent)) == 0; n++ {
		if look(); n > 8 {
			t.Fatal("its silence is not found within two minutes")
		}
	}
	if row := d.open("")[0]; row.ThingID == nil || *row.ThingID != c.thing || row.About == nil || row.About.Name != "Plows" {
		t.Errorf("%+v", row)
	}
	for range 4 {
		c.said(39.7, 0)
		look()
	}
	if rows := d.open(""); len(rows) > 0 {
		t.Errorf("it speaks again: %+v", rows)
	}
	c.Fail(providertest.FeedPath, slices.Repeat([]providertest.Fault{providertest.Unavailable}, 20)...)
	for n := 1; len(d.open("")) == 0; n++ {
		if look(); n > 8 {
			t.Fatal("its failure is not found within two minutes")
		}
	}
	if row := d.open("")[0]; row.ThingID != nil || row.About == nil || row.About.ID != c.id {
		t.Errorf("%+v", row)
	}
}

// What the letter says stands in the words of people.
func TestTheLetterOfFindings(t *testing.T) {
	d := newDog(t, storetest.SQLite(t))
	d.wants(d.admin)
	for _, rule := range fleet.WatchdogRules() {
		d.turn(rule, fleet.WatchOn)
	}
	for range 6 {
		d.step(lights(39.7, true))
	}
	var subject string
	must(t, d.s.Reader().QueryRowContext(t.Context(), "SELECT subject FROM mail WHERE kind = 'findings'").Scan(&subject))
	if !strings.Contains(subject, "watchdog found something") {
		t.Error(subject)
	}
}
